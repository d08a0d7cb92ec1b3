// What a proof is worth where a run does something that C leaves undefined: C says nothing about what happens from there on, so nothing of such a program is
// proved. (Among threads a data race counts likewise.) A proof of `assertions` speaks of runs up to their first undefined step; here such a step is looked for, by
// executions and along short paths. Whoever wants to know that there is none asks for `no-undefined`.

import { type Budget, fractionOf, TimeOver, watchOf } from '../base/budget.ts';
import { startOf } from '../source/source.ts';
import { type Answer, unknown } from '../verdict/answer.ts';
import { inTime } from './in-time.ts';
import { withChecks } from './lower/undefined.ts';
import { Prober } from './probe/reach.ts';
import { singleRun } from './probe/single-run.ts';
import type { Confirmed } from './program/confirmed.ts';
import type { Program } from './program/program.ts';
import { blockGraph } from './reach/blocks.ts';
import { boundedSearch } from './reach/bounded.ts';
import { liveCells } from './reach/liveness.ts';
import { Oracle } from './reach/oracle.ts';
import { pathEvidence } from './report/notes.ts';

/** Of the time that is left. */
const SHARE = 0.15;
/** In milliseconds: so little is left of a first look, not of a whole one. */
const SHORT = 500;
/** Questions to the solver: a proof that took little time should not take much more by this. */
const MOST_QUESTIONS = 40;

/** The proof, which took so many milliseconds, unless a run is found that does something undefined. */
export async function unlessUndefined(
  answer: Answer,
  written: Program,
  actor: string,
  budget: Budget,
  took = 0,
): Promise<Answer> {
  if (answer.verdict !== 'proved') return answer;
  // In a first look a share would be nothing: others have more time.
  const isShort = budget.remaining() < SHORT;
  // And at least as long as the proof took, so that a slow machine sees what a fast one does.
  const time = isShort ? budget : fractionOf(budget, Math.max(SHARE, took / budget.remaining()));
  const program = inTime(written, time, () => withChecks(written));
  const run = program === null ? null : await undefinedRun(program, time);
  if (isShort && run === null && !time.timeLeft())
    return unknown('time-limit', 'no time was left to look for runs that do what is undefined', {
      notes: answer.notes,
      stats: answer.stats,
    });
  if (program === null || run === null) return answer;
  const { why, span } = program.locations[run.edges.at(-1)!.to]!;
  const { line } = startOf(span);
  return unknown(
    'undefined-behaviour',
    `it holds as far as runs are defined, but a run does what is not: line ${line}: ${why}`,
    { notes: answer.notes, stats: answer.stats, evidence: pathEvidence(run.edges, actor) },
  );
}

async function undefinedRun(program: Program, budget: Budget): Promise<Confirmed | null> {
  const isError = (location: number) => program.locations[location]!.kind === 'error';
  if (!program.locations.some(({ kind }) => kind === 'error')) return null;
  const single = singleRun(program, isError, budget);
  return single?.kind === 'error' ? single.run : byPaths(program, isError, budget);
}

async function byPaths(
  program: Program,
  isError: (location: number) => boolean,
  budget: Budget,
): Promise<Confirmed | null> {
  const oracle = new Oracle(budget);
  try {
    return await program.pool.watched(watchOf(budget), async () => {
      const graph = blockGraph(program, isError);
      const near = await boundedSearch(graph, isError, oracle, budget, MOST_QUESTIONS);
      return (
        near ?? new Prober(program, liveCells(program, []), isError).try(Number.POSITIVE_INFINITY, budget)
      );
    });
  } catch (error) {
    if (error instanceof TimeOver || error instanceof RangeError) return null;
    throw error;
  } finally {
    oracle.dispose();
  }
}
