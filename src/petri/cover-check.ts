// Checkers, each a few lines over integers, that share nothing with the engines but the firing rule.
//
// A finite set C of ω-markings is an invariant when the initial marking lies below one of them and, for each of them and each
// transition, so does the successor. Then every reachable marking lies below some marking of C: by induction, because firing is
// monotonic. So a sum of places never exceeds its greatest value over C, and what lies above no marking of C is never covered.

import { fire, initialMarking, isBelow, type Marking, OMEGA, type PetriNet } from './net.ts';

export function isInvariant(net: PetriNet, markings: readonly Marking[]): boolean {
  const isInside = (marking: Marking): boolean => markings.some((one) => isBelow(marking, one));
  return (
    markings.every((marking) => isOmegaMarking(net, marking)) &&
    isInside(initialMarking(net)) &&
    markings.every((marking) =>
      net.transitions.every((transition) => {
        const after = fire(transition, marking);
        return after === null || isInside(after);
      }),
    )
  );
}

const isOmegaMarking = (net: PetriNet, marking: Marking): boolean =>
  marking.length === net.places.length &&
  marking.every((count) => count === OMEGA || (Number.isSafeInteger(count) && count >= 0));

/** The greatest sum of these places in one marking; OMEGA when there is none. A place may be named several times. */
export function greatestSum(markings: readonly Marking[], places: readonly number[]): number {
  let greatest = 0;
  for (const marking of markings) {
    let sum = 0;
    for (const place of places) sum += marking[place]!;
    greatest = Math.max(greatest, sum);
  }
  return greatest;
}

/** Does some marking of the set lie above the target? If not, and the set is an invariant, the target is never covered. */
export const isCoveredBy = (markings: readonly Marking[], target: Marking): boolean =>
  markings.some((marking) => isBelow(target, marking));
