// A counterexample of a formula, judged by definition alone.

import type { Formula, FormulaFactory } from '../ltl/formula.ts';
import { violates } from '../ltl/words.ts';
import type { Path } from './path.ts';
import { isPath } from './replay.ts';
import type { System } from './system.ts';
import { propositionPlaces } from './vocabulary.ts';

/** The last word before `refuted`: a path of the composition, by definition, that violates the formula, by definition. */
export function violatesFormula(
  system: System,
  path: Path,
  factory: FormulaFactory,
  formula: Formula,
): boolean {
  const places = propositionPlaces(system);
  const onPath = {
    initialStates: () => [0],
    eachSuccessor: () => {},
    holds: (index: number, proposition: number) => {
      const { component, local } = places[proposition]!;
      return system.components[component]!.labels[path.states[index]![component]!]!.includes(local);
    },
  };
  const steps = path.events.map((event, state) => ({ state, event }));
  const lasso = { steps, loopStart: path.loopStart! };
  return isPath(system, path) && violates(onPath, lasso, factory, formula);
}
