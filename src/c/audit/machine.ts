// A concrete machine of the audit: memory is bytes, each known or open. It is written apart from the interpreter that the analyses use, and computes with the
// audit's own arithmetic. What depends on an open byte is open, too; where an open value would decide how the program goes on, or something happens that is
// not modelled or is undefined, the machine is stuck.

import type { Expr } from '../program/expr.ts';
import { symbolNumber } from '../program/expr.ts';
import { BEHIND_NUMBER, PADDING, paddingAt, paddingOf } from '../program/padding.ts';
import type { MemoryObject, Operation, Program } from '../program/program.ts';
import { objectAt } from '../program/program.ts';
import { bytesIn } from '../program/types.ts';
import { computed } from './formula.ts';

/** Thrown where the run cannot be followed. */
export class Stuck extends Error {}

/** Of an object whose size is decided when it is allocated, so many bytes are followed at the most. */
const MOST_FOLLOWED = 1 << 24;

/** Bytes, and for each of them whether it is known and whether it holds nothing. */
interface Bytes {
  readonly memory: Uint8Array;
  /** 0 where a byte is open. */
  readonly known: Uint8Array;
  readonly padding: Uint8Array;
}

export class Machine {
  private readonly program: Program;
  private readonly places: readonly number[];
  private readonly all: Bytes;
  /** By object: as far as bytes were used. */
  private readonly open = new Map<number, Bytes>();
  private readonly watch: () => void;

  /** `watch`: called for every expression that is looked at; may throw when the time is over. */
  constructor(program: Program, watch: () => void) {
    this.program = program;
    this.watch = watch;
    const places: number[] = [];
    let size = 0;
    for (const object of program.objects) {
      places.push(size);
      if (object.extent === undefined) size += object.size;
    }
    this.places = places;
    const { memory, known, padding } = (this.all = blank(size));
    for (const object of program.objects) {
      const marks = object.extent === undefined ? paddingOf(object) : null;
      if (marks !== null) padding.set(marks, places[object.id]);
    }
    for (const [object, bytes] of program.initialBytes) {
      const { size, extent } = program.objects[object]!;
      if (extent !== undefined) continue;
      memory.set(bytes.subarray(0, size), places[object]);
      known.fill(1, places[object], places[object]! + size);
    }
    for (const [id, { value }] of program.initial) {
      const { object, offset, width, array } = program.cells[id]!;
      if (array === undefined) this.write(object, offset, width, value);
    }
  }

  get size(): number {
    return this.all.memory.length;
  }

  /** Everything that decides how the run goes on from a location. */
  contents(): Uint8Array {
    // Those that came later lie behind, and what is there stays there.
    const parts = [this.all, ...this.open.values()].flatMap(({ memory, known }) => [memory, known]);
    const contents = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
    let end = 0;
    for (const part of parts) {
      contents.set(part, end);
      end += part.length;
    }
    return contents;
  }

  /** The bytes of an object, and where the first of these lies among them. */
  private bytesOf(object: MemoryObject, offset: number, bytes: number): [Bytes, number] {
    if (object.extent === undefined) return [this.all, this.places[object.id]! + offset];
    let known = this.open.get(object.id);
    if (known === undefined || offset + bytes > known.memory.length) {
      if (offset + bytes > MOST_FOLLOWED) throw new Stuck(`'${object.name}' is too large to be followed`);
      const larger = blank(2 ** Math.ceil(Math.log2(Math.max(64, offset + bytes))));
      // What is allocated as zeros holds them from the start.
      if (this.program.initialBytes.has(object.id)) larger.known.fill(1);
      for (let at = 0; at < larger.padding.length; at++) larger.padding[at] = paddingAt(object, at);
      if (known !== undefined) {
        larger.memory.set(known.memory);
        larger.known.set(known.known);
      }
      this.open.set(object.id, (known = larger));
    }
    return [known, offset];
  }

  /** Nobody knows any more what the object holds. */
  private forget(object: MemoryObject): void {
    if (object.extent === undefined) this.write(object, 0, 8 * object.size, null);
    else this.open.get(object.id)?.known.fill(0);
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
        for (const object of operation.objects ?? []) this.forget(object);
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
    const [{ memory, known, padding }, from] = this.bytesOf(object, offset, bytesIn(width));
    let value = 0n;
    let low = 0;
    for (let i = bytesIn(width) - 1; i >= 0; i--) {
      if (known[from + i] === 0) return null;
      if (padding[from + i] === BEHIND_NUMBER && width <= 64) return null;
      if (i >= 4) value = (value << 8n) | BigInt(memory[from + i]!);
      else low = low * 256 + memory[from + i]!;
    }
    return (value << 32n) | BigInt(low);
  }

  private write(object: MemoryObject, offset: number, width: number, value: bigint | null): void {
    const [{ memory, known, padding }, from] = this.bytesOf(object, offset, bytesIn(width));
    const end = from + bytesIn(width);
    known.fill(value === null ? 0 : 1, from, end);
    if (value !== null) for (let at = from; at < end; at++) if (padding[at] === PADDING) known[at] = 0;
    if (value === null) memory.fill(0, from, end);
    else if (width <= 32)
      for (let at = from, rest = Number(value); at < end; at++, rest >>>= 8) memory[at] = rest & 255;
    else for (let at = from, rest = value; at < end; at++, rest >>= 8n) memory[at] = Number(rest & 255n);
  }
}

const blank = (size: number): Bytes => ({
  memory: new Uint8Array(size),
  known: new Uint8Array(size),
  padding: new Uint8Array(size),
});
