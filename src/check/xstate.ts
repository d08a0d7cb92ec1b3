// XState modules: explored in a process of their own, and asked what systems of actors are asked.

import { stateGraphs } from '../actors/pictures.ts';
import { replayActors } from '../actors/replay.ts';
import { movesOf } from '../actors/run.ts';
import { ActorSimulation, simulateActors } from '../actors/simulation.ts';
import type { Language, Loaded, WorkRequest } from '../engine/language.ts';
import type { Run } from '../verdict/run.ts';
import { loadXState, type XStateSystem } from '../xstate/load.ts';
import type { ActorModel } from './actors/model.ts';
import { ACTOR_PORTFOLIO } from './actors/portfolio.ts';
import { actorQuestions } from './actors/questions.ts';

export const xstate: Language<ActorModel> = {
  name: 'xstate',
  load: (request) => load(request),
  dispose: (model) => model.dispose?.(),
  questions: actorQuestions,
  portfolio: ACTOR_PORTFOLIO,
  graphs: (request) => using(request, (model) => stateGraphs(model.system)),
  simulate: (request) =>
    using(request, ({ system, scheduler }) => ({
      begin: () => new ActorSimulation(system, scheduler) as never,
      random: (seed, steps) => simulateActors(system, scheduler, seed, steps),
      isBad: ({ kind }) => kind === 'deadlock' || kind === 'endless',
    })),
  replay: async (recorded, request) => {
    const loaded = await load(request);
    if (loaded.model === null) return { ...loaded, model: null };
    try {
      const replayed = replayActors(loaded.model.system, loaded.model.scheduler, recorded);
      if (replayed.failedAt !== null || replayed.refused !== undefined) return { ...loaded, model: replayed };
      const different = (await loaded.model.confirm?.(replayed.run)) ?? null;
      return { ...loaded, model: different === null ? replayed : { ...replayed, refused: different } };
    } finally {
      loaded.model.dispose?.();
    }
  },
  convert: async (request) => {
    const { convertActors } = await import('./actors/convert.ts');
    const loaded = await load(request);
    loaded.model?.dispose?.();
    return convertActors(request, loaded);
  },
};

async function using<T>(request: WorkRequest, use: (model: ActorModel) => T): Promise<Loaded<T>> {
  const loaded = await load(request);
  if (loaded.model === null) return { ...loaded, model: null };
  loaded.model.dispose?.();
  return { ...loaded, model: use(loaded.model) };
}

async function load(request: WorkRequest): Promise<Loaded<ActorModel>> {
  const path = request.paths[0]!;
  const text = request.files.read(path);
  const sources = new Map(text === null ? [] : [[path, text]]);
  if (text === null)
    return {
      model: null,
      sources,
      diagnostics: [{ code: 'SPW9002', severity: 'error', message: `cannot read ${path}`, span: null }],
    };
  request.observer.stage('explore');
  const { system, diagnostics } = await loadXState({
    path,
    text,
    exportName: request.options.export ?? null,
    milliseconds: Math.min(request.budget.remaining(), MOST_EXPLORING),
    states: request.budget.maxStates,
  });
  return { model: system === null ? null : modelOf(system, request), diagnostics, sources };
}

/** Without a limit of time the exploration has one of its own. */
const MOST_EXPLORING = 300_000;

function modelOf({ system, formulas, session, file }: XStateSystem, { options }: WorkRequest): ActorModel {
  const scheduler = options.scheduler ?? 'in-process';
  const confirm = async (run: Run): Promise<string | null> => {
    // The steps themselves are XState's own; what is left to doubt is what was assumed about unknown data.
    if (scheduler === 'distributed')
      return run.steps.some(({ text }) => / is (?:true|false)\b.*\)/.test(text))
        ? 'it rests on what a guard says of data that is not known'
        : null;
    return session.replay(movesOf(run));
  };
  return {
    system,
    scheduler,
    sources: new Map([[file.path, file]]),
    formulas,
    confirm,
    dispose: () => session.close(),
  };
}
