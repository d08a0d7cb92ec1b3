// Everything a .spec names, read and understood: C files parsed, processes expanded, each thread lowered.

import { type Budget, watchOf } from '../../base/budget.ts';
import { attempt, loadLks } from '../../kripke/model.ts';
import type { Kripke } from '../../kripke/structure.ts';
import { eachEdge } from '../../kripke/structure.ts';
import type { Diagnostic } from '../../source/diagnostic.ts';
import { hasErrors, suggest } from '../../source/diagnostic.ts';
import type { FileSystem } from '../../source/source.ts';
import { SourceFile, type Span } from '../../source/source.ts';
import type { Calls, EventCall, Routine, RoutineProcess } from '../lower/calls-of-spec.ts';
import { outsideRange } from '../lower/events.ts';
import { isUnread, lower } from '../lower/lower.ts';
import type { NamedTest } from '../lower/predicates.ts';
import type { Program } from '../program/program.ts';
import { parseC, type Unit } from '../syntax/parse.ts';
import { problem, Refusal, warning } from '../text/codes.ts';
import { folderOf } from '../text/preprocess.ts';
import { combinations, parseSpec } from './parse.ts';
import { sharedVariable, sharingReason } from './sharing.ts';
import type { PredicateDefinition, Spec, ThreadDefinition } from './syntax.ts';

export interface LoadedThread {
  readonly definition: ThreadDefinition;
  readonly program: Program;
  /** Parallel to `program.predicates`. */
  readonly predicates: readonly PredicateDefinition[];
  readonly events: readonly string[];
}

export interface LoadedSpec {
  readonly spec: Spec;
  readonly file: SourceFile;
  readonly units: readonly Unit[];
  readonly threads: readonly LoadedThread[];
  /** Finite components of the system, and the processes that threads are compared with. */
  readonly components: readonly Kripke[];
  readonly references: ReadonlyMap<string, Kripke>;
}

export interface LoadRequest {
  readonly path: string;
  readonly files: FileSystem;
  readonly defines: readonly string[];
  readonly includes: readonly string[];
  /** Absent: it may take as long as it takes. */
  readonly budget?: Budget;
}

export interface Loading {
  /** Null when there are errors. */
  readonly loaded: LoadedSpec | null;
  readonly diagnostics: readonly Diagnostic[];
  readonly sources: ReadonlyMap<string, string>;
}

export async function loadSpec(request: LoadRequest): Promise<Loading> {
  const file = new SourceFile(request.path, request.files.read(request.path) ?? '');
  const sources = new Map([[request.path, file.text]]);
  const diagnostics: Diagnostic[] = [];
  try {
    const spec = parseSpec(file, request.defines);
    const units = await readUnits(spec, request, sources, diagnostics);
    const processes = readProcesses(spec, file, diagnostics);
    if (hasErrors(diagnostics)) return { loaded: null, diagnostics, sources };
    const calls = callsOf(spec, processes);
    const threads: LoadedThread[] = [];
    for (const definition of spec.threads) {
      const thread = await lowerThread(spec, definition, units, calls, diagnostics, request.budget);
      if (thread !== null) threads.push(thread);
    }
    const loaded = assemble(spec, file, units, threads, processes);
    if (!hasErrors(diagnostics)) checkNames(loaded, diagnostics);
    if (!hasErrors(diagnostics)) warnAboutSharing(threads, diagnostics);
    return { loaded: hasErrors(diagnostics) ? null : loaded, diagnostics, sources };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { loaded: null, diagnostics: [...diagnostics, error.diagnostic], sources };
  }
}

/** Else the time was over while a thread was read: which events it takes part in is not known. */
export const isWholeRead = ({ threads }: Pick<LoadedSpec, 'threads'>): boolean =>
  !threads.some(({ program }) => isUnread(program));

async function readUnits(
  spec: Spec,
  { path, files, defines, includes, budget }: LoadRequest,
  sources: Map<string, string>,
  diagnostics: Diagnostic[],
): Promise<Unit[]> {
  const units: Unit[] = [];
  const watch = budget && watchOf(budget);
  const folder = folderOf(path);
  for (const { path: relative, span } of spec.files) {
    const full = folder === '' || relative.startsWith('/') ? relative : `${folder}/${relative}`;
    const text = files.read(full);
    if (text === null) {
      diagnostics.push(problem('SPW5105', `there is no file '${relative}'`, span));
      continue;
    }
    const unit = await parseC(new SourceFile(full, text), {
      files,
      defines: [...definesOf(spec.constants), ...defines],
      includes,
      watch,
    });
    if (unit.ok) units.push(unit.value);
    else diagnostics.push(...unit.error);
    for (const source of unit.ok ? unit.value.sources : []) sources.set(source.path, source.text);
    sources.set(full, text);
  }
  if (spec.files.length === 0)
    diagnostics.push(problem('SPW5101', 'a specification names its C files', null, 'write: use "file.c";'));
  if (spec.threads.length === 0)
    diagnostics.push(
      problem('SPW5101', 'a specification has threads', null, 'write: thread Name = function();'),
    );
  return units;
}

function readProcesses(spec: Spec, file: SourceFile, diagnostics: Diagnostic[]): ReadonlyMap<string, Kripke> {
  if (spec.processes.length === 0) return new Map();
  const model = loadLks(new SourceFile(file.path, spec.lks), definesOf(spec.constants), diagnostics);
  return new Map((model?.components ?? []).map((component) => [component.name, component]));
}

const definesOf = (constants: Spec['constants']): string[] =>
  [...constants].map(([name, value]) => `${name}=${value}`);

function callsOf(spec: Spec, processes: ReadonlyMap<string, Kripke>): Calls {
  const events = new Map<string, EventCall>();
  for (const { name, ranges } of spec.events) events.set(name, { event: name, arguments: ranges });
  const routines = new Map<string, Routine>();
  for (const { name, routine, ranges, span } of spec.processes) {
    if (!routine) continue;
    const instances = combinations(ranges).flatMap((values) => {
      const kripke = processes.get(values.length === 0 ? name : `${name}(${values.join(',')})`);
      return kripke === undefined ? [] : [{ values, process: routineOf(name, kripke, span) }];
    });
    routines.set(name, instances);
  }
  return { events, routines };
}

/** A state labelled `return` may return (any value), one labelled `return[3]` may return 3. */
function routineOf(name: string, kripke: Kripke, span: RoutineProcess['span']): RoutineProcess {
  const states = kripke.stateNames.map((_, state) => {
    const steps: { event: string; to: number }[] = [];
    eachEdge(kripke, state, (event, to) => void steps.push({ event: kripke.events[event]!, to }));
    const returns = kripke.labels[state]!.flatMap((label): (bigint | 'any')[] => {
      const match = /^return(?:\[(-?\d+)\])?$/.exec(kripke.propositions[label]!);
      return match === null ? [] : [match[1] === undefined ? 'any' : BigInt(match[1])];
    });
    return { steps, returns };
  });
  return { name, initial: kripke.initial, states, span };
}

async function lowerThread(
  spec: Spec,
  definition: ThreadDefinition,
  units: readonly Unit[],
  calls: Calls,
  diagnostics: Diagnostic[],
  budget: Budget | undefined,
): Promise<LoadedThread | null> {
  const predicates = spec.predicates.filter((predicate) => predicate.thread === definition.name);
  const tests: NamedTest[] = [];
  for (const predicate of predicates) {
    const expression = await parseTest(predicate, spec);
    if (expression === null) {
      diagnostics.push(problem('SPW5104', 'this is not a C expression', predicate.span));
      return null;
    }
    tests.push({ expression, span: predicate.span });
  }
  const entry = {
    function: definition.function,
    arguments: definition.arguments,
    span: definition.functionSpan,
  };
  const program = lower(units, entry, calls, tests, budget);
  if (!program.ok) {
    diagnostics.push(...program.error);
    return null;
  }
  const events = new Set<string>();
  for (const { operation } of program.value.edges) if (operation.kind === 'event') events.add(operation.name);
  return { definition, program: program.value, predicates, events: [...events].sort() };
}

/** Constants of the specification mean in its predicates what they mean in the C files. */
async function parseTest(predicate: PredicateDefinition, { constants }: Spec) {
  const text = predicate.text.replace(/(\w+)::(\w+)/g, '$1__local__$2');
  const unit = await parseC(
    new SourceFile('predicate', `int spillway_predicate(void) { return (${text}); }`),
    {
      files: { read: () => null },
      defines: definesOf(constants),
      includes: [],
    },
  );
  const item = unit.ok ? unit.value.items[0] : undefined;
  const body = item?.kind === 'function' && item.body.kind === 'block' ? item.body.body[0] : undefined;
  return body?.kind === 'return' ? body.value : null;
}

function assemble(
  spec: Spec,
  file: SourceFile,
  units: readonly Unit[],
  threads: readonly LoadedThread[],
  processes: ReadonlyMap<string, Kripke>,
): LoadedSpec {
  const compared = new Set(spec.conforms.map(({ process }) => process));
  const components = spec.processes
    .filter(({ name, routine }) => !routine && !compared.has(name))
    .flatMap(({ name }) => processes.get(name) ?? []);
  const references = new Map([...processes].filter(([name]) => compared.has(name)));
  return { spec, file, units, threads, components, references };
}

/** Names that the specification uses but nobody has. */
function checkNames(loaded: LoadedSpec, diagnostics: Diagnostic[]): void {
  const { spec, threads, references } = loaded;
  const threadNames = threads.map(({ definition }) => definition.name);
  const requireThread = (name: string, span: Diagnostic['span']) => {
    if (threadNames.includes(name)) return;
    const near = suggest(name, threadNames);
    diagnostics.push(
      problem(
        'SPW5102',
        `there is no thread '${name}'`,
        span,
        near === null ? undefined : `did you mean '${near}'?`,
      ),
    );
  };
  for (const { thread, span } of spec.predicates) requireThread(thread, span);
  for (const { thread, process, span } of spec.conforms) {
    requireThread(thread, span);
    if (!references.has(process))
      diagnostics.push(problem('SPW5102', `there is no component '${process}'`, span));
  }
  for (const { thread, span } of spec.unreachable) requireThread(thread, span);
  if (isWholeRead(loaded)) checkLabelsAndEvents(loaded, diagnostics);
}

function checkLabelsAndEvents({ spec, threads, components }: LoadedSpec, diagnostics: Diagnostic[]): void {
  for (const { label, thread, span } of spec.unreachable) {
    const program = threads.find(({ definition }) => definition.name === thread)?.program;
    if (program !== undefined && !program.locations.some(({ labels }) => labels.includes(label)))
      diagnostics.push(problem('SPW5106', `'${thread}' never comes by a label '${label}'`, span));
  }
  const offered = new Set([
    ...threads.flatMap(({ events }) => events),
    ...components.flatMap(({ events }) => events),
  ]);
  for (const { name, span } of spec.events) {
    if ([...offered].some((event) => event === name || event.startsWith(`${name}[`))) continue;
    const call = callOutside(threads, name);
    if (call === null) diagnostics.push(problem('SPW5103', `nobody takes part in the event '${name}'`, span));
    else
      diagnostics.push({
        ...problem(
          'SPW5103',
          `'${name}' is called only with arguments outside the values that the event declares`,
          call,
          'declare the values it is called with, or _ for an argument that does not matter',
        ),
        related: [{ span, message: 'the event with its values' }],
      });
  }
}

/** A call of the event that the program cannot go past, since its arguments are none of the declared ones. */
function callOutside(threads: readonly LoadedThread[], name: string): Span | null {
  const places = threads.flatMap(({ program }) => program.locations);
  const cut = places.find(({ kind, why }) => kind === 'cut' && why === outsideRange(name));
  return cut?.span ?? null;
}

/** A thread writes what another one uses: nothing that hangs on it will be answered. */
function warnAboutSharing(threads: readonly LoadedThread[], diagnostics: Diagnostic[]): void {
  const shared = sharedVariable(threads, threads);
  if (shared === null) return;
  diagnostics.push(
    warning(
      'SPW5107',
      sharingReason(shared),
      shared.user.definition.span,
      'threads communicate by events only',
    ),
  );
}

export { attempt };
