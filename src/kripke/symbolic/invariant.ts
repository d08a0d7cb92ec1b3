// `G p`, where p speaks of one configuration and the event it is left with: the ways to violate p are conjunctions of literals, and none of them may meet a
// configuration that can be reached. What remains is no violation yet: only infinite paths count, and other events are left open here.

import type { Syntax } from '../../ltl/syntax.ts';
import type { Cause } from '../audit/causes.ts';
import { causesOf } from '../audit/causes.ts';
import { propositionPlaces } from '../vocabulary.ts';
import { EMPTY } from './diagram.ts';
import type { Space } from './space.ts';

/** False: not of this kind, or not this easily. */
export function isInvariant(space: Space, reached: number, formula: Syntax): boolean {
  const causes = causesOf(formula);
  return causes?.every((cause) => !meets(space, reached, cause)) ?? false;
}

function meets(space: Space, reached: number, { literals, event }: Cause): boolean {
  const { system, order, diagrams } = space;
  const places = propositionPlaces(system);
  const allowed = order.map((component): ((state: number) => boolean)[] => {
    const { labels } = system.components[component]!;
    return literals
      .filter(({ proposition }) => places[proposition]!.component === component)
      .map(
        ({ proposition, positive }) =>
          (state) =>
            labels[state]!.includes(places[proposition]!.local) === positive,
      );
  });
  const move = event === null ? undefined : space.moves.find((candidate) => candidate.event === event);
  if (event !== null && move === undefined) return false;
  const known = new Map<number, boolean>([[EMPTY, false]]);
  const go = (node: number, level: number): boolean => {
    if (level === order.length) return true;
    let result = known.get(node);
    if (result === undefined) {
      result = false;
      for (let at = diagrams.begin(node); at < diagrams.end(node) && !result; at += 2) {
        const value = diagrams.value(at);
        if (!allowed[level]!.every((test) => test(value))) continue;
        if (move !== undefined && move.local[level] !== null && !move.local[level]!.has(value)) continue;
        result = go(diagrams.below(at), level + 1);
      }
      known.set(node, result);
    }
    return result;
  };
  return go(reached, 0);
}
