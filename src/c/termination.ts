// `terminates`: every run of main ends. Runs end where the program returns, exits, fails an assertion or an assumption, or does what C leaves undefined.
// Refuted by a run that comes back to the same state, or comes into a set of states that no run leaves; proved by measures that the audit checks, or by unrolling
// all loops to their ends.

import { fractionOf, TimeOver, watchOf } from '../base/budget.ts';
import { type Answer, refuted, unknown } from '../verdict/answer.ts';
import { auditTermination } from './audit/audit.ts';
import type { InvariantsProof } from './audit/invariants.ts';
import { invariantsCertificate, provedIf, unrollingCertificate } from './audit/verdict.ts';
import type { CRequest } from './load-c.ts';
import { hasRecursion } from './lower/recursion.ts';
import { findLasso } from './probe/lasso.ts';
import { replay } from './probe/replay.ts';
import type { Edge, Program } from './program/program.ts';
import { liveCells } from './reach/liveness.ts';
import { Oracle } from './reach/oracle.ts';
import { rankSearch } from './reach/ranking.ts';
import { recurrentRun } from './reach/recurrent.ts';
import { byUnrolling } from './reach/unrolling.ts';
import { notesOf } from './report/notes.ts';
import { runOfLasso } from './report/run.ts';
import { bySingleRun, type Question } from './single-run.ts';
import { answerOfCalls, type ReadCalls, type Settled } from './termination-of-calls.ts';

export const TERMINATES = 'terminates';

/** `read`: the program with contracts. */
export async function answerTermination(
  program: Program,
  actor: string,
  request: CRequest,
  read: ReadCalls,
): Promise<Settled> {
  const { answer, edges, of } = await answerWith(program, actor, request, read);
  return { answer, edges, program: of ?? program };
}

async function answerWith(
  program: Program,
  actor: string,
  request: CRequest,
  read: ReadCalls,
): Promise<{ readonly answer: Answer; readonly edges: readonly Edge[]; readonly of?: Program }> {
  const { budget, observer } = request;
  const begin = observer.now();
  const isError = () => false;
  const again: Question['audit'] = (certificate, time) => auditTermination(program, certificate, time);
  const single = await bySingleRun({ program, property: TERMINATES, isError, audit: again }, request);
  if (single !== null && 'proof' in single) return { answer: single.proof, edges: [] };
  const beside = () => ({
    notes: notesOf(program),
    stats: {
      locations: program.locations.length,
      edges: program.edges.length,
      milliseconds: { check: observer.now() - begin },
    },
  });
  const oracle = new Oracle(budget);
  try {
    if (hasRecursion(program)) {
      const settled = await answerOfCalls(read, TERMINATES, actor, request);
      if (settled !== null) return { ...settled, of: settled.program };
    }
    const watch = watchOf(budget);
    const live = program.pool.underWatch(watch, () => liveCells(program, []));
    const lasso = program.pool.underWatch(watch, () => findLasso(program, live, fractionOf(budget, 0.3)));
    if (lasso !== null) {
      const run = runOfLasso(program, lasso.run, lasso.loopAt, actor, 'the program goes on for ever');
      return { answer: refuted(run, beside()), edges: lasso.run.edges };
    }
    const proved = async (proof: InvariantsProof) => {
      const certificate = invariantsCertificate(TERMINATES, proof);
      const audit = await auditTermination(program, certificate, budget);
      return { answer: provedIf(audit, certificate, beside()), edges: [] };
    };
    const ranks = await program.pool.watched(watch, () =>
      rankSearch(program, live, oracle, fractionOf(budget, 0.5)),
    );
    const simple = ranks && (await program.pool.watched(watch, () => ranks.simple(fractionOf(budget, 0.5))));
    if (simple !== null) return proved(simple);
    const whole = await byUnrolling(program, live, isError, oracle, fractionOf(budget, 0.3));
    if (whole !== null && 'proof' in whole) {
      const certificate = unrollingCertificate(TERMINATES, whole.proof);
      const audit = await auditTermination(program, certificate, budget);
      return { answer: provedIf(audit, certificate, beside()), edges: [] };
    }
    const going = await program.pool.watched(watch, () =>
      recurrentRun(program, live, oracle, fractionOf(budget, 0.5)),
    );
    const run = going === null ? null : replay(program, [{ ...going, to: 0, event: null }], [], [[]]);
    if (going !== null && run !== null) {
      const title = 'the program goes on for ever: what is true here stays true, and no turn ends the loop';
      const shown = runOfLasso(program, run, going.loopAt, actor, title);
      return { answer: refuted(shown, beside()), edges: run.edges };
    }
    const thorough =
      ranks && (await program.pool.watched(watch, () => ranks.thorough(fractionOf(budget, 0.8))));
    if (thorough !== null) return proved(thorough);
    return { answer: open(budget.timeLeft(), beside()), edges: [] };
  } catch (error) {
    if (!(error instanceof TimeOver) && !(error instanceof RangeError)) throw error;
    return { answer: open(error instanceof RangeError, beside()), edges: [] };
  } finally {
    oracle.dispose();
  }
}

const open = (inTime: boolean, beside: Parameters<typeof unknown>[2]): Answer =>
  inTime
    ? unknown(
        'no-measure',
        'neither measures that every turn of every loop makes smaller were found, nor a run that comes back to the same state',
        beside,
      )
    : unknown('time-limit', 'the time limit was reached', beside);
