// Propositions as SPIN reads them in formulas. One that holds in a few states of its component is a condition on the component's state. SPIN's parser of formulas
// gives up on long conditions, so that one which holds in many states is a bit of its own, kept up by every step that changes it: it follows from the state, and adds none.

import type { Kripke } from './structure.ts';
import type { System } from './system.ts';
import { propositionPlaces } from './vocabulary.ts';

const MANY_STATES = 12;

export interface PropositionBits {
  readonly declarations: readonly string[];
  readonly text: (proposition: number) => string;
  /** Assignments that go with a step of the component. */
  readonly changes: (component: number, from: number, to: number) => readonly string[];
  /** Assignments for an initial state. */
  readonly begin: (component: number, state: number) => readonly string[];
}

/** `named`: the propositions of the formulas; `few`: in how many states one may hold that is written as a condition. */
export function propositionBits(
  system: System,
  named: Iterable<number>,
  few: number = MANY_STATES,
): PropositionBits {
  const places = propositionPlaces(system).map(({ component, local }) => {
    const structure = system.components[component]!;
    return { component, structure, local, states: statesWith(structure, local) };
  });
  const kept = [...new Set(named)].filter((id) => places[id]!.states.length > few);
  const holds = (id: number, state: number): boolean =>
    places[id]!.structure.labels[state]!.includes(places[id]!.local);
  const keptOf = system.components.map((_, i) => kept.filter((id) => places[id]!.component === i));
  return {
    declarations: kept.map((id) => `bool ${bit(id)};`),
    text: (id) => {
      const { component, states } = places[id]!;
      if (kept.includes(id)) return bit(id);
      if (states.length === 0) return 'false';
      return `(${states.map((state) => `s[${component}] == ${state}`).join(' || ')})`;
    },
    changes: (component, from, to) =>
      keptOf[component]!.filter((id) => holds(id, from) !== holds(id, to)).map(
        (id) => `${bit(id)} = ${holds(id, to)}`,
      ),
    begin: (component, state) =>
      keptOf[component]!.filter((id) => holds(id, state)).map((id) => `${bit(id)} = true`),
  };
}

const bit = (proposition: number): string => `holds_${proposition}`;

const statesWith = ({ labels }: Kripke, local: number): number[] =>
  [...labels.keys()].filter((state) => labels[state]!.includes(local));
