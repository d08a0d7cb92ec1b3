// SCXML documents and systems of them: explored, and asked what systems of actors are asked.

import { EXPLORE_LIMITS, type Exploration, type ExploreLimits, exploreSystem } from '../actors/explore.ts';
import { movesOf } from '../actors/run.ts';
import type { ActorSystem } from '../actors/system.ts';
import type { Language, Loaded, WorkRequest } from '../engine/language.ts';
import { ChartBehaviour } from '../scxml/behaviour.ts';
import { confirmMoves } from '../scxml/confirm.ts';
import { givenNames } from '../scxml/idle-data.ts';
import { dataModels } from '../scxml/models.ts';
import { namesOfChart } from '../scxml/names.ts';
import { loadEngine } from '../scxml/sandbox.ts';
import { type ChartSystem, loadSystem } from '../scxml/system.ts';
import { Widening } from '../scxml/widening.ts';
import { SourceFile } from '../source/source.ts';
import { actorLanguage } from './actors/language.ts';
import type { ActorModel } from './actors/model.ts';

export const scxml: Language<ActorModel> = {
  ...actorLanguage('scxml', load),
  understand: ({ paths, files }) => {
    const path = paths[0]!;
    const { diagnostics, sources } = loadSystem(path, files);
    const text = files.read(path);
    const isChart = text !== null && !path.endsWith('.json');
    return { diagnostics, sources, names: isChart ? namesOfChart(new SourceFile(path, text)) : null };
  },
};

async function load({ paths, files, options, budget, observer }: WorkRequest): Promise<Loaded<ActorModel>> {
  observer.stage('parse');
  const { system: charts, diagnostics, sources } = loadSystem(paths[0]!, files);
  if (charts === null) return { model: null, diagnostics, sources };
  observer.stage('explore');
  const models = dataModels(await loadEngine());
  const { behaviour, explored } = explore(charts, models.modelOf, {
    ...EXPLORE_LIMITS,
    states: Math.min(EXPLORE_LIMITS.states, budget.maxStates),
    goOn: () => budget.timeLeft(),
  });
  const system = explored.ok ? explored.system : unexplored(charts, explored);
  const scheduler = options.scheduler ?? 'distributed';
  const model: ActorModel = {
    system,
    scheduler,
    sources: new Map([...sources].map(([path, text]) => [path, new SourceFile(path, text)])),
    formulas: {},
    confirm: async (run) =>
      confirmMoves(new ChartBehaviour(charts, models.modelOf, true), system, scheduler, movesOf(run)),
    dispose: () => models.dispose(),
  };
  return { model, diagnostics: [...diagnostics, ...behaviour.diagnostics()], sources };
}

/** States that are explored before data is widened to have fewer. */
const WITH_ALL_DATA = 3_000;

/** In rounds: where there are too many states the variable with the most values is widened, as long as one can be. */
function explore(
  charts: ChartSystem,
  modelOf: ConstructorParameters<typeof ChartBehaviour>[1],
  limits: ExploreLimits,
): { readonly behaviour: ChartBehaviour; readonly explored: Exploration } {
  const widening = new Widening(givenNames(charts));
  let states = Math.min(limits.states, WITH_ALL_DATA);
  for (;;) {
    const behaviour = new ChartBehaviour(charts, modelOf, false, widening);
    const explored = exploreSystem(behaviour, 'scxml', 'all', { ...limits, states });
    if (explored.ok || explored.limit !== 'states') return { behaviour, explored };
    if (behaviour.widenMost()) continue;
    if (states >= limits.states) return { behaviour, explored };
    states = limits.states;
  }
}

const LIMITS = {
  states:
    'the charts have too many states to explore one by one: data that takes ever new values is the usual cause',
  actors: 'the charts invoke more and more charts',
  time: 'the time was over before the charts were explored',
} as const;

/** Nothing is known of it, and that is said: every answer is unknown. */
function unexplored(
  { name }: ChartSystem,
  { limit, actor }: { readonly limit: keyof typeof LIMITS; readonly actor: string },
): ActorSystem {
  const message = `${LIMITS[limit]}${actor === '' ? '' : ` (${actor})`}`;
  return {
    name,
    language: 'scxml',
    messages: [],
    actors: [],
    logics: [],
    caveats: [{ kind: 'unseen', message, at: null }],
  };
}
