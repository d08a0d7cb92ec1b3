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
        const { system, scheduler, confirm } = loaded.model;
        // A recorded run does not say which scheduler it is of: the other one is tried as well.
        const other = scheduler === 'in-process' ? 'distributed' : 'in-process';
        const first = replayActors(system, scheduler, recorded);
        const isWhole = ({ failedAt, refused }: typeof first): boolean =>
          failedAt === null && refused === undefined;
        if (!isWhole(first)) {
          const second = replayActors(system, other, recorded);
          return { ...loaded, model: isWhole(second) ? second : first };
        }
        const different = (await confirm?.(first.run)) ?? null;
        return { ...loaded, model: different === null ? first : { ...first, refused: different } };
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
