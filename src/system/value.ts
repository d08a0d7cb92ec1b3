// Values as the abstraction knows them: a number, a channel, or ANY (some value, not known which).
//
// A channel is a number too, in a range of its own, so that channels travel through variables, messages and arguments like
// everything else. Soundness duty: an operation returns a number only if the concrete result is exactly that number.

import type { BinaryOperator, UnaryOperator } from '../process/expression.ts';
import type { ScalarType } from '../process/program.ts';
import { truncate } from '../process/types.ts';

export const ANY = null;
export type Value = number | typeof ANY;

const CHANNELS_FROM = 2 ** 40;

/** The value of a channel variable that refers to this queue. 0 refers to none. */
export const channelValue = (queue: number): number => CHANNELS_FROM + queue;
export const isChannel = (value: Value): boolean => value !== ANY && value >= CHANNELS_FROM;
/** The queue a channel value refers to, null for anything else. */
export const queueOf = (value: Value): number | null =>
  value !== ANY && value >= CHANNELS_FROM ? value - CHANNELS_FROM : null;

/**
 * What a store leaves in a cell of the type. Channel numbers fit a byte, so a channel survives in every type that has eight bits (some
 * models send channels through mtype fields); where it might be cut it is forgotten, not guessed.
 */
export function stored(type: ScalarType, value: Value): Value {
  if (value === ANY || !isChannel(value)) return value === ANY ? ANY : truncate(type, value);
  return CUTS.has(type.kind) ? ANY : value;
}

const CUTS: ReadonlySet<ScalarType['kind']> = new Set(['bit', 'bool', 'unsigned']);

const isPlain = (value: Value): value is number =>
  value !== ANY && value >= -2147483648 && value <= 2147483647;

export function unary(operator: UnaryOperator, operand: Value): Value {
  if (isChannel(operand)) return operator === '!' ? 0 : ANY;
  if (!isPlain(operand)) return ANY;
  if (operator === '-') return -operand | 0;
  return operator === '!' ? Number(operand === 0) : ~operand;
}

/** `&&` and `||` are not here: they need not evaluate both sides. `sameChannel` decides whether equal queues mean equal channels. */
export function binary(
  operator: BinaryOperator,
  left: Value,
  right: Value,
  sameChannel: (queue: number) => boolean,
): Value {
  if (isChannel(left) || isChannel(right)) return compareChannels(operator, left, right, sameChannel);
  if (!isPlain(left) || !isPlain(right)) return ANY;
  switch (operator) {
    case '+':
      return (left + right) | 0;
    case '-':
      return (left - right) | 0;
    case '*':
      return Math.imul(left, right);
    case '/':
      return right === 0 || (left === -2147483648 && right === -1) ? ANY : Math.trunc(left / right);
    case '%':
      return right === 0 || right === -1 ? ANY : (left % right) + 0;
    case '<<':
      return right < 0 || right > 31 ? ANY : left << right;
    case '>>':
      return right < 0 || right > 31 ? ANY : left >> right;
    case '&':
      return left & right;
    case '|':
      return left | right;
    case '^':
      return left ^ right;
    case '&&':
      return Number(left !== 0 && right !== 0);
    case '||':
      return Number(left !== 0 || right !== 0);
    case '==':
      return Number(left === right);
    case '!=':
      return Number(left !== right);
    case '<':
      return Number(left < right);
    case '<=':
      return Number(left <= right);
    case '>':
      return Number(left > right);
    case '>=':
      return Number(left >= right);
  }
}

function compareChannels(
  operator: BinaryOperator,
  left: Value,
  right: Value,
  sameChannel: (queue: number) => boolean,
): Value {
  if (operator !== '==' && operator !== '!=') return ANY;
  if (left === ANY || right === ANY) return ANY;
  const equal = operator === '==' ? 1 : 0;
  if (left === right) return sameChannel(queueOf(left)!) ? equal : ANY;
  // A channel is never 0; how it compares with other numbers depends on SPIN's numbering, which is not modelled.
  const [a, b] = [isChannel(left), isChannel(right)];
  return (a && b) || left === 0 || right === 0 ? 1 - equal : ANY;
}

/** May two values be the same number? A channel's number is not known; it is never 0. */
export function mayEqual(a: Value, b: Value): boolean {
  if (a === ANY || b === ANY || a === b) return true;
  return isChannel(a) !== isChannel(b) && a !== 0 && b !== 0;
}

/** A growing set of values that gives up (becomes ANY) beyond its limit. */
export class ValueSet {
  private readonly values = new Set<number>();
  private any = false;

  /** Null when every value of the type is possible. */
  get known(): ReadonlySet<number> | null {
    return this.any ? null : this.values;
  }

  /** True when the set grew. Channels are never given up: there are finitely many, and losing one loses a queue. */
  add(value: Value, limit: number): boolean {
    if (this.any || (value !== ANY && this.values.has(value))) return false;
    if (value === ANY || (this.values.size >= limit && !isChannel(value))) this.any = true;
    else this.values.add(value);
    return true;
  }
}
