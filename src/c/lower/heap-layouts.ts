// What became of the heap once the constants of a program are known: objects that no run allocates are left out of what addresses mean, and the bytes of an
// allocation whose text does not tell what it is for are taken for what the program uses them as, when it is read again.

import type { Expr } from '../program/expr.ts';
import { expressionsOf, partsOf } from '../program/expressions.ts';
import type { AddressFacts } from '../program/points-to.ts';
import type { MemoryObject, Program, Site } from '../program/program.ts';
import { LARGE, ownerAt } from '../program/program.ts';
import { bitsType, bytesIn, CHAR, type CType, type Field, pointerIn, VOID } from '../program/types.ts';
import type { Context } from './context.ts';
import { variableOf } from './heap-plan.ts';
import { type Narrowed, propagateConstants, sitesOf } from './propagate.ts';
import { readTables } from './tables.ts';

/** What is larger has too many parts, whatever they are. */
const MOST_BYTES = 8 * LARGE;

/**
 * Addresses of objects on the heap are written where they are allocated, and nowhere else. Where pointers are constants, sites mean less than what the pointers
 * ever mean.
 */
export function withNarrowedSites(program: Program, facts: AddressFacts, context: Context): Program {
  const narrowed: Narrowed = new Map();
  const before = propagateConstants(program, narrowed);
  if (narrowed.size === 0) return before;
  facts.keepOnly(narrowed, unallocatedIn(before));
  return withTables(before, facts, context);
}

/** With what tables hold that nobody writes. Constants have been put in before. */
export const withTables = (program: Program, facts: AddressFacts, { clobbers }: Context): Program =>
  propagateConstants(readTables(program, facts, clobbers.length === 0));

function unallocatedIn(program: Program): ReadonlySet<MemoryObject> {
  const unseen = new Set(program.objects.filter(({ kind }) => kind === 'heap'));
  const exprs = program.edges.flatMap(({ operation }) => expressionsOf(operation));
  for (const { op, value } of partsOf([...exprs, ...program.initial.values()], isValue)) {
    const object = op === 'const' && unseen.size > 0 ? ownerAt(program.objects, value) : null;
    if (object !== null) unseen.delete(object);
  }
  return unseen;
}

/** A constant that something is only compared with goes nowhere. */
const isValue = (part: Expr, whole: Expr): boolean => part.op !== 'const' || whole.width > 0;

/** Large variables whose places are all known where they are used. */
export function usedAtKnownPlaces(program: Program): ReadonlySet<string> {
  const used = new Set<MemoryObject>();
  const elsewhere = new Set<MemoryObject>();
  const use = (site: Site, address: Expr) => {
    for (const object of site.objects)
      if (object.wide && object.extent === undefined) (address.op === 'const' ? used : elsewhere).add(object);
  };
  for (const { operation } of program.edges) {
    if (operation.kind === 'store') use(operation.site, operation.address);
    for (const { op, value, args } of partsOf(expressionsOf(operation)))
      if (op === 'load') use(program.sites[Number(value) - 1]!, args[0]!);
  }
  return new Set([...used].filter((object) => !elsewhere.has(object)).map(variableOf));
}

interface Use {
  readonly width: number;
  isPointer: boolean;
}

/** For kinds of objects that are plain bytes: what their bytes are used as, where that is always the same. */
export function layoutsFor(
  program: Program,
  facts: AddressFacts,
  { heapKinds, sizes }: Context,
): ReadonlyMap<string, CType> {
  const layouts = new Map<string, CType>();
  const isBytes = ({ type, size }: MemoryObject) =>
    type.kind === 'array' && type.of === CHAR && size > 1 && size <= MOST_BYTES;
  if (![...heapKinds.keys()].some(isBytes)) return layouts;
  const uses = new Map<string, Map<number, Use>>();
  const unclear = new Set<string>();
  for (const site of new Set(program.edges.flatMap(({ operation }) => sitesOf(program, operation))))
    for (const [id, patterns] of facts.meant(site) ?? []) {
      const object = program.objects[id]!;
      const kind = heapKinds.get(object);
      if (kind === undefined || !isBytes(object)) continue;
      const known = uses.get(kind) ?? new Map<number, Use>();
      uses.set(kind, known);
      for (const { r, m } of patterns)
        for (let offset = r; offset + bytesIn(site.width) <= object.size; offset += m) {
          if (offset >= 0 && !claim(known, offset, site)) unclear.add(kind);
          if (m === 0) break;
        }
    }
  for (const [object, kind] of heapKinds) {
    const known = uses.get(kind);
    if (known === undefined || unclear.has(kind) || layouts.has(kind) || !isBytes(object)) continue;
    if (![...known.values()].some(({ width }) => width > 8)) continue;
    const fields = partsIn(object.size, known, sizes);
    const record = { tag: '', union: false, fields, size: object.size, align: 1 };
    if (fields.length <= LARGE) layouts.set(kind, { kind: 'record', record });
  }
  return layouts;
}

/** False where something else is used there, or across it. */
function claim(known: Map<number, Use>, offset: number, { width, isNumber }: Site): boolean {
  const here = known.get(offset);
  if (here !== undefined) {
    here.isPointer ||= !isNumber;
    return here.width === width;
  }
  for (let at = offset - 15; at < offset + bytesIn(width); at++) {
    const other = known.get(at);
    if (other !== undefined && at + bytesIn(other.width) > offset) return false;
  }
  known.set(offset, { width, isPointer: !isNumber });
  return true;
}

function partsIn(size: number, known: ReadonlyMap<number, Use>, sizes: Context['sizes']): Field[] {
  const fields: Field[] = [];
  for (let offset = 0; offset < size; ) {
    const use = known.get(offset);
    const type = use === undefined ? CHAR : use.isPointer ? pointerIn(sizes, VOID) : bitsType(use.width);
    fields.push({ name: `at${offset}`, type, offset, bits: null, align: 1 });
    offset += use === undefined ? 1 : bytesIn(use.width);
  }
  return fields;
}
