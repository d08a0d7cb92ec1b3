// `.spec`: the properties a specification states, each answered by the two-level loop.

import { type Budget, fractionOf, type Observer, TimeOver, watchOf } from '../../base/budget.ts';
import type { FileSystem } from '../../source/source.ts';
import { type Answer, refuted, unknown } from '../../verdict/answer.ts';
import type { ControlGraph, Note, Stats } from '../../verdict/verdict.ts';
import type { AuditStats } from '../audit/audit.ts';
import { auditTask } from '../audit/audit.ts';
import { certificateOf, provedIf } from '../audit/verdict.ts';
import type { Edge } from '../program/program.ts';
import { Oracle } from '../reach/oracle.ts';
import { controlGraphOf } from '../report/graph.ts';
import { notesOf, pathEvidence } from '../report/notes.ts';
import type { LoadedSpec } from '../spec/load.ts';
import { sharedVariable, sharingReason } from '../spec/sharing.ts';
import type { Task } from '../spec/tasks.ts';
import { deadlockTask, tasksOf } from '../spec/tasks.ts';
import { systemHarness } from './harness.ts';
import type { SessionResult } from './session.ts';
import { Session } from './session.ts';
import { Thread } from './thread.ts';

export interface SpecRequest {
  readonly path: string;
  readonly files: FileSystem;
  readonly defines: readonly string[];
  readonly includes: readonly string[];
  readonly properties: readonly string[];
  readonly monolithic: boolean;
  readonly strategy: string | undefined;
  readonly budget: Budget;
  readonly observer: Observer;
}

export interface SpecAnswer {
  readonly property: string;
  readonly answer: Answer;
}

/** Each answer is handed over as soon as it is known; the graphs of the threads with all runs and paths come at the end. */
export async function answerSpec(
  loaded: LoadedSpec,
  request: SpecRequest,
  tell: (answer: SpecAnswer) => void,
): Promise<readonly ControlGraph[]> {
  const tasks = tasksOf(request, loaded, []);
  const taken = new Map<string, Set<number>>();
  let deadlock: SessionResult | null = null;
  for (const task of tasks) {
    const shared = sharedVariable(task.threads, loaded.threads);
    if (shared !== null) {
      tell({ property: task.id, answer: unknown('unsupported-construct', sharingReason(shared), {}) });
      continue;
    }
    if (!request.budget.timeLeft()) {
      tell({ property: task.id, answer: unknown('time-limit', 'the time limit was reached', {}) });
      continue;
    }
    const result = await run(task, request);
    if (task.question.kind === 'deadlock') deadlock = result;
    const canDeadlock = async (): Promise<SessionResult> => {
      const budget = fractionOf(request.budget, 0.3);
      deadlock ??= await run(deadlockTask(loaded, request), { ...request, budget });
      return deadlock;
    };
    const answer =
      result.kind === 'holds'
        ? await checkedProof(task, result, request, loaded, canDeadlock)
        : answerOf(task, result, request, loaded);
    tell({ property: task.id, answer });
    markTaken(task, result, taken);
  }
  return threadGraphs(loaded, taken);
}

/** Each thread's graph, with the edges that some run or path takes. */
export const threadGraphs = (
  { threads }: LoadedSpec,
  taken: ReadonlyMap<string, ReadonlySet<number>>,
): readonly ControlGraph[] =>
  threads.map(({ definition, program }) =>
    controlGraphOf(definition.name, program, taken.get(definition.name) ?? new Set()),
  );

function markTaken(task: Task, result: SessionResult, taken: Map<string, Set<number>>): void {
  const mark = (thread: string, edges: readonly Edge[]): void => {
    taken.set(thread, new Set([...(taken.get(thread) ?? []), ...edges.map(({ id }) => id)]));
  };
  if (result.kind === 'unknown') mark(result.thread, result.path);
  if (result.kind === 'violated')
    for (const [i, { definition }] of task.threads.entries())
      mark(definition.name, result.parts[i]!.confirmed.edges);
}

async function run(
  task: Task,
  { budget, observer }: SpecRequest,
): Promise<SessionResult & { milliseconds: number }> {
  observer.stage(task.id);
  const begin = observer.now();
  const oracle = new Oracle(budget);
  try {
    const threads = task.threads.map(
      (loaded) => new Thread(loaded, task.propositions(loaded), task.sinks(loaded), oracle),
    );
    const session = new Session(threads, task.processes, oracle, budget, observer);
    const watch = watchOf(budget);
    let answer = () => session.answer(task.question, task.title);
    for (const { program } of task.threads) {
      const inner = answer;
      answer = () => program.pool.watched(watch, inner);
    }
    const result = await answer();
    return { ...result, milliseconds: observer.now() - begin };
  } catch (error) {
    if (!(error instanceof RangeError) && !(error instanceof TimeOver)) throw error;
    const late = error instanceof TimeOver;
    const reason = late ? 'the time limit was reached' : 'the formulas of a path became too deep';
    return {
      kind: 'unknown',
      code: late ? 'time-limit' : 'solver-inconclusive',
      reason,
      path: [],
      thread: '',
      stats: {},
      milliseconds: observer.now() - begin,
    };
  } finally {
    oracle.dispose();
  }
}

/**
 * Only infinite runs count for LTL: where the system may get stuck, the answer says less than it seems to ([MAGIC] section 4). The audit has seen
 * whether the structures get stuck at all, and whether the formula would hold on such runs, too.
 */
async function stuckNotes(
  stuckRuns: AuditStats['stuckRuns'],
  canDeadlock: () => Promise<SessionResult>,
): Promise<Note[]> {
  if (stuckRuns === 'none') return [];
  const { kind } = await canDeadlock();
  if (kind === 'holds') return [];
  const can =
    kind === 'violated' ? 'the system can deadlock' : 'it is not known whether the system can deadlock';
  if (stuckRuns === 'satisfy it')
    return [
      { severity: 'hint', message: `${can}; runs that get stuck satisfy the formula, too: ${REPEATED}` },
    ];
  const message = `this is shown for infinite runs only. ${capital(can)}, and a run that gets stuck may violate the formula`;
  return [{ severity: 'warning', message }];
}

const REPEATED = 'their last state is taken to go on for ever';
const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

type Timed<Result> = Result & { readonly milliseconds: number };

const statsOf = (result: Timed<SessionResult>, more: Stats): Stats => ({
  ...result.stats,
  ...more,
  milliseconds: { check: result.milliseconds, ...more.milliseconds },
});

async function checkedProof(
  task: Task,
  result: Timed<Extract<SessionResult, { kind: 'holds' }>>,
  request: SpecRequest,
  loaded: LoadedSpec,
  canDeadlock: () => Promise<SessionResult>,
): Promise<Answer> {
  request.observer.stage('audit');
  const begin = request.observer.now();
  const certificate = certificateOf(task.id, result.components, result.more);
  const audit = await auditTask(task, certificate, request.budget);
  const more = { audit: { ...audit.stats }, milliseconds: { audit: request.observer.now() - begin } };
  const warnings = task.onInfinitePaths ? await stuckNotes(audit.stats.stuckRuns, canDeadlock) : [];
  const notes = [...warnings, ...loaded.threads.flatMap(({ program }) => notesOf(program))];
  return provedIf(audit, certificate, { stats: statsOf(result, more), notes });
}

function answerOf(
  task: Task,
  result: Timed<Exclude<SessionResult, { kind: 'holds' }>>,
  request: SpecRequest,
  loaded: LoadedSpec,
): Answer {
  const stats = statsOf(result, {});
  const notes = loaded.threads.flatMap(({ program }) => notesOf(program));
  if (result.kind === 'violated') {
    const harness = systemHarness({
      title: `${task.title}: ${request.path}`,
      units: loaded.units,
      threads: task.threads.map((thread, i) => ({ loaded: thread, confirmed: result.parts[i]!.confirmed })),
      outside: new Set([...loaded.spec.events, ...loaded.spec.processes].map(({ name }) => name)),
      defines: [...[...loaded.spec.constants].map(([name, value]) => `${name}=${value}`), ...request.defines],
    });
    return refuted(result.run, { stats, notes, harness });
  }
  if (result.kind === 'bad-formula')
    return unknown('unsupported-construct', 'the formula has errors', { stats });
  const evidence = pathEvidence(result.path, result.thread);
  return unknown(result.code, result.reason, { stats, notes, evidence });
}
