// The expressions of #if and #elif, for every language with C's preprocessor: C's operators on 64-bit integers, signed or, where a
// number is too large or says so, unsigned; after macros and `defined` are gone. Names that are left are 0.

import { BINARY_LEVELS } from '../source/operators.ts';
import { characterValue } from './character.ts';

export interface ConditionToken {
  readonly kind: string;
  readonly text: string;
}

interface Value {
  readonly value: bigint;
  readonly unsigned: boolean;
}

const DEEPEST = 200;

/** The value, or what is wrong with the expression. */
export function evaluateCondition(tokens: readonly ConditionToken[]): bigint | string {
  const reader = new ConditionReader(tokens);
  const { value } = reader.sequence(0);
  if (reader.problem === null && !reader.atEnd) return `unexpected '${reader.text}'`;
  return reader.problem ?? value;
}

const signed = (value: bigint): Value => ({ value: BigInt.asIntN(64, value), unsigned: false });
const cut = (value: bigint, unsigned: boolean): Value =>
  unsigned ? { value: BigInt.asUintN(64, value), unsigned } : signed(value);
const truth = (value: boolean): Value => signed(value ? 1n : 0n);

class ConditionReader {
  problem: string | null = null;
  private at = 0;
  private readonly tokens: readonly ConditionToken[];
  /** Inside the part of && || ?: that does not count, a division by zero is no problem. */
  private ignored = 0;

  constructor(tokens: readonly ConditionToken[]) {
    this.tokens = tokens;
  }

  get atEnd(): boolean {
    return this.at >= this.tokens.length;
  }

  get text(): string {
    return this.tokens[this.at]?.text ?? 'the end of the line';
  }

  private take(text: string): boolean {
    const token = this.tokens[this.at];
    if (token?.text !== text || token.kind === 'string' || token.kind === 'char') return false;
    this.at++;
    return true;
  }

  private fail(problem: string): Value {
    this.problem ??= problem;
    this.at = this.tokens.length;
    return signed(0n);
  }

  /** With commas, as gcc takes them: the last one counts. */
  sequence(depth: number): Value {
    let value = this.conditional(depth);
    while (this.take(',')) value = this.conditional(depth);
    return value;
  }

  private conditional(depth: number): Value {
    const condition = this.level(0, depth);
    if (!this.take('?')) return condition;
    const holds = condition.value !== 0n;
    const whenTrue = this.inPart(holds, () => this.sequence(depth + 1));
    if (!this.take(':')) return this.fail("expected ':'");
    const whenFalse = this.inPart(!holds, () => this.conditional(depth + 1));
    return cut((holds ? whenTrue : whenFalse).value, whenTrue.unsigned || whenFalse.unsigned);
  }

  private inPart(counts: boolean, read: () => Value): Value {
    if (!counts) this.ignored++;
    const value = read();
    if (!counts) this.ignored--;
    return value;
  }

  private level(index: number, depth: number): Value {
    if (index === BINARY_LEVELS.length) return this.unary(depth);
    let left = this.level(index + 1, depth);
    for (;;) {
      const operator = BINARY_LEVELS[index]!.find((candidate) => this.take(candidate));
      if (operator === undefined) return left;
      const holds = left.value !== 0n;
      const counts = operator === '||' ? !holds : operator === '&&' ? holds : true;
      const right = this.inPart(counts, () => this.level(index + 1, depth));
      left = this.apply(operator, left, right);
    }
  }

  private apply(operator: string, left: Value, right: Value): Value {
    if (operator === '||') return truth(left.value !== 0n || right.value !== 0n);
    if (operator === '&&') return truth(left.value !== 0n && right.value !== 0n);
    if (operator === '<<') return shifted(left, right.value);
    if (operator === '>>') return shifted(left, -right.value);
    const unsigned = left.unsigned || right.unsigned;
    const a = cut(left.value, unsigned).value;
    const b = cut(right.value, unsigned).value;
    switch (operator) {
      case '|':
        return cut(a | b, unsigned);
      case '^':
        return cut(a ^ b, unsigned);
      case '&':
        return cut(a & b, unsigned);
      case '==':
        return truth(a === b);
      case '!=':
        return truth(a !== b);
      case '<':
        return truth(a < b);
      case '>':
        return truth(a > b);
      case '<=':
        return truth(a <= b);
      case '>=':
        return truth(a >= b);
      case '+':
        return cut(a + b, unsigned);
      case '-':
        return cut(a - b, unsigned);
      case '*':
        return cut(a * b, unsigned);
      default:
        if (b === 0n) return this.ignored > 0 ? cut(0n, unsigned) : this.fail('division by zero');
        return cut(operator === '/' ? a / b : a % b, unsigned);
    }
  }

  private unary(depth: number): Value {
    if (depth > DEEPEST) return this.fail('the expression is nested too deeply');
    if (this.take('!')) return truth(this.unary(depth + 1).value === 0n);
    if (this.take('!!')) return truth(this.unary(depth + 1).value !== 0n);
    if (this.take('-')) {
      const { value, unsigned } = this.unary(depth + 1);
      return cut(-value, unsigned);
    }
    if (this.take('+')) return this.unary(depth + 1);
    if (this.take('~')) {
      const { value, unsigned } = this.unary(depth + 1);
      return cut(~value, unsigned);
    }
    if (this.take('(')) {
      const value = this.sequence(depth + 1);
      return this.take(')') ? value : this.fail("expected ')'");
    }
    const token = this.tokens[this.at];
    if (token === undefined) return this.fail('a value is missing');
    this.at++;
    if (token.kind === 'name') return signed(0n);
    if (token.kind === 'char') {
      const value = characterValue(token.text);
      if (value === null) return this.fail(`${token.text} is no character`);
      return cut(value, /^[uU]'/.test(token.text));
    }
    return this.number(token.text);
  }

  private number(text: string): Value {
    const [, digits, suffix] = /^(0[xX][0-9a-fA-F]+|0[bB][01]+|[0-9]+)([uUlL]*)$/.exec(text) ?? [];
    if (digits === undefined || /^0[0-7]*[89]/.test(digits)) return this.fail(`'${text}' is no integer`);
    const value = BigInt(/^0[0-7]+$/.test(digits) ? `0o${digits.slice(1)}` : digits);
    return cut(value, /[uU]/.test(suffix!) || value > 0x7fff_ffff_ffff_ffffn);
  }
}

/** By the width or more everything is shifted out; by less than nothing to the other side: gcc. */
function shifted({ value, unsigned }: Value, by: bigint): Value {
  if (by >= 0n) return cut(by >= 64n ? 0n : value << by, unsigned);
  return cut(value >> (by <= -64n ? 64n : -by), unsigned);
}
