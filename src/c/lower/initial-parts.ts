// Which part of a type each item of an initialiser goes to: lists with and without designators and inner braces, strings for arrays of characters.

import { isCompatible, plain } from '../program/compatible.ts';
import { gapsBetween } from '../program/padding.ts';
import { findField, leavesOf } from '../program/type-parts.ts';
import type { BitRange, CType, Field, RecordInfo } from '../program/types.ts';
import { isScalar, sameType, sizeOf } from '../program/types.ts';
import type { Expression, InitializerItem, Step } from '../syntax/ast.ts';
import { refuse } from '../text/codes.ts';
import { hasCompileTime } from '../text/predefined.ts';
import type { Context } from './context.ts';
import { stringLiteral } from './literals.ts';
import { refuseCompileTime } from './places.ts';
import { constant, typeOf } from './values.ts';

export const MAX_WRITES = 4096;

export interface Assignment {
  readonly offset: number;
  readonly type: CType;
  readonly bits: BitRange | null;
  readonly source: Expression | number;
}

type ArrayType = Extract<CType, { kind: 'array' }>;
type RecordType = Extract<CType, { kind: 'record' }>;

/** An array without a length gets it from its initialiser. */
export function completed(context: Context, type: CType, source: Expression | null): CType {
  if (type.kind !== 'array' || type.length !== null || source === null) return type;
  if (source.kind === 'string')
    return { ...type, length: stringLiteral(source.text, source.span, context.sizes).length };
  if (source.kind !== 'list') return type;
  const only = source.items[0];
  if (source.items.length === 1 && only!.value.kind === 'string' && isCharacter(type.of))
    return completed(context, type, only!.value);
  const endless = { ...type, length: Number.POSITIVE_INFINITY };
  return { ...type, length: new Filling(context, false).list(endless, 0, source.items) };
}

/** The type of an object whose last member, an array without a length, gets it from the initialiser (GNU C). */
export function withRest(context: Context, type: CType, source: Expression | null): CType {
  if (type.kind !== 'record' || type.record.union || source?.kind !== 'list') return type;
  const fields = type.record.fields ?? [];
  const last = fields.at(-1);
  if (last?.type.kind !== 'array' || last.type.length !== null) return type;
  const filling = new Filling(context, true);
  filling.list({ ...type, record: lengthened(type.record, last, Number.POSITIVE_INFINITY) }, 0, source.items);
  const size = sizeOf(last.type.of) ?? 1;
  const end = filling.assignments.reduce(
    (so, { offset, type: part }) => Math.max(so, offset + (sizeOf(part) ?? 0)),
    last.offset,
  );
  return { ...type, record: lengthened(type.record, last, Math.ceil((end - last.offset) / size)) };
}

function lengthened(record: RecordInfo, last: Field, length: number): RecordInfo {
  const type = { ...(last.type as ArrayType), length };
  const size = Number.isFinite(length)
    ? Math.max(record.size, last.offset + (sizeOf(type) ?? 0))
    : record.size;
  return { ...record, size, fields: [...(record.fields ?? []).slice(0, -1), { ...last, type }] };
}

/** `isStatic`: for something that lives as long as the program. */
export function flatten(context: Context, type: CType, source: Expression, isStatic: boolean): Flattened {
  const filling = new Filling(context, isStatic);
  filling.whole({ type, offset: 0, bits: null }, source);
  return { assignments: filling.assignments, open: filling.openBytes() };
}

interface Flattened {
  readonly assignments: readonly Assignment[];
  /** Bytes between the parts of the member of a union that gets a value: unless the object lives as long as the program, anything is in them. */
  readonly open: ReadonlySet<number>;
}

interface Part {
  readonly type: CType;
  readonly offset: number;
  readonly bits: BitRange | null;
}

/** The items left over: those of a list from some place on. */
interface Items {
  readonly list: readonly InitializerItem[];
  readonly at: number;
  /** Stands for the first of them, where a part of its path is walked already. */
  readonly head: InitializerItem | null;
}

const allOf = (list: readonly InitializerItem[]): Items => ({ list, at: 0, head: null });
const isEmpty = ({ list, at }: Items): boolean => at >= list.length;
const firstOf = ({ list, at, head }: Items): InitializerItem => head ?? list[at]!;
const restOf = ({ list, at }: Items): Items => ({ list, at: at + 1, head: null });

const isCharacter = (type: CType): boolean => type.kind === 'int';

class Filling {
  readonly assignments: Assignment[] = [];
  /** They stand one behind the other, as in most lists, and none is of more bytes than this. */
  private isSorted = true;
  private largest = 1;
  private readonly context: Context;
  private readonly isStatic: boolean;
  /** Which member of the union that lies at an offset has a value. */
  private readonly members = new Map<RecordInfo, Map<number, number>>();

  constructor(context: Context, isStatic: boolean) {
    this.context = context;
    this.isStatic = isStatic;
  }

  /** An initialiser in its own braces, or a single value, for a whole part. */
  whole(part: Part, source: Expression): void {
    const { type, offset, bits } = part;
    this.override(part);
    if (type.kind === 'array' && source.kind === 'string') {
      this.text(type, offset, source);
      return;
    }
    // `char s[] = {"text"}`
    if (type.kind === 'array' && source.kind === 'list' && source.items.length === 1) {
      const only = source.items[0]!;
      if (only.path.length === 0 && only.value.kind === 'string' && isCharacter(type.of)) {
        this.whole(part, only.value);
        return;
      }
    }
    // Before the program runs a literal is nothing but its list.
    if (source.kind === 'literal' && this.isStatic && type.kind === 'record') {
      this.literal(part, source.value);
      return;
    }
    if (source.kind !== 'list') this.assign({ offset, type, bits, source });
    else if (!isScalar(type)) this.list(type, offset, source.items);
    else if (source.items[0] !== undefined) this.whole(part, source.items[0].value);
  }

  /** In its list other literals are values like any: one of which a part is overridden is gone (gcc). */
  private literal(part: Part, list: Expression): void {
    const inner = new Filling(this.context, false);
    inner.whole(part, list);
    for (const [record, members] of inner.members)
      for (const [offset, member] of members) this.memberAt(record).set(offset, member);
    for (const assignment of inner.assignments) {
      const { source, type } = assignment;
      const isLiteral = typeof source === 'object' && source.kind === 'literal' && type.kind === 'record';
      if (isLiteral) this.whole(assignment, source);
      else this.assign(assignment);
    }
  }

  private assign(assignment: Assignment): void {
    this.isSorted &&= assignment.offset >= (this.assignments.at(-1)?.offset ?? 0);
    this.largest = Math.max(this.largest, sizeOf(assignment.type) ?? 0);
    this.assignments.push(assignment);
  }

  private text(type: ArrayType, offset: number, source: Extract<Expression, { kind: 'string' }>): void {
    if (hasCompileTime(source.text)) refuseCompileTime(source.span);
    const units = stringLiteral(source.text, source.span, this.context.sizes);
    const size = sizeOf(type.of) ?? 1;
    const length = type.length === Number.POSITIVE_INFINITY ? units.length : (type.length ?? 0);
    for (let i = 0; i < length; i++)
      this.assign({ offset: offset + i * size, type: type.of, bits: null, source: units[i] ?? 0 });
  }

  /** What the list said before about this part no longer counts; of a value that was given to more than it nothing is left (gcc). */
  private override({ type, offset, bits }: Part): void {
    const end = offset + (sizeOf(type) ?? 0);
    const { assignments } = this;
    const kept = assignments.splice(this.firstNear(offset)).filter((known) => {
      const knownEnd = known.offset + (sizeOf(known.type) ?? 0);
      if (bits !== null && known.bits !== null)
        return known.offset !== offset || known.bits.shift !== bits.shift;
      // A bit-field lies in some bytes that its neighbours use.
      if (bits !== null) return isScalar(known.type) || offset < known.offset || offset >= knownEnd;
      if (known.bits !== null) return known.offset < offset || known.offset >= end;
      return known.offset >= end || knownEnd <= offset;
    });
    for (const known of kept) assignments.push(known);
  }

  /** Those before it do not reach as far as this offset. */
  private firstNear(offset: number): number {
    const { assignments } = this;
    let from = this.isSorted ? assignments.length : 0;
    while (from > 0 && assignments[from - 1]!.offset + this.largest > offset) from--;
    return from;
  }

  /** The items between braces; how many parts they reach. */
  list(type: CType, base: number, items: readonly InitializerItem[]): number {
    let reach = 0;
    this.parts(type, base, allOf(items), true, false, (index) => {
      reach = Math.max(reach, index);
    });
    return reach;
  }

  /**
   * Takes as many items as the parts of an aggregate need; the items left over. Designators start anywhere in the innermost braces (C11 6.7.9): what
   * follows one goes on behind the part that it names, however deep that lies.
   */
  private parts(
    type: CType,
    base: number,
    given: Items,
    braced: boolean,
    named = false,
    reached: (index: number) => void = () => {},
  ): Items {
    if (!braced) this.enter(type, base);
    let items = given;
    let index = 0;
    for (let first = true; !isEmpty(items); first = false) {
      if (firstOf(items).path.length > 0) {
        if (!braced && !(named && first)) return items;
        [index, items] = this.designated(type, base, items);
      } else {
        const part = partOf(type, base, index);
        if (part === null && !braced) return items;
        // gcc: values beyond the end are left out, with a warning.
        if (part === null) items = restOf(items);
        else {
          this.choose(type, base, index++);
          items = this.next(part, items);
        }
      }
      reached(index);
    }
    return items;
  }

  /** The value of a whole struct is gone where a part of it is named, even a part with nothing in it (gcc). */
  private enter(type: CType, base: number): void {
    if (type.kind !== 'record') return;
    for (const known of this.assignments.splice(this.firstNear(base)))
      if (known.offset !== base || !sameType(known.type, type)) this.assignments.push(known);
  }

  /** The first item, and as many more as the part needs without braces of its own. */
  private next(part: Part, items: Items): Items {
    const { value } = firstOf(items);
    const { type } = part;
    const isDirect =
      isScalar(type) ||
      value.kind === 'list' ||
      (type.kind === 'array' && value.kind === 'string' && isCharacter(type.of)) ||
      (type.kind === 'record' && isRecord(this.context, value, type));
    const hasParts = partOf(type, part.offset, 0) !== null;
    if (!isDirect && hasParts) return this.parts(type, part.offset, items, false);
    // gcc: a part with nothing in it (`struct {}`, an array of length 0) takes one value all the same, which is left out.
    if (isDirect) this.whole(part, value);
    return restOf(items);
  }

  /** Of a union one member has a value: those of the others are gone. A member with nothing in it has none (gcc). */
  private choose(type: CType, base: number, index: number): void {
    if (type.kind !== 'record' || !type.record.union) return;
    if (sizeOf(type.record.fields![index]!.type) === 0) return;
    const known = this.memberAt(type.record);
    if ((known.get(base) ?? index) !== index) this.override({ type, offset: base, bits: null });
    known.set(base, index);
  }

  private memberAt(record: RecordInfo): Map<number, number> {
    const known = this.members.get(record) ?? new Map<number, number>();
    this.members.set(record, known);
    return known;
  }

  openBytes(): Set<number> {
    const open = new Set<number>();
    for (const [record, known] of this.members)
      for (const [base, index] of known) {
        const { type, bits, offset } = record.fields![index]!;
        if (bits !== null) continue;
        const leaves = leavesOf(type, MAX_WRITES) ?? [];
        for (const gap of gapsBetween(leaves, sizeOf(type) ?? 0)) open.add(base + offset + gap);
      }
    return open;
  }

  /** Items that start with one such as `.x = 1` or `[3].y = 2`: the index behind the part it names, and the items left over. */
  private designated(type: CType, base: number, items: Items): [index: number, items: Items] {
    const item = firstOf(items);
    const [step, ...deeper] = item.path as [Step, ...Step[]];
    const within = (part: Part, path: readonly Step[], given: Items): Items => {
      const all = { ...given, head: { ...item, path } };
      return path.length === 0 ? this.next(part, all) : this.parts(part.type, part.offset, all, false, true);
    };
    if (typeof step === 'string') {
      const fields = type.kind === 'record' ? (type.record.fields ?? []) : [];
      const direct = fields.findIndex(({ name }) => name === step);
      // A member of a struct or union without a name is named as if it stood here.
      const index = direct >= 0 ? direct : fields.findIndex((field) => isThrough(field, step));
      if (index < 0) refuse('SPW5010', `there is no field '${step}'`, item.value.span);
      this.choose(type, base, index);
      const field = fields[index]!;
      const left = within({ ...field, offset: base + field.offset }, direct >= 0 ? deeper : item.path, items);
      const union = type.kind === 'record' && type.record.union;
      return [union ? fields.length : index + 1, left];
    }
    if (type.kind !== 'array') refuse('SPW5011', 'this is not an array', item.value.span);
    const range = step.kind === 'range' ? step : { first: step, last: step };
    const [from, to] = [constant(this.context, range.first), constant(this.context, range.last)];
    if (to - from > BigInt(MAX_WRITES))
      refuse('SPW5012', `an initialiser of more than ${MAX_WRITES} parts is not supported`, item.value.span);
    if (from < 0n || to >= (type.length ?? 0)) refuse('SPW5011', 'there is no such element', item.value.span);
    let left = restOf(items);
    for (let i = Number(from); i <= Number(to); i++) {
      const part = partOf(type, base, i)!;
      // Only behind the last one the list goes on.
      left = within(part, deeper, i < Number(to) ? allOf([item]) : items);
    }
    return [Number(to) + 1, left];
  }
}

const isThrough = (field: Field, name: string): boolean =>
  field.name === null && field.type.kind === 'record' && findField(field.type.record, name) !== null;

/** Null behind the last one. */
function partOf(type: CType, base: number, index: number): Part | null {
  if (type.kind === 'array') {
    if (index >= (type.length ?? 0)) return null;
    return { type: type.of, offset: base + index * (sizeOf(type.of) ?? 0), bits: null };
  }
  if (type.kind !== 'record') return null;
  const field = type.record.union && index > 0 ? undefined : type.record.fields?.[index];
  return field === undefined ? null : { ...field, offset: base + field.offset };
}

const RECORDS: ReadonlySet<Expression['kind']> = new Set([
  ...(['name', 'member', 'index', 'unary', 'call', 'literal', 'statements', 'conditional'] as const),
  ...(['cast', 'comma', 'assign', 'generic', 'va-arg'] as const),
]);

/** Is this a whole struct of that type (and not the first of the values that it is made of)? */
function isRecord(context: Context, node: Expression, type: RecordType): boolean {
  return RECORDS.has(node.kind) && isCompatible(plain(typeOf(context, node)), plain(type));
}
