// `.c` alone: can an error be reached from main? Errors are reach_error(), __VERIFIER_error(), failing assertions, labels ERROR.

import { type Budget, fractionOf, type Observer, watchOf } from '../base/budget.ts';
import type { Diagnostic } from '../source/diagnostic.ts';
import type { FileSystem } from '../source/source.ts';
import { SourceFile } from '../source/source.ts';
import { type Answer, refuted, unknown } from '../verdict/answer.ts';
import type { ReasonCode } from '../verdict/reasons.ts';
import type { ControlGraph, Stats } from '../verdict/verdict.ts';
import { auditProgram } from './audit/audit.ts';
import { certificateOf, invariantsCertificate, provedIf, unrollingCertificate } from './audit/verdict.ts';
import { besideContracts } from './by-contracts.ts';
import { inTime } from './in-time.ts';
import { afterUndefined, amongTheLiving } from './lived-runs.ts';
import { PLAIN_C } from './lower/calls-of-spec.ts';
import { type Entry, entryOf } from './lower/entry.ts';
import { NO_LEAKS, withLeaks } from './lower/leaks.ts';
import { lived } from './lower/lifetimes.ts';
import { lower, lowerWithContracts } from './lower/lower.ts';
import { NO_OVERFLOW } from './lower/overflow.ts';
import { NO_UNDEFINED, withChecks } from './lower/undefined.ts';
import type { Confirmed } from './program/confirmed.ts';
import type { Edge, Program } from './program/program.ts';
import type { ReachResult } from './reach/cegar.ts';
import { reach, reachedBy } from './reach/cegar.ts';
import { writeComponent } from './reach/write.ts';
import { controlGraphOf } from './report/graph.ts';
import { harness } from './report/harness.ts';
import { notesOf, pathEvidence } from './report/notes.ts';
import { runOfReach } from './report/run.ts';
import { bySingleRun, type Question } from './single-run.ts';
import type { Unit } from './syntax/parse.ts';
import { parseC } from './syntax/parse.ts';
import { readTask } from './syntax/task.ts';
import { answerTermination, TERMINATES } from './termination.ts';
import type { ReadCalls, Settled } from './termination-of-calls.ts';
import { problem, warning } from './text/codes.ts';
import { unlessUndefined } from './undefined-runs.ts';

export interface CRequest {
  readonly path: string;
  readonly files: FileSystem;
  readonly defines: readonly string[];
  readonly includes: readonly string[];
  /** LP64, or what a task definition says, when nothing is said. */
  readonly dataModel?: 'ILP32' | 'LP64' | undefined;
  /** Where the program begins: main when nothing is said. */
  readonly function?: string | undefined;
  readonly budget: Budget;
  readonly observer: Observer;
}

const ASSERTIONS = 'assertions';

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
  const { answer, graph } = await answerDefined(loaded, property, request);
  if (property === NO_UNDEFINED) return { answer, graph };
  return { answer: await unlessUndefined(answer, loaded.program, actorOf(request), request.budget), graph };
}

/** Whether signed numbers overflow is not seen in a program that was not read for it. Null where there is no time to do so. */
export function askedOf(loaded: LoadedC, property: string, budget?: Budget): LoadedC | null {
  if (property !== NO_OVERFLOW) return loaded;
  const program = lower(loaded.units, loaded.entry, PLAIN_C, [], budget, true);
  return program.ok ? { ...loaded, program: program.value, findsOverflows: true } : null;
}

/** Whose steps they are, for people. */
const actorOf = ({ function: name = 'main' }: CRequest): string => name;

const NO_TIME = 'the time was over before the question was put';

/** As far as runs do nothing that C leaves undefined. */
async function answerDefined(loaded: LoadedC, property: string, request: CRequest): Promise<Answered> {
  const { observer, budget } = request;
  const { unit } = loaded;
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

/** A picture of so many locations is made even when the time is over. */
const MOST_DRAWN_LATE = 2000;

function pictureOf(program: Program, path: readonly Edge[], request: CRequest): ControlGraph | null {
  if (program.locations.length > MOST_DRAWN_LATE && !request.budget.timeLeft()) return null;
  return controlGraphOf(actorOf(request), program, new Set(path.map(({ id }) => id)));
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

/** The properties of a .c file that are asked when none is named. */
export const C_PROPERTIES: readonly string[] = [ASSERTIONS, NO_UNDEFINED];
/** All of them. */
export const ALL_C_PROPERTIES: readonly string[] = [...C_PROPERTIES, NO_LEAKS, NO_OVERFLOW, TERMINATES];

const statesNothing = ({ entry }: LoadedC): Diagnostic =>
  warning(
    'SPW5021',
    `nothing that ${entry.function} can call states a property`,
    null,
    'call reach_error(), use assert, label a statement ERROR, or ask for terminates',
  );

/** `assertions` is asked of a program that asserts nothing. */
export const withoutAssertions = (loaded: LoadedC, properties: readonly string[]): readonly Diagnostic[] =>
  properties.includes(ASSERTIONS) && !loaded.program.statesProperty && loaded.program.threads === undefined
    ? [statesNothing(loaded)]
    : [];

/** The program whose errors are what the property excludes. */
export const programFor = (property: string, program: Program): Program =>
  property === NO_UNDEFINED ? withChecks(program) : property === NO_LEAKS ? withLeaks(program) : program;

/** The threads of a program, with tests of the lives of what they use; null when the time is over. */
export const threadsOf = ({ program }: LoadedC, budget: Budget): Program | null =>
  inTime(program, budget, () => lived(program));

const takenEdges = (result: ReachResult): readonly Edge[] =>
  result.kind === 'reachable' ? result.run.edges : result.kind === 'unknown' ? result.path : [];

export interface LoadedC {
  readonly unit: Unit;
  /** All files; the first is `unit`. */
  readonly units: readonly Unit[];
  readonly program: Program;
  readonly entry: Entry;
  /** What a task asks for beside the usual. */
  readonly asked: readonly string[];
  /** It was read to find signed overflows. */
  readonly findsOverflows?: true;
}

/** Read, parsed and lowered from main, or from the function that was asked for; null when there are errors. */
export async function loadC({
  path,
  files,
  defines,
  includes,
  dataModel,
  function: name,
  budget,
}: Pick<CRequest, 'path' | 'files' | 'defines' | 'includes' | 'dataModel' | 'function'> & {
  /** Absent: it may take as long as it takes. */
  readonly budget?: Budget;
}): Promise<{
  readonly loaded: LoadedC | null;
  readonly diagnostics: readonly Diagnostic[];
  readonly sources: ReadonlyMap<string, string>;
}> {
  const file = new SourceFile(path, files.read(path) ?? '');
  const sources = new Map([[path, file.text]]);
  const task = /\.ya?ml$/.test(path)
    ? readTask(file)
    : { inputs: [path], dataModel: 'LP64' as const, properties: [] };
  if ('code' in task) return { loaded: null, diagnostics: [task], sources };
  const units: Unit[] = [];
  const watch = budget && watchOf(budget);
  for (const input of task.inputs) {
    const text = files.read(input);
    if (text === null)
      return {
        loaded: null,
        diagnostics: [problem('SPW5003', `there is no file '${input}'`, { file, start: 0, end: 1 })],
        sources,
      };
    sources.set(input, text);
    const options = { files, defines, includes, dataModel: dataModel ?? task.dataModel, watch };
    const unit = await parseC(new SourceFile(input, text), options);
    if (!unit.ok) return { loaded: null, diagnostics: unit.error, sources };
    for (const source of unit.value.sources) sources.set(source.path, source.text);
    units.push(unit.value);
  }
  const entry = entryOf(name);
  const program = lower(units, entry, PLAIN_C, [], budget);
  if (!program.ok) return { loaded: null, diagnostics: program.error, sources };
  const loaded = { unit: units[0]!, units, program: program.value, entry, asked: task.properties };
  return { loaded, diagnostics: [], sources };
}

export const isErrorLocation = (program: Program, location: number): boolean =>
  program.locations[location]!.kind === 'error' || program.locations[location]!.labels.includes('ERROR');

const REASON_CODES: Readonly<Record<Extract<ReachResult, { kind: 'unknown' }>['code'], ReasonCode>> = {
  'no-progress': 'no-predicate',
  'time-limit': 'time-limit',
  'not-modelled': 'unsupported-construct',
  'solver-limit': 'solver-inconclusive',
};

const statsOf = (program: Program, result: ReachResult, more: Stats): Stats => ({
  ...result.stats,
  locations: program.locations.length,
  edges: program.edges.length,
  ...more,
});

/** No proof is reported that does not pass the audit. */
async function checkedProof(
  request: CRequest,
  property: string,
  program: Program,
  result: Extract<ReachResult, { kind: 'unreachable' }>,
  check: number,
): Promise<Answer> {
  const { observer, budget } = request;
  observer.stage('audit');
  const begin = observer.now();
  const { proof } = result;
  const certificate =
    'places' in proof
      ? unrollingCertificate(property, proof)
      : 'invariants' in proof
        ? invariantsCertificate(property, proof)
        : certificateOf(property, [writeComponent('main', program, proof, () => [])]);
  const isError = (location: number) => isErrorLocation(program, location);
  const audit = result.audit ?? (await auditProgram(program, isError, certificate, budget));
  const milliseconds = { check, audit: observer.now() - begin };
  const stats = statsOf(program, result, { audit: { ...audit.stats }, milliseconds });
  return provedIf(audit, certificate, { stats, notes: notesOf(program) });
}

function answerOf(
  request: CRequest,
  property: string,
  unit: Unit,
  program: Program,
  result: Exclude<ReachResult, { kind: 'unreachable' }>,
  milliseconds: Record<string, number>,
): Answer {
  const beside = { stats: statsOf(program, result, { milliseconds }), notes: notesOf(program) };
  if (result.kind === 'unknown')
    return unknown(REASON_CODES[result.code], result.reason, {
      ...beside,
      evidence: pathEvidence(result.path, actorOf(request)),
    });
  const end = program.locations[result.run.edges.at(-1)?.to ?? program.entry]!;
  const title = end.kind === 'error' ? end.why : `the label ${end.labels.join(', ')} is reached`;
  const errorLabels = program.locations
    .filter(({ labels }) => labels.includes('ERROR'))
    .map(({ span }) => span);
  const run = runOfReach(program, result.run, actorOf(request), title);
  return refuted(run, {
    ...beside,
    harness: harness({
      unit,
      inputs: result.run.inputs,
      entry: actorOf(request),
      errorLabels,
      property,
      title: `${title}: ${request.path}`,
      defines: request.defines,
    }),
  });
}
