// The ways in which one configuration, and the event it is left with, can violate `G p`, where p has no temporal operators.

import type { Syntax } from '../../ltl/syntax.ts';
import { normal, unfoldWithin } from './unfold.ts';
import type { WatcherLiteral } from './watcher.ts';
import { conditionOf } from './watcher.ts';

/** All of it has to be true at once; more may have to be (events that must not be taken are left out). */
export interface Cause {
  readonly literals: readonly WatcherLiteral[];
  readonly event: number | null;
}

const MOST_TRIES = 20_000;

/** Null: the formula is not of this kind, or too large. A configuration that violates p does so by one of them. */
export function causesOf(formula: Syntax): readonly Cause[] | null {
  if (formula.kind !== 'unary' || formula.operator !== 'always' || !isTimeless(formula.operand)) return null;
  const ways = unfoldWithin([normal(formula.operand, false)], () => undefined, MOST_TRIES);
  return ways?.flatMap(({ assumed }) => conditionOf(assumed) ?? []) ?? null;
}

function isTimeless(formula: Syntax): boolean {
  switch (formula.kind) {
    case 'unary':
      return formula.operator === 'not' && isTimeless(formula.operand);
    case 'binary':
      return TIMELESS.has(formula.operator) && isTimeless(formula.left) && isTimeless(formula.right);
    default:
      return true;
  }
}

const TIMELESS: ReadonlySet<string> = new Set(['and', 'or', 'implies', 'equivalent', 'xor']);
