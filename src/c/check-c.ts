// `.c` alone: can an error be reached from main? Errors are reach_error(), __VERIFIER_error(), failing assertions, labels ERROR. Here the ways to an answer
// are tried one after the other.

import { fractionOf } from '../base/budget.ts';
import { type Answer, unknown } from '../verdict/answer.ts';
import type { ControlGraph } from '../verdict/verdict.ts';
import { actorOf, answerOf, checkedProof, pictureOf, takenEdges } from './answers.ts';
import { auditProgram } from './audit/audit.ts';
import { besideContracts } from './by-contracts.ts';
import { inTime } from './in-time.ts';
import { afterUndefined, amongTheLiving } from './lived-runs.ts';
import type { CRequest, LoadedC } from './load-c.ts';
import { lived } from './lower/lifetimes.ts';
import { lowerWithContracts } from './lower/lower.ts';
import { NO_OVERFLOW } from './lower/overflow.ts';
import { NO_UNDEFINED } from './lower/undefined.ts';
import type { Confirmed } from './program/confirmed.ts';
import type { Program } from './program/program.ts';
import { ASSERTIONS, askedOf, isErrorLocation, programFor } from './properties.ts';
import type { ReachResult } from './reach/cegar.ts';
import { reach, reachedBy } from './reach/cegar.ts';
import { bySingleRun, type Question } from './single-run.ts';
import { answerTermination, TERMINATES } from './termination.ts';
import type { ReadCalls, Settled } from './termination-of-calls.ts';
import { unlessUndefined } from './undefined-runs.ts';

interface Answered {
  readonly answer: Answer;
  /** The control flow with the run or path marked. */
  readonly graph: ControlGraph | null;
}

/** Of the time that is left, for the first of two readings of a program. */
const SHARE_OF_FIRST = 0.6;

export async function answerC(loaded: LoadedC, property: string, request: CRequest): Promise<Answered> {
  const { budget } = request;
  const asked = askedOf(loaded, property, budget);
  if (asked === null) return { answer: unknown('time-limit', NO_TIME), graph: null };
  const { otherReading } = asked.program;
  if (otherReading === undefined) return answerReading(asked, property, request);
  const first = await answerReading(asked, property, {
    ...request,
    budget: fractionOf(budget, SHARE_OF_FIRST),
  });
  const isOpen = first.answer.verdict === 'unknown' && first.answer.reasonCode !== 'undefined-behaviour';
  const program = isOpen && budget.timeLeft() ? otherReading() : null;
  if (program === null) return first;
  const second = await answerReading({ ...asked, program }, property, request);
  const saysMore = second.answer.verdict !== 'unknown' || second.answer.reasonCode !== 'time-limit';
  return saysMore ? second : first;
}

async function answerReading(loaded: LoadedC, property: string, request: CRequest): Promise<Answered> {
  const { budget } = request;
  const before = budget.remaining();
  const { answer, graph } = await answerDefined(loaded, property, request);
  if (property === NO_UNDEFINED) return { answer, graph };
  const took = Number.isFinite(before) ? before - budget.remaining() : 0;
  return { answer: await unlessUndefined(answer, loaded.program, actorOf(request), budget, took), graph };
}

const NO_TIME = 'the time was over before the question was put';

/** As far as runs do nothing that C leaves undefined. */
async function answerDefined(loaded: LoadedC, property: string, request: CRequest): Promise<Answered> {
  const { observer, budget } = request;
  // A harness is one text: of several files there is none.
  const unit = loaded.units.length === 1 ? loaded.unit : null;
  const program = inTime(loaded.program, budget, () => programFor(property, loaded.program));
  if (program === null) return { answer: unknown('time-limit', NO_TIME), graph: null };
  if (property === TERMINATES) {
    const read: ReadCalls = (contracts, calling) =>
      lowerWithContracts(loaded.units, loaded.entry, contracts, budget, { calling, mayUseAddresses: true });
    const { answer, edges, program: of } = await answerTermination(program, actorOf(request), request, read);
    const tested = answer.verdict === 'refuted' ? inTime(of, budget, () => lived(of)) : of;
    if (tested === of) return { answer, graph: pictureOf(of, edges, request) };
    const again = await answerTestedLives(program, read, request);
    return again?.answer.verdict === 'refuted'
      ? { answer: again.answer, graph: pictureOf(again.program, again.edges, request) }
      : { answer: afterUndefined(program, null), graph: pictureOf(of, edges, request) };
  }
  const isError = (location: number) => isErrorLocation(program, location);
  observer.stage('check');
  const begin = observer.now();
  const audit: Question['audit'] = (certificate, budget) =>
    auditProgram(program, isError, certificate, budget);
  const single = await bySingleRun({ program, property, isError, audit }, request);
  if (single !== null && 'proof' in single)
    return { answer: single.proof, graph: pictureOf(program, [], request) };
  const failing = single?.failing ?? null;
  const asked = {
    property,
    programFor: (one: Program) => programFor(property, one),
    isError: (one: Program) => (location: number) => isErrorLocation(one, location),
  };
  const settled =
    failing !== null
      ? { other: await besideRun(program, isError, failing, request) }
      : await besideContracts(
          loaded,
          asked,
          request,
          (budget, asking) => reach(program, isError, budget, observer, asking),
          ({ kind }) => kind === 'unknown',
        );
  if ('proof' in settled) return { answer: settled.proof, graph: pictureOf(program, [], request) };
  if ('failing' in settled) {
    const { program: of, run } = settled.failing;
    const found = { check: observer.now() - begin };
    return {
      answer: answerOf(request, property, unit, of, reachedBy(run), found),
      graph: pictureOf(of, run.edges, request),
    };
  }
  const result = settled.other;
  const check = observer.now() - begin;
  if (result.kind === 'reachable' && (property === ASSERTIONS || property === NO_OVERFLOW)) {
    const run = await amongTheLiving(program, asked.isError, result, budget, observer);
    if ('unknown' in run)
      return { answer: run.unknown, graph: pictureOf(program, takenEdges(result), request) };
    return {
      answer: answerOf(request, property, unit, run.program, run.result, { check: observer.now() - begin }),
      graph: pictureOf(run.program, takenEdges(run.result), request),
    };
  }
  return {
    answer:
      result.kind === 'unreachable'
        ? await checkedProof(request, property, program, result, check)
        : answerOf(request, property, unit, program, result, { check }),
    graph: pictureOf(program, takenEdges(result), request),
  };
}

/** Null when the time is over. */
async function answerTestedLives(
  program: Program,
  read: ReadCalls,
  request: CRequest,
): Promise<Settled | null> {
  const { budget } = request;
  const withTests = (one: Program | null) => one && inTime(one, budget, () => lived(one));
  const tested = withTests(program);
  return (
    tested &&
    answerTermination(tested, actorOf(request), request, (contracts, calling) =>
      withTests(read(contracts, calling)),
    )
  );
}

/** Where inputs are read others may lead to the error sooner: a run that took them as 0 is the last resort. */
async function besideRun(
  program: Program,
  isError: (location: number) => boolean,
  failing: Confirmed,
  { budget, observer }: CRequest,
): Promise<ReachResult> {
  if (failing.inputs.length === 0) return reachedBy(failing);
  const result = await reach(program, isError, budget, observer);
  return result.kind === 'unknown' ? reachedBy(failing) : result;
}
