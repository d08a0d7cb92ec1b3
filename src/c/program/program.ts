// The control flow graph that C code is lowered to: one procedure with everything inlined. Memory is a set of objects; the scalar parts of
// an object are cells. An expression's symbol number n is the value of cell n at that moment. Side effects are operations on
// edges; nothing else changes a cell.

import type { Span } from '../../source/source.ts';
import type { Expr, Pool } from './expr.ts';
import type { CType, ScalarType } from './types.ts';

export interface MemoryObject {
  readonly id: number;
  readonly name: string;
  readonly kind: 'global' | 'local' | 'temporary' | 'heap' | 'string' | 'function';
  readonly type: CType;
  /** In bytes. With an `extent`: as many as it can have. */
  readonly size: number;
  /** Holds how many bytes it really has, where that is decided when it is allocated. Uses beyond are undefined: tests say so (lower/extents.ts). Such an object is `wide`. */
  readonly extent?: Cell;
  readonly address: bigint;
  readonly constant: boolean;
  /** By offset and width. Empty for `wide` objects: their contents are not tracked symbolically. */
  readonly cells: ReadonlyMap<string, Cell>;
  readonly wide: boolean;
  /** No file tells its size: its own is a guess. */
  unsized?: true;
  readonly visible: boolean;
}

export interface Cell {
  /** Also its symbol number. */
  readonly id: number;
  readonly object: MemoryObject;
  readonly offset: number;
  readonly address: bigint;
  readonly type: ScalarType;
  readonly width: number;
  readonly name: string;
  /** A pointer, or shared by members of a union of which one is. */
  readonly mayBePointer: boolean;
  /** Other cells on the same bytes (members of a union): a store that is not resolved makes them unknown. */
  overlaps: readonly Cell[];
  /** It stands for the contents of a large object, or for a part of them, as one array (arrays.ts): its width is below 0, and only formulas know it. */
  readonly array?: ArrayPart;
}

/** Elements of `unit` bytes each, by their addresses; the first has this offset, the others follow at multiples of `stride`. */
export interface ArrayPart {
  readonly unit: number;
  readonly stride: number;
  readonly first: number;
}

/** What a site means of objects whose contents are followed as arrays. */
export interface ArrayUse {
  readonly parts: readonly Cell[];
  /** It can mean other bytes that are no cell, too. */
  readonly vague: boolean;
  /** A write may change these in ways that are not known. */
  readonly blurred: readonly Cell[];
}

export interface Site {
  readonly id: number;
  readonly width: number;
  readonly span: Span;
  readonly address: Expr;
  /** A number is read there, or something is written; else a pointer is read. */
  readonly isNumber: boolean;
  /** The cells it can mean, by the points-to analysis; filled in after lowering. */
  cells: readonly Cell[];
  /** It can mean bytes that are no cell (wide arrays, other widths): a read gives any value, a write may change `blurred`. */
  vague: boolean;
  blurred: readonly Cell[];
  /** More cells that it can mean, of large objects: too many to tell apart, unless the address is a constant. Writes may change them, too. */
  many: readonly Cell[];
  /** The objects it can mean; `foreign`: also ones that no file shows. */
  objects: readonly MemoryObject[];
  foreign: boolean;
  /** Filled in where it can mean an array. Whoever looks at this need not take the site for vague. */
  arrays?: ArrayUse;
  /** What is used there is `_Atomic`. */
  atomic?: true;
  /** The address lies in this part of an object, by a test before. */
  readonly within?: Part;
}

/** So many bytes from an address on, which itself may be known to lie in a part. */
export interface Part {
  readonly start: Expr;
  readonly bytes: number;
  readonly outer?: Part | undefined;
}

/** How many bytes; `string`: up to the first that is 0; `object`: any of them, up to the end of the object. */
export type Extent = Expr | 'string' | 'object';

export type Operation =
  | { readonly kind: 'assign'; readonly cell: Cell; readonly value: Expr }
  | { readonly kind: 'store'; readonly site: Site; readonly address: Expr; readonly value: Expr }
  /** A branch taken, or an assumption of the program. */
  | { readonly kind: 'assume'; readonly test: Expr; readonly branch: string | null }
  /** Runs on which the test fails are undefined in C and not considered. */
  | {
      readonly kind: 'defined';
      readonly test: Expr;
      readonly why: string;
      /** It fails where a signed number overflows: only while a program is read for that. */
      readonly overflow?: true;
    }
  /** A value from outside: one of `__VERIFIER_nondet_*`. */
  | { readonly kind: 'input'; readonly cell: Cell; readonly source: string }
  /** Values that the analysis does not know. `exact`: really any value (uninitialised variables). */
  | {
      readonly kind: 'havoc';
      readonly cells: readonly Cell[];
      readonly why: string;
      readonly exact: boolean;
      /** All of their bytes, too: wide ones, which have no cells. */
      readonly objects?: readonly MemoryObject[];
      /** What a function that nobody defines may change. */
      readonly outside?: true;
      /** It gives memory to the program, which is to be freed. */
      readonly allocates?: true;
      /** Arrays among it. */
      readonly arrays?: readonly Cell[];
    }
  /** Memory that a step uses beside what it reads and writes: changes nothing, but counts among threads. */
  | {
      readonly kind: 'touch';
      readonly site: Site;
      readonly address: Expr;
      readonly extent: Extent;
      readonly writes: boolean;
      /** What leaves the object is undefined: where `all` of it is used, or as much as a function happens to use. */
      readonly within?: 'all' | 'some';
    }
  /** What the address means is given back (`free`): changes nothing, but ends a life (lower/lifetimes.ts). */
  | { readonly kind: 'release'; readonly site: Site; readonly address: Expr }
  | { readonly kind: 'event'; readonly name: string }
  | { readonly kind: 'skip' };

export interface Edge {
  readonly id: number;
  readonly from: number;
  readonly to: number;
  readonly operation: Operation;
  readonly span: Span;
  /** Here a call of the outside is made and, for a procedure of the specification, returns with the value in the cell. */
  readonly call?: { readonly name: string; readonly result: Cell | null };
  /** Part of something that other threads cannot come between, or of an access that C calls atomic: no race with its like. */
  readonly atomic?: true;
  /** It may happen, but nobody may count on it (a wait that ends without a signal). */
  readonly spurious?: true;
  /** The block of the text that it belongs to. */
  readonly block?: Block;
}

/** A block of one copy of a function. */
export interface Block {
  /** What it lies in, or is called from; several for a copy that calls share. None: of main, or of a thread. */
  readonly outer: readonly Block[];
  /** Variables whose lives end with it. */
  readonly objects: ReadonlySet<MemoryObject>;
}

/** An object that a function of the library allocates is there when its counter is greater than its number. */
export interface Allocation {
  readonly counter: Cell;
  readonly number: number;
}

/** The graph before constants were put in, in which every use of memory still stands; and how they are put in. */
export interface Written {
  readonly program: Program;
  readonly simplify: (program: Program) => Program;
}

export interface Location {
  readonly id: number;
  /** `error`: the property is violated. `cut`: the program goes on in a way that is not modelled. `end`: it stops. */
  kind: 'inner' | 'error' | 'cut' | 'end';
  /** What is wrong here, for errors; why, for cuts. */
  why: string;
  /** The program ends here in order: main returns, or it calls `exit`. */
  isExit?: true;
  /** Of a cut for want of a case: holds the number of elements that a run asks for. */
  wanted?: Cell;
  /** A routine of the specification stops here for ever, and the thread with it. */
  waitsForNothing?: boolean;
  /** Of a thread: here it may have to wait for others, and for what. */
  waits?: string;
  /** Of a thread: it has not begun, or has ended; nobody waits here. */
  idle?: true;
  /** Of a thread: no other one may go on while it stands here. */
  atomic?: true;
  /** In a program that is read with contracts: what happens here. */
  contract?: ContractMark;
  /** Labels of the user, and the function. */
  readonly function: string;
  labels: readonly string[];
  span: Span;
}

/** Why nothing is known of which function is looked at, main or one with a contract: the one thing that machines with a stack of calls may choose. */
export const ANY_FUNCTION = 'any function is looked at';

/** A function with a contract is entered or left; a call of it is made, or has been. */
export interface ContractMark {
  readonly function: string;
  readonly role: 'entry' | 'exit' | 'before' | 'after';
  /** Which call. */
  readonly site: number;
}

/** What a contract speaks of: arguments and shared variables before the call; the result and the variables that may have changed after it. */
export interface ContractCells {
  readonly function: string;
  readonly arguments: readonly Cell[];
  readonly before: readonly Cell[];
  readonly result: Cell | null;
  readonly after: readonly Cell[];
  /** What the functions write through addresses; of these contracts say nothing. */
  readonly through: readonly Cell[];
}

/** A thread of a program with `pthread_create`: the place where it waits for its start (main: where it begins). */
export interface ProgramThread {
  /** As the program's memory names it: from 1, main's. */
  readonly number: number;
  readonly name: string;
  readonly entry: number;
  /** Whether it has begun, runs, has ended (lower/thread-plan.ts). */
  readonly state: Cell;
}

export interface Program {
  readonly pool: Pool;
  readonly objects: readonly MemoryObject[];
  readonly cells: readonly Cell[];
  readonly sites: readonly Site[];
  readonly locations: readonly Location[];
  readonly edges: readonly Edge[];
  readonly entry: number;
  /** The first is main. Absent: a program of one thread. Their graphs have no location in common; memory they share. */
  readonly threads?: readonly ProgramThread[];
  /** Read with contracts for these functions (lower/contracts.ts). */
  readonly contracts?: readonly ContractCells[];
  /** The `pthread_t` of thread N is this number plus N, in so many bits. */
  readonly threadNames?: { readonly first: bigint; readonly width: number };
  /** Holds the number of the thread that alone may go on, 0 for none. */
  readonly atomicHolder?: Cell;
  /** An atomic access whose memory order is weaker than the strongest: then there are runs that are no interleavings. */
  readonly weakOrder?: Span;
  /** The values of cells at the start: constants. Cells not listed start with any value. */
  readonly initial: ReadonlyMap<number, Expr>;
  /** Initial bytes of wide objects, for the interpreter; behind those that are listed all are 0. */
  readonly initialBytes: ReadonlyMap<number, Uint8Array>;
  /** Tests that the specification names, over cells only. */
  readonly predicates: readonly Expr[];
  /** Something in the text can be violated, though constants may have decided it. */
  readonly statesProperty: boolean;
  /** Names of the variables outside of functions that its text reads and writes. */
  readonly globals: { readonly reads: ReadonlySet<string>; readonly writes: ReadonlySet<string> };
  /** What was over-approximated or assumed, in words, with the place. */
  readonly notes: readonly { readonly message: string; readonly span: Span }[];
  readonly allocations: ReadonlyMap<MemoryObject, Allocation>;
  readonly written?: Written;
  /** The same text read otherwise, for questions that this reading leaves open; null where it cannot be. Whatever is proved or refuted of either is so. */
  readonly otherReading?: () => Program | null;
}

/** An object with more cells is large. */
export const LARGE = 256;

export const cellKey = (offset: number, width: number): string => `${offset}:${width}`;

/** The object that holds an address, by binary search (objects are in order of their addresses). */
export function objectAt(objects: readonly MemoryObject[], address: bigint): MemoryObject | null {
  let low = 0;
  let high = objects.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (objects[middle]!.address <= address) low = middle;
    else high = middle - 1;
  }
  const object = objects[low];
  if (object === undefined || address < object.address) return null;
  return address < object.address + BigInt(Math.max(1, object.size)) ? object : null;
}

/** How far around an object addresses are its own at the most. */
const OWN = 1n << 27n;

/** The object that an address was made from: it may lie beside it. Arithmetic that was taken apart, or leaves the object for a moment, stays in half of the gap. */
export function ownerAt(objects: readonly MemoryObject[], address: bigint): MemoryObject | null {
  let low = -1;
  let high = objects.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (objects[middle]!.address <= address) low = middle;
    else high = middle - 1;
  }
  const before = objects[low];
  const after = objects[low + 1];
  const passed = before === undefined ? OWN : address - before.address - BigInt(before.size);
  const missing = after === undefined ? OWN : after.address - address;
  if (passed >= OWN && missing >= OWN) return null;
  return passed <= missing ? before! : after!;
}

export function cellAt(objects: readonly MemoryObject[], address: bigint, width: number): Cell | null {
  const object = objectAt(objects, address);
  return object?.cells.get(cellKey(Number(address - object.address), width)) ?? null;
}
