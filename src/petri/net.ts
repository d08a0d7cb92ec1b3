// Place/transition nets with arc weights, and ω-markings over them.
//
// A marking gives each place a count; OMEGA (Infinity) stands for "any number". With Infinity the arithmetic of ω is that of the
// language: ω − 3 = ω, ω + 3 = ω, 5 < ω. Finite counts are exact while they are safe integers; `fire` refuses to go beyond.

import type { Position } from '../source/source.ts';

export interface PetriNet {
  readonly name: string;
  readonly places: readonly PetriPlace[];
  readonly transitions: readonly PetriTransition[];
}

export interface PetriPlace {
  readonly name: string;
  readonly initial: number;
  readonly at: Position | null;
}

export interface PetriTransition {
  readonly name: string;
  /** Each place at most once, weights > 0. A place in both is tested (read arcs, catalysts). */
  readonly take: readonly Arc[];
  readonly put: readonly Arc[];
  readonly at: Position | null;
  /**
   * Stands for nothing that happens: it lets more tokens begin in a place ("x >= 1" among the initial values). It could as well fire
   * before everything else, so a marking in which only such ones are enabled is dead.
   */
  readonly arrival?: boolean;
}

export interface Arc {
  readonly place: number;
  readonly weight: number;
}

/** One count per place; never changed in place once it is handed out. */
export type Marking = readonly number[];

export const OMEGA = Number.POSITIVE_INFINITY;

export const initialMarking = (net: PetriNet): number[] => net.places.map(({ initial }) => initial);

export function isEnabled(transition: PetriTransition, marking: Marking): boolean {
  for (const { place, weight } of transition.take) if (marking[place]! < weight) return false;
  return true;
}

/** The marking afterwards; null when the transition is not enabled. */
export function fire(transition: PetriTransition, marking: Marking): number[] | null {
  if (!isEnabled(transition, marking)) return null;
  const after = [...marking];
  for (const { place, weight } of transition.take) after[place]! -= weight;
  for (const { place, weight } of transition.put) {
    after[place]! += weight;
    if (after[place]! > Number.MAX_SAFE_INTEGER && after[place] !== OMEGA) throw new TooManyTokens();
  }
  return after;
}

/** More tokens in a place than integers hold exactly: the caller says *unknown*. */
export class TooManyTokens extends Error {
  constructor() {
    super('more tokens in a place than integers hold exactly');
  }
}

export function isBelow(lower: Marking, upper: Marking): boolean {
  for (let place = 0; place < lower.length; place++) if (lower[place]! > upper[place]!) return false;
  return true;
}

/** What one firing changes: sparse, no zeros. */
export function effectOf(transition: PetriTransition): Map<number, number> {
  const change = new Map<number, number>();
  for (const { place, weight } of transition.take) change.set(place, (change.get(place) ?? 0) - weight);
  for (const { place, weight } of transition.put) change.set(place, (change.get(place) ?? 0) + weight);
  for (const [place, by] of change) if (by === 0) change.delete(place);
  return change;
}

/** Dead: no transition is enabled that stands for something that happens. */
export const isDead = (net: PetriNet, marking: Marking): boolean =>
  !net.transitions.some((transition) => transition.arrival !== true && isEnabled(transition, marking));
