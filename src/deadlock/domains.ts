// Which states each component may stand in when the system is stuck, narrowed until nothing changes: a state of a
// component that occurs in no stuck joint state of one of its blocks (with the other components still in their domains) is no
// part of a deadlock. An empty domain proves that there is none.

import { reachable } from '../kripke/expand.ts';
import { eachEdge, stateCount } from '../kripke/structure.ts';
import type { System } from '../kripke/system.ts';
import type { Block } from './blocks.ts';

/** For each component, 1 for each state it may stand in. */
export type Domains = readonly Uint8Array[];

/** States a component reaches by itself and in which no event of its own is possible: with one the system is never stuck. */
export function initialDomains(system: System): Domains {
  return system.components.map((structure, index) => {
    const domain = reachable(structure);
    for (let state = 0; state < stateCount(structure); state++) {
      eachEdge(structure, state, (event) => {
        if (system.participants[system.globalIds[index]![event]!]!.length === 1) domain[state] = 0;
      });
    }
    return domain;
  });
}

export const statesOf = (domain: Uint8Array): number[] =>
  [...domain.keys()].filter((state) => domain[state] === 1);

/** The narrowed domains; null when some domain becomes empty. */
export function propagate(domains: Domains, blocks: readonly Block[]): Domains | null {
  const current = domains.map((domain) => Uint8Array.from(domain));
  if (current.some((domain) => !domain.includes(1))) return null;
  const blocksOf: number[][] = domains.map(() => []);
  blocks.forEach(({ components }, index) => {
    for (const component of components) blocksOf[component]!.push(index);
  });
  const waiting = new Set(blocks.keys());
  for (const index of waiting) {
    waiting.delete(index);
    for (const component of narrow(blocks[index]!, current)) {
      if (!current[component]!.includes(1)) return null;
      for (const other of blocksOf[component]!) waiting.add(other);
    }
  }
  return current;
}

/** Removes what the block does not support; the components that lost states. */
function narrow({ components, stuck }: Block, domains: readonly Uint8Array[]): number[] {
  const supported = components.map((component) => new Uint8Array(domains[component]!.length));
  for (const joint of stuck) {
    if (!components.every((component, i) => domains[component]![joint[i]!] === 1)) continue;
    for (let i = 0; i < components.length; i++) supported[i]![joint[i]!] = 1;
  }
  return components.filter((component, i) => {
    const domain = domains[component]!;
    let changed = false;
    for (let state = 0; state < domain.length; state++) {
      if (domain[state] === 0 || supported[i]![state] === 1) continue;
      domain[state] = 0;
      changed = true;
    }
    return changed;
  });
}
