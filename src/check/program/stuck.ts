// `stuck-free`: no process is blocked for ever, even while others go on. SPIN does not ask this.

import type { Model } from '../../explore/compile.ts';
import { describe } from '../../explore/describe.ts';
import { type StuckProcess, searchStuck } from '../../explore/stuck.ts';
import { TITLES } from '../../explore/titles.ts';
import { type Answer, refuted, unknown } from '../../verdict/answer.ts';
import type { Run } from '../../verdict/run.ts';
import { concreteModel } from './concrete.ts';
import { contextOf, type ProgramContext } from './context.ts';
import { notFound } from './safety.ts';
import type { ProgramWork } from './work.ts';

export const stuckSearch: ProgramWork = {
  run: (task, budget, observer, learn) => {
    const answer = checkStuck(contextOf(task, budget, observer));
    learn({ kind: 'answer', property: 'stuck-free', engine: 'closed components', answer });
  },
};

function checkStuck(context: ProgramContext): Answer {
  const { budget, observer, options, program } = context;
  const model = concreteModel(context, 'declared');
  if (!model.ok) return unknown(model.error.reasonCode, model.error.reason);
  observer.stage('search');
  const begin = observer.now();
  const outcome = searchStuck(model.value, { reduce: options.reduction !== false }, budget, observer);
  const { states, transitions, bytes, reduced } = outcome.search;
  const milliseconds = { search: observer.now() - begin };
  const stats = { states, transitions, bytes, ...(reduced ? { reduced } : {}), milliseconds };
  if (outcome.found !== null) return refuted(runOf(model.value, outcome.found), { stats });
  return notFound(program, outcome.search, stats);
}

function runOf(model: Model, { pid, choices }: StuckProcess): Run {
  const described = describe(model, choices, { title: TITLES.blockedForEver, explain: [pid] });
  if (!described.ok) throw new Error('impossible: a trail of the search cannot be replayed');
  return described.run;
}
