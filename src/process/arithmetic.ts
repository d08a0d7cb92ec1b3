// The one arithmetic: what SPIN's verifier, compiled C on 32-bit integers, computes. Sums and products wrap around, division goes
// towards zero, shifts use five bits of the count. Null is a run-time error: a division that has no result in 32 bits.
//
// The explorer generates the same as text (explore/code-expression.ts); arithmetic.test.ts compares the two, and both with a C compiler.

import type { BinaryOperator, UnaryOperator } from './expression.ts';

export const INT_MIN = -2147483648;
export const INT_MAX = 2147483647;

export const isInt = (value: number): boolean => value >= INT_MIN && value <= INT_MAX;

export function computeUnary(operator: UnaryOperator, operand: number): number {
  if (operator === '-') return -operand | 0;
  return operator === '!' ? Number(operand === 0) : ~operand;
}

/** `&&` and `||` of values that are known; whether the right side is evaluated at all is the caller's business. */
export function computeBinary(operator: BinaryOperator, left: number, right: number): number | null {
  switch (operator) {
    case '+':
      return (left + right) | 0;
    case '-':
      return (left - right) | 0;
    case '*':
      return Math.imul(left, right);
    case '/':
      return divides(left, right) ? (left / right) | 0 : null;
    case '%':
      return divides(left, right) ? (left % right) | 0 : null;
    case '<<':
      return left << right;
    case '>>':
      return left >> right;
    case '&':
      return left & right;
    case '|':
      return left | right;
    case '^':
      return left ^ right;
    default:
      return Number(holds(operator, left, right));
  }
}

/** The processor traps on both: by zero, and the one quotient that is too large. */
const divides = (left: number, right: number): boolean => right !== 0 && !(left === INT_MIN && right === -1);

function holds(operator: BinaryOperator, left: number, right: number): boolean {
  switch (operator) {
    case '&&':
      return left !== 0 && right !== 0;
    case '||':
      return left !== 0 || right !== 0;
    case '==':
      return left === right;
    case '!=':
      return left !== right;
    case '<':
      return left < right;
    case '<=':
      return left <= right;
    case '>':
      return left > right;
    default:
      return left >= right;
  }
}
