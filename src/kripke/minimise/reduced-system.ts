// The reduced parts as a system that the searches know, and its paths as paths of parts.

import { HIDDEN } from '../../graph/labelled.ts';
import type { Path } from '../path.ts';
import type { Kripke } from '../structure.ts';
import { packEdges } from '../structure.ts';
import type { System } from '../system.ts';
import { compose } from '../system.ts';
import type { PropositionPlace } from '../vocabulary.ts';
import type { PartPath } from './follow.ts';
import type { Part } from './part.ts';

export interface ReducedSystem {
  readonly system: System;
  /** Where the propositions of the components stand in it; null for those nobody asks about. */
  readonly places: readonly (PropositionPlace | null)[];
  /** The number of each of its events in the system of the components; HIDDEN for a part's own. */
  readonly origins: readonly number[];
}

export function reducedSystem(original: System, parts: readonly Part[], propositions: number): ReducedSystem {
  const places: (PropositionPlace | null)[] = Array.from({ length: propositions }, () => null);
  const components = parts.map((part, index) => structureOf(original, part, index, places));
  const system = compose(components);
  const numbers = new Map(original.events.map((name, id) => [name, id]));
  return { system, places, origins: system.events.map((name) => numbers.get(name) ?? HIDDEN) };
}

function structureOf(
  original: System,
  { reduced }: Part,
  index: number,
  places: (PropositionPlace | null)[],
): Kripke {
  const visible = [...reduced.alphabet];
  const locals = new Map([HIDDEN, ...visible].map((event, local) => [event, local]));
  const propositions = [...new Set(reduced.colours.flat())];
  propositions.forEach((proposition, local) => {
    places[proposition] = { component: index, local };
  });
  const labels = reduced.colours.map((colour) =>
    colour.map((proposition) => propositions.indexOf(proposition)).sort((a, b) => a - b),
  );
  const sources: number[] = [];
  for (let node = 0; node < reduced.nodes; node++)
    for (let i = reduced.first[node]!; i < reduced.first[node + 1]!; i++) sources.push(node);
  const events = Array.from(reduced.label, (label) => locals.get(label)!);
  return {
    name: `part ${index}`,
    stateNames: Array.from({ length: reduced.nodes }, (_, node) => String(node)),
    places: Array.from({ length: reduced.nodes }, () => null),
    propositions: propositions.map(String),
    labels: Array.from(reduced.colour, (colour) => labels[colour]!),
    // No name that a user can write has a line break.
    events: [`hidden\n${index}`, ...visible.map((event) => original.events[event]!)],
    initial: [...reduced.initial].sort((a, b) => a - b),
    edges: packEdges(reduced.nodes, sources, events, [...reduced.target]),
  };
}

export function partPath({ system, origins }: ReducedSystem, path: Path): PartPath {
  const after = (index: number) => path.states[index + 1] ?? path.states[path.loopStart!]!;
  return {
    start: [...path.states[0]!],
    steps: path.events.map((event, index) => ({
      label: origins[event]!,
      moves: system.participants[event]!.map((part) => ({ part, to: after(index)[part]! })),
    })),
    loopStart: path.loopStart,
  };
}
