// The checker of backward proofs: integers only, nothing shared with the engine.
//
// The claim: no reachable marking lies above a target. The proof is a finite basis B and a list of potentials. A potential is a weight for
// each place such that no transition raises the weighted sum, so no reachable marking has a greater sum than the initial one:
// what lies above a marking with a greater sum is not reachable. If each target lies above B or is excluded so, and so does each
// marking that a transition needs to get above B, then a run into a target would have been above B all along, from the initial marking on.

import { initialMarking, isBelow, type Marking, type PetriNet, type PetriTransition } from './net.ts';

export interface BackwardProof {
  readonly basis: readonly Marking[];
  /** One weight per place, not negative. */
  readonly potentials: readonly (readonly bigint[])[];
}

export function checkBackwardProof(
  net: PetriNet,
  targets: readonly Marking[],
  { basis, potentials }: BackwardProof,
): boolean {
  const start = initialMarking(net);
  const isMarking = (marking: Marking): boolean =>
    marking.length === start.length && marking.every((count) => Number.isSafeInteger(count) && count >= 0);
  const sum = (weights: readonly bigint[], marking: Marking): bigint =>
    weights.reduce((total, weight, place) => total + weight * BigInt(marking[place]!), 0n);
  const isSettled = (marking: Marking): boolean =>
    basis.some((one) => isBelow(one, marking)) ||
    potentials.some((weights) => sum(weights, marking) > sum(weights, start));
  return (
    basis.every(isMarking) &&
    targets.every(isMarking) &&
    potentials.every((weights) => isPotential(net, weights)) &&
    targets.every(isSettled) &&
    !basis.some((one) => isBelow(one, start)) &&
    basis.every((one) => net.transitions.every((transition) => isSettled(neededBefore(transition, one))))
  );
}

function isPotential(net: PetriNet, weights: readonly bigint[]): boolean {
  if (weights.length !== net.places.length || weights.some((weight) => weight < 0n)) return false;
  return net.transitions.every(({ take, put }) => {
    let change = 0n;
    for (const { place, weight } of put) change += weights[place]! * BigInt(weight);
    for (const { place, weight } of take) change -= weights[place]! * BigInt(weight);
    return change <= 0n;
  });
}

/** The least marking from which the transition leads above this one. */
export function neededBefore({ take, put }: PetriTransition, marking: Marking): number[] {
  const before = [...marking];
  for (const { place, weight } of put) before[place] = Math.max(0, before[place]! - weight);
  for (const { place, weight } of take) before[place]! += weight;
  return before;
}
