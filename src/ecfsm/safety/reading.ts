// Disjuncts and actions as solver formulas, given symbolic registers and symbolic channels.

import type {
  Action,
  ActionVariable,
  Comparison,
  Disjunct,
  Linear,
  StateVariable,
  Subsequence,
} from '../model.ts';
import type { View } from '../sequence/views.ts';
import type { Formula, Sum } from '../solver/linear.ts';
import { and, constantSum, equalTo, lessOrEqual, plusTimes, TRUE } from '../solver/linear.ts';

/** A symbolic global state, apart from control states and types of messages. */
export interface Reading {
  register(side: number, index: number): Sum;
  view(of: Subsequence): View;
}

/** The atoms AF3 and AF4 of a disjunct. */
export function atomsOf(disjunct: Disjunct, reading: Reading): Formula {
  return and([
    ...disjunct.predicates.map(({ predicate, of }) => reading.view(of).holds(predicate)),
    ...disjunct.relations.map((relation) => relationOf(relation, reading)),
  ]);
}

export function relationOf(comparison: Comparison<StateVariable>, reading: Reading): Formula {
  let sum = constantSum(comparison.sum.constant);
  for (const [variable, factor] of comparison.sum.terms) {
    const value =
      variable.kind === 'register'
        ? reading.register(variable.side, variable.index)
        : reading.view(variable.of).value(variable.name);
    if (value === null) return TRUE;
    sum = plusTimes(sum, value, factor);
  }
  return compare(sum, comparison.relation);
}

const compare = (sum: Sum, relation: '<=' | '='): Formula =>
  relation === '=' ? equalTo(sum, constantSum(0)) : lessOrEqual(sum, constantSum(0));

type Look = (variable: ActionVariable) => Sum;

export function linearOf(linear: Linear<ActionVariable>, look: Look): Sum {
  return linear.terms.reduce<Sum>(
    (sum, [variable, factor]) => plusTimes(sum, look(variable), factor),
    constantSum(linear.constant),
  );
}

/** Condition and definedness: the action can be executed with this parameter. */
export function enabledOf(action: Action, look: Look): Formula {
  return and([
    ...action.condition.map(({ sum, relation }) => compare(linearOf(sum, look), relation)),
    ...action.updates.map((update) => lessOrEqual(constantSum(0), linearOf(update, look))),
  ]);
}
