// The portfolio for systems of actors: linear programs for systems of any size, the search for exact answers and runs.

import { stateGraphs } from '../../actors/picture.ts';
import type { Engine, Portfolio } from '../../engine/engine.ts';
import { actorBounds, actorRanking } from './linear.ts';
import { actorsAlone } from './local.ts';
import type { ActorModel } from './model.ts';
import { actorSearch } from './search.ts';

const pictures: Engine<ActorModel> = {
  name: 'pictures',
  settles: () => false,
  run: ({ model }, _budget, _observer, learn) =>
    learn({ kind: 'pictures', graphs: stateGraphs(model.system) }),
};

export const ACTOR_PORTFOLIO: Portfolio<ActorModel> = [
  { engine: actorsAlone },
  { engine: actorSearch },
  { engine: actorBounds },
  { engine: actorRanking },
  { engine: pictures, pictures: true },
];
