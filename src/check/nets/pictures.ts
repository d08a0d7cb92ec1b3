// Pictures for reports: the net, and on it the invariants behind what was proved: weights of places whose sum no transition raises. Where counts
// alone do not show it (traps, cases, the coverability set) there is no such picture.

import type { Engine } from '../../engine/engine.ts';
import type { Board } from '../../engine/fact.ts';
import { loadSolver } from '../../lp/solver.ts';
import { potentialsAgainst } from '../../petri/backward.ts';
import { drawInvariant, drawNet } from '../../petri/draw.ts';
import type { NetModel } from '../../petri/model.ts';
import type { Marking } from '../../petri/net.ts';
import { netQuestions, targetOf } from './questions.ts';

/** Of each property. */
const MOST_PICTURES = 6;
/** Beyond that a picture says nothing. */
const MOST_PLACES = 60;

export const netPictures: Engine<NetModel> = {
  name: 'pictures',
  settles: () => false,
  run: async ({ model, board }, budget, _observer, learn) => {
    const graphs = [drawNet(model.net)];
    if (model.net.places.length <= MOST_PLACES) {
      const solver = await loadSolver();
      for (const { property, markings } of excludedBy(model, board)) {
        const found = potentialsAgainst(model.net, markings, solver, budget);
        const different = [...new Set(found)].filter((weights) => weights !== null);
        for (const weights of different.slice(0, MOST_PICTURES))
          graphs.push(drawInvariant(model.net, property, weights));
      }
    }
    learn({ kind: 'pictures', graphs });
  },
};

/** What each proof says is never covered: a target, or one token more than a place's bound. */
function excludedBy(model: NetModel, board: Board): { property: string; markings: Marking[] }[] {
  const one = (place: number, count: number): Marking =>
    model.net.places.map((_, index) => (index === place ? count : 0));
  return netQuestions(model, []).properties.flatMap((property) => {
    const answer = board.definite(property);
    if (answer?.verdict !== 'proved') return [];
    const target = targetOf(model, property);
    if (target !== null) return [{ property, markings: [target.marking] }];
    const markings = (answer.queues ?? []).flatMap(({ name, bound }) => {
      const place = model.net.places.findIndex((each) => each.name === name);
      return bound === null || place < 0 ? [] : [one(place, bound + 1)];
    });
    return markings.length === 0 ? [] : [{ property, markings }];
  });
}
