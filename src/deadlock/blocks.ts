// Neighbourhoods: what a few components that share an event can look like in a deadlock.
//
// Take the participants of an event by themselves, with all their other events free: their reachable joint states
// over-approximate those of the whole composition. A joint state that enables an event nobody else takes part in is no part
// of a deadlock. What is left, the stuck joint states of the block, is a constraint on any deadlock of the system.
// Soundness duty: a joint state that occurs in a reachable deadlock must never be dropped.

import type { Budget } from '../base/budget.ts';
import { Product } from '../kripke/product.ts';
import type { Kripke } from '../kripke/structure.ts';
import { packEdges, stateCount } from '../kripke/structure.ts';
import type { System } from '../kripke/system.ts';
import { compose } from '../kripke/system.ts';

export interface Block {
  /** Ascending. */
  readonly components: readonly number[];
  /** The stuck joint states, one state for each component of the block. */
  readonly stuck: readonly Int32Array[];
}

const MAX_WIDTH = 4;
const MAX_JOINT_STATES = 20_000;

/** The blocks of all events shared by two to `width` components, as far as they stay small. */
export function buildBlocks(system: System, budget: Budget, width = MAX_WIDTH): readonly Block[] {
  const seen = new Set<string>();
  const blocks: Block[] = [];
  for (const participants of system.participants) {
    if (participants.length < 2 || participants.length > width || seen.has(participants.join())) continue;
    seen.add(participants.join());
    if (!budget.timeLeft()) return blocks;
    const stuck = stuckStates(system, participants);
    if (stuck !== null) blocks.push({ components: participants, stuck });
  }
  return blocks;
}

/** Null when the block is too large to explore. */
function stuckStates(system: System, components: readonly number[]): readonly Int32Array[] | null {
  const inside = new Set(components);
  const own = compose(components.map((index) => narrowed(system, index, inside)));
  const product = new Product(own);
  product.initialStates();
  const stuck: Int32Array[] = [];
  for (let state = 0; state < product.size; state++) {
    if (product.size > MAX_JOINT_STATES) return null;
    let free = true;
    product.eachSuccessor(state, (event) => {
      if (!own.events[event]!.startsWith(OUTER)) free = false;
    });
    if (free) stuck.push(product.configuration(state));
  }
  return stuck;
}

const OUTER = 'outer ';

/**
 * The component with its events as the block sees them: an event of the component alone, one the block settles by itself, or one that
 * needs somebody outside (`outer …`; all of those that nobody else in the block shares become one event).
 */
function narrowed(system: System, index: number, inside: ReadonlySet<number>): Kripke {
  const structure = system.components[index]!;
  const names: string[] = [];
  const ids = new Map<string, number>();
  const newIds = Int32Array.from(system.globalIds[index]!, (event) => {
    const participants = system.participants[event]!;
    const shared = participants.some((other) => other !== index && inside.has(other));
    const settled = participants.every((other) => inside.has(other));
    const name = shared ? `${settled ? 'inner' : OUTER}${event}` : `${settled ? 'own' : OUTER}of ${index}`;
    if (!ids.has(name)) ids.set(name, names.push(name) - 1);
    return ids.get(name)!;
  });
  const { first, event, target } = structure.edges;
  const sources: number[] = [];
  const events: number[] = [];
  const targets: number[] = [];
  const states = stateCount(structure);
  for (let state = 0; state < states; state++) {
    const seen = new Set<number>();
    for (let i = first[state]!; i < first[state + 1]!; i++) {
      const key = newIds[event[i]!]! * states + target[i]!;
      if (seen.has(key)) continue;
      seen.add(key);
      sources.push(state);
      events.push(newIds[event[i]!]!);
      targets.push(target[i]!);
    }
  }
  const labels = structure.labels.map(() => []);
  const edges = packEdges(states, sources, events, targets);
  return { ...structure, propositions: [], labels, events: names, edges };
}
