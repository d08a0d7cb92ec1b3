// Loops without progress on the explored state graph: exact when the whole graph was explored.
//
// Progress by labels is SPIN's: a cycle all of whose states have no process at a progress label (`pan -l`); what lies inside an atomic
// sequence does not show. Progress by steps: a cycle none of whose steps counts, those inside atomic sequences included.

import type { Budget, Observer } from '../base/budget.ts';
import type { Model } from './compile.ts';
import { findCycle } from './cycles.ts';
import { FLAG } from './machine.ts';
import type { Loop } from './pumping.ts';
import { isProgressStep, type Progress } from './round.ts';
import type { Incomplete, SearchOptions, StateSpace } from './search.ts';
import { search, whyIncomplete } from './search.ts';
import { choicesAlong } from './trail.ts';

export type LivelockDecision =
  | ({ readonly kind: 'loop' } & Loop)
  | {
      readonly kind: 'none';
      readonly states: number;
      readonly transitions: number;
      readonly reduced: boolean;
    }
  | { readonly kind: 'limit'; readonly limit: Incomplete };

export interface LivelockQuestion {
  readonly progress: Progress;
  /** By labels only: steps that are chosen as progress are not known to the reduction. */
  readonly reduce: boolean;
}

/** For a model compiled with declared or unlimited capacities. A loop is real even when a limit ended the search. */
export function decideLivelock(
  model: Model,
  { progress, reduce }: LivelockQuestion,
  budget: Budget,
  observer: Observer,
): LivelockDecision {
  const isReduced = reduce && progress.kind === 'labels';
  const found = search(
    model,
    {
      ...graphOptions(model, progress),
      all: true,
      keep: 0,
      ...(isReduced ? { reduce: { progress: true } } : {}),
    },
    budget,
    observer,
  );
  const loop = cycleWithoutProgress(found.space, progress);
  if (loop !== null) return { kind: 'loop', ...loop };
  const limit = whyIncomplete(found);
  if (limit !== null) return { kind: 'limit', limit };
  const { states, transitions, reduced } = found;
  return { kind: 'none', states, transitions, reduced };
}

/** What a search must keep so that cycles without progress can be found afterwards. */
export function graphOptions(model: Model, progress: Progress | null): SearchOptions {
  if (progress === null) return {};
  if (progress.kind === 'labels') return { graph: true };
  return {
    graph: true,
    markStep: (choices) => (isProgressStep(model, progress, choices) ? 1 : 0),
  };
}

export function cycleWithoutProgress(space: StateSpace, progress: Progress): Loop | null {
  const { flags, marks } = space;
  const lasso = findCycle(space, {
    allowed: (state) => progress.kind !== 'labels' || ((flags.data[state] ?? 0) & FLAG.progress) === 0,
    allowedEdge: (edge) => edge >= marks.length || marks.data[edge] === 0,
  });
  if (lasso === null) return null;
  const [first] = lasso.loop as [number];
  return {
    prefix: choicesAlong(space, [...lasso.stem, first]),
    loop: choicesAlong(space, [...lasso.loop, first], (choices) =>
      isProgressStep(space.model, progress, choices),
    ),
  };
}
