// Traps and siphons. What takes from a trap also puts into it, so a trap that is marked once stays marked; what puts into a siphon also
// takes from it, so a siphon that is empty once stays empty. Both are checked by looking at each transition.
//
// The marking equation admits markings that no run reaches; those that empty a marked trap are cut off by the row "at least one token in
// the trap" (Esparza, Ledesma-Garza, Majumdar, Meyer, Niksic: *An SMT-based approach to coverability analysis*, 2014). The union of
// traps is a trap, so the largest one inside the empty places tells whether there is any: found by throwing places out, no solver needed.

import type { PetriNet, PetriTransition } from './net.ts';

const touches = (arcs: PetriTransition['take'], places: ReadonlySet<number>): boolean =>
  arcs.some(({ place }) => places.has(place));

export const isTrap = (net: PetriNet, places: ReadonlySet<number>): boolean =>
  net.transitions.every(({ take, put }) => !touches(take, places) || touches(put, places));

export const isSiphon = (net: PetriNet, places: ReadonlySet<number>): boolean =>
  net.transitions.every(({ take, put }) => !touches(put, places) || touches(take, places));

/** The largest trap that lies inside these places; may be empty. */
export const largestTrap = (net: PetriNet, inside: Iterable<number>): Set<number> =>
  largest(net, inside, ({ take, put }) => ({ from: take, to: put }));

/** The largest siphon that lies inside these places; may be empty. */
export const largestSiphon = (net: PetriNet, inside: Iterable<number>): Set<number> =>
  largest(net, inside, ({ take, put }) => ({ from: put, to: take }));

type Side = PetriTransition['take'];

/** Throws out `from` of every transition that has nothing of `to` left inside, until none is left. */
function largest(
  net: PetriNet,
  inside: Iterable<number>,
  sides: (transition: PetriTransition) => { readonly from: Side; readonly to: Side },
): Set<number> {
  const left = new Set(inside);
  const reaching: number[][] = net.places.map(() => []);
  const missing = net.transitions.map((transition, number) => {
    const inLeft = sides(transition).to.filter(({ place }) => left.has(place));
    for (const { place } of inLeft) reaching[place]!.push(number);
    return inLeft.length;
  });
  const work = missing.flatMap((count, number) => (count === 0 ? [number] : []));
  for (let number = work.pop(); number !== undefined; number = work.pop()) {
    for (const { place } of sides(net.transitions[number]!).from) {
      if (!left.delete(place)) continue;
      for (const other of reaching[place]!) if (--missing[other]! === 0) work.push(other);
    }
  }
  return left;
}

/** Places that can never hold a token: the largest siphon among those that are empty at the start. */
export const neverMarked = (net: PetriNet): Set<number> =>
  largestSiphon(
    net,
    net.places.flatMap(({ initial }, place) => (initial === 0 ? [place] : [])),
  );
