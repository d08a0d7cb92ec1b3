// What is found out while the program is read, and needed at another place of it, or when all is read: the tables that the parts of the lowering fill, and
// look into. Nothing is done here.

import type { Span } from '../../source/source.ts';
import type { CallBack } from '../program/call-backs.ts';
import type { Expr } from '../program/expr.ts';
import type { Allocation, Cell, MemoryObject, Operation } from '../program/program.ts';
import type { OtherCallee } from '../program/resolve-pointers.ts';
import type { CType } from '../program/types.ts';
import type { OnTheWay } from './call-backs.ts';
import type { GapWrite } from './gaps.ts';
import type { Order } from './orders.ts';
import type { ToNumber, ToPointer } from './round-trips.ts';
import type { FunctionEntity, Scope } from './scope.ts';
import type { Slot } from './variable-arguments.ts';

export interface OldSize {
  readonly operation: Extract<Operation, { kind: 'assign' }>;
  readonly pointer: Expr;
}

export class Findings {
  readonly initial = new Map<number, Expr>();
  readonly initialBytes = new Map<number, Uint8Array>();
  /** Cells that hold no address where they are read: a way on which they do is cut. */
  readonly plainNumbers = new Set<number>();
  /** Numbers that pointers are made of where they are no addresses; and numbers made of pointers, for which these are looked at there and then. */
  readonly noAddresses = new Set<number>();
  readonly lookedAt = new Set<number>();
  /** Variables whose declaration a jump may pass over: they may be read though nothing was written to them. */
  readonly passedOver = new Set<MemoryObject>();
  /** What is allocated, with the kind of object that it is. */
  readonly heapKinds = new Map<MemoryObject, string>();
  /** Sizes of what is allocated anew: each cell gets the size of what the pointer means, once all that can be allocated is known. */
  readonly oldSizes: OldSize[] = [];
  /** Parameters and variables that hold one constant as long as their function runs: nothing in it changes them. By cell. */
  readonly constantParameters = new Map<number, Expr>();
  /** Calls and elements of arrays whose values nobody asks for. */
  readonly unused = new WeakSet<object>();
  /** Flags of functions that do end without a value somewhere. */
  readonly withoutValue = new Set<Cell>();
  readonly notes: { message: string; span: Span }[] = [];
  /** An atomic access that asks for less than sequential consistency: the first one. */
  weakOrder: Span | null = null;
  readonly functionObjects = new Map<FunctionEntity, MemoryObject>();
  /** Functions whose address is used: the possible targets of calls through pointers. */
  readonly addressTaken = new Set<FunctionEntity>();
  /** Objects of the heap that somebody has to give back. */
  readonly allocations = new Map<MemoryObject, Allocation>();
  /** Variables that live as long as the program, whatever function declares them. */
  readonly statics = new Map<unknown, MemoryObject>();
  /** Those that were made before their declarations were read. */
  readonly awaited = new Set<MemoryObject>();
  /** A constant expression whose value does not fit: the first one. */
  overflowingConstant: Span | null = null;
  /** Havoc operations that stand for "anything the outside can reach"; their cells are filled in by the points-to analysis. */
  readonly clobbers: Operation[] = [];
  /** What is done only for the sake of bytes between the members of structs. */
  readonly gapWrites: GapWrite[] = [];
  /** Where functions from elsewhere may call ours, what decides it, and what is on the way of ours. */
  readonly callBacks: CallBack[] = [];
  callBackChoice: Cell | null = null;
  readonly onTheWay = new Map<FunctionEntity, OnTheWay>();
  /** Addresses that became numbers. */
  readonly asNumbers: Expr[] = [];
  /** Casts between pointers and numbers. */
  readonly toNumbers: ToNumber[] = [];
  readonly toPointers: ToPointer[] = [];
  /** Comparisons of pointers by where these point. */
  readonly orders: Order[] = [];
  /** Variables that other files can name. */
  readonly exported = new Set<MemoryObject>();
  /** Branches to functions from elsewhere, with the pointers that may lead there. */
  readonly otherCallees: OtherCallee[] = [];
  /** The code that was read has an assertion, an error call or a label ERROR, even if constants decide it. */
  statesProperty = false;
  /** Variables that are declared `extern` and so far defined nowhere, with the place. */
  readonly elsewhere = new Map<MemoryObject, Span>();
  /** Forgets, at the start, those that only functions declare, and those whose size nobody tells: as these are read. */
  readonly forgetting = {
    ...{ kind: 'havoc' as const, cells: [] as Cell[], objects: [] as MemoryObject[], exact: true },
    why: 'a variable that is defined in none of the files is taken as any value',
  };
  /** Nobody knows what it holds when the program begins. */
  forgetToBegin(object: MemoryObject): void {
    this.forgetting.cells.push(...object.cells.values());
    if (object.wide) this.forgetting.objects.push(object);
    this.forgetting.exact = false;
  }
  /** Variables whose declarations so far do not tell their size; and what stands for those that are used. */
  readonly sizeless = new Set<MemoryObject>();
  readonly unsized = new Map<MemoryObject, MemoryObject>();
  /** What files say of variables that all of them share, in their order. */
  readonly saidOf = new Map<MemoryObject, { readonly file: Scope; readonly type: CType }[]>();
  /** Parts of variables that begin with a number made from an address. */
  readonly openInitials: { readonly object: MemoryObject; readonly cells: readonly Cell[] }[] = [];
  /** Their numbers as they are computed: cells of nobody. */
  readonly addressNumbers = new Set<number>();
  /** Literals that several files have, one object for each of these. */
  readonly sharedLiterals: MemoryObject[] = [];
  /** What calls gave to functions with `...`, by address. */
  readonly slots = new Map<bigint, Slot>();
  /** Objects that labels' addresses mean, and labels of blocks: what the text calls them. */
  readonly labelObjects = new Set<MemoryObject>();
  readonly labelBlocks = new Map<unknown, number>();
  readonly blockLabels = new Map<string, string>();
  /** Of structs with members as long as variables say: the lengths that were found. */
  readonly settledLengths = new Map<unknown, string>();
  /** Somewhere the address of a label is taken. */
  takesLabels = false;
}
