// `.spec`: the properties a specification states, each answered by the two-level loop.

import type { Budget, Observer } from '../../base/budget.ts';
import type { DeadlockStrategy } from '../../deadlock/deadlock.ts';
import { DEADLOCK_STRATEGIES, share } from '../../deadlock/deadlock.ts';
import { ExpansionProblem } from '../../kripke/evaluate.ts';
import { unrollFormula } from '../../kripke/formula-text.ts';
import type { Kripke } from '../../kripke/structure.ts';
import type { System } from '../../kripke/system.ts';
import { vocabularyOf } from '../../kripke/vocabulary.ts';
import { parseFormula, parseText } from '../../ltl/parser.ts';
import type { Syntax } from '../../ltl/syntax.ts';
import type { Diagnostic } from '../../source/diagnostic.ts';
import { hasErrors, suggest } from '../../source/diagnostic.ts';
import type { FileSystem, Span } from '../../source/source.ts';
import { SourceFile } from '../../source/source.ts';
import type { ControlGraph, Note, PropertyResult } from '../../verdict/verdict.ts';
import { notesOf, pathEvidence } from '../check-c.ts';
import { problem } from '../codes.ts';
import type { Proposition } from '../extract.ts';
import { controlGraphOf } from '../graph.ts';
import { Oracle } from '../oracle.ts';
import type { Edge } from '../program.ts';
import { systemHarness } from './harness.ts';
import type { LoadedSpec, LoadedThread } from './load.ts';
import { loadSpec } from './load.ts';
import { monitorOf, VIOLATED } from './monitor.ts';
import type { Question, SessionResult } from './session.ts';
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

export interface SpecReport {
  readonly properties: readonly PropertyResult[];
  readonly diagnostics: readonly Diagnostic[];
  readonly sources: ReadonlyMap<string, string>;
  readonly graphs?: readonly ControlGraph[];
}

/** One thing to prove: which threads and processes, with which propositions and sinks, and the question. */
interface Task {
  readonly id: string;
  readonly title: string;
  readonly threads: readonly LoadedThread[];
  readonly processes: readonly Kripke[];
  readonly propositions: (thread: LoadedThread) => readonly Proposition[];
  readonly sinks: (thread: LoadedThread) => ReadonlySet<number>;
  readonly question: Question;
  /** A formula, as against something that has a finite violation too. */
  readonly onInfinitePaths: boolean;
}

export async function checkSpec(request: SpecRequest): Promise<SpecReport> {
  request.observer.stage('load');
  const { loaded, diagnostics: found, sources } = await loadSpec(request);
  const diagnostics = [...found];
  if (loaded === null) return { properties: [], diagnostics, sources };
  const tasks = tasksOf(request, loaded, diagnostics);
  const properties: PropertyResult[] = [];
  const taken = new Map<string, Set<number>>();
  let deadlock: SessionResult | null = null;
  for (const task of hasErrors(diagnostics) ? [] : tasks) {
    const result = await run(task, request);
    if (hasErrors(diagnostics)) break;
    if (task.question.kind === 'deadlock') deadlock = result;
    const notes: Note[] = [];
    if (task.onInfinitePaths && result.kind === 'holds') {
      deadlock ??= await run(deadlockTask(loaded, request), {
        ...request,
        budget: share(request.budget, 0.3),
      });
      notes.push(...deadlockNotes(deadlock));
    }
    properties.push(propertyOf(task, result, request, loaded, notes));
    markTaken(task, result, taken);
  }
  if (hasErrors(diagnostics)) return { properties: [], diagnostics, sources };
  return { properties, diagnostics, sources, graphs: threadGraphs(loaded, taken) };
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
    const result = await session.answer(task.question, task.title);
    return { ...result, milliseconds: observer.now() - begin };
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    const reason = 'the formulas of a path became too deep';
    return {
      kind: 'unknown',
      code: 'solver-inconclusive',
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

/** Only infinite paths count for LTL: where the system may get stuck, the answer says less than it seems to ([MAGIC] section 4). */
function deadlockNotes(deadlock: SessionResult): Note[] {
  if (deadlock.kind === 'holds') return [];
  const tail = 'only infinite runs count, so a run that gets stuck satisfies every formula';
  const message =
    deadlock.kind === 'violated'
      ? `this answer rests on a system that can deadlock: ${tail}`
      : `it is not known whether the system can deadlock: ${tail}`;
  return [{ severity: 'warning', message }];
}

function deadlockTask({ threads, components }: LoadedSpec, request: SpecRequest): Task {
  const known = DEADLOCK_STRATEGIES.find((strategy) => strategy === request.strategy);
  const strategy: DeadlockStrategy = request.monolithic ? 'monolithic' : (known ?? 'portfolio');
  return {
    id: 'deadlock-free',
    title: 'the threads wait for each other for ever',
    threads,
    processes: components,
    propositions: () => [],
    sinks: () => new Set(),
    question: { kind: 'deadlock', strategy },
    onInfinitePaths: false,
  };
}

function tasksOf(request: SpecRequest, loaded: LoadedSpec, diagnostics: Diagnostic[]): Task[] {
  const { spec } = loaded;
  const all: Task[] = [];
  if (spec.deadlockFree) all.push(deadlockTask(loaded, request));
  if (spec.assertions) all.push(safety(loaded, 'assertions', 'an assertion fails', 'error', request));
  for (const { label, thread } of spec.unreachable) all.push(unreachable(loaded, label, thread, request));
  for (const { thread, process } of spec.conforms) all.push(conforms(loaded, thread, process, request));
  for (const { name, text } of spec.formulas)
    all.push(formulaTask(loaded, `ltl:${name}`, text, request, diagnostics));
  if (request.properties.length === 0) return all;
  return request.properties.flatMap((id) => {
    const task = all.find((candidate) => candidate.id === id);
    if (task !== undefined) return [task];
    if (id === 'deadlock-free') return [deadlockTask(loaded, request)];
    if (id === 'assertions') return [safety(loaded, id, 'an assertion fails', 'error', request)];
    const file = new SourceFile('ltl', id.slice(4));
    if (id.startsWith('ltl:') && /\W/.test(id.slice(4)))
      return [formulaTask(loaded, id, { file, start: 0, end: file.text.length }, request, diagnostics)];
    const near = suggest(
      id,
      all.map((candidate) => candidate.id),
    );
    diagnostics.push(
      problem(
        'SPW5109',
        `the specification has no property '${id}'`,
        null,
        near === null ? undefined : `did you mean '${near}'?`,
      ),
    );
    return [];
  });
}

/** Nothing in the threads ever has this proposition: always not. Reached states are sinks, so a violation has an infinite path. */
function never(names: readonly string[], system: System): Syntax | null {
  const text = names.map((name) => `G !(state:${name})`).join(' && ');
  return parseText(text, vocabularyOf(system)).formula;
}

const neverQuestion = (names: readonly string[], monolithic: boolean): Question => ({
  kind: 'ltl',
  monolithic,
  never: names,
  formula: (system) => never(names, system),
});

function safety(
  loaded: LoadedSpec,
  id: string,
  title: string,
  kind: 'error',
  { monolithic }: SpecRequest,
): Task {
  const errors = ({ program }: LoadedThread) =>
    new Set(program.locations.filter((location) => location.kind === kind).map(({ id: at }) => at));
  const name = (thread: LoadedThread) => `failed[${loaded.threads.indexOf(thread)}]`;
  return {
    id,
    title,
    threads: loaded.threads,
    processes: loaded.components,
    propositions: (thread) => [{ name: name(thread), holds: { locations: errors(thread) } }],
    sinks: errors,
    question: neverQuestion(loaded.threads.map(name), monolithic),
    onInfinitePaths: false,
  };
}

function unreachable(loaded: LoadedSpec, label: string, thread: string, { monolithic }: SpecRequest): Task {
  const at = ({ definition, program }: LoadedThread) =>
    new Set(
      definition.name === thread
        ? program.locations.filter(({ labels }) => labels.includes(label)).map(({ id }) => id)
        : [],
    );
  return {
    id: `unreachable:${thread}.${label}`,
    title: `${thread} reaches ${label}`,
    threads: loaded.threads,
    processes: loaded.components,
    propositions: (one) =>
      one.definition.name === thread ? [{ name: 'reached', holds: { locations: at(one) } }] : [],
    sinks: at,
    question: neverQuestion(['reached'], monolithic),
    onInfinitePaths: false,
  };
}

/** The thread by itself, in any surroundings, against the process. */
function conforms(loaded: LoadedSpec, thread: string, process: string, { monolithic }: SpecRequest): Task {
  return {
    id: `conforms:${thread}`,
    title: `${thread} does what ${process} does not allow`,
    threads: loaded.threads.filter(({ definition }) => definition.name === thread),
    processes: [monitorOf(loaded.references.get(process)!)],
    propositions: () => [],
    sinks: () => new Set(),
    question: neverQuestion([VIOLATED], monolithic),
    onInfinitePaths: false,
  };
}

function formulaTask(
  loaded: LoadedSpec,
  id: string,
  text: Span,
  { monolithic }: SpecRequest,
  diagnostics: Diagnostic[],
): Task {
  const words = text.file.text.slice(text.start, text.end);
  const mentioned = (name: string) => words.includes(name.replace(/\[.*/, ''));
  return {
    id,
    title: `${id.slice(4)} is violated`,
    threads: loaded.threads,
    processes: loaded.components,
    propositions: ({ program, predicates }) =>
      predicates.flatMap(({ name }, i) =>
        name !== null && mentioned(name) ? [{ name, holds: { test: program.predicates[i]! } }] : [],
      ),
    sinks: () => new Set(),
    question: { kind: 'ltl', monolithic, formula: (system) => resolve(text, loaded, system, diagnostics) },
    onInfinitePaths: true,
  };
}

function resolve(text: Span, { spec }: LoadedSpec, system: System, diagnostics: Diagnostic[]): Syntax | null {
  try {
    const unrolled = unrollFormula(text, spec.constants);
    const parsed = parseFormula(unrolled.file, null, vocabularyOf(system));
    for (const diagnostic of parsed.diagnostics)
      diagnostics.push({
        ...diagnostic,
        span: diagnostic.span === null ? text : unrolled.origin(diagnostic.span),
      });
    return parsed.formula;
  } catch (error) {
    if (!(error instanceof ExpansionProblem)) throw error;
    diagnostics.push(error.diagnostic);
    return null;
  }
}

function propertyOf(
  task: Task,
  result: SessionResult & { milliseconds: number },
  request: SpecRequest,
  loaded: LoadedSpec,
  warnings: readonly Note[],
): PropertyResult {
  const base = {
    id: task.id,
    stats: { ...result.stats, milliseconds: { check: result.milliseconds } },
    reproduce: `spillway check ${request.path} --property ${/^[\w:.-]+$/.test(task.id) ? task.id : `'${task.id}'`}`,
  };
  const notes = [...warnings, ...loaded.threads.flatMap(({ program }) => notesOf(program))];
  if (result.kind === 'holds') return { ...base, verdict: 'proved', method: 'abstraction', notes };
  if (result.kind === 'violated') {
    const harness = systemHarness({
      title: `${task.title}: ${request.path}`,
      units: loaded.units,
      threads: task.threads.map((thread, i) => ({ loaded: thread, confirmed: result.parts[i]!.confirmed })),
      outside: new Set([...loaded.spec.events, ...loaded.spec.processes].map(({ name }) => name)),
      defines: [...[...loaded.spec.constants].map(([name, value]) => `${name}=${value}`), ...request.defines],
    });
    return {
      ...base,
      verdict: 'refuted',
      method: 'run',
      evidence: { kind: 'run', run: result.run, harness },
      notes,
    };
  }
  if (result.kind === 'bad-formula')
    return {
      ...base,
      verdict: 'unknown',
      reason: 'the formula has errors',
      reasonCode: 'unsupported-construct',
    };
  return {
    ...base,
    verdict: 'unknown',
    reason: result.reason,
    reasonCode: result.code,
    ...pathEvidence(result.path, result.thread),
    notes,
  };
}
