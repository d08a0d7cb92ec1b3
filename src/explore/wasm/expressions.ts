// Expressions of the generated text as WebAssembly, in one pass: what is read is written at once. Precedence climbing; every expression leaves
// one 32-bit integer, truth values are 0 and 1. `>>>` gives bits, which only `>>> 0 <` sees as unsigned.

import type { Bytes } from './bytes.ts';
import { ATOMIC, BINARY, I32, NO_RESULT, OP } from './opcodes.ts';
import { Scanner } from './scanner.ts';
import type { ArrayPlace, Inlined, Unit } from './unit.ts';

const PRECEDENCE: Readonly<Record<string, number>> = {
  '||': 3,
  '&&': 4,
  '|': 5,
  '^': 6,
  '&': 7,
  '===': 8,
  '!==': 8,
  '<': 9,
  '<=': 9,
  '>': 9,
  '>=': 9,
  '<<': 10,
  '>>': 10,
  '>>>': 10,
  '+': 11,
  '-': 11,
  '*': 12,
  '/': 12,
  '%': 12,
};
const UNARY = 13;

export abstract class Expressions {
  protected scopes: Map<string, number>[] = [new Map()];
  protected localCount = 0;
  protected depth = 0;
  protected scanner: Scanner;
  protected readonly code: Bytes;
  protected readonly unit: Unit;
  /** The sum that was written last: where its constant begins, where it ends. */
  private sum = { start: -1, end: -1, constant: 0 };
  /** Where code for an unsigned number ends. */
  private unsignedEnd = -1;

  constructor(scanner: Scanner, code: Bytes, unit: Unit) {
    this.scanner = scanner;
    this.code = code;
    this.unit = unit;
  }

  protected open(op: number, type: number = NO_RESULT): void {
    this.code.byte(op).byte(type);
    this.depth++;
  }

  protected close(): void {
    this.code.byte(OP.end);
    this.depth--;
  }

  protected constant(value: number): void {
    this.code.byte(OP.constant).signed(value);
  }

  protected declareLocal(name: string): number {
    this.scopes.at(-1)!.set(name, this.localCount);
    return this.localCount++;
  }

  private localOf(name: string): number | undefined {
    for (let i = this.scopes.length - 1; i >= 0; i--) {
      const found = this.scopes[i]!.get(name);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  protected get(name: string): void {
    const local = this.localOf(name);
    if (local !== undefined) this.code.byte(OP.localGet).unsigned(local);
    else {
      const constant = this.unit.constants.get(name);
      if (constant !== undefined) this.constant(constant);
      else this.code.byte(OP.globalGet).unsigned(this.globalOf(name));
    }
  }

  protected set(name: string): void {
    const local = this.localOf(name);
    if (local !== undefined) this.code.byte(OP.localSet).unsigned(local);
    else this.code.byte(OP.globalSet).unsigned(this.globalOf(name));
  }

  private globalOf(name: string): number {
    const global = this.unit.globals.get(name);
    if (global === undefined) throw new Error(`impossible: ${name} is not declared in generated text`);
    return global.index;
  }

  protected expression(least = 0): void {
    this.operand();
    for (;;) {
      const operator = this.scanner.text;
      if (operator === '?' && least <= 2) {
        this.conditional();
        continue;
      }
      const precedence = PRECEDENCE[operator];
      if (precedence === undefined || precedence <= least) return;
      this.scanner.next();
      if (operator === '&&' || operator === '||') this.shortCut(operator, precedence);
      else this.binary(operator, precedence);
    }
  }

  private conditional(): void {
    this.scanner.expect('?');
    this.open(OP.if, I32);
    this.expression();
    this.scanner.expect(':');
    this.code.byte(OP.else);
    this.expression(1);
    this.close();
  }

  private shortCut(operator: string, precedence: number): void {
    this.open(OP.if, I32);
    if (operator === '&&') this.expression(precedence);
    else this.constant(1);
    this.code.byte(OP.else);
    if (operator === '&&') this.constant(0);
    else this.expression(precedence);
    this.close();
  }

  private binary(operator: string, precedence: number): void {
    const { code } = this;
    const isUnsigned = operator === '<' && this.unsignedEnd === code.length;
    const start = code.length;
    const literal = this.scanner.kind === 'number' ? this.scanner.value : null;
    this.expression(precedence);
    if (code.endsWith(start, OP.constant, 0)) {
      if (operator === '===') {
        code.length = start;
        code.byte(OP.eqz);
        return;
      }
      if (operator === '|' || operator === '>>>' || operator === '+') {
        code.length = start;
        if (operator === '>>>') this.unsignedEnd = start;
        return;
      }
    }
    code.byte(isUnsigned ? OP.ltUnsigned : BINARY[operator]!);
    if (literal !== null && (operator === '+' || operator === '-'))
      this.sum = { start, end: code.length, constant: operator === '+' ? literal : -literal };
  }

  private operand(): void {
    const { scanner, code } = this;
    if (scanner.kind === 'number') {
      this.constant(scanner.value);
      scanner.next();
    } else if (scanner.take('(')) {
      this.expression();
      scanner.expect(')');
    } else if (scanner.take('!')) {
      this.expression(UNARY);
      code.byte(OP.eqz);
    } else if (scanner.take('-')) this.negative();
    else if (scanner.take('~')) {
      this.expression(UNARY);
      code.byte(OP.constant).signed(-1).byte(OP.xor);
    } else if (scanner.take('++')) {
      const name = scanner.name();
      this.step(name, OP.add);
      this.get(name);
    } else this.named(scanner.name());
  }

  private negative(): void {
    const { scanner, code } = this;
    if (scanner.kind === 'number') {
      this.constant(-scanner.value);
      scanner.next();
      return;
    }
    this.constant(0);
    this.expression(UNARY);
    code.byte(OP.sub);
  }

  protected step(name: string, op: number): void {
    this.get(name);
    this.constant(1);
    this.code.byte(op);
    this.set(name);
  }

  private named(name: string): void {
    const { scanner } = this;
    if (name === 'true' || name === 'false') this.constant(name === 'true' ? 1 : 0);
    else if (name === 'mulhi') this.highHalf();
    else if (scanner.is('(')) this.call(name);
    else if (scanner.is('[')) {
      const offset = this.place(name);
      this.code.byte(OP.load).unsigned(2).unsigned(offset);
    } else if (scanner.take('.')) this.member(name, scanner.name());
    else {
      this.get(name);
      if (scanner.take('++')) this.step(name, OP.add);
      else if (scanner.take('--')) this.step(name, OP.sub);
    }
  }

  /** Leaves the address on the stack; the result is the constant part, in bytes. */
  protected place(array: string): number {
    const { code, scanner } = this;
    const { address } = this.arrayOf(array);
    scanner.expect('[');
    const start = code.length;
    const literal = scanner.kind === 'number' ? scanner.value : null;
    this.expression();
    scanner.expect(']');
    if (literal !== null && code.length === start + 1 + bytesOf(literal)) {
      code.length = start;
      this.constant(0);
      return address + 4 * literal;
    }
    let offset = address;
    if (this.sum.end === code.length && this.sum.start > start) {
      code.length = this.sum.start;
      offset += 4 * this.sum.constant;
    }
    code.byte(OP.constant).signed(2).byte(OP.shl);
    return offset;
  }

  private arrayOf(name: string): ArrayPlace {
    const array = this.unit.arrays.get(name);
    if (array === undefined) throw new Error(`impossible: ${name} is no array in generated text`);
    return array;
  }

  /** Every function has a result; 0 where the text has none. */
  protected call(name: string): void {
    const { scanner, code, unit } = this;
    const atomic = ATOMIC[name];
    if (atomic !== undefined) {
      this.atomic(atomic);
      return;
    }
    if (name === 'copy2' || name === 'same2') {
      this.pair(name);
      return;
    }
    const inlined = unit.inlined.get(name);
    if (inlined !== undefined) {
      this.inline(inlined);
      return;
    }
    const called = unit.functions.get(name);
    if (called === undefined) throw new Error(`impossible: generated text calls ${name}`);
    scanner.expect('(');
    let given = 0;
    while (!scanner.take(')')) {
      const start = code.length;
      this.expression();
      scanner.take(',');
      if (++given > called.defaults.length) code.length = start;
    }
    for (let i = given; i < called.defaults.length; i++) this.constant(called.defaults[i]!);
    code.byte(OP.call).unsigned(called.index);
  }

  /** What a function without `return` does; its result is 0. */
  protected abstract effects(): void;

  /** The arguments become variables, and the body is read here; it does not see what is around it. */
  private inline({ parameters, body }: Inlined): void {
    const { scanner, scopes, code } = this;
    const own = new Map<string, number>();
    scanner.expect('(');
    for (const parameter of parameters) {
      this.expression();
      scanner.take(',');
      own.set(parameter, this.localCount);
      code.byte(OP.localSet).unsigned(this.localCount++);
    }
    scanner.expect(')');
    this.scanner = new Scanner(body);
    this.scopes = [own];
    if (this.scanner.take('return')) this.expression();
    else {
      this.effects();
      this.constant(0);
    }
    this.scanner = scanner;
    this.scopes = scopes;
  }

  /** `aget(A[i])`, `aadd(A[i],v)`, … : one element of an array that other threads use, too; then the operands. The result is what was there. */
  private atomic(op: number): void {
    const { scanner, code } = this;
    scanner.expect('(');
    const offset = this.place(scanner.name());
    while (scanner.take(',')) this.expression();
    scanner.expect(')');
    code.byte(OP.atomic).unsigned(op).unsigned(2).unsigned(offset);
  }

  /** `copy2(A[i],B[j])`, `same2(A[i],B[j])`: two neighbouring elements at once. */
  private pair(name: 'copy2' | 'same2'): void {
    const { scanner, code } = this;
    const element = (): number => this.place(scanner.name());
    const load = (offset: number): void => void code.byte(OP.load64).unsigned(2).unsigned(offset);
    scanner.expect('(');
    const first = element();
    if (name === 'same2') load(first);
    scanner.expect(',');
    load(element());
    scanner.expect(')');
    if (name === 'same2') code.byte(OP.eq64);
    else {
      code.byte(OP.store64).unsigned(2).unsigned(first);
      this.constant(0);
    }
  }

  /** The upper 32 bits of a product of unsigned numbers. */
  private highHalf(): void {
    const { scanner, code } = this;
    scanner.expect('(');
    this.expression();
    code.byte(OP.extendUnsigned);
    scanner.expect(',');
    this.expression();
    code
      .byte(OP.extendUnsigned)
      .byte(OP.mul64)
      .byte(OP.constant64)
      .signed(32)
      .byte(OP.shrUnsigned64)
      .byte(OP.wrap);
    scanner.expect(')');
  }

  private member(object: string, name: string): void {
    const { scanner, code } = this;
    if (object === 'Math' && name === 'imul') {
      scanner.expect('(');
      this.expression();
      scanner.expect(',');
      this.expression();
      scanner.expect(')');
      code.byte(OP.mul);
      return;
    }
    if (name !== 'length') throw new Error(`impossible: ${object}.${name} in generated text`);
    this.constant(this.arrayOf(object).length);
  }
}

function bytesOf(literal: number): number {
  let count = 1;
  for (let rest = literal; rest > 63; rest >>= 7) count++;
  return count;
}
