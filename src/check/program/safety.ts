// `deadlock-free` and `assertions`: exhaustive search at the declared capacities, as SPIN does it. Both are answered by one search.

import { shareOf } from '../../base/budget.ts';
import { describe } from '../../explore/describe.ts';
import { FAULT, type FaultCode, faultText, isLimit } from '../../explore/faults.ts';
import { type SearchOutcome, search, type Violation } from '../../explore/search.ts';
import { TITLES } from '../../explore/titles.ts';
import { trailOf } from '../../explore/trail.ts';
import { type Answer, proved, refuted, unknown } from '../../verdict/answer.ts';
import type { ReasonCode } from '../../verdict/reasons.ts';
import { concreteModel, limitReason } from './concrete.ts';
import { contextOf, type ProgramContext } from './context.ts';
import type { ProgramWork } from './work.ts';

export type SafetyProperty = 'deadlock-free' | 'assertions';

export const safetySearch: ProgramWork = {
  run: (task, budget, observer, learn) => {
    for (const [index, property] of task.open.entries()) {
      const share = shareOf(budget, task.open.length - index);
      const answer = checkSafety(contextOf(task, share, observer), property as SafetyProperty);
      learn({ kind: 'answer', property, engine: 'exhaustive search', answer });
    }
  },
};

function checkSafety(context: ProgramContext, property: SafetyProperty): Answer {
  const { budget, observer } = context;
  const model = concreteModel(context, 'declared');
  if (!model.ok) return unknown(model.error.reasonCode, model.error.reason);
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
    return refuted(described.run, { stats });
  }
  if (outcome.limit !== null) {
    const { reasonCode, reason } = limitReason(outcome.limit, outcome.states);
    return unknown(reasonCode, reason, { stats });
  }
  const cut = cutOff(outcome);
  if (cut !== null) return unknown(cut.reasonCode, cut.reason, { stats });
  const [trace] = context.program.traces;
  if (trace !== undefined)
    return unknown(
      'trace-assertion',
      `nothing else is wrong, but the ${trace.kind} assertion was not checked`,
      { stats },
    );
  return proved('exhaustive', exhaustion(outcome), 'search', { stats });
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
  if (kind === 'invalid-end-state') return TITLES.stuck;
  if (kind === 'assertion') return TITLES.assertion;
  return fault === null ? 'a runtime error' : faultText(fault);
}

/** Not an error of the model: the engine could not go on there. */
const ENGINE_LIMITS: readonly FaultCode[] = [FAULT.memory, FAULT.dstepEndless];
