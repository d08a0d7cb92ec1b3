// Names in expressions become variables and constants, references become cells with types.
// What is wrong is reported once and replaced by a harmless constant, so that the rest can be checked too.

import { flatten } from '../process/channels.ts';
import type { Expression, LValue, PathStep, ReceiveArgument } from '../process/expression.ts';
import type { ChannelSite, LocationId, ScalarType, Type } from '../process/program.ts';
import { suggest } from '../source/diagnostic.ts';
import type { Span } from '../source/source.ts';
import type { ExpressionNode, Name, Place, ReceiveNode, Reference } from './ast.ts';
import type { ProctypeEntry, Scope, Symbols, VariableEntry } from './symbols.ts';

const INT: ScalarType = { kind: 'int' };
const BYTE: ScalarType = { kind: 'byte' };

export const one = (span: Span, name?: string): Expression => constant(span, 1, { kind: 'bool' }, name);

export function constant(span: Span, value: number, type: ScalarType = INT, name?: string): Expression {
  return { kind: 'constant', value, type, span, ...(name === undefined ? {} : { name }) };
}

/** A variable with the way to one of its parts; the part may still be a structure or an array. */
interface Located {
  readonly entry: VariableEntry;
  readonly path: PathStep[];
  readonly type: Type;
  readonly length: number | null;
}

export class ExpressionResolver {
  protected readonly symbols: Symbols;
  /** The proctype whose body is being read, null for globals. */
  protected readonly owner: ProctypeEntry | null;
  protected scope: Scope;

  constructor(symbols: Symbols, owner: ProctypeEntry | null, scope: Scope) {
    this.symbols = symbols;
    this.owner = owner;
    this.scope = scope;
  }

  expression(node: ExpressionNode): Expression {
    const { span } = node;
    switch (node.kind) {
      case 'number':
        if (/^[a-z]/.test(node.text)) return constant(span, node.value, { kind: 'bool' }, node.text);
        return node.text.startsWith("'")
          ? constant(span, node.value, BYTE, node.text)
          : constant(span, node.value);
      case 'reference':
        return this.value(node.reference);
      case 'unary':
        return { kind: 'unary', operator: node.operator, operand: this.expression(node.operand), span };
      case 'binary': {
        const left = this.expression(node.left);
        const right = this.expression(node.right);
        return { kind: 'binary', operator: node.operator, left, right, span };
      }
      case 'conditional':
        return {
          kind: 'conditional',
          condition: this.expression(node.condition),
          whenTrue: this.expression(node.whenTrue),
          whenFalse: this.expression(node.whenFalse),
          span,
        };
      case 'run':
        return this.run(node);
      case 'query':
        return { kind: 'channel-query', query: node.query, channel: this.channel(node.channel), span };
      case 'poll': {
        const channel = this.channel(node.channel);
        const args = this.receiveArguments(node.args);
        this.checkCount(node, channel, args.length, 'poll');
        return { kind: 'poll', channel, args, random: node.random, span };
      }
      case 'enabled':
      case 'pc_value':
      case 'get_priority':
        return { kind: node.kind, process: this.expression(node.process), span };
      case 'timeout':
      case 'np_':
        return { kind: node.kind, span };
      case 'remote-label':
        return this.remoteLabel(node);
      case 'remote-variable':
        return this.remoteVariable(node);
      case 'c_expr':
        this.symbols.opaque.push({ kind: 'c_expr', text: node.text, span });
        return { kind: 'opaque', text: node.text, span };
      case 'temporal':
        this.symbols.error('SPW1111', node, 'a temporal operator outside an ltl formula');
        return constant(span, 0);
    }
  }

  // References

  private value(reference: Reference): Expression {
    const { span } = reference;
    const first = reference.parts[0]!;
    const name = first.name.text;
    const single = reference.parts.length === 1 && first.index === null;
    const mtype = single ? this.symbols.mtypeValues.get(name) : undefined;
    if (mtype !== undefined) return constant(span, mtype.value, { kind: 'mtype', set: mtype.set }, name);
    if (single && this.scope.find(name) === null) {
      const predefined = this.predefined(name, reference);
      if (predefined !== null) return predefined;
    }
    const cell = this.cell(reference);
    return cell === null ? constant(span, 0) : { kind: 'read', cell, span };
  }

  private predefined(name: string, place: Place): Expression | null {
    const { span } = place;
    switch (name) {
      case '_pid':
      case '_nr_pr':
      case '_last':
      case '_priority':
        return { kind: name, span };
      case '_p':
        return { kind: 'pc_value', process: { kind: '_pid', span }, span };
      case '_':
        this.symbols.error('SPW1109', place, "'_' can be written only, not read");
        return constant(span, 0);
      default:
        return null;
    }
  }

  /** A single scalar; null after a diagnostic. */
  cell(reference: Reference): LValue | null {
    const located = this.locate(reference);
    if (located === null) return null;
    const last = reference.parts.at(-1)!.name;
    if (located.type.kind === 'struct') {
      const fields = this.symbols.structs[located.type.struct]!.fields.map((field) => field.name);
      this.symbols.error('SPW1106', reference, `'${last.text}' is a whole structure, not a single value`, {
        help: `use one of its fields: ${fields.join(', ')}`,
      });
      return null;
    }
    if (located.length !== null) {
      this.symbols.error('SPW1107', reference, `'${last.text}' is an array: its index is missing`);
      return null;
    }
    return this.toCell(located, located.type, reference.span);
  }

  private toCell(located: Located, type: ScalarType, span: Span): LValue {
    return { variable: located.entry.id, path: located.path, type, span };
  }

  private locate(reference: Reference): Located | null {
    const first = reference.parts[0]!;
    const entry = this.scope.find(first.name.text);
    if (entry === null) {
      if (this.symbols.mtypeValues.has(first.name.text))
        this.symbols.error('SPW1105', first.name, `'${first.name.text}' is an mtype value, not a variable`);
      else this.symbols.undeclared(first.name, this.scope);
      for (const part of reference.parts) if (part.index !== null) this.expression(part.index);
      return null;
    }
    const start: Located = { entry, path: [], type: entry.type, length: entry.length };
    let located: Located | null = this.indexed(start, first.name, first.index);
    for (const part of reference.parts.slice(1)) {
      located = located === null ? null : this.field(located, part.name);
      located = located === null ? null : this.indexed(located, part.name, part.index);
    }
    return located;
  }

  private indexed(located: Located, name: Name, index: ExpressionNode | null): Located | null {
    if (index === null) return located;
    const value = this.expression(index);
    if (located.length === null) {
      if (value.kind === 'constant' && value.value === 0) return located;
      this.symbols.error('SPW1107', name, `'${name.text}' is no array`);
      return null;
    }
    if (value.kind === 'constant' && (value.value < 0 || value.value >= located.length))
      this.symbols.warning(
        'SPW1112',
        index,
        `the index ${value.value} is outside the array '${name.text}' of ${located.length}`,
      );
    const step: PathStep = { kind: 'index', index: value, length: located.length };
    return { ...located, path: [...located.path, step], length: null };
  }

  private field(located: Located, name: Name): Located | null {
    if (located.length !== null) {
      this.symbols.error(
        'SPW1107',
        name,
        `the index of the array of structures before '.${name.text}' is missing`,
      );
      return null;
    }
    if (located.type.kind !== 'struct') {
      this.symbols.error('SPW1106', name, `what stands before '.${name.text}' is no structure`);
      return null;
    }
    const struct = this.symbols.structs[located.type.struct]!;
    const field = struct.fields.find((candidate) => candidate.name === name.text);
    if (field === undefined) {
      const near = suggest(
        name.text,
        struct.fields.map((candidate) => candidate.name),
      );
      this.symbols.error('SPW1106', name, `the type '${struct.name}' has no field '${name.text}'`, {
        ...(near === null ? {} : { help: `did you mean '${near}'?` }),
      });
      return null;
    }
    const step: PathStep = { kind: 'field', name: name.text };
    return { ...located, path: [...located.path, step], type: field.type, length: field.length };
  }

  channel(reference: Reference): LValue {
    const cell = this.cell(reference);
    if (cell === null || cell.type.kind === 'chan') return cell ?? this.nothing(reference.span);
    this.symbols.error('SPW1105', reference, `'${reference.parts.at(-1)!.name.text}' is no channel`);
    return this.nothing(reference.span);
  }

  /** Stands in for a cell that could not be resolved; the program is thrown away anyway. */
  private nothing(span: Span): LValue {
    return { variable: 0 as LValue['variable'], path: [], type: { kind: 'chan' }, span };
  }

  // Messages

  /** Whole structures are sent field by field. */
  flatArguments(nodes: readonly ExpressionNode[]): Expression[] {
    return nodes.flatMap((node) => {
      if (node.kind !== 'reference') return [this.expression(node)];
      const cells = this.structure(node.reference);
      if (cells === null) return [this.expression(node)];
      return cells.map((cell): Expression => ({ kind: 'read', cell, span: node.span }));
    });
  }

  /** The scalars of a reference to a whole structure, null when it is something else. */
  private structure(reference: Reference): LValue[] | null {
    const first = this.scope.find(reference.parts[0]!.name.text);
    if (first === null || first.type.kind !== 'struct') return null;
    const located = this.locate(reference);
    if (located === null || located.type.kind !== 'struct' || located.length !== null) return null;
    return flatten(this.symbols.structs, located.type).map(({ path, type }) => {
      const steps = path.map((step, i): PathStep => {
        if (typeof step === 'string') return { kind: 'field', name: step };
        const length = lengthAt(this.symbols, located.type, path.slice(0, i));
        return { kind: 'index', index: constant(reference.span, step), length };
      });
      return this.toCell({ ...located, path: [...located.path, ...steps] }, type, reference.span);
    });
  }

  receiveArguments(nodes: readonly ReceiveNode[]): ReceiveArgument[] {
    return nodes.flatMap((node): ReceiveArgument[] => {
      if (node.kind === 'eval') {
        if (node.expression.kind === 'reference') {
          const cells = this.structure(node.expression.reference);
          if (cells !== null)
            return cells.map((cell) => ({ kind: 'match', value: { kind: 'read', cell, span: cell.span } }));
        }
        return [{ kind: 'match', value: this.expression(node.expression) }];
      }
      if (node.kind === 'number') return [{ kind: 'match', value: this.expression({ ...node, depth: 1 }) }];
      return this.receiveReference(node.reference);
    });
  }

  private receiveReference(reference: Reference): ReceiveArgument[] {
    const first = reference.parts[0]!;
    const single = reference.parts.length === 1 && first.index === null;
    const name = first.name.text;
    if (single && name === '_') return [{ kind: 'ignore' }];
    if (single && this.symbols.mtypeValues.has(name))
      return [{ kind: 'match', value: this.value(reference) }];
    if (single && this.scope.find(name) === null && ['_pid', '_nr_pr', '_last', '_priority'].includes(name)) {
      this.symbols.error('SPW1109', reference, `'${name}' cannot be received into`, {
        help: `write eval(${name}) to match its value`,
      });
      return [{ kind: 'ignore' }];
    }
    const cells = this.structure(reference);
    if (cells !== null) return cells.map((target) => ({ kind: 'store', target }));
    const target = this.cell(reference);
    return [target === null ? { kind: 'ignore' } : { kind: 'store', target }];
  }

  /** SPIN takes a message of the wrong length, but it is hardly what the user wants. */
  checkCount(place: Place, channel: LValue, count: number, what: string): void {
    const site = this.siteOf(channel);
    if (site === null || site.fields.length === count) return;
    const entry = this.symbols.variables[site.variable]!;
    this.symbols.warning(
      'SPW1104',
      place,
      `this ${what} has ${count} value${count === 1 ? '' : 's'}, but the messages of '${entry.name}' have ${site.fields.length}`,
    );
  }

  /** The only site a channel variable is declared with, when it is. */
  private siteOf(channel: LValue): ChannelSite | null {
    const fields = channel.path.filter((step) => step.kind === 'field').map((step) => step.name);
    const path = fields.join('.');
    const site = this.symbols.channelSites.find(
      (candidate) => candidate.variable === channel.variable && candidate.fieldPath.join('.') === path,
    );
    return site ?? null;
  }

  // Processes

  private run(node: ExpressionNode & { kind: 'run' }): Expression {
    const { span } = node;
    const args = this.flatArguments(node.args);
    const priority = node.priority === null ? null : this.expression(node.priority);
    if (this.owner === null) this.symbols.error('SPW1111', node, "'run' outside a proctype");
    const entry = this.symbols.proctypeNamed(node.proctype.text);
    if (entry === null || entry.node.kind !== 'proctype') {
      const names = this.symbols.proctypes.map((proctype) => proctype.node.name.text);
      const near = suggest(node.proctype.text, names);
      this.symbols.error('SPW1101', node.proctype, `there is no proctype '${node.proctype.text}'`, {
        ...(near === null ? {} : { help: `did you mean '${near}'?` }),
      });
      return constant(span, 0);
    }
    this.symbols.fixups.push(() => this.checkRun(node, entry, args.length));
    return { kind: 'run', proctype: entry.id, args, priority, span };
  }

  /** The proctype may stand further down, so its parameters are counted at the end. */
  private checkRun(node: Place, entry: ProctypeEntry, given: number): void {
    const wanted = entry.parameters.flatMap((parameter) =>
      flatten(this.symbols.structs, parameter.type, parameter.length),
    ).length;
    if (wanted === given) return;
    const name = entry.node.name;
    this.symbols.error(
      'SPW1104',
      node,
      `'${name.text}' has ${wanted} parameter${wanted === 1 ? '' : 's'}, not ${given}`,
      {
        related: [{ span: name.span, message: 'declared here' }],
      },
    );
  }

  private remoteProctype(name: Name): ProctypeEntry | null {
    const entry = this.symbols.proctypeNamed(name.text);
    if (entry === null) this.symbols.error('SPW1101', name, `there is no proctype '${name.text}'`);
    return entry;
  }

  private remoteLabel(node: ExpressionNode & { kind: 'remote-label' }): Expression {
    const entry = this.remoteProctype(node.proctype);
    const process = node.process === null ? null : this.expression(node.process);
    if (entry === null) return constant(node.span, 0);
    const label = node.label.text;
    this.symbols.remoteLabels.add(`${entry.node.name.text}@${label}`);
    const result = {
      kind: 'remote-label' as const,
      proctype: entry.id,
      process,
      label,
      location: 0 as LocationId,
      span: node.span,
    };
    this.symbols.fixups.push(() => {
      const location = entry.lowered?.labels.get(label);
      if (location !== undefined) result.location = location;
      else if (entry.lowered !== null)
        this.symbols.error('SPW1103', node.label, `'${entry.node.name.text}' has no label '${label}'`, {
          ...nearest(label, entry.lowered.labels.keys()),
        });
    });
    return result;
  }

  private remoteVariable(node: ExpressionNode & { kind: 'remote-variable' }): Expression {
    const entry = this.remoteProctype(node.proctype);
    const process = node.process === null ? null : this.expression(node.process);
    const index = node.variable.index === null ? null : this.expression(node.variable.index);
    if (entry === null) return constant(node.span, 0);
    const { name } = node.variable;
    const cell = { ...this.nothing(node.span) } as { -readonly [K in keyof LValue]: LValue[K] };
    this.symbols.fixups.push(() => {
      const known = [...entry.parameters, ...entry.locals];
      const variable = known.find((candidate) => candidate.name === name.text);
      if (variable === undefined || variable.type.kind === 'struct') {
        this.symbols.error('SPW1101', name, `'${entry.node.name.text}' has no variable '${name.text}'`, {
          ...nearest(
            name.text,
            known.map((candidate) => candidate.name),
          ),
        });
        return;
      }
      cell.variable = variable.id;
      cell.type = variable.type;
      if (variable.length !== null)
        cell.path = [{ kind: 'index', index: index ?? constant(node.span, 0), length: variable.length }];
    });
    return { kind: 'remote-read', proctype: entry.id, process, cell, span: node.span };
  }
}

function nearest(wrong: string, known: Iterable<string>): { help?: string } {
  const near = suggest(wrong, known);
  return near === null ? {} : { help: `did you mean '${near}'?` };
}

/** The length of the array that the path inside the structure leads to. */
function lengthAt(symbols: Symbols, type: Type, path: readonly (string | number)[]): number {
  let at: { type: Type; length: number | null } = { type, length: null };
  for (const step of path) {
    if (typeof step === 'number') at = { type: at.type, length: null };
    else if (at.type.kind === 'struct')
      at = symbols.structs[at.type.struct]!.fields.find((field) => field.name === step)!;
  }
  return at.length ?? 1;
}
