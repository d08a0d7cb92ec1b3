// The integer expressions of #if: the usual operators on 64-bit numbers, after macro expansion; unknown names are 0.

import type { Token } from './tokens.ts';

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

/** Null when the expression is not one. */
export function evaluateCondition(tokens: readonly Token[]): bigint | null {
  let at = 0;
  const peek = () => tokens[at]?.text;
  const binary = (level: number): bigint => {
    const operators = LEVELS[level];
    if (operators === undefined) return unary();
    let left = binary(level + 1);
    for (let op = peek(); op !== undefined && operators.includes(op); op = peek()) {
      at++;
      left = apply(op, left, binary(level + 1));
    }
    return left;
  };
  const unary = (): bigint => {
    const token = tokens[at++];
    if (token === undefined) throw new SyntaxError();
    if (token.text === '!') return unary() === 0n ? 1n : 0n;
    if (token.text === '-') return BigInt.asIntN(64, -unary());
    if (token.text === '+') return unary();
    if (token.text === '~') return ~unary();
    if (token.text === '(') {
      const inner = conditional();
      if (tokens[at++]?.text !== ')') throw new SyntaxError();
      return inner;
    }
    if (token.kind === 'name') return 0n;
    if (token.kind === 'number') return BigInt(token.text.replace(/[uUlL]+$/, '').replace(/^0(?=\d)/, '0o'));
    if (token.kind === 'string' && token.text.startsWith("'")) return BigInt(token.text.charCodeAt(1));
    throw new SyntaxError();
  };
  const conditional = (): bigint => {
    const test = binary(0);
    if (peek() !== '?') return test;
    at++;
    const yes = conditional();
    if (tokens[at++]?.text !== ':') throw new SyntaxError();
    const no = conditional();
    return test !== 0n ? yes : no;
  };
  try {
    const value = conditional();
    return at === tokens.length ? value : null;
  } catch {
    return null;
  }
}

function apply(op: string, a: bigint, b: bigint): bigint {
  const truth = (value: boolean) => (value ? 1n : 0n);
  switch (op) {
    case '||':
      return truth(a !== 0n || b !== 0n);
    case '&&':
      return truth(a !== 0n && b !== 0n);
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
    case '|':
      return a | b;
    case '^':
      return a ^ b;
    case '&':
      return a & b;
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
      if (b === 0n) throw new SyntaxError();
      return op === '/' ? a / b : a % b;
  }
}
