// Questions about reachable markings that linear reasoning can answer: is there a reachable marking that satisfies every clause?
//
// An atom is a linear condition on a marking, a clause a disjunction of atoms. "This transition is not enabled" is a clause: one of its
// inputs has too few tokens. "Dead" is such a clause for every transition; "covers the target" is a clause of one atom for every place.

import type { Marking, PetriNet } from './net.ts';

/** Σ weight · tokens ≥ least. "At most k" is written with weights −1 and least −k. */
export interface Atom {
  readonly terms: readonly { readonly place: number; readonly weight: number }[];
  readonly least: number;
}

export type Clause = readonly Atom[];

export type Question = readonly Clause[];

export const atLeast = (places: readonly number[], least: number): Atom => ({
  terms: places.map((place) => ({ place, weight: 1 })),
  least,
});

export const atMost = (places: readonly number[], most: number): Atom => ({
  terms: places.map((place) => ({ place, weight: -1 })),
  least: most === 0 ? 0 : -most,
});

/** Every transition lacks something: the dead markings, and no others. */
export const deadQuestion = (net: PetriNet): Question =>
  net.transitions.flatMap(({ take, arrival }) =>
    arrival === true ? [] : [take.map(({ place, weight }) => atMost([place], weight - 1))],
  );

export const coverQuestion = (target: Marking): Question =>
  target.flatMap((count, place) => (count > 0 ? [[atLeast([place], count)]] : []));

export const satisfies = (marking: Marking, { terms, least }: Atom): boolean =>
  terms.reduce((sum, { place, weight }) => sum + weight * marking[place]!, 0) >= least;

export const answers = (marking: Marking, question: Question): boolean =>
  question.every((clause) => clause.some((atom) => satisfies(marking, atom)));
