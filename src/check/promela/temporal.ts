// `ltl:NAME`, `never` and `acceptance`: automata on the concrete semantics at the declared capacities, as SPIN does it.

import { checkPromelaFormula, checkTemporal } from '../../explore/temporal.ts';
import type { PropertyResult } from '../../verdict/verdict.ts';
import { type PromelaContext, reproduce } from './context.ts';

export function checkTemporalProperty(context: PromelaContext, property: string): PropertyResult {
  const { program, request } = context;
  const { budget, observer } = request;
  const options = { fair: request.options.extra?.['fair'] === true, reproduce: reproduce(context, property) };
  if (property === 'acceptance')
    return checkTemporal(program, { kind: 'acceptance' }, options, budget, observer);
  if (property === 'never') {
    const result = checkTemporal(
      program,
      { kind: 'claim', claim: program.claims[0]! },
      options,
      budget,
      observer,
    );
    return { ...result, id: 'never' };
  }
  const result = checkPromelaFormula(program, property.slice('ltl:'.length), options, budget, observer);
  if (result === null) throw new Error(`impossible: '${property}' was chosen from the model's formulas`);
  return result;
}
