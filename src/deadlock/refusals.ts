// Refusals and abstract refusals, [MAGIC] sections 7 and 8.

import type { Partition } from '../kripke/quotient.ts';
import type { Kripke } from '../kripke/structure.ts';
import { eachEdge, stateCount } from '../kripke/structure.ts';

/** For each state (or class of states) a row of flags over the structure's own events. */
export interface RefusalTable {
  readonly events: number;
  readonly flags: Uint8Array;
}

export const refusesEvent = (table: RefusalTable, state: number, event: number): boolean =>
  table.flags[state * table.events + event] === 1;

/** Ref(s): the events that no edge of s bears. */
export function refusals(structure: Kripke): RefusalTable {
  const events = structure.events.length;
  const flags = new Uint8Array(stateCount(structure) * events).fill(1);
  for (let state = 0; state < stateCount(structure); state++) {
    eachEdge(structure, state, (event) => {
      flags[state * events + event] = 0;
    });
  }
  return { events, flags };
}

/** AbsRef(α): the union over the states of the class. It over-approximates what each of them refuses. */
export function abstractRefusals(concrete: RefusalTable, partition: Partition): RefusalTable {
  const { events } = concrete;
  const flags = new Uint8Array(partition.count * events);
  partition.classOf.forEach((id, state) => {
    for (let event = 0; event < events; event++) {
      if (concrete.flags[state * events + event] === 1) flags[id * events + event] = 1;
    }
  });
  return { events, flags };
}
