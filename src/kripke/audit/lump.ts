// Structures whose states are lumped together by classes that a certificate names: a class has every edge that one of its states has.

import type { Kripke } from '../structure.ts';
import { eachEdge, KripkeBuilder, stateCount } from '../structure.ts';

/** For each component, the class of each state. */
export type Classes = readonly (readonly number[])[];

export const isClasses = (value: unknown): value is Classes =>
  Array.isArray(value) &&
  value.every((list) => Array.isArray(list) && list.every((id) => Number.isSafeInteger(id) && id >= 0));

/** Null when the classes are none, or do not agree on the propositions. Names and numbers of events and propositions stay. */
export function lump(
  components: readonly Kripke[],
  classes: Classes,
  relevant: readonly (readonly number[])[],
): Kripke[] | null {
  if (classes.length !== components.length) return null;
  const result: Kripke[] = [];
  for (const [i, component] of components.entries()) {
    const classOf = classes[i]!;
    if (classOf.length !== stateCount(component)) return null;
    const builder = new KripkeBuilder(component.name);
    for (const name of component.propositions) builder.proposition(name);
    for (const name of component.events) builder.event(name);
    const labels = new Map<number, string>();
    for (const [state, id] of classOf.entries()) {
      const seen = component.labels[state]!.filter((label) => relevant[i]!.includes(label));
      if ((labels.get(id) ?? seen.join()) !== seen.join()) return null;
      labels.set(id, seen.join());
    }
    const ids = new Map<number, number>();
    for (const [id, text] of labels) {
      const own = text === '' ? [] : text.split(',').map((label) => component.propositions[Number(label)]!);
      ids.set(id, builder.state(String(id), own));
    }
    for (const state of component.initial) builder.initial(ids.get(classOf[state]!)!);
    for (let state = 0; state < stateCount(component); state++)
      eachEdge(component, state, (event, to) =>
        builder.edge(ids.get(classOf[state]!)!, event, ids.get(classOf[to]!)!),
      );
    const made = builder.build();
    if (made === null) return null;
    result.push(made);
  }
  return result;
}
