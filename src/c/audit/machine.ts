// A concrete machine of the audit: memory is bytes, each known or open. It is written apart from the interpreter that the analyses use, and computes with the
// audit's own arithmetic. What depends on an open byte is open, too; where an open value would decide how the program goes on, or something happens that is
// not modelled or is undefined, the machine is stuck.

import type { Expr } from '../program/expr.ts';
import { symbolNumber } from '../program/expr.ts';
import { BEHIND_NUMBER, PADDING, paddingOf } from '../program/padding.ts';
import type { MemoryObject, Operation, Program } from '../program/program.ts';
import { objectAt } from '../program/program.ts';
import { bytesIn } from '../program/types.ts';
import { computed } from './formula.ts';

/** Thrown where the run cannot be followed. */
export class Stuck extends Error {}

export class Machine {
  private readonly program: Program;
  private readonly places: readonly number[];
  private readonly memory: Uint8Array;
  /** 0 where a byte is open. */
  private readonly known: Uint8Array;
  private readonly padding: Uint8Array;
  private readonly watch: () => void;

  /** `watch`: called for every expression that is looked at; may throw when the time is over. */
  constructor(program: Program, watch: () => void) {
    this.program = program;
    this.watch = watch;
    const places: number[] = [];
    let size = 0;
    for (const object of program.objects) {
      places.push(size);
      size += object.size;
    }
    this.places = places;
    this.memory = new Uint8Array(size);
    this.known = new Uint8Array(size);
    this.padding = new Uint8Array(size);
    for (const object of program.objects) {
      const padding = paddingOf(object);
      if (padding !== null) this.padding.set(padding, places[object.id]);
    }
    for (const [object, bytes] of program.initialBytes) {
      const { size } = program.objects[object]!;
      this.memory.set(bytes.subarray(0, size), places[object]);
      this.known.fill(1, places[object], places[object]! + size);
    }
    for (const [id, { value }] of program.initial) {
      const { object, offset, width, array } = program.cells[id]!;
      if (array === undefined) this.write(object, offset, width, value);
    }
  }

  get size(): number {
    return this.memory.length;
  }

  /** Everything that decides how the run goes on from a location. */
  contents(): Uint8Array {
    const all = new Uint8Array(2 * this.memory.length);
    all.set(this.memory);
    all.set(this.known, this.memory.length);
    return all;
  }

  holds(test: Expr): boolean {
    const value = this.evaluate(test);
    if (value === null) throw new Stuck('what is not known decides how the program goes on');
    return value !== 0n;
  }

  /** False where the operation does not let the run go on. */
  take(operation: Operation): boolean {
    switch (operation.kind) {
      case 'assign': {
        const { object, offset, width } = operation.cell;
        this.write(object, offset, width, this.evaluate(operation.value));
        return true;
      }
      case 'store': {
        const value = this.evaluate(operation.value);
        const [object, offset] = this.placeAt(operation.address, operation.value.width);
        if (object.constant) throw new Stuck(`the constant '${object.name}' is written to`);
        this.write(object, offset, operation.value.width, value);
        return true;
      }
      case 'assume':
      case 'defined':
        return this.holds(operation.test);
      case 'input':
        this.write(operation.cell.object, operation.cell.offset, operation.cell.width, null);
        return true;
      case 'havoc':
        if (!operation.exact) throw new Stuck(operation.why);
        for (const { object, offset, width } of operation.cells) this.write(object, offset, width, null);
        if (operation.object !== undefined) this.write(operation.object, 0, 8 * operation.object.size, null);
        return true;
      case 'touch':
      case 'release':
      case 'event':
      case 'skip':
        return true;
    }
  }

  /** Null where it is open. */
  private evaluate(expr: Expr): bigint | null {
    this.watch();
    switch (expr.op) {
      case 'const':
        return expr.value;
      case 'symbol': {
        const { object, offset, width } = this.program.cells[symbolNumber(expr)]!;
        return this.read(object, offset, width);
      }
      case 'load': {
        const [object, offset] = this.placeAt(expr.args[0]!, expr.width);
        return this.read(object, offset, expr.width);
      }
      case 'ite': {
        const test = this.evaluate(expr.args[0]!);
        return test === null ? null : this.evaluate(expr.args[test !== 0n ? 1 : 2]!);
      }
      case 'conj':
      case 'disj': {
        const first = this.evaluate(expr.args[0]!);
        if (first === null || (first !== 0n) === (expr.op === 'disj')) return first;
        return this.evaluate(expr.args[1]!);
      }
      default:
        return this.apply(expr);
    }
  }

  private apply({ op, width, args }: Expr): bigint | null {
    const values: { width: number; value: bigint }[] = [];
    for (const arg of args) {
      const value = this.evaluate(arg);
      if (value === null) return null;
      values.push({ width: arg.width, value });
    }
    const result = computed(op, width, values);
    if (result === null) throw new Stuck(`'${op}' has no result here`);
    return width === 0 ? result : BigInt.asUintN(width, result);
  }

  private placeAt(expr: Expr, width: number): [MemoryObject, number] {
    const address = this.evaluate(expr);
    if (address === null) throw new Stuck('an address is not known');
    const object = objectAt(this.program.objects, address);
    if (object === null || object.kind === 'function') throw new Stuck('an invalid pointer is used');
    const offset = Number(address - object.address);
    if (offset + bytesIn(width) > object.size) throw new Stuck(`an access outside of '${object.name}'`);
    return [object, offset];
  }

  private read(object: MemoryObject, offset: number, width: number): bigint | null {
    const from = this.places[object.id]! + offset;
    let value = 0n;
    let low = 0;
    for (let i = bytesIn(width) - 1; i >= 0; i--) {
      if (this.known[from + i] === 0) return null;
      if (this.padding[from + i] === BEHIND_NUMBER && width <= 64) return null;
      if (i >= 4) value = (value << 8n) | BigInt(this.memory[from + i]!);
      else low = low * 256 + this.memory[from + i]!;
    }
    return (value << 32n) | BigInt(low);
  }

  private write(object: MemoryObject, offset: number, width: number, value: bigint | null): void {
    const from = this.places[object.id]! + offset;
    const end = from + bytesIn(width);
    this.known.fill(value === null ? 0 : 1, from, end);
    if (value !== null)
      for (let at = from; at < end; at++) if (this.padding[at] === PADDING) this.known[at] = 0;
    if (value === null) this.memory.fill(0, from, end);
    else if (width <= 32)
      for (let at = from, rest = Number(value); at < end; at++, rest >>>= 8) this.memory[at] = rest & 255;
    else for (let at = from, rest = value; at < end; at++, rest >>= 8n) this.memory[at] = Number(rest & 255n);
  }
}
