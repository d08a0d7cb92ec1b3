// A path that stays in a set of configurations for ever takes, from some time on, only steps that each component can take again and again: one that leads from one
// strongly connected part of a component's own graph to another is taken at most once. What happens at all is read off the set.

import { stronglyConnected } from './cycle.ts';
import type { Effect, Sets } from './sets.ts';

export function recurringEffects(sets: Sets, effects: readonly Effect[], set: number): readonly Effect[] {
  const happening = sets.happening(effects, set);
  let current = effects.map((effect, i): readonly Pairs[] =>
    effect.map((own, level) => own && happening[i]![level]!),
  );
  for (let before = -1; before !== countOf(current); ) {
    before = countOf(current);
    const parts = Array.from({ length: sets.levels }, (_, level) =>
      partsOf(current.flatMap((pairs) => pairs[level] ?? [])),
    );
    current = current
      .map((pairs) =>
        pairs.map((own, level) => own?.filter(([from, to]) => parts[level]![from] === parts[level]![to])),
      )
      .filter((pairs) => pairs.every((own) => own === undefined || own.length > 0));
  }
  return current.map((pairs) => pairs.map((own) => own && relationOf(own)));
}

type Pairs = readonly (readonly [number, number])[] | undefined;

const countOf = (all: readonly (readonly Pairs[])[]): number =>
  all.reduce((sum, pairs) => sum + pairs.reduce((own, { length } = []) => own + length, 0), all.length);

function relationOf(pairs: readonly (readonly [number, number])[]): ReadonlyMap<number, readonly number[]> {
  const relation = new Map<number, number[]>();
  for (const [from, to] of pairs) relation.set(from, [...(relation.get(from) ?? []), to]);
  return relation;
}

/** The strongly connected part of each value. */
function partsOf(pairs: readonly (readonly [number, number])[]): Int32Array {
  const values = pairs.reduce((most, [from, to]) => Math.max(most, from + 1, to + 1), 0);
  const sorted = [...pairs].sort(([a], [b]) => a - b);
  const first = new Int32Array(values + 1);
  for (const [from] of sorted) first[from + 1]!++;
  for (let value = 0; value < values; value++) first[value + 1]! += first[value]!;
  return stronglyConnected({ first, to: Int32Array.from(sorted, ([, to]) => to) });
}
