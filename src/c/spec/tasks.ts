// What a specification asks, one task for each property.

import { ExpansionProblem } from '../../kripke/evaluate.ts';
import { unrollFormula } from '../../kripke/formula-text.ts';
import { STRATEGIES, type Strategy } from '../../kripke/strategies.ts';
import type { Kripke } from '../../kripke/structure.ts';
import type { System } from '../../kripke/system.ts';
import { vocabularyOf } from '../../kripke/vocabulary.ts';
import { parseFormula, parseText } from '../../ltl/parser.ts';
import type { Syntax, Vocabulary } from '../../ltl/syntax.ts';
import type { Diagnostic } from '../../source/diagnostic.ts';
import { suggest } from '../../source/diagnostic.ts';
import type { Span } from '../../source/source.ts';
import { SourceFile } from '../../source/source.ts';
import { problem } from '../text/codes.ts';
import { isWholeRead, type LoadedSpec, type LoadedThread } from './load.ts';
import { monitorOf, VIOLATED } from './monitor.ts';
import type { Proposition } from './names.ts';
import { ALL_ENDED, ownStep } from './names.ts';

export type Question =
  | { readonly kind: 'deadlock'; readonly strategy: Strategy }
  /** The formula is made when the system is first composed: its atoms are numbered there. */
  | {
      readonly kind: 'ltl';
      readonly formula: (system: System) => Syntax | null;
      readonly monolithic: boolean;
      /** The formula only says that these propositions never hold: a violation is a finite run up to the first of them. */
      readonly never?: readonly string[];
    };

/** How it is asked for. */
export interface TaskOptions {
  readonly properties: readonly string[];
  readonly monolithic: boolean;
  readonly strategy: string | undefined;
}

/** One thing to prove: which threads and processes, with which propositions and sinks, and the question. */
export interface Task {
  readonly id: string;
  readonly title: string;
  readonly threads: readonly LoadedThread[];
  readonly processes: readonly Kripke[];
  readonly propositions: (thread: LoadedThread) => readonly Proposition[];
  readonly sinks: (thread: LoadedThread) => ReadonlySet<number>;
  readonly question: Question;
  /** For conformance: the process itself, of which the monitor is made. */
  readonly reference?: Kripke;
  /** A formula, as against something that has a finite violation too. */
  readonly onInfinitePaths: boolean;
}

export function deadlockTask({ threads, components }: LoadedSpec, request: TaskOptions): Task {
  const known = STRATEGIES.find((strategy) => strategy === request.strategy);
  const strategy: Strategy = request.monolithic ? 'monolithic' : (known ?? 'portfolio');
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

export function tasksOf(request: TaskOptions, loaded: LoadedSpec, diagnostics: Diagnostic[]): Task[] {
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
  { monolithic }: TaskOptions,
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

function unreachable(loaded: LoadedSpec, label: string, thread: string, { monolithic }: TaskOptions): Task {
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
function conforms(loaded: LoadedSpec, thread: string, process: string, { monolithic }: TaskOptions): Task {
  const threads = loaded.threads.filter(({ definition }) => definition.name === thread);
  const events = new Set(threads.flatMap((one) => one.events));
  const alone = loaded.spec.conforms.filter((other) => other.thread === thread).length === 1;
  return {
    id: alone ? `conforms:${thread}` : `conforms:${thread}.${process}`,
    title: `${thread} does what ${process} does not allow`,
    threads,
    processes: [monitorOf(loaded.references.get(process)!, events)],
    propositions: () => [],
    sinks: () => new Set(),
    question: neverQuestion([VIOLATED], monolithic),
    reference: loaded.references.get(process)!,
    onInfinitePaths: false,
  };
}

function formulaTask(
  loaded: LoadedSpec,
  id: string,
  text: Span,
  { monolithic }: TaskOptions,
  diagnostics: Diagnostic[],
): Task {
  // Said at once, not only when the structures are there; but what threads do that were not read in time nobody knows.
  if (isWholeRead(loaded)) resolve(text, loaded, namesOf(loaded), diagnostics);
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
    question: {
      kind: 'ltl',
      monolithic,
      formula: (system) => resolve(text, loaded, vocabularyOf(system), []),
    },
    onInfinitePaths: true,
  };
}

/** All that a formula of the specification may speak of; the numbers mean nothing yet. */
function namesOf({ threads, components }: LoadedSpec): Vocabulary {
  const events = [
    ...threads.flatMap((thread) => [...thread.events, ownStep(thread.definition.name)]),
    ...components.flatMap((component) => component.events),
    ALL_ENDED,
  ];
  const propositions = [
    ...threads.flatMap(({ predicates }) => predicates.flatMap(({ name }) => (name === null ? [] : [name]))),
    ...components.flatMap((component) => component.propositions),
  ];
  return {
    find: (kind, name) => {
      const index = (kind === 'event' ? events : propositions).indexOf(name);
      return index < 0 ? null : index;
    },
    names: () => [...propositions, ...events],
  };
}

function resolve(
  text: Span,
  { spec }: LoadedSpec,
  vocabulary: Vocabulary,
  diagnostics: Diagnostic[],
): Syntax | null {
  try {
    const unrolled = unrollFormula(text, spec.constants);
    const parsed = parseFormula(unrolled.file, null, vocabulary);
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
