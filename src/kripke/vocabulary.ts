// The atoms of formulas over a composition: events of all alphabets, propositions of all components.

import type { Vocabulary } from '../ltl/syntax.ts';
import type { Product } from './product.ts';
import type { System } from './system.ts';

/** A proposition of the composition: whose it is, and its id there. */
export interface PropositionPlace {
  readonly component: number;
  readonly local: number;
}

/** Propositions numbered through all components. */
export function propositionPlaces(system: System): readonly PropositionPlace[] {
  return system.components.flatMap((structure, component) =>
    structure.propositions.map((_, local) => ({ component, local })),
  );
}

const vocabularies = new WeakMap<System, Vocabulary>();

/** Atoms are numbered as `system.events` and as `propositionPlaces`. Made once for each system: it may have a million events. */
export function vocabularyOf(system: System): Vocabulary {
  const known = vocabularies.get(system) ?? makeVocabulary(system);
  vocabularies.set(system, known);
  return known;
}

function makeVocabulary(system: System): Vocabulary {
  const events = new Map<string, number>();
  for (const [id, name] of system.events.entries()) events.set(name, id);
  const names = system.components.flatMap((structure) => structure.propositions);
  const propositions = new Map(names.map((name, id) => [name, id]));
  // The internal label of an .aut file carries the file's name, so that it synchronises with nobody; where there is one, formulas may say just `i`.
  const internal = system.components.flatMap(({ name, events: own }) => {
    const [i, tau] = [`${name}.i`, `${name}.tau`];
    return own.filter((event) => event === i || event === tau);
  });
  for (const label of ['i', 'tau']) {
    const [only, ...others] = internal.filter((event) => event.endsWith(`.${label}`));
    if (only !== undefined && others.length === 0 && !events.has(label)) events.set(label, events.get(only)!);
  }
  return {
    find: (kind, name) => (kind === 'event' ? events : propositions).get(name) ?? null,
    names: () => [...propositions.keys(), ...events.keys()],
  };
}

/** A product as the ltl room sees it. `places` numbers the propositions the formulas use. */
export function asEventStructure(product: Product, places: readonly (PropositionPlace | null)[]) {
  const { components } = product.system;
  const truth = places.map((place) => {
    if (place === null) return null;
    const { labels } = components[place.component]!;
    return Uint8Array.from(labels, (label) => (label.includes(place.local) ? 1 : 0));
  });
  return {
    initialStates: () => product.initialStates(),
    eachSuccessor: (state: number, visit: (event: number, target: number) => void) =>
      product.eachSuccessor(state, visit),
    holds: (state: number, proposition: number) =>
      truth[proposition]![product.stateOf(state, places[proposition]!.component)] === 1,
  };
}
