// The concrete semantics: memory is bytes, addresses are numbers, arithmetic wraps. Every refutation is executed here before it is
// reported, and the random tests are judged by it. It shares the graph with the analyses, but none of their reasoning.

import { computeBinary, computeCompare } from './compute.ts';
import type { Expr } from './expr.ts';
import { symbolNumber } from './expr.ts';
import type { FloatOp } from './floats.ts';
import { computeFloat, isFloatOp } from './floats.ts';
import { holdsNothing, isPadding } from './padding.ts';
import { isInOnePage, PAGE, Pages } from './pages.ts';
import type { Cell, Edge, MemoryObject, Operation, Program } from './program.ts';
import { objectAt } from './program.ts';
import { bytesIn } from './types.ts';

/** Gives values for inputs and for memory whose contents are open. */
export type Provider = (cell: Cell, operation: Operation | null) => bigint;

export type StepResult = 'ok' | 'blocked' | 'undefined' | 'unmodelled';

/** Thrown by evaluation where C leaves the behaviour undefined. */
class Undefined extends Error {}

/** Thrown where more memory is used than is followed. */
class TooMuch extends Undefined {}

export class Interpreter {
  readonly program: Program;
  private readonly provide: Provider;
  /** All objects one after the other; those with an extent in pages, behind. */
  private memory: Uint8Array;
  private readonly places: Int32Array;
  private readonly pages: Pages;
  location: number;
  /** Why the last step did not succeed. */
  trouble = '';
  /** Where asked for: which bytes hold nothing that the program wrote, behind the memory itself; 0 where there is none of it. */
  private readonly shadow: number;
  /** What was read though nobody had written it; the reader sets it back. */
  unwritten: string | null = null;
  /** Whose padding was read in this step: nobody knows what is there. */
  private paddingRead: string | null = null;

  constructor(program: Program, provide: Provider, watchesUnwritten = false) {
    this.program = program;
    this.provide = provide;
    this.location = program.entry;
    this.places = new Int32Array(program.objects.length);
    let size = 0;
    program.objects.forEach((object, i) => {
      this.places[i] = size;
      if (object.extent === undefined) size += Math.max(1, object.size);
    });
    this.shadow = watchesUnwritten ? size : 0;
    this.memory = new Uint8Array(watchesUnwritten ? 2 * size : size);
    this.pages = new Pages(this.memory.length, watchesUnwritten ? 2 : 1);
    program.objects.forEach((object, i) => {
      const initial = program.initialBytes.get(object.id);
      if (initial !== undefined)
        this.memory.set(initial.subarray(0, Math.max(1, object.size)), this.places[i]);
    });
    for (const cell of program.cells) {
      if (cell.array !== undefined) continue;
      const initial = program.initial.get(cell.id);
      if (initial !== undefined) this.write(cell.object, cell.offset, cell.width, initial.value);
      else if (cell.object.kind !== 'temporary')
        this.write(cell.object, cell.offset, cell.width, provide(cell, null));
    }
  }

  /** Of a snapshot, in bytes. */
  get size(): number {
    return this.pages.used;
  }

  /** The contents of the memory, to come back to. */
  snapshot(): Uint8Array {
    return this.memory.slice(0, this.pages.used);
  }

  restore(location: number, memory: Uint8Array): void {
    this.location = location;
    this.memory.set(memory);
    // Pages that were not there yet.
    if (memory.length < this.memory.length) this.memory.fill(0, memory.length);
  }

  /** Makes the bytes of a cell 0, in a snapshot. */
  clear(memory: Uint8Array, cell: Cell): void {
    const at = this.placeOf(cell);
    memory.fill(0, at, at + bytesIn(cell.width));
    if (this.shadow > 0) memory.fill(0, this.shadow + at, this.shadow + at + bytesIn(cell.width));
  }

  /** Where a cell's bytes lie in a snapshot. */
  placeOf(cell: Cell): number {
    return this.places[cell.object.id]! + cell.offset;
  }

  byteAt(object: MemoryObject, offset: number): number {
    const place =
      object.extent === undefined ? this.places[object.id]! + offset : this.pages.found(object, offset);
    // What was put back may be from before the page was there.
    return place === null ? 0 : (this.memory[place] ?? 0);
  }

  private placeIn(object: MemoryObject, offset: number): number {
    if (object.extent === undefined) return this.places[object.id]! + offset;
    const place = this.pages.placeOf(object, offset);
    if (place === null) throw new TooMuch('more memory is used than is followed');
    const { used } = this.pages;
    if (used > this.memory.length) {
      const larger = new Uint8Array(used + (used >> 1));
      larger.set(this.memory);
      this.memory = larger;
    }
    return place;
  }

  value(cell: Cell): bigint {
    return this.readBytes(cell.object, cell.offset, cell.width);
  }

  evaluate(expr: Expr): bigint {
    switch (expr.op) {
      case 'const':
        return expr.value;
      case 'symbol':
        return this.value(this.program.cells[symbolNumber(expr)]!);
      case 'load': {
        const [object, offset] = this.resolve(this.evaluate(expr.args[0]!), expr.width);
        if (holdsNothing(object, offset, expr.width)) this.paddingRead = object.name;
        return this.readBytes(object, offset, expr.width);
      }
      // Of a guess about an array: the bytes of the program tell what it holds.
      case 'select': {
        const [object, offset] = this.resolve(this.evaluate(expr.args[1]!), expr.width);
        return this.readBytes(object, offset, expr.width);
      }
      case 'store':
      case 'everywhere':
        throw new Error('impossible: an array has no bytes');
      case 'ite':
        return this.evaluate(expr.args[0]!) !== 0n
          ? this.evaluate(expr.args[1]!)
          : this.evaluate(expr.args[2]!);
      case 'not':
        return this.evaluate(expr.args[0]!) === 0n ? 1n : 0n;
      case 'conj':
        return this.evaluate(expr.args[0]!) !== 0n && this.evaluate(expr.args[1]!) !== 0n ? 1n : 0n;
      case 'disj':
        return this.evaluate(expr.args[0]!) !== 0n || this.evaluate(expr.args[1]!) !== 0n ? 1n : 0n;
      case 'zext':
        return this.evaluate(expr.args[0]!);
      case 'sext':
        return BigInt.asUintN(expr.width, BigInt.asIntN(expr.args[0]!.width, this.evaluate(expr.args[0]!)));
      case 'trunc':
        return BigInt.asUintN(expr.width, this.evaluate(expr.args[0]!));
      case 'eq':
      case 'ult':
      case 'ule':
      case 'slt':
      case 'sle': {
        const [a, b] = expr.args as [Expr, Expr];
        return computeCompare(expr.op, this.evaluate(a), this.evaluate(b), a.width) ? 1n : 0n;
      }
      default: {
        if (isFloatOp(expr.op)) return this.evaluateFloat(expr, expr.op);
        const [a, b] = expr.args as [Expr, Expr];
        const result = computeBinary(expr.op, this.evaluate(a), this.evaluate(b), expr.width);
        if (result === null) throw new Undefined(`${expr.op} is undefined here`);
        return result;
      }
    }
  }

  private evaluateFloat(expr: Expr, op: FloatOp): bigint {
    const values = expr.args.map((arg) => this.evaluate(arg));
    const result = computeFloat(op, expr.width, expr.args[0]!.width, values);
    if (result === null)
      throw new Undefined('a conversion to a type that does not hold the number is undefined');
    return result;
  }

  /** Null where C leaves it undefined. */
  valueOf(expr: Expr): bigint | null {
    try {
      return this.evaluate(expr);
    } catch (error) {
      if (!(error instanceof Undefined)) throw error;
      return null;
    }
  }

  /** The truth of a test; null where C leaves it undefined. */
  holds(test: Expr): boolean | null {
    const value = this.valueOf(test);
    return value === null ? null : value !== 0n;
  }

  /** Takes an edge if its operation allows it. `unmodelled`: it can be taken, but from here on the run is a guess. */
  take(edge: Edge): StepResult {
    this.paddingRead = null;
    const result = this.outcomeOf(edge.operation);
    if (result === 'ok' || result === 'unmodelled') this.location = edge.to;
    return result;
  }

  private outcomeOf(operation: Operation): StepResult {
    let result: StepResult;
    try {
      result = this.apply(operation);
    } catch (error) {
      if (!(error instanceof Undefined)) throw error;
      this.trouble = error.message;
      result = error instanceof TooMuch ? 'unmodelled' : 'undefined';
    }
    if (this.paddingRead === null || result === 'unmodelled') return result;
    this.trouble = `the padding of '${this.paddingRead}' is read`;
    return 'unmodelled';
  }

  private apply(operation: Operation): StepResult {
    switch (operation.kind) {
      case 'assign':
        this.write(
          operation.cell.object,
          operation.cell.offset,
          operation.cell.width,
          this.evaluate(operation.value),
        );
        return 'ok';
      case 'store': {
        const [object, offset] = this.resolve(this.evaluate(operation.address), operation.value.width);
        if (object.constant) throw new Undefined(`'${object.name}' is constant`);
        const before = this.paddingRead;
        this.write(object, offset, operation.value.width, this.evaluate(operation.value));
        // From padding to padding: nobody will know the difference.
        if (operation.value.width === 8 && isPadding(object, offset)) this.paddingRead = before;
        return 'ok';
      }
      case 'assume':
        return this.evaluate(operation.test) !== 0n ? 'ok' : 'blocked';
      case 'defined':
        if (this.evaluate(operation.test) === 0n) throw new Undefined(operation.why);
        return 'ok';
      case 'input':
        this.write(
          operation.cell.object,
          operation.cell.offset,
          operation.cell.width,
          this.provide(operation.cell, operation),
        );
        return 'ok';
      case 'havoc':
        return this.havoc(operation);
      case 'touch':
        return this.touch(operation);
      case 'release':
      case 'event':
      case 'skip':
        return 'ok';
    }
  }

  /** A text without an end is read beyond its object; who gets a length may look at less. */
  private touch({ address, extent, within }: Extract<Operation, { kind: 'touch' }>): StepResult {
    if (within !== undefined || extent === 'object') return 'ok';
    const from = this.evaluate(address);
    const object = objectAt(this.program.objects, from);
    if (object === null) return 'ok';
    const start = Number(from - object.address);
    if (extent === 'string') {
      for (let i = start; i < object.size; i++) if (this.byteAt(object, i) === 0) return 'ok';
      throw new Undefined(`an access outside of '${object.name}'`);
    }
    if (BigInt(start) + this.evaluate(extent) <= BigInt(object.size)) return 'ok';
    this.trouble = `perhaps there is an access outside of '${object.name}'`;
    return 'unmodelled';
  }

  private havoc(operation: Extract<Operation, { kind: 'havoc' }>): StepResult {
    for (const cell of operation.cells)
      this.write(cell.object, cell.offset, cell.width, this.provide(cell, operation));
    if (operation.exact) {
      if (this.shadow > 0) this.markUnwritten(operation);
      return 'ok';
    }
    this.trouble = operation.why;
    return 'unmodelled';
  }

  private markUnwritten({ cells, object }: Extract<Operation, { kind: 'havoc' }>): void {
    const mark = (place: number, bytes: number) =>
      this.memory.fill(1, this.shadow + place, this.shadow + place + bytes);
    for (const cell of cells) mark(this.placeOf(cell), bytesIn(cell.width));
    if (object === undefined) return;
    if (object.extent === undefined) mark(this.places[object.id]!, object.size);
    else for (const page of this.pages.of(object)) this.memory.fill(0, page + PAGE, page + 2 * PAGE);
  }

  /** Of bytes at a place of the memory: has nobody written one of them? In pages it is marked what was written, so that new ones hold nothing. */
  private isUnwritten(object: MemoryObject, at: number, bytes: number): boolean {
    const isPaged = object.extent !== undefined;
    if (isPaged && this.program.initialBytes.has(object.id)) return false;
    const from = at + (isPaged ? PAGE : this.shadow);
    for (let i = from; i < from + bytes; i++) if ((this.memory[i] === 0) === isPaged) return true;
    return false;
  }

  private resolve(address: bigint, width: number): [MemoryObject, number] {
    const object = objectAt(this.program.objects, address);
    if (object === null || object.kind === 'function') throw new Undefined('an invalid pointer is used');
    const offset = Number(address - object.address);
    if (offset + bytesIn(width) > object.size) throw new Undefined(`an access outside of '${object.name}'`);
    return [object, offset];
  }

  private readBytes(object: MemoryObject, offset: number, width: number): bigint {
    if (width > 8 && object.extent !== undefined && !isInOnePage(offset, bytesIn(width))) {
      let result = 0n;
      for (let i = bytesIn(width) - 1; i >= 0; i--)
        result = (result << 8n) | this.readBytes(object, offset + i, 8);
      return result;
    }
    const at = this.placeIn(object, offset);
    const { memory } = this;
    if (this.shadow > 0 && this.isUnwritten(object, at, bytesIn(width))) this.unwritten = object.name;
    const byte = (i: number) => memory[at + i]!;
    const low = (i: number) =>
      (byte(i) | (byte(i + 1) << 8) | (byte(i + 2) << 16) | (byte(i + 3) << 24)) >>> 0;
    if (width === 8) return BigInt(byte(0));
    if (width === 16) return BigInt(byte(0) | (byte(1) << 8));
    if (width === 32) return BigInt(low(0));
    if (width === 64) return BigInt(low(0)) | (BigInt(low(4)) << 32n);
    let result = 0n;
    for (let i = bytesIn(width) - 1; i >= 0; i--) result = (result << 8n) | BigInt(byte(i));
    return result;
  }

  private write(object: MemoryObject, offset: number, width: number, value: bigint): void {
    if (width > 8 && object.extent !== undefined && !isInOnePage(offset, bytesIn(width))) {
      for (let i = 0, rest = value; i < bytesIn(width); i++, rest >>= 8n)
        this.write(object, offset + i, 8, rest & 255n);
      return;
    }
    const at = this.placeIn(object, offset);
    if (this.shadow > 0) {
      const isPaged = object.extent !== undefined;
      const marks = at + (isPaged ? PAGE : this.shadow);
      this.memory.fill(isPaged ? 1 : 0, marks, marks + bytesIn(width));
    }
    if (width <= 32) {
      for (let i = 0, rest = Number(value); i < bytesIn(width); i++, rest >>>= 8)
        this.memory[at + i] = rest & 255;
      return;
    }
    for (let i = 0, rest = value; i < bytesIn(width); i++, rest >>= 8n)
      this.memory[at + i] = Number(rest & 255n);
  }
}

/** What is not modelled of other operations is what they read. */
export const restsOnPadding = ({ operation }: Edge, result: StepResult): boolean =>
  result === 'unmodelled' && operation.kind !== 'havoc';

export interface Execution {
  readonly outcome: 'error' | 'end' | 'cut' | 'blocked' | 'undefined' | 'limit';
  readonly edges: readonly Edge[];
  readonly why: string;
  /** Something on the way was not modelled exactly. */
  readonly guessed: string | null;
  readonly machine: Interpreter;
}

/** Runs from the entry until something ends the run. Branches must be deterministic, as in sequential code they are. */
export function execute(
  program: Program,
  provide: Provider,
  isError: (location: number) => boolean,
  maxSteps: number,
): Execution {
  const machine = new Interpreter(program, provide);
  const outgoing = outgoingEdges(program);
  const edges: Edge[] = [];
  let guessed: string | null = null;
  const done = (outcome: Execution['outcome'], why: string): Execution => ({
    outcome,
    edges,
    why,
    guessed,
    machine,
  });
  while (edges.length < maxSteps) {
    const location = program.locations[machine.location]!;
    if (isError(location.id)) return done('error', location.why);
    if (location.kind === 'end' || location.kind === 'cut') return done(location.kind, location.why);
    let taken: Edge | null = null;
    for (const edge of outgoing[location.id]!) {
      const result = machine.take(edge);
      if (result === 'undefined') return done('undefined', machine.trouble);
      if (result === 'unmodelled') guessed ??= machine.trouble;
      if (result !== 'blocked') {
        taken = edge;
        break;
      }
    }
    if (taken === null) return done('blocked', 'an assumption does not hold');
    edges.push(taken);
  }
  return done('limit', `more than ${maxSteps} steps`);
}

export function outgoingEdges(program: Program): Edge[][] {
  const outgoing: Edge[][] = program.locations.map(() => []);
  for (const edge of program.edges) outgoing[edge.from]!.push(edge);
  return outgoing;
}
