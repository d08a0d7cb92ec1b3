// `deadlock-free` and `assertions`: exhaustive search at the declared capacities, as SPIN does it. Both are answered by one search.

import { describe } from '../../explore/describe.ts';
import { FAULT, type FaultCode, faultText, isLimit } from '../../explore/faults.ts';
import { type SearchOutcome, search, type Violation } from '../../explore/search.ts';
import { trailOf } from '../../explore/trail.ts';
import type { ReasonCode } from '../../verdict/reasons.ts';
import type { PropertyResult } from '../../verdict/verdict.ts';
import { concreteModel, limitReason } from './concrete.ts';
import { type PromelaContext, reproduce } from './context.ts';

export type SafetyProperty = 'deadlock-free' | 'assertions';

export function checkSafety(context: PromelaContext, property: SafetyProperty): PropertyResult {
  const { budget, observer } = context.request;
  const base = { id: property, reproduce: reproduce(context, property) };
  const model = concreteModel(context, 'declared');
  if (!model.ok) {
    const { reason, reasonCode } = model.error;
    return { ...base, verdict: 'unknown', reason, reasonCode, stats: {} };
  }
  observer.stage('search');
  const begin = observer.now();
  const goals = property === 'deadlock-free' ? { endStates: true } : { assertions: true };
  const outcome = search(model.value, goals, budget, observer);
  const stats = {
    states: outcome.states,
    transitions: outcome.transitions,
    bytes: outcome.bytes,
    milliseconds: { search: observer.now() - begin },
  };
  const [violation] = outcome.violations;
  if (violation !== undefined) {
    const described = describe(model.value, trailOf(outcome.space, violation), {
      title: titleOf(violation),
      failing: violation.kind === 'runtime-error' || violation.kind === 'assertion',
    });
    if (!described.ok) throw new Error('impossible: a trail of the search cannot be replayed');
    return {
      ...base,
      verdict: 'refuted',
      method: 'run',
      evidence: { kind: 'run', run: described.run },
      stats,
    };
  }
  if (outcome.limit !== null)
    return { ...base, verdict: 'unknown', ...limitReason(outcome.limit, outcome.states), stats };
  const cut = cutOff(outcome);
  if (cut !== null) return { ...base, verdict: 'unknown', ...cut, stats };
  return { ...base, verdict: 'proved', method: 'exhaustive', evidence: exhaustion(outcome), stats };
}

/** Behind an error of the model, or a limit of the engine, nothing was looked at: there may be more. */
function cutOff({ cutBy }: SearchOutcome): { reason: string; reasonCode: ReasonCode } | null {
  if (cutBy === null) return null;
  const reason = `what follows was not looked at where a run ends early: ${faultText(cutBy)}`;
  if (!isLimit(cutBy)) return { reason, reasonCode: 'runtime-error' };
  return { reason, reasonCode: ENGINE_LIMITS.includes(cutBy) ? 'memory-limit' : 'state-limit' };
}

export const exhaustion = ({ states, transitions }: Pick<SearchOutcome, 'states' | 'transitions'>) =>
  ({ kind: 'exhaustion', states, transitions }) as const;

function titleOf({ kind, fault }: Violation): string {
  if (kind === 'invalid-end-state') return 'the system is stuck: an invalid end state';
  if (kind === 'assertion') return 'an assertion is violated';
  return fault === null ? 'a runtime error' : faultText(fault);
}

/** Not an error of the model: the engine could not go on there. */
const ENGINE_LIMITS: readonly FaultCode[] = [FAULT.memory, FAULT.dstepEndless];
