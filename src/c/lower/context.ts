// What all parts of the lowering share: how the program is read, the frames of the functions being inlined, and values that have no name in the program.
// The graph itself grows in graph-builder.ts; what was found out on the way is in findings.ts.

import type { Span } from '../../source/source.ts';
import type { Expr } from '../program/expr.ts';
import { Pool, symbolNumber } from '../program/expr.ts';
import type { Cell, MemoryObject } from '../program/program.ts';
import type { CType, ScalarType, WordSizes } from '../program/types.ts';
import { bitsType, pointerTo, showType, unseen, VOID } from '../program/types.ts';
import type { Unit } from '../syntax/parse.ts';
import { refuse } from '../text/codes.ts';
import type { Calls } from './calls-of-spec.ts';
import type { ContractPlan } from './contracts.ts';
import { DeclaredTypes } from './declared-types.ts';
import type { Exits } from './exits.ts';
import { type Frame, type FrameObjects, NEW_FRAME } from './frames.ts';
import { GraphBuilder } from './graph-builder.ts';
import { type HeapPlan, variableOf } from './heap-plan.ts';
import { Memory } from './memory.ts';
import { PendingLoads } from './pending-loads.ts';
import type { Depth } from './recursion.ts';
import { Copies } from './recursion.ts';
import type { FunctionEntity, Scope } from './scope.ts';
import type { ThreadPlan } from './thread-plan.ts';
import { truthsIn } from './truths.ts';

/** Far less than what lies between objects. */
const NEAR = 1n << 12n;
const isSmall = (by: bigint): boolean => by > -NEAR && by < NEAR;

/** How the program is read; part of it is found out by trying. */
export interface Reading {
  readonly sizes: WordSizes;
  readonly threads: ThreadPlan | null;
  readonly nanBitsMatter: boolean;
  /** Pointers to different objects are compared by `<` or its like (orders.ts). */
  readonly ordersMatter: boolean;
  readonly depth: Depth;
  readonly heap: HeapPlan;
  /** Functions that call themselves are read by contracts. */
  readonly contracts: ContractPlan | null;
  /** Signed operations whose result does not fit are what is looked for (overflow.ts). */
  readonly findsOverflows: boolean;
}

/** Thrown when it turns out that the program must be read again with `nanBitsMatter`. */
export class SeesFloatBits extends Error {}

export class Context extends GraphBuilder {
  readonly pool = new Pool();
  readonly memory: Memory;
  readonly depth: Depth;
  readonly heap: HeapPlan;
  /** Reads of memory that are part of no operation yet. */
  readonly loads = new PendingLoads(this);
  readonly calls: Calls;
  readonly declaredTypes = new DeclaredTypes();
  readonly sizes: WordSizes;
  readonly frameObjects = new Map<string, FrameObjects>();
  /** What is running, and the copies of functions that run more than once. */
  readonly copies: Copies;
  readonly contracts: ContractPlan | null;
  readonly findsOverflows: boolean;
  /** Functions of the library that are read from texts of ours. */
  readonly models = new Map<string, FunctionEntity>();
  /** What only the lowering itself writes: no address means it. */
  private readonly temporaries = new Set<MemoryObject>();
  /** The program begins: what follows is done as it runs. */
  hasBegun = false;
  /** Of a program of several files: by the scope of each. */
  readonly fileNumbers = new Map<Scope, number>();
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
  frame: Frame;
  /** The bits of floating-point numbers are looked at. */
  readonly nanBitsMatter: boolean;
  /** Of pointers to different objects any may lie first. */
  readonly ordersMatter: boolean;
  /** The variable whose initialiser is read. */
  initialised: MemoryObject | null = null;
  /** Where the program calls `atexit`. */
  exits: Exits | null = null;
  /** What the pointer that is about to be computed will point to: the type of an allocation. */
  private pointee: CType | null = null;

  constructor(calls: Calls, start: Span, reading: Reading) {
    super(reading.threads);
    const { sizes, nanBitsMatter, ordersMatter, depth, heap, contracts, findsOverflows } = reading;
    this.calls = calls;
    this.contracts = contracts;
    this.sizes = sizes;
    this.findsOverflows = findsOverflows;
    this.memory = new Memory(sizes.name === 'ILP32', (name, size) =>
      heap.large.has(variableOf({ name, size })),
    );
    this.nanBitsMatter = nanBitsMatter;
    this.ordersMatter = ordersMatter;
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
    this.emit(
      { kind: 'havoc', cells, why, exact: false, ...(object.wide ? { objects: [object] } : {}) },
      span,
    );
    return this.pool.const(object.address, 64);
  }

  /** Nobody has written to the object yet: any values, but a _Bool is 0 or 1. */
  forget(object: MemoryObject, why: string, span: Span): void {
    const cells = [...object.cells.values()];
    this.emit(
      { kind: 'havoc', cells, why, exact: true, ...(object.wide ? { objects: [object] } : {}) },
      span,
    );
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

  /** Here the program can see the bits of a floating-point number. */
  seesFloatBits(): void {
    if (!this.nanBitsMatter) throw new SeesFloatBits();
  }

  wrongType(what: string, type: CType, span: Span): never {
    return refuse('SPW5011', `${what}, not ${showType(type)}`, span);
  }
}
