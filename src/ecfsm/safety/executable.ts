// "There are parameters with which this action can be sent", as a formula over the registers alone.
//
// [QLive] (S3), Lemmas 4 and 5: the bounds on the parameter n are compared pair by pair, each lower bound with each upper bound. With the
// paper's difference constraints (n with factor 1) this is exact over the integers; n >= 0, which the paper leaves out although n ranges
// over the natural numbers, is one of the lower bounds. Other factors get the Omega test's dark shadow, which is sufficient but not
// necessary: the formula never claims too much. Several fields are eliminated one after the other: what suffices for the rest suffices for all.

import type { Action, ActionVariable, Linear } from '../model.ts';
import { fieldVariable } from '../model.ts';
import { combine } from '../resolve/linear.ts';
import type { Formula, Sum } from '../solver/linear.ts';
import { and, atMostZero, constantSum, plusTimes } from '../solver/linear.ts';

type LinearSum = Linear<ActionVariable>;

const ZERO: LinearSum = { terms: [], constant: 0 };
const SAME = { same: (a: number, b: number): boolean => a === b };
const times = (linear: LinearSum, factor: number): LinearSum => combine(ZERO, linear, factor, SAME);

interface Bound {
  readonly factor: number;
  readonly value: LinearSum;
}

/** Sums over the registers that must all be at most zero. */
export function executabilityOf(action: Action): LinearSum[] {
  let sums = inequalities(action);
  const left = Array.from({ length: action.fields }, (_, field) => fieldVariable(field));
  // What has no other factors than 1 goes first: that is exact.
  while (left.length > 0) {
    const coarse = (variable: ActionVariable): number =>
      Math.max(0, ...sums.map((sum) => Math.abs(factorOf(sum, variable))));
    left.sort((a, b) => coarse(b) - coarse(a));
    sums = eliminated(sums, left.pop()!);
  }
  return sums;
}

const factorOf = ({ terms }: LinearSum, variable: ActionVariable): number =>
  terms.find(([one]) => one === variable)?.[1] ?? 0;

function eliminated(sums: readonly LinearSum[], variable: ActionVariable): LinearSum[] {
  const lower: Bound[] = [{ factor: 1, value: ZERO }];
  const upper: Bound[] = [];
  const conditions: LinearSum[] = [];
  for (const sum of sums) {
    const factor = factorOf(sum, variable);
    const rest = { ...sum, terms: sum.terms.filter(([one]) => one !== variable) };
    if (factor === 0) conditions.push(rest);
    else if (factor < 0) lower.push({ factor: -factor, value: rest });
    else upper.push({ factor, value: times(rest, -1) });
  }
  for (const low of lower) {
    for (const high of upper) {
      // low.value / low.factor <= n <= high.value / high.factor
      const gap = combine(times(low.value, high.factor), high.value, -low.factor, SAME);
      conditions.push({ ...gap, constant: gap.constant + (low.factor - 1) * (high.factor - 1) });
    }
  }
  return conditions;
}

export function executable(action: Action, registers: readonly Sum[]): Formula {
  return and(
    executabilityOf(action).map(({ terms, constant }) =>
      atMostZero(
        terms.reduce<Sum>(
          (sum, [index, factor]) => plusTimes(sum, registers[index]!, factor),
          constantSum(constant),
        ),
      ),
    ),
  );
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
