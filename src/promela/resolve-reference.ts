// References become cells: a variable, and the way through indices and fields to a scalar of it.

import { flatten } from '../process/channels.ts';
import type { Expression, LValue, PathStep } from '../process/expression.ts';
import type { ChannelSite, ScalarType, Type } from '../process/program.ts';
import { placeStorage } from '../process/storage.ts';
import { suggest } from '../source/diagnostic.ts';
import type { Role } from '../source/names.ts';
import type { Span } from '../source/source.ts';
import type { ExpressionNode, Name, Place, Reference } from './ast.ts';
import type { ProctypeEntry, Scope, Symbols, VariableEntry } from './symbols.ts';

const INT: ScalarType = { kind: 'int' };

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

export abstract class ReferenceResolver {
  readonly symbols: Symbols;
  /** The proctype whose body is being read, null for globals. */
  protected readonly owner: ProctypeEntry | null;
  scope: Scope;
  /** Inside a d_step, some operators are forbidden. */
  dstep: number | null = null;
  private readonly unresolved = new WeakSet<LValue>();

  constructor(symbols: Symbols, owner: ProctypeEntry | null, scope: Scope) {
    this.symbols = symbols;
    this.owner = owner;
    this.scope = scope;
  }

  abstract expression(node: ExpressionNode): Expression;

  /** A single scalar; null after a diagnostic. */
  cell(reference: Reference, role: Role = 'read'): LValue | null {
    const located = this.locate(reference, role);
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
    const { entry, path } = located;
    const isElement = path.at(-1)?.kind === 'index';
    const storage = placeStorage(type, { isElement, hidden: entry.hidden && path.length === 0 });
    return { variable: entry.id, path, type, storage, span };
  }

  private locate(reference: Reference, role: Role): Located | null {
    const first = reference.parts[0]!;
    const entry = this.scope.find(first.name.text);
    if (entry === null) {
      if (this.symbols.mtypeValues.has(first.name.text))
        this.symbols.error('SPW1105', first.name, `'${first.name.text}' is an mtype value, not a variable`);
      else this.symbols.undeclared(first.name, this.scope);
      for (const part of reference.parts) if (part.index !== null) this.expression(part.index);
      return null;
    }
    this.symbols.names?.useVariable(entry, first.name, role, this.owner);
    const start: Located = { entry, path: [], type: entry.type, length: entry.length };
    let located: Located | null = this.indexed(start, first.name, first.index);
    for (const part of reference.parts.slice(1)) {
      located = located === null ? null : this.field(located, part.name, role);
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

  private field(located: Located, name: Name, role: Role): Located | null {
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
    this.symbols.names?.useField(struct.name, name, role, this.owner);
    const step: PathStep = { kind: 'field', name: name.text };
    return { ...located, path: [...located.path, step], type: field.type, length: field.length };
  }

  channel(reference: Reference, role: Role = 'read'): LValue {
    const cell = this.cell(reference, role);
    if (cell === null || cell.type.kind === 'chan') return cell ?? this.nothing(reference.span);
    this.symbols.error('SPW1105', reference, `'${reference.parts.at(-1)!.name.text}' is no channel`);
    return this.nothing(reference.span);
  }

  /** What is wrong with a channel was said: its messages are not judged as well. */
  protected isKnown(cell: LValue): boolean {
    return !this.unresolved.has(cell);
  }

  /** Stands in for a cell that could not be resolved; the program is thrown away anyway. */
  protected nothing(span: Span): LValue {
    const type: ScalarType = { kind: 'chan' };
    const storage = placeStorage(type, { isElement: false });
    const cell: LValue = { variable: 0 as LValue['variable'], path: [], type, storage, span };
    this.unresolved.add(cell);
    return cell;
  }

  /** The scalars of a reference to a whole structure, null when it is something else. */
  protected structure(reference: Reference, role: Role = 'read'): LValue[] | null {
    const first = this.scope.find(reference.parts[0]!.name.text);
    if (first === null || first.type.kind !== 'struct') return null;
    const located = this.locate(reference, role);
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

  /** SPIN takes a message of the wrong length, but it is hardly what the user wants. */
  checkCount(place: Place, channel: LValue, count: number, what: string): void {
    const site = this.isKnown(channel) ? this.siteOf(channel) : null;
    if (site === null || site.fields.length === count) return;
    // A poll for the first fields only is common and harmless.
    if (what === 'poll' && count < site.fields.length) return;
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
