// "There is a parameter with which this action can be sent", as a formula over the registers alone.
//
// [QLive] (S3), Lemmas 4 and 5: the bounds on the parameter n are compared pair by pair, each lower bound with each upper bound. With the
// paper's difference constraints (n with factor 1) this is exact over the integers; n >= 0, which the paper leaves out although n ranges
// over the natural numbers, is one of the lower bounds. Other factors get the Omega test's dark shadow, which is sufficient but not
// necessary: the formula never claims too much.

import type { Action, ActionVariable, Linear } from '../model.ts';
import type { Formula, Sum } from '../solver/linear.ts';
import { and, constantSum, lessOrEqual, plusTimes, shift } from '../solver/linear.ts';
import { linearOf } from './reading.ts';

interface Bound {
  readonly factor: number;
  readonly value: Sum;
}

export function executable(action: Action, registers: readonly Sum[]): Formula {
  const lower: Bound[] = [{ factor: 1, value: constantSum(0) }];
  const upper: Bound[] = [];
  const conditions: Formula[] = [];
  for (const sum of inequalities(action)) {
    const factor = sum.terms.find(([variable]) => variable === 'parameter')?.[1] ?? 0;
    const rest = linearOf(
      { ...sum, terms: sum.terms.filter(([variable]) => variable !== 'parameter') },
      (variable) => registers[variable as number]!,
    );
    if (factor === 0) conditions.push(lessOrEqual(rest, constantSum(0)));
    else if (factor < 0) lower.push({ factor: -factor, value: rest });
    else upper.push({ factor, value: plusTimes(constantSum(0), rest, -1) });
  }
  for (const low of lower) {
    for (const high of upper) {
      // low.value / low.factor <= n <= high.value / high.factor
      const least = plusTimes(constantSum(0), low.value, high.factor);
      const slack = (low.factor - 1) * (high.factor - 1);
      conditions.push(lessOrEqual(shift(least, slack), plusTimes(constantSum(0), high.value, low.factor)));
    }
  }
  return and(conditions);
}

/** Everything the action needs, as sums that must be at most zero. */
function inequalities(action: Action): Linear<ActionVariable>[] {
  const negated = ({ terms, constant }: Linear<ActionVariable>): Linear<ActionVariable> => ({
    terms: terms.map(([variable, factor]) => [variable, -factor]),
    constant: -constant,
  });
  return [
    ...action.condition.flatMap(({ sum, relation }) => (relation === '=' ? [sum, negated(sum)] : [sum])),
    ...action.updates.map(negated),
  ];
}
