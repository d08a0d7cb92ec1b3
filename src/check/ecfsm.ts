// .ecfsm: extended communicating machines with an invariant. Properties `safe` and `live:NAME`.

import type { Budget, Observer } from '../base/budget.ts';
import { shareOf } from '../base/budget.ts';
import type { Outcome } from '../ecfsm/analyse.ts';
import { Analysis } from '../ecfsm/analyse.ts';
import { isSoonUnsafe } from '../ecfsm/concrete/explore.ts';
import { findInvariant } from '../ecfsm/infer/find.ts';
import { judgeRun, showsByItself } from '../ecfsm/judge.ts';
import { drawMachines } from '../ecfsm/liveness/draw.ts';
import type { Model } from '../ecfsm/model.ts';
import { showModel } from '../ecfsm/report/print.ts';
import { readModel, readModelWith } from '../ecfsm/resolve/read.ts';
import { Decider } from '../ecfsm/solver/decider.ts';
import { namesOfProtocol } from '../ecfsm/syntax/names.ts';
import { parse } from '../ecfsm/syntax/parse.ts';
import type { Engine } from '../engine/engine.ts';
import type { Language, WorkRequest } from '../engine/language.ts';
import type { Diagnostic } from '../source/diagnostic.ts';
import type { FileSystem } from '../source/source.ts';
import { SourceFile } from '../source/source.ts';
import { type Answer, proved, refuted, unknown } from '../verdict/answer.ts';
import type { Note } from '../verdict/verdict.ts';
import { unknownProperty } from './requests.ts';

export interface ProtocolModel {
  readonly model: Model;
  readonly path: string;
  /** The formula is not the user's. */
  readonly inferred: boolean;
  /** The time was over while a formula was looked for: that it is not inductive says little. */
  readonly isCutShort: boolean;
  /** One per model: questions share what was decided; its solver ends with the model. */
  analysis: Analysis | null;
}

const induction: Engine<ProtocolModel> = {
  name: 'induction',
  settles: () => true,
  run: async ({ model, open, options }, budget, observer, learn) => {
    const analysis = analysisOf(model, budget, observer);
    for (const property of open) {
      const goal = model.model.goals.find((candidate) => property === `live:${candidate.name}`);
      const outcome = goal === undefined ? await analysis.safe() : await analysis.live(goal);
      if (options.explain && outcome.picture !== undefined)
        learn({ kind: 'pictures', graphs: [outcome.picture] });
      learn({ kind: 'answer', property, engine: induction.name, answer: answerOf(model, outcome) });
    }
  },
};

const pictures: Engine<ProtocolModel> = {
  name: 'pictures',
  settles: () => false,
  run: async ({ model }, budget, observer, learn) => {
    const formula = await analysisOf(model, budget, observer).explain(budget);
    learn({
      kind: 'pictures',
      graphs: drawMachines(model.model.protocol),
      ...(formula === null ? {} : { formula }),
    });
  },
};

function analysisOf(model: ProtocolModel, budget: Budget, observer: Observer): Analysis {
  model.analysis ??= new Analysis(model.model, budget, observer);
  return model.analysis;
}

export const ecfsm: Language<ProtocolModel> = {
  name: 'ecfsm',
  /** Rules that only a solver can derive are left to the check. */
  understand: ({ paths, files }) => {
    const file = new SourceFile(paths[0]!, files.read(paths[0]!) ?? '');
    const { diagnostics } = readModel(file, []);
    return {
      diagnostics,
      names: namesOfProtocol(parse(file, [])),
      sources: new Map([[file.path, file.text]]),
    };
  },
  load: async (request) => {
    const path = request.paths[0]!;
    const read = await readFrom(request.files, path, request.budget);
    const { sources } = read;
    if (read.model === null) return { model: null, diagnostics: read.diagnostics, sources };
    // Of what is not safe a formula says nothing.
    const isUnsafe = read.model.invariant.length === 0 && isSoonUnsafe(read.model.protocol, request.budget);
    const { model, diagnostics, isCutShort } = isUnsafe
      ? { model: read.model, diagnostics: [], isCutShort: false }
      : await withInvariant(read.model, path, request);
    const inferred = read.model.invariant.length === 0 && !isUnsafe;
    return {
      model: model === null ? null : { model, path, inferred, isCutShort, analysis: null },
      diagnostics: [...read.diagnostics, ...diagnostics],
      sources,
    };
  },
  dispose: (model) => model.analysis?.dispose(),
  questions: ({ model }, asked) => {
    const all = ['safe', ...model.goals.map((goal) => `live:${goal.name}`)];
    const diagnostics = asked.filter((id) => !all.includes(id)).map((id) => unknownProperty(id, all));
    return { properties: asked.length > 0 ? asked : all, diagnostics };
  },
  portfolio: [{ engine: induction }, { engine: pictures, pictures: true }],
  graphs: async (request) => (await import('./ecfsm-tools.ts')).ecfsmGraphs(request),
  simulate: async ({ files, paths }) => {
    const { model, ...rest } = await readFrom(files, paths[0]!);
    if (model === null) return { ...rest, model: null };
    const { ProtocolSimulation, simulateProtocol } = await import('../ecfsm/concrete/simulation.ts');
    return {
      ...rest,
      model: {
        begin: () => new ProtocolSimulation(model.protocol) as never,
        random: (seed, steps) => simulateProtocol(model.protocol, seed, steps),
        isBad: ({ kind }) => kind === 'invalid-end-state',
      },
    };
  },
  audit: async (document, request) => {
    const { model, diagnostics } = await readFrom(request.files, request.paths[0]!, request.budget);
    if (model === null) return { kind: 'errors', diagnostics };
    const audited = await (await import('../ecfsm/audit/audit.ts')).auditProof(
      model,
      document,
      request.budget,
    );
    if (audited.kind !== 'accepted') return audited;
    const { steps, disjuncts } = audited;
    return {
      kind: 'accepted',
      says: [`${document.property}: ${steps} steps proved again, for a formula of ${disjuncts} disjuncts`],
    };
  },
  replay: async (recorded, { files, paths, budget }) => {
    const { model, ...rest } = await readFrom(files, paths[0]!);
    if (model === null) return { ...rest, model: null };
    return { ...rest, model: judgeRun(model, recorded, budget) };
  },
  shows: showsByItself,
};

export async function readFrom(files: FileSystem, path: string, budget?: Budget) {
  const text = files.read(path);
  const sources = new Map(text === null ? [] : [[path, text]]);
  if (text === null) {
    const message = `cannot read ${path}`;
    const missing: Diagnostic = { code: 'SPW9002', severity: 'error', message, span: null };
    return { model: null, diagnostics: [missing], sources };
  }
  const decider = new Decider(budget);
  try {
    return { ...(await readModelWith(decider, new SourceFile(path, text))), sources };
  } finally {
    decider.dispose();
  }
}

/** A protocol without a formula gets one, if one can be found; goals by control states then find their disjuncts. */
export async function withInvariant(
  model: Model,
  path: string,
  { budget, observer }: Pick<WorkRequest, 'budget' | 'observer'>,
  fine = false,
): Promise<{ model: Model | null; diagnostics: readonly Diagnostic[]; isCutShort: boolean }> {
  if (model.invariant.length > 0) return { model, diagnostics: [], isCutShort: false };
  const share = shareOf(budget, 1.5);
  const invariant = await findInvariant(model.protocol, share, observer, fine);
  const isCutShort = !share.timeLeft();
  if (model.goals.length === 0) return { model: { ...model, invariant }, diagnostics: [], isCutShort };
  // Definitions were derived when the model was read for the first time.
  const again = readModel(new SourceFile(path, showModel({ ...model, invariant }, 'as written')), []);
  if (again.model === null) return { model: null, diagnostics: again.diagnostics, isCutShort };
  // Places in the printed text are of no use: what was read from the user's keeps its own, what was inferred has none.
  const found: Model = {
    ...again.model,
    protocol: model.protocol,
    invariant: again.model.invariant.map((disjunct) => ({ ...disjunct, span: null })),
    goals: again.model.goals.map((goal, index) => ({ ...goal, span: model.goals[index]?.span ?? null })),
  };
  return { model: found, diagnostics: again.diagnostics, isCutShort };
}

function answerOf({ path, inferred, isCutShort }: ProtocolModel, outcome: Outcome): Answer {
  const { method = 'induction', reason, reasonCode, stats, run } = outcome;
  const hint = `the formula was inferred; spillway infer ${path} prints it`;
  const notes: readonly Note[] = [
    ...(inferred && run === undefined ? [{ severity: 'hint' as const, message: hint }] : []),
    ...outcome.notes,
  ];
  const beside = { stats, notes };
  if (outcome.verdict === 'refuted') {
    if (run === undefined) throw new Error('impossible: a refutation without a run');
    return refuted(run, { method, ...beside });
  }
  if (outcome.verdict === 'unknown') {
    const code = isCutShort ? 'time-limit' : (reasonCode ?? 'not-inductive');
    const why = isCutShort ? `the time was over while a formula was looked for: ${reason}` : reason;
    return unknown(code, why, { method, ...beside });
  }
  if (outcome.exhaustion !== undefined)
    return proved(method, { kind: 'exhaustion', ...outcome.exhaustion }, 'search', beside);
  const { certificate } = outcome;
  const evidence = {
    kind: 'induction',
    steps: outcome.steps ?? 0,
    details: outcome.details ?? {},
    ...(certificate === undefined ? {} : { certificate }),
  } as const;
  return proved(method, evidence, 'induction', beside);
}
