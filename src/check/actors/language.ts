// What is the same in every language whose models are systems of actors: only loading differs.

import { stateGraphs } from '../../actors/picture.ts';
import { replayActors } from '../../actors/replay.ts';
import { ActorSimulation, simulateActors } from '../../actors/simulation.ts';
import type { Language, Loaded, WorkRequest } from '../../engine/language.ts';
import type { ActorModel } from './model.ts';
import { ACTOR_PORTFOLIO } from './portfolio.ts';
import { actorQuestions } from './questions.ts';

type Load = (request: WorkRequest) => Promise<Loaded<ActorModel>>;

export function actorLanguage(name: string, load: Load): Language<ActorModel> {
  return {
    name,
    load,
    dispose: (model) => model.dispose?.(),
    questions: actorQuestions,
    portfolio: ACTOR_PORTFOLIO,
    graphs: (request) => using(load, request, (model) => stateGraphs(model.system)),
    simulate: (request) =>
      using(load, request, ({ system, scheduler }) => ({
        begin: () => new ActorSimulation(system, scheduler) as never,
        random: (seed, steps) => simulateActors(system, scheduler, seed, steps),
        isBad: ({ kind }) => kind === 'deadlock' || kind === 'endless',
      })),
    replay: async (recorded, request) => {
      const loaded = await load(request);
      if (loaded.model === null) return { ...loaded, model: null };
      try {
        const replayed = replayActors(loaded.model.system, loaded.model.scheduler, recorded);
        if (replayed.failedAt !== null || replayed.refused !== undefined)
          return { ...loaded, model: replayed };
        const different = (await loaded.model.confirm?.(replayed.run)) ?? null;
        return { ...loaded, model: different === null ? replayed : { ...replayed, refused: different } };
      } finally {
        loaded.model.dispose?.();
      }
    },
    convert: async (request) => {
      const { convertActors } = await import('./convert.ts');
      const loaded = await load(request);
      loaded.model?.dispose?.();
      return convertActors(request, loaded);
    },
  };
}

async function using<T>(load: Load, request: WorkRequest, use: (model: ActorModel) => T): Promise<Loaded<T>> {
  const loaded = await load(request);
  if (loaded.model === null) return { ...loaded, model: null };
  loaded.model.dispose?.();
  return { ...loaded, model: use(loaded.model) };
}
