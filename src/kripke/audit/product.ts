// The composition of structures ([MAGIC] section 3.3), written out: every configuration that can be reached, and its steps. Simple rather than fast.

import type { Kripke } from '../structure.ts';
import { eachEdge } from '../structure.ts';

export interface Written {
  /** One state for each structure. */
  readonly configurations: readonly (readonly number[])[];
  readonly initial: readonly number[];
  readonly steps: readonly (readonly { readonly event: string; readonly to: number }[])[];
}

/** Configurations, and nodes of a tableau over them, that a second look goes through. */
export const SECOND_LOOK = 1_500_000;
/** Steps take most of the memory: a few for each configuration. */
const MOST_STEPS = 4 * SECOND_LOOK;

/** Null when it is too large for a second look, or no time is left. */
export function writeOut(structures: readonly Kripke[], timeLeft: () => boolean): Written | null {
  const sharers = new Map<string, number[]>();
  structures.forEach(({ events }, i) => {
    for (const event of events) sharers.set(event, [...(sharers.get(event) ?? []), i]);
  });
  const moves = structures.map((structure) =>
    structure.stateNames.map((_, state) => {
      const byEvent = new Map<string, number[]>();
      eachEdge(structure, state, (event, to) => {
        const name = structure.events[event]!;
        byEvent.set(name, [...(byEvent.get(name) ?? []), to]);
      });
      return byEvent;
    }),
  );
  const ids = new Map<string, number>();
  const configurations: (readonly number[])[] = [];
  const idOf = (configuration: readonly number[]): number => {
    const key = configuration.join();
    let id = ids.get(key);
    if (id === undefined) {
      id = configurations.push(configuration) - 1;
      ids.set(key, id);
    }
    return id;
  };
  let starts: number[][] = [[]];
  for (const { initial } of structures) {
    starts = starts.flatMap((start) => initial.map((state) => [...start, state]));
    if (starts.length > SECOND_LOOK) return null;
  }
  const initial = starts.map(idOf);
  const steps: { event: string; to: number }[][] = [];
  let stepCount = 0;
  for (let i = 0; i < configurations.length; i++) {
    if (configurations.length > SECOND_LOOK || stepCount > MOST_STEPS) return null;
    if ((i & 255) === 0 && !timeLeft()) return null;
    const configuration = configurations[i]!;
    const own: { event: string; to: number }[] = [];
    configuration.forEach((state, component) => {
      for (const event of moves[component]![state]!.keys()) {
        const takers = sharers.get(event)!;
        // Each event once: by the first of those who share it.
        if (takers[0] !== component) continue;
        let targets: (readonly number[])[] = [configuration];
        for (const taker of takers) {
          const choices = moves[taker]![configuration[taker]!]!.get(event) ?? [];
          targets = targets.flatMap((target) => choices.map((to) => target.with(taker, to)));
        }
        for (const target of targets) own.push({ event, to: idOf(target) });
      }
    });
    steps.push(own);
    stepCount += own.length;
  }
  return { configurations, initial, steps };
}
