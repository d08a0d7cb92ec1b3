// Events that are alike in one component: shared by it with one other each, and leading between the same states of it. A controller
// with n clients has n copies of each of its events; for counting, the copies may be taken together.

import { eachEdge, stateCount } from '../kripke/structure.ts';
import type { System } from '../kripke/system.ts';

export interface EventGroups {
  /** The component in which the events are alike, and the events (two at least). */
  readonly groups: readonly { readonly hub: number; readonly events: readonly number[] }[];
  /** For each event its group, −1 for none. An event is in one group at most. */
  readonly groupOf: Int32Array;
}

export const NO_GROUPS: EventGroups = { groups: [], groupOf: new Int32Array(0) };

export function alikeEvents(system: System): EventGroups {
  const candidates = system.components.flatMap((_, hub) =>
    [...groupsIn(system, hub).values()]
      .filter((events) => events.length > 1)
      .map((events) => ({ hub, events })),
  );
  // An event may be alike to others in both of its components: the larger group takes it.
  candidates.sort((a, b) => b.events.length - a.events.length);
  const groupOf = new Int32Array(system.events.length).fill(-1);
  const groups: { hub: number; events: number[] }[] = [];
  for (const { hub, events } of candidates) {
    const free = events.filter((event) => groupOf[event]! < 0);
    if (free.length < 2) continue;
    for (const event of free) groupOf[event] = groups.length;
    groups.push({ hub, events: free });
  }
  return { groups, groupOf };
}

/** The events of the component that have two participants, by their edges in it. */
function groupsIn(system: System, hub: number): Map<string, number[]> {
  const structure = system.components[hub]!;
  const edges: string[][] = structure.events.map(() => []);
  for (let state = 0; state < stateCount(structure); state++)
    eachEdge(structure, state, (local, target) => edges[local]!.push(`${state}>${target}`));
  const groups = new Map<string, number[]>();
  edges.forEach((places, local) => {
    const event = system.globalIds[hub]![local]!;
    if (system.participants[event]!.length !== 2) return;
    const key = places.join();
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [event]);
    else group.push(event);
  });
  return groups;
}
