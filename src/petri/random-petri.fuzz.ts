// Random small nets for property tests, and brute force over their markings. Shrinks well.

import type { Arbitrary, default as FastCheck } from 'fast-check';
import { fire, initialMarking, type Marking, type PetriNet } from './net.ts';

export interface RandomPetriOptions {
  readonly places?: number;
  readonly transitions?: number;
  readonly weight?: number;
}

export function randomPetriNets(fc: typeof FastCheck, options: RandomPetriOptions = {}): Arbitrary<PetriNet> {
  const { places = 4, transitions = 4, weight = 2 } = options;
  const arcs = fc.uniqueArray(
    fc.record({
      place: fc.nat(places - 1),
      weight: fc.oneof(fc.constant(1), fc.integer({ min: 1, max: weight })),
    }),
    { maxLength: 2, selector: ({ place }) => place },
  );
  return fc
    .record({
      initial: fc.array(fc.nat(2), { minLength: places, maxLength: places }),
      steps: fc.array(fc.record({ take: arcs, put: arcs }), { minLength: 1, maxLength: transitions }),
    })
    .map(({ initial, steps }) => ({
      name: 'random',
      places: initial.map((count, place) => ({ name: `p${place}`, initial: count, at: null })),
      transitions: steps.map(({ take, put }, index) => ({ name: `t${index}`, take, put, at: null })),
    }));
}

export interface BruteForce {
  readonly markings: readonly Marking[];
  /** Every reachable marking was seen. */
  readonly complete: boolean;
}

export function bruteForce(net: PetriNet, most: number): BruteForce {
  const seen = new Map<string, Marking>();
  const work: Marking[] = [];
  const add = (marking: Marking): void => {
    const key = marking.join();
    if (seen.has(key)) return;
    seen.set(key, marking);
    work.push(marking);
  };
  add(initialMarking(net));
  for (let index = 0; index < work.length; index++) {
    if (seen.size > most) return { markings: [...seen.values()], complete: false };
    for (const transition of net.transitions) {
      const after = fire(transition, work[index]!);
      if (after !== null) add(after);
    }
  }
  return { markings: [...seen.values()], complete: true };
}
