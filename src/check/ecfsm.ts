// .ecfsm: two extended communicating machines with an invariant. Properties `safe` and `live:NAME`.

import { shellWord } from '../base/shell.ts';
import type { Outcome } from '../ecfsm/analyse.ts';
import { Analysis } from '../ecfsm/analyse.ts';
import { inferInvariant } from '../ecfsm/infer/infer.ts';
import { drawMachines } from '../ecfsm/liveness/draw.ts';
import type { Model } from '../ecfsm/model.ts';
import { showModel } from '../ecfsm/print.ts';
import { readModel, readModelWith } from '../ecfsm/resolve/read.ts';
import { Decider } from '../ecfsm/solver/decider.ts';
import type { Diagnostic } from '../source/diagnostic.ts';
import { suggest } from '../source/diagnostic.ts';
import type { FileSystem } from '../source/source.ts';
import { SourceFile } from '../source/source.ts';
import type { Evidence, ModelReport, PropertyResult } from '../verdict/verdict.ts';
import type { CheckRequest, Language } from './language.ts';

export const ecfsm: Language = { name: 'ecfsm', extensions: ['.ecfsm'], check };

async function check(request: CheckRequest): Promise<ModelReport> {
  const [path = ''] = request.paths;
  const base = { files: request.paths, language: 'ecfsm' };
  const read = await readFrom(request.files, path);
  const { sources } = read;
  const failed = (diagnostics: readonly Diagnostic[]): ModelReport => ({
    ...base,
    properties: [],
    diagnostics,
    sources,
  });
  if (read.model === null) return failed(read.diagnostics);
  const { model, diagnostics } = withInvariant(read.model, path, request);
  if (model === null) return failed([...read.diagnostics, ...diagnostics]);
  const { wanted, unknown } = selected(model, request.properties);
  if (unknown.length > 0) return failed([...read.diagnostics, ...unknown]);
  const analysis = new Analysis(model, request.budget, request.observer);
  try {
    const properties: PropertyResult[] = [];
    const graphs = drawMachines(model.protocol);
    for (const id of wanted) {
      const goal = model.goals.find((candidate) => id === `live:${candidate.name}`);
      const outcome = goal === undefined ? await analysis.safe() : await analysis.live(goal);
      if (request.options.explain && outcome.picture !== undefined) graphs.push(outcome.picture);
      properties.push(toResult(id, path, outcome, read.model.invariant.length === 0));
    }
    const formula = request.options.explain ? await analysis.explain() : null;
    return {
      ...base,
      properties,
      diagnostics: read.diagnostics,
      sources,
      graphs,
      ...(formula === null ? {} : { formula }),
    };
  } finally {
    analysis.dispose();
  }
}

export async function readFrom(files: FileSystem, path: string) {
  const text = files.read(path);
  const sources = new Map(text === null ? [] : [[path, text]]);
  if (text === null) {
    const message = `cannot read ${path}`;
    const missing: Diagnostic = { code: 'SPW9002', severity: 'error', message, span: null };
    return { model: null, diagnostics: [missing], sources };
  }
  const decider = new Decider();
  try {
    return { ...(await readModelWith(decider, new SourceFile(path, text))), sources };
  } finally {
    decider.dispose();
  }
}

/** A protocol without a formula gets one, if one can be found; goals by control states then find their disjuncts. */
export function withInvariant(
  model: Model,
  path: string,
  { budget, observer }: Pick<CheckRequest, 'budget' | 'observer'>,
  fine = false,
): { model: Model | null; diagnostics: readonly Diagnostic[] } {
  if (model.invariant.length > 0) return { model, diagnostics: [] };
  observer.stage('infer');
  const invariant = inferInvariant(model.protocol, budget, fine);
  if (model.goals.length === 0) return { model: { ...model, invariant }, diagnostics: [] };
  // Definitions were derived when the model was read for the first time.
  const again = readModel(new SourceFile(path, showModel({ ...model, invariant }, 'as written')), []);
  if (again.model === null) return { model: null, diagnostics: again.diagnostics };
  // Places in the printed text are of no use: what was read from the user's keeps its own, what was inferred has none.
  const found: Model = {
    ...again.model,
    protocol: model.protocol,
    invariant: again.model.invariant.map((disjunct) => ({ ...disjunct, span: null })),
    goals: again.model.goals.map((goal, index) => ({ ...goal, span: model.goals[index]?.span ?? null })),
  };
  return { model: found, diagnostics: again.diagnostics };
}

function selected(model: Model, properties: readonly string[]): { wanted: string[]; unknown: Diagnostic[] } {
  const all = ['safe', ...model.goals.map((goal) => `live:${goal.name}`)];
  if (properties.length === 0) return { wanted: all, unknown: [] };
  const unknown = properties
    .filter((id) => !all.includes(id))
    .map((id): Diagnostic => {
      const near = suggest(id, all);
      return {
        code: 'SPW9003',
        severity: 'error',
        message: `this model has no property '${id}'`,
        span: null,
        help: near === null ? `there are ${all.join(', ')}` : `did you mean '${near}'?`,
      };
    });
  return { wanted: properties.filter((id) => all.includes(id)), unknown };
}

function toResult(id: string, path: string, outcome: Outcome, inferred: boolean): PropertyResult {
  const evidence = evidenceOf(outcome);
  const notes = [
    ...(inferred && outcome.run === undefined
      ? [{ severity: 'hint' as const, message: `the formula was inferred; spillway infer ${path} prints it` }]
      : []),
    ...outcome.notes,
  ];
  return {
    id,
    verdict: outcome.verdict,
    ...(outcome.method === undefined ? {} : { method: outcome.method }),
    ...(outcome.reason === undefined ? {} : { reason: outcome.reason }),
    ...(outcome.reasonCode === undefined ? {} : { reasonCode: outcome.reasonCode }),
    ...(evidence === null ? {} : { evidence }),
    ...(notes.length === 0 ? {} : { notes }),
    stats: outcome.stats,
    reproduce: `spillway check ${shellWord(path)} --property ${shellWord(id)}`,
  };
}

function evidenceOf({ run, exhaustion, steps, details }: Outcome): Evidence | null {
  if (run !== undefined) return { kind: 'run', run };
  if (exhaustion !== undefined) return { kind: 'exhaustion', ...exhaustion };
  if (steps === undefined && details === undefined) return null;
  return { kind: 'induction', steps: steps ?? 0, details: details ?? {} };
}
