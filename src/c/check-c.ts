// `.c` alone: can an error be reached from main? Errors are reach_error(), __VERIFIER_error(), failing assertions, labels ERROR.

import type { Budget, Observer } from '../base/budget.ts';
import type { Diagnostic } from '../source/diagnostic.ts';
import type { FileSystem } from '../source/source.ts';
import { SourceFile, startOf } from '../source/source.ts';
import type { ReasonCode } from '../verdict/reasons.ts';
import type { Note, PropertyResult } from '../verdict/verdict.ts';
import { problem, warning } from './codes.ts';
import { harness } from './harness.ts';
import { PLAIN_C } from './lower/calls-of-spec.ts';
import { lower } from './lower/lower.ts';
import type { Edge, Program } from './program.ts';
import type { ReachResult } from './reach/cegar.ts';
import { reach } from './reach/cegar.ts';
import { runOfReach } from './run.ts';
import { sourceText, stepText } from './show.ts';
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
}

export const ASSERTIONS = 'assertions';

export async function checkC(request: CRequest): Promise<CReport> {
  const { path, files, defines, includes, observer } = request;
  const file = new SourceFile(path, files.read(path) ?? '');
  const sources = new Map([[path, file.text]]);
  const failed = (diagnostics: readonly Diagnostic[]): CReport => ({ properties: [], diagnostics, sources });
  const wrong = request.properties.filter((id) => id !== ASSERTIONS);
  if (wrong.length > 0)
    return failed(
      wrong.map((id) =>
        problem('SPW5109', `a .c file has no property '${id}'`, null, `known: ${ASSERTIONS}`),
      ),
    );
  observer.stage('parse');
  const unit = await parseC(file, { files, defines, includes });
  if (!unit.ok) return failed(unit.error);
  for (const source of unit.value.sources) sources.set(source.path, source.text);
  const program = lower([unit.value], { function: 'main', arguments: [], span: null }, PLAIN_C);
  if (!program.ok) return failed(program.error);
  const isError = (location: number) => isErrorLocation(program.value, location);
  const diagnostics: Diagnostic[] = [];
  if (!program.value.locations.some(({ id }) => isError(id)))
    diagnostics.push(
      warning(
        'SPW5021',
        'nothing that main can call states a property',
        null,
        'call reach_error(), use assert, or label a statement ERROR',
      ),
    );
  observer.stage('check');
  const begin = observer.now();
  const result = await reach(program.value, isError, request.budget, observer);
  const milliseconds = { check: observer.now() - begin };
  return {
    properties: [propertyOf(request, unit.value, program.value, result, milliseconds)],
    diagnostics,
    sources,
  };
}

export const isErrorLocation = (program: Program, location: number): boolean =>
  program.locations[location]!.kind === 'error' || program.locations[location]!.labels.includes('ERROR');

const REASON_CODES: Readonly<Record<Extract<ReachResult, { kind: 'unknown' }>['code'], ReasonCode>> = {
  'no-progress': 'no-predicate',
  'time-limit': 'time-limit',
  'not-modelled': 'unsupported-construct',
  'solver-limit': 'solver-inconclusive',
};

function propertyOf(
  request: CRequest,
  unit: Unit,
  program: Program,
  result: ReachResult,
  milliseconds: Record<string, number>,
): PropertyResult {
  const base = {
    id: ASSERTIONS,
    stats: {
      ...result.stats,
      locations: program.locations.length,
      edges: program.edges.length,
      milliseconds,
    },
    reproduce: `spillway check ${request.path} --property ${ASSERTIONS}`,
  };
  if (result.kind === 'unreachable')
    return { ...base, verdict: 'proved', method: 'abstraction', notes: notesOf(program) };
  if (result.kind === 'unknown')
    return {
      ...base,
      verdict: 'unknown',
      reason: result.reason,
      reasonCode: REASON_CODES[result.code],
      notes: [...pathNotes(result.path), ...notesOf(program)],
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
      run: runOfReach(program, result.run, 'main', title),
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

/** The path on which an analysis gave up, in a few lines. */
export function pathNotes(path: readonly Edge[]): Note[] {
  const steps = path.filter((edge) => stepText(edge) !== null);
  return steps.slice(-12).map((edge) => ({
    severity: 'hint',
    message: `on the path: ${stepText(edge) ?? sourceText(edge.span)}`,
    at: startOf(edge.span),
  }));
}
