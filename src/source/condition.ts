// The expressions of #if and #elif, for every language with C's preprocessor: C's operators on 64-bit integers, after macros and
// `defined` are gone. Names that are left are 0.

export interface ConditionToken {
  readonly text: string;
  readonly isName: boolean;
  /** Of a character constant. */
  readonly character?: bigint | undefined;
}

const LEVELS: readonly (readonly string[])[] = [
  ['||'],
  ['&&'],
  ['|'],
  ['^'],
  ['&'],
  ['==', '!='],
  ['<', '>', '<=', '>='],
  ['<<', '>>'],
  ['+', '-'],
  ['*', '/', '%'],
];

const DEEPEST = 200;

/** The value, or what is wrong with the expression. */
export function evaluateCondition(tokens: readonly ConditionToken[]): bigint | string {
  const reader = new ConditionReader(tokens);
  const value = reader.conditional(0);
  if (reader.problem === null && !reader.atEnd) return `unexpected '${reader.text}'`;
  return reader.problem ?? value;
}

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
    if (this.tokens[this.at]?.text !== text) return false;
    this.at++;
    return true;
  }

  private fail(problem: string): bigint {
    this.problem ??= problem;
    this.at = this.tokens.length;
    return 0n;
  }

  conditional(depth: number): bigint {
    const condition = this.level(0, depth);
    if (!this.take('?')) return condition;
    const whenTrue = this.inPart(condition !== 0n, () => this.conditional(depth + 1));
    if (!this.take(':')) return this.fail("expected ':'");
    const whenFalse = this.inPart(condition === 0n, () => this.conditional(depth + 1));
    return condition !== 0n ? whenTrue : whenFalse;
  }

  private inPart(counts: boolean, read: () => bigint): bigint {
    if (!counts) this.ignored++;
    const value = read();
    if (!counts) this.ignored--;
    return value;
  }

  private level(index: number, depth: number): bigint {
    if (index === LEVELS.length) return this.unary(depth);
    let left = this.level(index + 1, depth);
    for (;;) {
      const operator = LEVELS[index]!.find((candidate) => this.take(candidate));
      if (operator === undefined) return left;
      const counts = operator === '||' ? left === 0n : operator === '&&' ? left !== 0n : true;
      const right = this.inPart(counts, () => this.level(index + 1, depth));
      left = this.apply(operator, left, right);
    }
  }

  private apply(operator: string, a: bigint, b: bigint): bigint {
    const truth = (value: boolean) => (value ? 1n : 0n);
    switch (operator) {
      case '||':
        return truth(a !== 0n || b !== 0n);
      case '&&':
        return truth(a !== 0n && b !== 0n);
      case '|':
        return a | b;
      case '^':
        return a ^ b;
      case '&':
        return a & b;
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
      case '<<':
        return BigInt.asIntN(64, a << (b & 63n));
      case '>>':
        return a >> (b & 63n);
      case '+':
        return BigInt.asIntN(64, a + b);
      case '-':
        return BigInt.asIntN(64, a - b);
      case '*':
        return BigInt.asIntN(64, a * b);
      default:
        if (b === 0n) return this.ignored > 0 ? 0n : this.fail('division by zero');
        return operator === '/' ? a / b : a % b;
    }
  }

  private unary(depth: number): bigint {
    if (depth > DEEPEST) return this.fail('the expression is nested too deeply');
    if (this.take('!')) return this.unary(depth + 1) === 0n ? 1n : 0n;
    if (this.take('!!')) return this.unary(depth + 1) === 0n ? 0n : 1n;
    if (this.take('-')) return BigInt.asIntN(64, -this.unary(depth + 1));
    if (this.take('+')) return this.unary(depth + 1);
    if (this.take('~')) return ~this.unary(depth + 1);
    if (this.take('(')) {
      const value = this.conditional(depth + 1);
      return this.take(')') ? value : this.fail("expected ')'");
    }
    const token = this.tokens[this.at];
    if (token === undefined) return this.fail('a value is missing');
    this.at++;
    if (token.character !== undefined) return token.character;
    if (token.isName) return 0n;
    const digits = /^(0[xX][0-9a-fA-F]+|0[bB][01]+|[0-9]+)[uUlL]*$/.exec(token.text)?.[1];
    if (digits === undefined) return this.fail(`'${token.text}' is no integer`);
    // Not cut to 64 bits: a number too large for a signed one is an unsigned one, and compared as such.
    const octal = /^0[0-7]+$/.test(digits);
    return BigInt(octal ? `0o${digits.slice(1)}` : digits);
  }
}
