// The concrete semantics: memory is bytes, addresses are numbers, arithmetic wraps. Every refutation is executed here before it is
// reported, and the random tests are judged by it. It shares the graph with the analyses, but none of their reasoning.

import { computeBinary, computeCompare } from './compute.ts';
import type { Expr } from './expr.ts';
import { symbolNumber } from './expr.ts';
import type { FloatOp } from './floats.ts';
import { computeFloat, isFloatOp } from './floats.ts';
import { Memory, TooMuch, Undefined } from './memory.ts';
import { holdsNothing, isPadding } from './padding.ts';
import type { Cell, Edge, MemoryObject, Operation, Program } from './program.ts';
import { objectAt } from './program.ts';
import { bytesIn } from './types.ts';

/** Gives values for inputs and for memory whose contents are open. */
export type Provider = (cell: Cell, operation: Operation | null) => bigint;

export type StepResult = 'ok' | 'blocked' | 'undefined' | 'unmodelled';

export class Interpreter extends Memory {
  private readonly provide: Provider;
  location: number;
  /** Why the last step did not succeed. */
  trouble = '';
  /** Whose padding was read in this step: nobody knows what is there. */
  private paddingRead: string | null = null;

  constructor(program: Program, provide: Provider, watchesUnwritten = false) {
    super(program, watchesUnwritten);
    this.provide = provide;
    this.location = program.entry;
    for (const cell of program.cells) {
      if (cell.array !== undefined) continue;
      const initial = program.initial.get(cell.id);
      if (initial !== undefined) this.write(cell.object, cell.offset, cell.width, initial.value);
      else if (cell.object.kind !== 'temporary')
        this.write(cell.object, cell.offset, cell.width, provide(cell, null));
    }
  }

  restore(location: number, memory: Uint8Array): void {
    this.location = location;
    this.restoreBytes(memory);
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
  definedValue(expr: Expr): bigint | null {
    try {
      return this.evaluate(expr);
    } catch (error) {
      if (!(error instanceof Undefined)) throw error;
      return null;
    }
  }

  /** The truth of a test; null where C leaves it undefined. */
  holds(test: Expr): boolean | null {
    const value = this.definedValue(test);
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
      this.markUnwritten(operation);
      return 'ok';
    }
    this.trouble = operation.why;
    return 'unmodelled';
  }

  private resolve(address: bigint, width: number): [MemoryObject, number] {
    const object = objectAt(this.program.objects, address);
    if (object === null || object.kind === 'function') throw new Undefined('an invalid pointer is used');
    const offset = Number(address - object.address);
    if (offset + bytesIn(width) > object.size) throw new Undefined(`an access outside of '${object.name}'`);
    return [object, offset];
  }
}

/** What is not modelled of other operations is what they read. */
export const restsOnPadding = ({ operation }: Edge, result: StepResult): boolean =>
  result === 'unmodelled' && operation.kind !== 'havoc';

export function outgoingEdges(program: Program): Edge[][] {
  const outgoing: Edge[][] = program.locations.map(() => []);
  for (const edge of program.edges) outgoing[edge.from]!.push(edge);
  return outgoing;
}
