// Objects get addresses far enough apart that no arithmetic within one reaches another, and are taken apart into cells.

import type { Span } from '../../source/source.ts';
import type { Expr } from '../program/expr.ts';
import type { Cell, MemoryObject, Part, Site } from '../program/program.ts';
import { cellKey, LARGE } from '../program/program.ts';
import type { Leaf } from '../program/type-parts.ts';
import { leavesOf, sharesFloats } from '../program/type-parts.ts';
import type { CType } from '../program/types.ts';
import { sizeOf, widthOf } from '../program/types.ts';
import { refuse } from '../text/codes.ts';

/** Large variables that are worth it have cells, as long as all of them have no more than so many; what has none is not followed part by part. */
const MOST_LARGE = 4096;

/** `const char *p`: what p points to is constant, p is not. */
const holdsPointers = (type: CType): boolean =>
  type.kind === 'array' ? holdsPointers(type.of) : type.kind === 'pointer';

/**
 * Objects own the addresses around them (`ownerAt`): an index that is worked out in parts may leave its object on the way, and constants are added up before anything
 * is asked about them. So there is much room between objects, and they begin where few numbers of programs lie.
 */
interface AddressSpace {
  /** What is below points nowhere. */
  readonly first: bigint;
  readonly gap: bigint;
  readonly end: bigint;
  /** From so many objects on there is little room. */
  readonly most: number;
  /** Bytes that an object can have whose size is decided when it is allocated. */
  readonly capacity: number;
  /** Such objects leave so much for others. */
  readonly kept: bigint;
}
const LP64_SPACE: AddressSpace = {
  ...{ first: 0x5500_0000_0000n, end: 1n << 47n, gap: 1n << 28n, most: 100_000 },
  ...{ capacity: 2 ** 36, kept: 1n << 43n },
};
const ILP32_SPACE: AddressSpace = {
  ...{ first: 0x5600_0000n, end: 1n << 32n, gap: 1n << 16n, most: 20_000 },
  ...{ capacity: 2 ** 24, kept: 1n << 30n },
};
const SMALL_GAP = 64n;

/**
 * No two distances between objects are the same for long: what is computed from such a distance (which C leaves undefined) and added to another object lies
 * nowhere, not in a third object by chance.
 */
const uneven = (number: number, gap: bigint): bigint =>
  ((BigInt((number * 0x9e3779b1) % 2 ** 32) * (gap >> 10n)) / 2n ** 32n) << 8n;
const MOST_BYTES = 1 << 30;

export class Memory {
  readonly objects: MemoryObject[] = [];
  readonly cells: Cell[] = [];
  readonly sites: Site[] = [];
  readonly space: AddressSpace;
  private next: bigint;
  private largeCells = 0;
  /** Variables that are made now are none of the program's own. */
  hidesNames = false;
  private readonly isFollowed: (name: string, size: number) => boolean;
  /** Told of every object in which a floating-point number shares its bytes with something else. */
  onPun: () => void = () => {};

  /** `isFollowed`: the large variable is worth following part by part. */
  constructor(isNarrow: boolean, isFollowed: (name: string, size: number) => boolean) {
    this.isFollowed = isFollowed;
    this.space = isNarrow ? ILP32_SPACE : LP64_SPACE;
    this.next = this.space.first;
  }

  object(name: string, kind: MemoryObject['kind'], type: CType, constant = false): MemoryObject {
    const size = sizeOf(type) ?? 1;
    this.checkRoom(name, size);
    const leaves = kind === 'function' ? [] : this.leavesOf(kind, type, name, size);
    return this.place(name, kind, type, leaves, constant);
  }

  /** An object of as many elements as there is room for; the cell says how many bytes it has. */
  sized(name: string, kind: 'local' | 'heap', element: CType, extent: Cell): MemoryObject {
    const length = Math.floor(this.space.capacity / (sizeOf(element) ?? 1));
    return this.place(name, kind, { kind: 'array', of: element, length }, null, false, extent);
  }

  /** For how many of those there is room. */
  get roomForSized(): number {
    const { end, kept, capacity, gap, most } = this.space;
    const left = this.objects.length < most ? end - kept - this.next : 0n;
    return left <= 0n ? 0 : Number(left / (BigInt(capacity) + gap));
  }

  private place(
    name: string,
    kind: MemoryObject['kind'],
    type: CType,
    leaves: readonly Leaf[] | null,
    constant: boolean,
    extent?: Cell,
  ): MemoryObject {
    if (sharesFloats(type)) this.onPun();
    const size = sizeOf(type) ?? 1;
    const cells = new Map<string, Cell>();
    const object: MemoryObject = {
      id: this.objects.length,
      name,
      kind,
      type,
      size,
      ...(extent === undefined ? {} : { extent }),
      address: this.next,
      constant: constant && !holdsPointers(type),
      cells,
      wide: leaves === null,
      visible: (kind === 'global' || kind === 'local') && !this.hidesNames,
    };
    const { most, gap } = this.space;
    const room = this.objects.length < most ? gap + uneven(this.objects.length, gap) : SMALL_GAP;
    this.next += BigInt(Math.ceil(size / 64) * 64) + room;
    this.objects.push(object);
    const pointers = new Set(
      (leaves ?? [])
        .filter((leaf) => leaf.type.kind === 'pointer')
        .map((leaf) => cellKey(leaf.offset, widthOf(leaf.type))),
    );
    for (const leaf of leaves ?? []) {
      const width = widthOf(leaf.type);
      const key = cellKey(leaf.offset, width);
      if (cells.has(key)) continue;
      const cell: Cell = {
        id: this.cells.length,
        object,
        offset: leaf.offset,
        address: object.address + BigInt(leaf.offset),
        type: leaf.type,
        width,
        name: name + leaf.path,
        mayBePointer: pointers.has(key),
        overlaps: [],
      };
      this.cells.push(cell);
      cells.set(key, cell);
    }
    markOverlaps([...cells.values()]);
    return object;
  }

  /** Null where it has too many. */
  private leavesOf(kind: MemoryObject['kind'], type: CType, name: string, size: number): Leaf[] | null {
    const leaves = leavesOf(type, LARGE);
    const isVariable = kind === 'global' || kind === 'local';
    if (leaves !== null || !isVariable || !this.isFollowed(name, size)) return leaves;
    const large = leavesOf(type, MOST_LARGE - this.largeCells);
    this.largeCells += large?.length ?? 0;
    return large;
  }

  private checkRoom(name: string, size: number): void {
    if (size > MOST_BYTES || this.next + BigInt(size) + this.space.gap > this.space.end)
      refuse('SPW5012', `'${name}' is too large: ${size} bytes`, null, 'make it smaller');
  }

  /** The one cell of a scalar object. */
  scalar(name: string, kind: MemoryObject['kind'], type: CType): Cell {
    const [cell] = this.object(name, kind, type).cells.values();
    if (cell === undefined) throw new Error(`impossible: '${name}' is not scalar`);
    return cell;
  }

  site(address: Expr, width: number, span: Span, isNumber = true, within?: Part): Site {
    const site: Site = {
      id: this.sites.length,
      width,
      span,
      address,
      isNumber,
      cells: [],
      vague: false,
      many: [],
      blurred: [],
      objects: [],
      foreign: false,
      ...(within === undefined ? {} : { within }),
    };
    this.sites.push(site);
    return site;
  }
}

function markOverlaps(cells: readonly Cell[]): void {
  const sorted = [...cells].sort((a, b) => a.offset - b.offset);
  const overlaps = new Map<Cell, Cell[]>();
  for (let i = 0; i < sorted.length; i++) {
    const a = sorted[i]!;
    for (let j = i + 1; j < sorted.length && sorted[j]!.offset < a.offset + a.width / 8; j++) {
      const b = sorted[j]!;
      overlaps.set(a, [...(overlaps.get(a) ?? []), b]);
      overlaps.set(b, [...(overlaps.get(b) ?? []), a]);
    }
  }
  for (const [cell, others] of overlaps) cell.overlaps = others;
}
