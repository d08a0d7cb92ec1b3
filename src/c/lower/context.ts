// What all parts of the lowering share: the graph under construction, the place where code is being added, and the frame of the function
// being inlined.

import type { Span } from '../../source/source.ts';
import type { CallBack } from '../program/call-backs.ts';
import type { Expr } from '../program/expr.ts';
import { Pool, symbolNumber } from '../program/expr.ts';
import type { Allocation, Cell, Edge, Location, MemoryObject, Operation } from '../program/program.ts';
import type { OtherCallee } from '../program/resolve-pointers.ts';
import type { CType, ScalarType, WordSizes } from '../program/types.ts';
import { bitsType, pointerTo, showType, unseen, VOID } from '../program/types.ts';
import type { Unit } from '../syntax/parse.ts';
import { refuse } from '../text/codes.ts';
import type { OnTheWay } from './call-backs.ts';
import type { Calls } from './calls-of-spec.ts';
import type { ContractPlan } from './contracts.ts';
import type { Exits } from './exits.ts';
import { type Frame, type FrameObjects, NEW_FRAME, newBlock, type OpenBlock } from './frames.ts';
import type { GapWrite } from './gaps.ts';
import { type HeapPlan, variableOf } from './heap-plan.ts';
import { Memory } from './memory.ts';
import { PendingLoads } from './pending-loads.ts';
import type { Depth } from './recursion.ts';
import { Copies } from './recursion.ts';
import { type FunctionEntity, Scope } from './scope.ts';
import type { ThreadPlan } from './thread-plan.ts';
import { truthsIn } from './truths.ts';
import type { Slot } from './variable-arguments.ts';

/** Inlined edges past this are refused: the program would not be analysed in any sensible time. */
const MAX_EDGES = 400_000;

/** Far less than what lies between objects. */
const NEAR = 1n << 12n;
const isSmall = (by: bigint): boolean => by > -NEAR && by < NEAR;

/** How the program is read; part of it is found out by trying. */
export interface Reading {
  readonly sizes: WordSizes;
  readonly threads: ThreadPlan | null;
  readonly nanBitsMatter: boolean;
  readonly depth: Depth;
  readonly heap: HeapPlan;
  /** Functions that call themselves are read by contracts. */
  readonly contracts: ContractPlan | null;
  /** Signed operations whose result does not fit are what is looked for (overflow.ts). */
  readonly findsOverflows: boolean;
}

export interface OldSize {
  readonly operation: Extract<Operation, { kind: 'assign' }>;
  readonly pointer: Expr;
}

/** Thrown when it turns out that the program must be read again with `nanBitsMatter`. */
export class SeesFloatBits extends Error {}

export class Context {
  readonly pool = new Pool();
  readonly memory: Memory;
  readonly locations: Location[] = [];
  readonly edges: Edge[] = [];
  readonly initial = new Map<number, Expr>();
  readonly initialBytes = new Map<number, Uint8Array>();
  /** Cells that hold no address where they are read: a way on which they do is cut. */
  readonly plainNumbers = new Set<number>();
  /** Numbers that pointers are made of where they are no addresses; and numbers made of pointers, for which these are looked at there and then. */
  readonly noAddresses = new Set<number>();
  readonly lookedAt = new Set<number>();
  readonly depth: Depth;
  readonly heap: HeapPlan;
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
  /** Reads of memory that are part of no operation yet. */
  readonly loads = new PendingLoads(this);
  readonly notes: { message: string; span: Span }[] = [];
  /** An atomic access that asks for less than sequential consistency: the first one. */
  weakOrder: Span | null = null;
  readonly calls: Calls;
  readonly sizes: WordSizes;
  readonly functionObjects = new Map<FunctionEntity, MemoryObject>();
  /** Functions whose address is used: the possible targets of calls through pointers. */
  readonly addressTaken = new Set<FunctionEntity>();
  readonly frameObjects = new Map<string, FrameObjects>();
  /** What is running, and the copies of functions that run more than once. */
  readonly copies: Copies;
  /** Objects of the heap that somebody has to give back. */
  readonly allocations = new Map<MemoryObject, Allocation>();
  /** Where we are in the text. */
  block: OpenBlock = newBlock();
  /** Variables that live as long as the program, whatever function declares them. */
  readonly statics = new Map<unknown, MemoryObject>();
  /** Those that were made before their declarations were read. */
  readonly awaited = new Set<MemoryObject>();
  /** Null as long as one thread runs the program, and while a constant is computed, which no thread can change. */
  threads: ThreadPlan | null;
  readonly contracts: ContractPlan | null;
  readonly findsOverflows: boolean;
  /** Functions of the library that are read from texts of ours, and the call of one that is being read. */
  readonly models = new Map<string, FunctionEntity>();
  modelled: { readonly name: string; readonly span: Span } | null = null;
  /** A constant expression whose value does not fit: the first one. */
  overflowingConstant: Span | null = null;
  private atomicDepth = 0;
  private isSpurious = false;
  /** What only the lowering itself writes: no address means it. */
  private readonly temporaries = new Set<MemoryObject>();
  /** Only types and constants are asked for. */
  isTrial = false;
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
  /** Variables that other files can name. */
  readonly exported = new Set<MemoryObject>();
  /** Branches to functions from elsewhere, with the pointers that may lead there. */
  readonly otherCallees: OtherCallee[] = [];
  /** The code that was read has an assertion, an error call or a label ERROR, even if constants decide it. */
  statesProperty = false;
  /** Variables that are declared `extern` and so far defined nowhere, with the place. */
  readonly elsewhere = new Map<MemoryObject, Span>();
  /** Forgets, at the start, those that only functions declare: as these are read. */
  readonly forgetting = {
    ...{ kind: 'havoc' as const, cells: [] as Cell[], exact: true },
    why: 'a variable that is defined in none of the files is taken as any value',
  };
  /** Variables whose declarations so far do not tell their size; and what stands for those that are used. */
  readonly sizeless = new Set<MemoryObject>();
  readonly unsized = new Map<MemoryObject, MemoryObject>();
  /** Parts of variables that begin with a number made from an address. */
  readonly openInitials: { readonly object: MemoryObject; readonly cells: readonly Cell[] }[] = [];
  /** Their numbers as they are computed: cells of nobody. */
  readonly addressNumbers = new Set<number>();
  /** The program begins: what follows is done as it runs. */
  hasBegun = false;
  /** Of a program of several files: by the scope of each. */
  readonly fileNumbers = new Map<Scope, number>();
  /** Literals that several files have, one object for each of these. */
  readonly sharedLiterals: MemoryObject[] = [];
  /** The file whose declarations are read. */
  items: Unit['items'] = [];
  /** All names that the files mention. */
  mentioned: ReadonlySet<string> = new Set();
  /** Nothing here makes `stdin` another file. */
  keepsStandardInput = false;
  /** Random numbers are any numbers. */
  areSeedsOpen = true;
  /** Where it is read: how the next input hangs on what was read before. */
  standardInput: Cell | null = null;
  anonymous = 0;
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
  scope: Scope = new Scope(null);
  frame: Frame;
  /** Null after a jump: what follows cannot be reached. */
  here: number | null = null;
  /** The bits of floating-point numbers are looked at. */
  readonly nanBitsMatter: boolean;
  constantMode = false;
  /** The variable whose initialiser is read. */
  initialised: MemoryObject | null = null;
  /** Where the program calls `atexit`. */
  exits: Exits | null = null;
  /** What the pointer that is about to be computed will point to: the type of an allocation. */
  private pointee: CType | null = null;

  constructor(calls: Calls, start: Span, reading: Reading) {
    const { sizes, threads, nanBitsMatter, depth, heap, contracts, findsOverflows } = reading;
    this.calls = calls;
    this.threads = threads;
    this.contracts = contracts;
    this.sizes = sizes;
    this.findsOverflows = findsOverflows;
    this.memory = new Memory(sizes.name === 'ILP32', (name, size) =>
      heap.large.has(variableOf({ name, size })),
    );
    this.nanBitsMatter = nanBitsMatter;
    this.depth = depth;
    this.heap = heap;
    this.copies = new Copies(depth);
    this.memory.onPun = () => this.seesFloatBits();
    this.frame = this.newFrame('', 0, 0, null, { kind: 'void' });
    this.here = this.location(start);
  }

  /** `own`: the name that no other function has. */
  newFrame(
    name: string,
    depth: number,
    end: number,
    result: MemoryObject | null,
    resultType: CType,
    own = name,
  ): Frame {
    const thread = this.threads?.current;
    const key = thread === undefined ? `${own}#${depth}` : `${own}#${depth}@${thread.number}`;
    let objects = this.frameObjects.get(key);
    if (objects === undefined) this.frameObjects.set(key, (objects = new Map()));
    return { ...NEW_FRAME(), function: name, depth, end, result, resultType, objects, block: this.block };
  }

  /** Functions of two files may have one name, where they are `static`. */
  ownName({ name, scope }: FunctionEntity): string {
    const file = this.fileNumbers.get(scope);
    return file === undefined ? name : `${name} of ${file}`;
  }

  /** Of the file whose code is being read; nothing where there is but one. */
  fileNumber(): string {
    let scope: Scope | null = this.scope;
    while (scope !== null && !this.fileNumbers.has(scope)) scope = scope.outer;
    return scope === null ? '' : String(this.fileNumbers.get(scope));
  }

  location(span: Span): number {
    const id = this.locations.length;
    this.locations.push({
      id,
      kind: 'inner',
      why: '',
      function: this.frame?.function ?? '',
      labels: [],
      span: this.modelled?.span ?? span,
      ...(this.atomicDepth > 0 ? { atomic: true } : {}),
    });
    return id;
  }

  /** Adds an operation where we stand and moves on. */
  emit(operation: Operation, span: Span, call?: Edge['call']): void {
    if (this.here === null) return;
    this.loads.makeBefore(operation, span);
    const to = this.location(span);
    this.edge(this.here, to, operation, span, call);
    this.here = to;
  }

  edge(from: number, to: number, operation: Operation, span: Span, call?: Edge['call']): void {
    if (this.isTrial) return;
    if (this.constantMode) refuse('SPW5015', 'this must be a constant', span);
    if (this.edges.length >= MAX_EDGES)
      refuse('SPW5030', `the program has more than ${MAX_EDGES} edges after inlining its calls`, span);
    this.loads.madeBy(operation);
    this.edges.push({
      id: this.edges.length,
      from,
      to,
      operation,
      span: this.modelled?.span ?? span,
      ...(call === undefined ? {} : { call }),
      ...(this.atomicDepth > 0 ? { atomic: true } : {}),
      ...(this.isSpurious ? { spurious: true } : {}),
      block: this.block,
    });
  }

  jump(to: number, span: Span): void {
    if (this.here !== null) this.edge(this.here, to, { kind: 'skip' }, span);
    this.here = null;
  }

  /** The way ends here: an error, the program's end, or something that is not modelled. */
  stop(kind: Location['kind'], why: string, span: Span, wanted?: Cell): void {
    this.halt({ kind, why, ...(wanted === undefined ? {} : { wanted }) }, span);
  }

  /** The program ends, in order. */
  exit(why: string, span: Span): void {
    this.halt({ kind: 'end', why, isExit: true }, span);
  }

  private halt(how: Partial<Location>, span: Span): void {
    if (this.here === null) return;
    const to = this.location(span);
    Object.assign(this.locations[to]!, how);
    this.jump(to, span);
  }

  note(message: string, span: Span): void {
    const at = this.modelled?.span ?? span;
    if (!this.notes.some((note) => note.message === message && note.span.start === at.start))
      this.notes.push({ message, span: at });
  }

  /** The object of a declaration or of an intermediate value, found again in every inlined copy. */
  frameObject(key: unknown, purpose: string, make: () => MemoryObject): MemoryObject {
    let objects = this.frame.objects.get(key);
    if (objects === undefined) this.frame.objects.set(key, (objects = new Map()));
    let object = objects.get(purpose);
    if (object === undefined) objects.set(purpose, (object = make()));
    return object;
  }

  temporary(key: unknown, given: ScalarType, purpose = 'value'): Cell {
    const type = unseen(given);
    const object = this.frameObject(key, `${purpose} ${showType(type)}`, () =>
      this.memory.object(`(${purpose})`, 'temporary', type),
    );
    this.temporaries.add(object);
    return object.cells.values().next().value!;
  }

  /** An address that stays the same whatever the program writes from here on; for the values of this purpose at this node. */
  settled(key: unknown, address: Expr, span: Span, purpose: string): Expr {
    const isOwn = (symbol: Expr) => this.temporaries.has(this.memory.cells[symbolNumber(symbol)]!.object);
    if (!address.hasLoad && address.symbols.every(isOwn)) return address;
    const cell = this.temporary(key, pointerTo(VOID) as ScalarType, purpose);
    this.emit({ kind: 'assign', cell, value: address }, span);
    return this.pool.symbol(cell.id, cell.width);
  }

  /** What is added to an address. A large constant in it must not be added to the address first: that would lie at another object. */
  farOffset(offset: Expr, span: Span): Expr {
    const by = offset.op === 'add' ? offset.args[1]! : null;
    const isNear = by === null || by.op !== 'const' || isSmall(BigInt.asIntN(64, by.value));
    if (isNear) return offset;
    const cell = this.temporary({}, bitsType(64), 'offset');
    this.emit({ kind: 'assign', cell, value: offset }, span);
    return this.pool.symbol(cell.id, 64);
  }

  /** A value the analysis does not know: any value of the type. */
  unknown(key: unknown, type: ScalarType, why: string, span: Span): Expr {
    const cell = this.temporary(key, type, 'unknown');
    this.note(why, span);
    this.emit({ kind: 'havoc', cells: [cell], why, exact: false }, span);
    return this.pool.symbol(cell.id, cell.width);
  }

  /** The same for a struct: where it lies. */
  unknownObject(key: unknown, type: CType, why: string, span: Span): Expr {
    const object = this.frameObject(key, 'unknown', () => this.memory.object('(unknown)', 'temporary', type));
    const cells = [...object.cells.values()];
    this.note(why, span);
    this.emit({ kind: 'havoc', cells, why, exact: false, ...(object.wide ? { object } : {}) }, span);
    return this.pool.const(object.address, 64);
  }

  /** Nobody has written to the object yet: any values, but a _Bool is 0 or 1. */
  forget(object: MemoryObject, why: string, span: Span): void {
    const cells = [...object.cells.values()];
    this.emit({ kind: 'havoc', cells, why, exact: true, ...(object.wide ? { object } : {}) }, span);
    // Among threads nothing is concluded from what nobody has written.
    if (this.threads === null) for (const cell of truthsIn(object)) this.toTruth(cell, span);
  }

  private toTruth(cell: Cell, span: Span): void {
    const { pool } = this;
    const bit = pool.binary('and', pool.symbol(cell.id, cell.width), pool.const(1n, cell.width));
    this.emit({ kind: 'assign', cell, value: bit }, span);
  }

  /** The next allocation is given to a pointer of this type. */
  expectPointee(type: CType): void {
    this.pointee = type.kind === 'pointer' && type.to.kind !== 'void' ? type.to : this.pointee;
  }

  takePointee(): CType | null {
    const type = this.pointee;
    this.pointee = null;
    return type;
  }

  /** What is emitted meanwhile happens in one piece: no other thread comes between. */
  atomically<T>(span: Span, work: () => T): T {
    if (this.threads === null || this.atomicDepth > 0) return work();
    this.atomicDepth++;
    try {
      return work();
    } finally {
      this.atomicDepth--;
      this.emit({ kind: 'skip' }, span);
    }
  }

  /** What is emitted meanwhile is shown as this one call. */
  asModel<T>(name: string, span: Span, work: () => T): T {
    const { modelled, memory } = this;
    const { hidesNames } = memory;
    this.modelled ??= { name, span };
    memory.hidesNames = true;
    try {
      return work();
    } finally {
      this.modelled = modelled;
      memory.hidesNames = hidesNames;
    }
  }

  /** What is declared meanwhile ends with a block of its own. */
  inBlock<T>(work: () => T): T {
    const outer = { scope: this.scope, block: this.block };
    this.scope = new Scope(this.scope);
    this.block = newBlock(this.block);
    try {
      return work();
    } finally {
      Object.assign(this, outer);
    }
  }

  /** What is emitted meanwhile may happen, but nobody may count on it. */
  spuriously(work: () => void): void {
    this.isSpurious = true;
    work();
    this.isSpurious = false;
  }

  /** What can be found out without doing anything: no edges, no notes, and labels that are defined stay to be defined. */
  onTrial<T>(work: () => T): T {
    const { here, frame, isTrial, notes } = this;
    const noted = notes.length;
    this.here = null;
    this.isTrial = true;
    this.frame = { ...frame, labels: new Map(), jumps: [], cases: frame.cases === null ? null : [] };
    try {
      return work();
    } finally {
      Object.assign(this, { here, frame, isTrial });
      notes.length = noted;
    }
  }

  /** Runs with emission forbidden: for constant expressions. What is none is refused in the middle, maybe inside of a block: afterwards we stand where we stood. */
  constantly<T>(work: () => T): T {
    const { constantMode, here, threads, scope, frame, block } = this;
    Object.assign(this, { constantMode: true, threads: null });
    try {
      return work();
    } finally {
      Object.assign(this, { constantMode, here, threads, scope, frame, block });
    }
  }

  /** Here the program can see the bits of a floating-point number. */
  seesFloatBits(): void {
    if (!this.nanBitsMatter) throw new SeesFloatBits();
  }

  wrongType(what: string, type: CType, span: Span): never {
    return refuse('SPW5011', `${what}, not ${showType(type)}`, span);
  }
}
