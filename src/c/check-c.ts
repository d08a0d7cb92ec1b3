// `.c` alone: can an error be reached from main? Errors are reach_error(), __VERIFIER_error(), failing assertions, labels ERROR.

import type { Budget, Observer } from '../base/budget.ts';
import type { Diagnostic } from '../source/diagnostic.ts';
import type { FileSystem } from '../source/source.ts';
import { SourceFile, startOf } from '../source/source.ts';
import type { ReasonCode } from '../verdict/reasons.ts';
import type { ControlGraph, Note, PropertyResult, Stats } from '../verdict/verdict.ts';
import { auditProgram } from './audit/audit.ts';
import { certificateOf, provedIf } from './audit/verdict.ts';
import { writeComponent } from './audit/write.ts';
import { problem, warning } from './codes.ts';
import { controlGraphOf } from './graph.ts';
import { harness } from './harness.ts';
import { PLAIN_C } from './lower/calls-of-spec.ts';
import { lower } from './lower/lower.ts';
import type { Edge, Program } from './program.ts';
import type { ReachResult } from './reach/cegar.ts';
import { reach } from './reach/cegar.ts';
import { runOfPath, runOfReach } from './run.ts';
import type { Unit } from './syntax/parse.ts';
import { parseC } from './syntax/parse.ts';

export interface CRequest {
  readonly path: string;
  readonly files: FileSystem;
  readonly defines: readonly string[];
  readonly includes: readonly string[];
  readonly properties: readonly string[];
  readonly budget: Budget;
  readonly observer: Observer;
}

export interface CReport {
  readonly properties: readonly PropertyResult[];
  readonly diagnostics: readonly Diagnostic[];
  readonly sources: ReadonlyMap<string, string>;
  readonly graphs?: readonly ControlGraph[];
}

export const ASSERTIONS = 'assertions';

export async function checkC(request: CRequest): Promise<CReport> {
  const { observer } = request;
  const wrong = request.properties.filter((id) => id !== ASSERTIONS);
  if (wrong.length > 0)
    return { properties: [], diagnostics: wrong.map(unknownProperty), sources: new Map() };
  observer.stage('parse');
  const { loaded, diagnostics, sources } = await loadC(request);
  if (loaded === null) return { properties: [], diagnostics, sources };
  const { unit, program } = loaded;
  const isError = (location: number) => isErrorLocation(program, location);
  observer.stage('check');
  const begin = observer.now();
  const result = await reach(program, isError, request.budget, observer);
  const check = observer.now() - begin;
  return {
    properties: [
      result.kind === 'unreachable'
        ? await proved(request, program, result, check)
        : propertyOf(request, unit, program, result, { check }),
    ],
    diagnostics,
    sources,
    graphs: [controlGraphOf(MAIN, program, new Set(takenEdges(result).map(({ id }) => id)))],
  };
}

const unknownProperty = (id: string): Diagnostic =>
  problem('SPW5109', `a .c file has no property '${id}'`, null, `known: ${ASSERTIONS}`);

const takenEdges = (result: ReachResult): readonly Edge[] =>
  result.kind === 'reachable' ? result.run.edges : result.kind === 'unknown' ? result.path : [];

export interface LoadedC {
  readonly unit: Unit;
  readonly program: Program;
}

/** Read, parsed and lowered from main; null when there are errors. */
export async function loadC({
  path,
  files,
  defines,
  includes,
}: Pick<CRequest, 'path' | 'files' | 'defines' | 'includes'>): Promise<{
  readonly loaded: LoadedC | null;
  readonly diagnostics: readonly Diagnostic[];
  readonly sources: ReadonlyMap<string, string>;
}> {
  const file = new SourceFile(path, files.read(path) ?? '');
  const sources = new Map([[path, file.text]]);
  const unit = await parseC(file, { files, defines, includes });
  if (!unit.ok) return { loaded: null, diagnostics: unit.error, sources };
  for (const source of unit.value.sources) sources.set(source.path, source.text);
  const program = lower([unit.value], { function: MAIN, arguments: [], span: null }, PLAIN_C);
  if (!program.ok) return { loaded: null, diagnostics: program.error, sources };
  const diagnostics = program.value.statesProperty ? [] : [NO_PROPERTY];
  return { loaded: { unit: unit.value, program: program.value }, diagnostics, sources };
}

const MAIN = 'main';

const NO_PROPERTY = warning(
  'SPW5021',
  'nothing that main can call states a property',
  null,
  'call reach_error(), use assert, or label a statement ERROR',
);

export const isErrorLocation = (program: Program, location: number): boolean =>
  program.locations[location]!.kind === 'error' || program.locations[location]!.labels.includes('ERROR');

const REASON_CODES: Readonly<Record<Extract<ReachResult, { kind: 'unknown' }>['code'], ReasonCode>> = {
  'no-progress': 'no-predicate',
  'time-limit': 'time-limit',
  'not-modelled': 'unsupported-construct',
  'solver-limit': 'solver-inconclusive',
};

const baseOf = (request: CRequest, program: Program, result: ReachResult, more: Stats) => ({
  id: ASSERTIONS,
  stats: { ...result.stats, locations: program.locations.length, edges: program.edges.length, ...more },
  reproduce: `spillway check ${request.path} --property ${ASSERTIONS}`,
});

/** No proof is reported that does not pass the audit. */
async function proved(
  request: CRequest,
  program: Program,
  result: Extract<ReachResult, { kind: 'unreachable' }>,
  check: number,
): Promise<PropertyResult> {
  const { observer, budget } = request;
  observer.stage('audit');
  const begin = observer.now();
  const certificate = certificateOf(ASSERTIONS, [writeComponent(MAIN, program, result.graph, () => [])]);
  const isError = (location: number) => isErrorLocation(program, location);
  const audit = await auditProgram(program, isError, certificate, budget);
  const milliseconds = { check, audit: observer.now() - begin };
  return {
    ...baseOf(request, program, result, { audit: { ...audit.stats }, milliseconds }),
    ...provedIf(audit, certificate, notesOf(program)),
  };
}

function propertyOf(
  request: CRequest,
  unit: Unit,
  program: Program,
  result: Exclude<ReachResult, { kind: 'unreachable' }>,
  milliseconds: Record<string, number>,
): PropertyResult {
  const base = baseOf(request, program, result, { milliseconds });
  if (result.kind === 'unknown')
    return {
      ...base,
      verdict: 'unknown',
      reason: result.reason,
      reasonCode: REASON_CODES[result.code],
      ...pathEvidence(result.path, MAIN),
      notes: notesOf(program),
    };
  const end = program.locations[result.run.edges.at(-1)?.to ?? program.entry]!;
  const title = end.kind === 'error' ? end.why : `the label ${end.labels.join(', ')} is reached`;
  const errorLabels = program.locations
    .filter(({ labels }) => labels.includes('ERROR'))
    .map(({ span }) => span);
  return {
    ...base,
    verdict: 'refuted',
    method: 'run',
    evidence: {
      kind: 'run',
      run: runOfReach(program, result.run, MAIN, title),
      harness: harness({
        unit,
        inputs: result.run.inputs,
        errorLabels,
        title: `${title}: ${request.path}`,
        defines: request.defines,
      }),
    },
    notes: notesOf(program),
  };
}

/** What the verdict rests on. */
export function notesOf(program: Program): Note[] {
  return program.notes.map(({ message, span }) => ({ severity: 'hint', message, at: startOf(span) }));
}

/** The path on which an analysis gave up. */
export function pathEvidence(path: readonly Edge[], actor: string): Pick<PropertyResult, 'evidence'> {
  return path.length === 0 ? {} : { evidence: { kind: 'path', path: runOfPath(path, actor) } };
}
