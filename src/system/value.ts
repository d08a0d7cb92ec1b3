// Values as the abstraction knows them: a number, a channel, or ANY (some value, not known which).
//
// A channel is a number too, in a range of its own, so that channels travel through variables, messages and arguments like
// everything else. Soundness duty: an operation returns a number only if the concrete result is exactly that number.

import { computeBinary, computeUnary, isInt } from '../process/arithmetic.ts';
import type { BinaryOperator, UnaryOperator } from '../process/expression.ts';
import { type Storage, truncate } from '../process/storage.ts';

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
export function stored(storage: Storage, value: Value): Value {
  if (value === ANY || !isChannel(value)) return value === ANY ? ANY : truncate(storage, value);
  return storage.bits < 8 ? ANY : value;
}

const isPlain = (value: Value): value is number => value !== ANY && isInt(value);

export function unary(operator: UnaryOperator, operand: Value): Value {
  if (isChannel(operand)) return operator === '!' ? 0 : ANY;
  return isPlain(operand) ? computeUnary(operator, operand) : ANY;
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
  // C leaves shifts by other counts open: a compiler may fold a constant one to something else.
  if ((operator === '<<' || operator === '>>') && (right < 0 || right > 31)) return ANY;
  // Without a result (a division by zero) the process ends in an error; ANY covers what nobody sees.
  return computeBinary(operator, left, right);
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

export interface PossibleValues {
  /** Null when every value of the type is possible. */
  readonly known: ReadonlySet<number> | null;
}

/** A growing set of values that gives up (becomes ANY) beyond its limit. */
export class ValueSet implements PossibleValues {
  private readonly values = new Set<number>();
  private any = false;

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
