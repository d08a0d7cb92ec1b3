// Large objects whose contents are followed as a whole: as arrays (McCarthy, "Towards a mathematical science of computation", 1962), numbers by their addresses. What a
// program does with such an object are reads and writes at offsets that the points-to analysis knows up to multiples of a stride. Accesses that can touch each other's
// bytes belong to one part; a part is an array whose elements have as many bytes as all its accesses are made of, mostly just as many as each of them has. The members of the
// structs in an array are parts of their own then.
//
// Soundness: whatever a defined run reads or writes of the object lies in a part, where the points-to analysis says so (`facts.meant`). What may write to it in other ways
// (functions and pointers from elsewhere) makes its arrays unknown. Objects that may hold addresses, which are nobody's business as numbers, and those of whose bytes
// nobody knows what they hold (padding) are left alone.

import type { Expr } from './expr.ts';
import { expressionsOf, partsOf } from './expressions.ts';
import { holdsNothing, paddingOf } from './padding.ts';
import type { AddressFacts } from './points-to.ts';
import type { ArrayPart, Cell, MemoryObject, Operation, Program, Site } from './program.ts';
import { gcd } from './targets.ts';
import { leavesOf } from './type-parts.ts';
import { bitsType, bytesIn, type CType, isScalar, type ScalarType, widthOf } from './types.ts';

/** Of one object; more are too many to follow. */
const MOST_PARTS = 24;
/** Numbers other than 0 that an array begins with; with more of them it begins with anything. */
const MOST_INITIAL = 256;

/** A write, or all reads, at these offsets. */
interface Use {
  readonly site: Site;
  /** Offset by the common stride. */
  readonly start: number;
  readonly bytes: number;
}

interface Found {
  readonly object: MemoryObject;
  readonly cell: Cell;
  readonly sites: ReadonlySet<Site>;
}

/** What is added to a program: cells for its arrays, and what they begin with. Sites and operations are told of them. */
export interface Followed {
  readonly cells: readonly Cell[];
  readonly initial: ReadonlyMap<number, Expr>;
}

/** `program`: with every access that any reading of it has. `holders`: large objects that may hold addresses. `clobbers`: what stands for effects from elsewhere. */
export function followArrays(
  program: Program,
  facts: AddressFacts,
  holders: ReadonlySet<MemoryObject>,
  clobbers: readonly Operation[],
): Followed {
  const candidates = new Set(
    program.objects.filter(
      (object) => object.wide && object.kind !== 'function' && !object.unsized && !holders.has(object),
    ),
  );
  const cells = [...program.cells];
  if (candidates.size === 0) return { cells, initial: program.initial };
  const { stores, loads, forgotten } = accessesOf(program);
  const uses = new Map<MemoryObject, { readonly site: Site; readonly r: number; readonly m: number }[]>();
  for (const site of new Set([...stores, ...loads])) {
    for (const [id, patterns] of facts.meant(site) ?? [])
      for (const { r, m } of patterns) {
        const object = program.objects[id]!;
        if (candidates.has(object)) uses.set(object, [...(uses.get(object) ?? []), { site, r, m }]);
      }
  }
  const changed = new Set([...stores].flatMap(({ objects }) => objects));
  const found: Found[] = [];
  for (const [object, used] of uses) {
    // Tables that nobody writes are read off their bytes (lower/tables.ts).
    const isTable = program.initialBytes.has(object.id) && object.kind !== 'heap';
    if (isTable && !changed.has(object) && !forgotten.has(object)) continue;
    for (const { part, sites } of partsIn(object, used) ?? []) {
      const cell = cellFor(object, part, cells.length);
      cells.push(cell);
      found.push({ object, cell, sites });
    }
  }
  tellSites(facts, found, stores, loads);
  tellOperations(program, facts, found, clobbers);
  const initial = new Map(program.initial);
  for (const { object, cell } of found) {
    const contents = initialContents(program, object, cell);
    if (contents !== null) initial.set(cell.id, contents);
  }
  return { cells, initial };
}

function accessesOf(program: Program) {
  const stores = new Set<Site>();
  const loads = new Set<Site>();
  const forgotten = new Set<MemoryObject>();
  for (const { operation } of program.edges) {
    if (operation.kind === 'store') stores.add(operation.site);
    if (operation.kind === 'havoc') for (const object of operation.objects ?? []) forgotten.add(object);
    for (const { op, value } of partsOf(expressionsOf(operation)))
      if (op === 'load') loads.add(program.sites[Number(value) - 1]!);
  }
  return { stores, loads, forgotten };
}

/** Null where they are too many, or the accesses are none that an array can answer. */
function partsIn(
  object: MemoryObject,
  used: readonly { readonly site: Site; readonly r: number; readonly m: number }[],
): { readonly part: ArrayPart; readonly sites: ReadonlySet<Site> }[] | null {
  const stride = used.reduce((all, { m }) => gcd(all, m), 0) || object.size;
  const uses = used.map(
    ({ site, r }): Use => ({ site, start: ((r % stride) + stride) % stride, bytes: bytesIn(site.width) }),
  );
  if (uses.some(({ site: { width } }) => width > 64 || width % 8 !== 0)) return null;
  if (uses.some((use) => meetsPadding(object, use, stride))) return null;
  const groups: Use[][] = [];
  for (const use of uses) {
    const near = groups.filter((group) =>
      group.some((other) => other.site === use.site || touch(use, other, stride)),
    );
    const merged = [use, ...near.flat()];
    for (const group of near) groups.splice(groups.indexOf(group), 1);
    groups.push(merged);
    if (groups.length > MOST_PARTS) return null;
  }
  return groups.map((group) => ({
    part: partOf(group, stride),
    sites: new Set(group.map(({ site }) => site)),
  }));
}

/** Can both mean the same byte? */
function touch(a: Use, b: Use, stride: number): boolean {
  const ahead = (b.start - a.start + stride) % stride;
  return ahead < a.bytes || (stride - ahead) % stride < b.bytes;
}

function partOf(group: readonly Use[], stride: number): ArrayPart {
  const [{ start, bytes }] = group as [Use];
  const isOne = group.every((use) => use.start === start && use.bytes === bytes) && bytes <= stride;
  if (isOne) return { unit: bytes, stride, first: start };
  const unit = group.reduce((all, use) => gcd(gcd(all, use.bytes), use.start - start), stride);
  return { unit, stride: unit, first: start % unit };
}

function meetsPadding(object: MemoryObject, { start, bytes }: Use, stride: number): boolean {
  const padding = paddingOf(object);
  if (padding === null) return false;
  // Of an object of any size the elements are all alike: after so many bytes everything comes again.
  const end = object.extent === undefined ? object.size : stride * padding.length + bytes;
  for (let offset = start; offset + bytes <= end; offset += stride)
    if (holdsNothing(object, offset, 8 * bytes)) return true;
  return false;
}

function cellFor(object: MemoryObject, part: ArrayPart, id: number): Cell {
  const behind = part.first === 0 ? '' : `+${part.first}`;
  return {
    id,
    object,
    offset: 0,
    address: object.address,
    type: elementType(object, part),
    width: -8 * part.unit,
    name: `${object.name}[]${behind}`,
    mayBePointer: false,
    overlaps: [],
    array: part,
  };
}

/** What the elements are in the program's text, where they are something there. */
function elementType({ type }: MemoryObject, { unit, first, stride }: ArrayPart): ScalarType {
  let element: CType = type;
  while (element.kind === 'array') element = element.of;
  const leaves = isScalar(element) ? [{ type: element, offset: 0 }] : (leavesOf(element, 256) ?? []);
  const leaf = leaves.find(({ offset, type: one }) => offset % stride === first && widthOf(one) === 8 * unit);
  return leaf?.type.kind === 'int' ? leaf.type : (bitsType(8 * unit) as ScalarType);
}

function tellSites(
  facts: AddressFacts,
  found: readonly Found[],
  stores: ReadonlySet<Site>,
  loads: ReadonlySet<Site>,
): void {
  const objects = new Set(found.map(({ object }) => object));
  const outside = found.filter(({ object }) => facts.isKnownOutside(object));
  for (const site of new Set([...stores, ...loads])) {
    const isAnywhere = site.foreign || facts.meant(site) === null;
    const own = found.filter(({ sites }) => sites.has(site));
    const others = isAnywhere
      ? found.filter((one) => outside.includes(one) || site.objects.includes(one.object))
      : [];
    if (own.length + others.length === 0) continue;
    site.arrays = {
      parts: isAnywhere ? [] : own.map(({ cell }) => cell),
      vague: isAnywhere || facts.meansOthers(site, objects),
      blurred: others.map(({ cell }) => cell),
    };
  }
}

function tellOperations(
  program: Program,
  facts: AddressFacts,
  found: readonly Found[],
  clobbers: readonly Operation[],
): void {
  const isClobber = new Set(clobbers);
  for (const { operation } of program.edges) {
    if (operation.kind !== 'havoc') continue;
    const isOutside = isClobber.has(operation) || operation.outside === true;
    const arrays = found.filter(
      ({ object }) => operation.objects?.includes(object) || (isOutside && facts.isKnownOutside(object)),
    );
    if (arrays.length > 0)
      (operation as { arrays?: readonly Cell[] }).arrays = arrays.map(({ cell }) => cell);
  }
}

/** Null where it is anything. */
function initialContents({ pool, initialBytes }: Program, object: MemoryObject, cell: Cell): Expr | null {
  const bytes = initialBytes.get(object.id);
  if (bytes === undefined) return null;
  const { unit, stride, first } = cell.array!;
  let contents = pool.everywhere(pool.const(0n, 8 * unit));
  let written = 0;
  for (let offset = first; offset < bytes.length; offset += stride) {
    let value = 0n;
    for (let i = unit - 1; i >= 0; i--) value = (value << 8n) | BigInt(bytes[offset + i] ?? 0);
    if (value === 0n) continue;
    if (++written > MOST_INITIAL) return null;
    const address = pool.const(object.address + BigInt(offset), 64);
    contents = pool.store(contents, address, pool.const(value, 8 * unit));
  }
  return contents;
}

/** The number of so many bits at an address, out of the elements that it is made of. */
export function readArray({ pool }: Program, array: Expr, address: Expr, width: number): Expr {
  const bits = -array.width;
  let result = pool.select(array, address);
  if (bits === width) return result;
  result = pool.zext(result, width);
  for (let at = bits; at < width; at += bits) {
    const part = pool.select(array, pool.binary('add', address, pool.const(at / 8, 64)));
    const shifted = pool.binary('shl', pool.zext(part, width), pool.const(at, width));
    result = pool.binary('or', result, shifted);
  }
  return result;
}

/** The array with a number at an address. */
export function writeArray({ pool }: Program, array: Expr, address: Expr, value: Expr): Expr {
  const bits = -array.width;
  if (bits === value.width) return pool.store(array, address, value);
  let result = array;
  for (let at = 0; at < value.width; at += bits) {
    const part = pool.trunc(pool.binary('lshr', value, pool.const(at, value.width)), bits);
    result = pool.store(result, pool.binary('add', address, pool.const(at / 8, 64)), part);
  }
  return result;
}

/** Does an access of so many bits at the address lie inside the object? */
export function isInside({ pool }: Program, { object }: Cell, address: Expr, width: number): Expr {
  const offset = pool.binary('sub', address, pool.const(object.address, 64));
  return pool.compare('ule', offset, pool.const(object.size - bytesIn(width), 64));
}
