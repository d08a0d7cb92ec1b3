// Names in expressions become variables and constants, references become cells with types.
// What is wrong is reported once and replaced by a harmless constant, so that the rest can be checked too.

import { INT_MAX, INT_MIN } from '../process/arithmetic.ts';
import { flatten } from '../process/channels.ts';
import type { Expression, LValue, ReceiveArgument } from '../process/expression.ts';
import type { LocationId } from '../process/program.ts';
import { suggest } from '../source/diagnostic.ts';
import type { ExpressionNode, Name, Place, ReceiveNode, Reference } from './ast.ts';
import { constant, ReferenceResolver } from './resolve-reference.ts';
import type { ProctypeEntry, Symbols } from './symbols.ts';

/** SPIN reads a long, keeps 32 bits of it and says nothing; the one literal that its C code takes for a long cannot be followed. */
function checkLiteral(symbols: Symbols, node: ExpressionNode & { kind: 'number' }): void {
  if (node.text.length < 10 || BigInt(node.text) <= BigInt(INT_MAX)) return;
  if (node.value === INT_MIN)
    symbols.error('SPW1112', node, `SPIN's verifier computes with ${node.text} in 64 bits`, {
      help: 'the least int is -2147483647 - 1, the greatest 2147483647',
    });
  else
    symbols.warning('SPW1112', node, `${node.text} does not fit an int: SPIN takes it for ${node.value}`, {
      help: 'the greatest int is 2147483647',
    });
}

export class ExpressionResolver extends ReferenceResolver {
  expression(node: ExpressionNode): Expression {
    const { span } = node;
    switch (node.kind) {
      case 'number':
        if (/^[a-z]/.test(node.text)) return constant(span, node.value, { kind: 'bool' }, node.text);
        if (node.text.startsWith("'")) return constant(span, node.value, { kind: 'byte' }, node.text);
        checkLiteral(this.symbols, node);
        return constant(span, node.value);
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
        const args = this.receiveArguments(node.args, 'poll');
        this.checkCount(node, channel, args.length, 'poll');
        return { kind: 'poll', channel, args, random: node.random, span };
      }
      case 'enabled':
      case 'pc_value':
      case 'get_priority':
        return { kind: node.kind, process: this.expression(node.process), span };
      case 'np_':
        if (this.owner !== null && this.owner.node.kind !== 'never')
          this.symbols.error('SPW1111', node, "'np_' can be used in never claims and formulas only");
        return { kind: 'np_', span };
      case 'timeout':
        return { kind: 'timeout', span };
      case 'remote-label':
        return this.remoteLabel(node);
      case 'remote-variable':
        return this.remoteVariable(node);
      case 'c_expr':
        this.symbols.opaque.push({ kind: 'c_expr', text: node.text, span });
        return { kind: 'opaque', text: node.text, span };
      case 'temporal':
        this.symbols.error('SPW1111', node, 'a temporal formula cannot be compared or computed with', {
          help: 'put the comparison in parentheses: <> (x == 2)',
        });
        return constant(span, 0);
    }
  }

  private value(reference: Reference): Expression {
    const { span } = reference;
    const first = reference.parts[0]!;
    const name = first.name.text;
    const single = reference.parts.length === 1 && first.index === null;
    const mtype = single ? this.symbols.mtypeValues.get(name) : undefined;
    if (mtype !== undefined) {
      this.symbols.names?.useMtype(first.name, this.owner);
      return constant(span, mtype.value, { kind: 'mtype', set: mtype.set }, name);
    }
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

  receiveArguments(nodes: readonly ReceiveNode[], use: 'poll' | 'receive' = 'receive'): ReceiveArgument[] {
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
      return this.receiveReference(node.reference, use);
    });
  }

  private receiveReference(reference: Reference, use: 'poll' | 'receive'): ReceiveArgument[] {
    const first = reference.parts[0]!;
    const single = reference.parts.length === 1 && first.index === null;
    const name = first.name.text;
    if (single && name === '_') return [{ kind: 'ignore' }];
    if (single && this.symbols.mtypeValues.has(name))
      return [{ kind: 'match', value: this.value(reference) }];
    if (single && this.scope.find(name) === null && ['_pid', '_nr_pr', '_last', '_priority'].includes(name)) {
      if (use === 'poll') return [{ kind: 'ignore' }];
      this.symbols.error('SPW1109', reference, `'${name}' cannot be received into`, {
        help: `write eval(${name}) to match its value`,
      });
      return [{ kind: 'ignore' }];
    }
    const role = use === 'poll' ? 'read' : 'write';
    const cells = this.structure(reference, role);
    if (cells !== null) return cells.map((target) => ({ kind: 'store', target }));
    const target = this.cell(reference, role);
    return [target === null ? { kind: 'ignore' } : { kind: 'store', target }];
  }

  // Processes

  private run(node: ExpressionNode & { kind: 'run' }): Expression {
    const { span } = node;
    const args = this.flatArguments(node.args);
    const priority = node.priority === null ? null : this.expression(node.priority);
    if (this.owner === null) this.symbols.error('SPW1111', node, "'run' outside a proctype");
    if (this.dstep !== null)
      this.symbols.error('SPW1111', node, "'run' inside a d_step", { help: 'use atomic' });
    const entry = this.symbols.proctypeNamed(node.proctype.text);
    if (entry === null || entry.node.kind !== 'proctype') {
      const names = this.symbols.proctypes.map((proctype) => proctype.node.name.text);
      const near = suggest(node.proctype.text, names);
      this.symbols.error('SPW1101', node.proctype, `there is no proctype '${node.proctype.text}'`, {
        ...(near === null ? {} : { help: `did you mean '${near}'?` }),
      });
      return constant(span, 0);
    }
    this.symbols.names?.useProctype(node.proctype, 'start', this.owner);
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
    if (this.dstep !== null) this.symbols.error('SPW1111', name, 'a remote reference inside a d_step');
    const entry = this.symbols.proctypeNamed(name.text);
    if (entry === null) this.symbols.error('SPW1101', name, `there is no proctype '${name.text}'`);
    else this.symbols.names?.useProctype(name, 'read', this.owner);
    return entry;
  }

  private remoteLabel(node: ExpressionNode & { kind: 'remote-label' }): Expression {
    const entry = this.remoteProctype(node.proctype);
    const process = node.process === null ? null : this.expression(node.process);
    if (entry === null) return constant(node.span, 0);
    const label = node.label.text;
    this.symbols.names?.useLabel(entry.node.name.text, node.label, this.owner);
    this.symbols.referToLabel(`${entry.node.name.text}@${label}`);
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
      this.symbols.names?.useVariable(variable, name, 'read', this.owner);
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
