// Which sendings cannot be repeated for ever within some disjuncts.
//
// Each time the action is executed, a sum of registers changes by the same amount. If a disjunct bounds such a sum on the side towards which
// it changes, its states can occur only finitely often in a row of executions: x := x - 1 with 0 <= x, which always holds, or
// x := x + 1 with x <= y. In a row without end through finitely many disjuncts, one would occur without end. So where every
// disjunct of a set has such a bound, its own one, no row of executions stays in the set for ever.

import type { Action, Comparison, Disjunct, StateVariable } from '../model.ts';

export function cannotGoOn(action: Action, { relations }: Disjunct): boolean {
  const natural = action.updates.some((_, index) => (stepOf(action, index) ?? 0) < 0);
  return natural || relations.some((relation) => isExhausted(action, relation));
}

/** What the action adds to the register, null when that is not always the same. */
function stepOf(action: Action, index: number): number | null {
  const { terms, constant } = action.updates[index]!;
  const [only] = terms;
  return terms.length === 1 && only![0] === index && only![1] === 1 ? constant : null;
}

/** Does the relation fail after finitely many executions? Numbers of messages are not registers: nothing is known of them. */
function isExhausted(action: Action, { sum, relation }: Comparison<StateVariable>): boolean {
  let change = 0;
  for (const [variable, factor] of sum.terms) {
    if (variable.kind === 'function') return false;
    const step = variable.side === action.side ? stepOf(action, variable.index) : 0;
    if (step === null) return false;
    change += factor * step;
  }
  return relation === '=' ? change !== 0 : change > 0;
}
