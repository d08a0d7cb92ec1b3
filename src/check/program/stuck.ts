// `stuck-free`: no process is blocked for ever, even while others go on. SPIN does not ask this.

import { withStates } from '../../base/budget.ts';
import type { Model } from '../../explore/compile.ts';
import { describe } from '../../explore/describe.ts';
import { type StuckProcess, searchStuck } from '../../explore/stuck.ts';
import { TITLES } from '../../explore/titles.ts';
import { placed } from '../../source/diagnostic.ts';
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

/** States of the look that is taken without being asked. */
const SHORT_LOOK = 50_000;

/**
 * Nobody asked, and nothing is wrong by SPIN's rules: as long as somebody moves it is silent about those who never will. A warning, not a verdict: a
 * process that rests for good, as a server does when its clients are gone, is often meant to, and only an `end` label says so.
 */
export const stuckLook: ProgramWork = {
  run: (task, budget, observer, learn) => {
    const context = contextOf(task, withStates(budget, SHORT_LOOK), observer);
    const model = concreteModel(context, 'declared');
    if (!model.ok) return;
    observer.stage('search');
    const { found } = searchStuck(
      model.value,
      { reduce: task.options.reduction !== false },
      context.budget,
      observer,
    );
    if (found === null) return;
    const [blocked] = runOf(model.value, found).blocked?.processes ?? [];
    const edge = found.location.edges[0];
    const span = edge === undefined ? found.location.span : found.proctype.edges[edge]!.span;
    const [wait] = blocked?.waitsFor ?? [];
    const why = wait === undefined ? '' : `: it waits for ${wait.text}`;
    const warning = {
      code: 'SPW1393',
      severity: 'warning',
      message: `'${blocked?.process ?? found.proctype.name}' can be blocked for ever here while others go on${why}`,
      span,
      help: '--property stuck-free shows a run; an end label says that the process may stop here',
    } as const;
    learn({ kind: 'diagnostic', diagnostic: placed(warning) });
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
