// .ecfsm: two extended communicating machines with an invariant. Properties `safe` and `live:NAME`.

import type { Outcome } from '../ecfsm/analyse.ts';
import { Analysis } from '../ecfsm/analyse.ts';
import { inferInvariant } from '../ecfsm/infer/infer.ts';
import type { Model } from '../ecfsm/model.ts';
import { readModel } from '../ecfsm/resolve/read.ts';
import type { Diagnostic } from '../source/diagnostic.ts';
import { hasErrors, suggest } from '../source/diagnostic.ts';
import { SourceFile } from '../source/source.ts';
import type { Evidence, ModelReport, PropertyResult } from '../verdict/verdict.ts';
import type { CheckRequest, Language } from './language.ts';

export const ecfsm: Language = { name: 'ecfsm', extensions: ['.ecfsm'], check };

async function check(request: CheckRequest): Promise<ModelReport> {
  const [path = ''] = request.paths;
  const text = request.files.read(path);
  const base = { files: request.paths, language: 'ecfsm' };
  if (text === null) {
    const missing: Diagnostic = {
      code: 'SPW9002',
      severity: 'error',
      message: `cannot read ${path}`,
      span: null,
    };
    return { ...base, properties: [], diagnostics: [missing], sources: new Map() };
  }
  const sources = new Map([[path, text]]);
  const { model, diagnostics } = readModel(new SourceFile(path, text));
  if (model === null) return { ...base, properties: [], diagnostics, sources };
  const { wanted, unknown } = selected(model, request.properties);
  if (hasErrors(unknown))
    return { ...base, properties: [], diagnostics: [...diagnostics, ...unknown], sources };
  const { whole, inferred } = await withInvariant(model, request);
  const analysis = new Analysis(whole, request.budget, request.observer);
  try {
    const properties: PropertyResult[] = [];
    for (const id of wanted) {
      const goal = whole.goals.find((candidate) => id === `live:${candidate.name}`);
      const outcome = goal === undefined ? await analysis.safe() : await analysis.live(goal);
      properties.push(toResult(id, path, outcome, inferred));
    }
    return { ...base, properties, diagnostics, sources };
  } finally {
    analysis.dispose();
  }
}

/** A protocol without a formula gets one, if one can be found. */
async function withInvariant(
  model: Model,
  { budget, observer }: CheckRequest,
): Promise<{ whole: Model; inferred: boolean }> {
  if (model.invariant.length > 0) return { whole: model, inferred: false };
  observer.stage('infer');
  const found = inferInvariant(model.protocol, budget);
  return { whole: { ...model, invariant: found }, inferred: true };
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
    ...(inferred
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
    reproduce: `spillway check ${path} --property ${id}`,
  };
}

function evidenceOf({ run, exhaustion, steps, details }: Outcome): Evidence | null {
  if (run !== undefined) return { kind: 'run', run };
  if (exhaustion !== undefined) return { kind: 'exhaustion', ...exhaustion };
  if (steps === undefined && details === undefined) return null;
  return { kind: 'induction', steps: steps ?? 0, details: details ?? {} };
}
