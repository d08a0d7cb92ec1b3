// The basis of the induction: every initial state satisfies the formula ([QLive] 3.4).

import type { GlobalState } from '../concrete/state.ts';
import { containsEmpty } from '../language/language.ts';
import { Context, emptyView } from '../sequence/views.ts';
import type { Decider } from '../solver/decider.ts';
import type { Formula, Sum } from '../solver/linear.ts';
import { and, constantSum, equalTo, lessOrEqual, not, plusTimes } from '../solver/linear.ts';
import type { PreparedFormula } from './formula.ts';
import type { Reading } from './reading.ts';
import { atomsOf } from './reading.ts';

/** Null when it is not decided whether there is such a state. */
export interface InitialFailure {
  readonly kind: 'initial';
  readonly state: GlobalState | null;
}

export interface InitialReading {
  readonly control: readonly number[];
  readonly context: Context;
  readonly registers: readonly (readonly Sum[])[];
  /** What the conditions of the initial states say. */
  readonly known: readonly Formula[];
  readonly reading: Reading;
}

export function initialReadings({ protocol, definitions }: PreparedFormula): InitialReading[] {
  return protocol.initial.map(({ control, relations }) => {
    const context = new Context(definitions);
    const registers = protocol.machines.map((machine) => machine.registers.map(() => context.natural()));
    const reading: Reading = {
      register: (side, index) => registers[side]![index]!,
      view: () => emptyView(definitions),
    };
    const known = relations.map(({ sum, relation }) => {
      const value = sum.terms.reduce(
        (total, [register, factor]) =>
          plusTimes(total, reading.register(register.side, register.index), factor),
        constantSum(sum.constant),
      );
      return relation === '=' ? equalTo(value, constantSum(0)) : lessOrEqual(value, constantSum(0));
    });
    return { control, context, registers, known, reading };
  });
}

export async function initialFailures(formula: PreparedFormula, decider: Decider): Promise<InitialFailure[]> {
  const { protocol, disjuncts } = formula;
  const failures: InitialFailure[] = [];
  for (const { control, context, registers, known, reading } of initialReadings(formula)) {
    const targets = formula
      .at(control)
      .map((j) => disjuncts[j]!)
      .filter((disjunct) => disjunct.languages.every(containsEmpty));
    const outside = and([...known, ...targets.map((target) => not(atomsOf(target, reading)))]);
    const decision = await decider.problem(context.facts, context.variables).solve(outside);
    if (decision.kind === 'unsatisfiable') continue;
    const values = registers.map((own) =>
      own.map((sum) => (decision.kind === 'satisfiable' ? decision.values[sum.variables[0]!]! : Number.NaN)),
    );
    const state: GlobalState = { control, registers: values, channels: protocol.channels.map(() => []) };
    failures.push({ kind: 'initial', state: decision.kind === 'satisfiable' ? state : null });
  }
  return failures;
}
