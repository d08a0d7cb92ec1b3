// `ltl:NAME`, `never` and `acceptance`: automata on the concrete semantics at the declared capacities, as SPIN does it.

import { shareOf } from '../../base/budget.ts';
import { checkPromelaFormula, checkTemporal } from '../../explore/temporal.ts';
import type { Answer } from '../../verdict/answer.ts';
import { contextOf, type ProgramContext } from './context.ts';
import type { ProgramWork } from './work.ts';

export const temporalSearch: ProgramWork = {
  run: (task, budget, observer, learn) => {
    for (const [index, property] of task.open.entries()) {
      const share = shareOf(budget, task.open.length - index);
      const answer = checkTemporalProperty(contextOf(task, share, observer), property);
      learn({ kind: 'answer', property, engine: 'product with the automaton', answer });
    }
  },
};

function checkTemporalProperty(context: ProgramContext, property: string): Answer {
  const { program, options, budget, observer } = context;
  const given = { fair: options.fair === true, reduce: options.reduction !== false };
  if (property === 'acceptance')
    return checkTemporal(program, { kind: 'acceptance' }, given, budget, observer);
  if (property === 'never') {
    const claim = program.claims[0]!;
    return checkTemporal(program, { kind: 'claim', claim }, given, budget, observer);
  }
  const answer = checkPromelaFormula(program, property.slice('ltl:'.length), given, budget, observer);
  if (answer === null) throw new Error(`impossible: '${property}' was chosen from the model's formulas`);
  return answer;
}
