import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { UNLIMITED } from '../base/budget.ts';
import { greatestSum, isCoveredBy, isInvariant } from './cover-check.ts';
import { coverabilitySet } from './coverability.ts';
import { isBelow, type Marking, OMEGA, type PetriNet } from './net.ts';
import { checkPlan, unroll } from './plan.ts';
import { bruteForce, randomPetriNets } from './random-petri.fuzz.ts';

function complete(net: PetriNet) {
  const outcome = coverabilitySet(net, UNLIMITED);
  if (outcome.kind !== 'complete') throw new Error(`stopped: ${outcome.why}`);
  return outcome.set;
}

const net = (
  initial: readonly number[],
  ...steps: readonly [readonly number[], readonly number[]][]
): PetriNet => ({
  name: 'test',
  places: initial.map((count, place) => ({ name: `p${place}`, initial: count, at: null })),
  transitions: steps.map(([take, put], index) => ({
    name: `t${index}`,
    take: take.flatMap((weight, place) => (weight > 0 ? [{ place, weight }] : [])),
    put: put.flatMap((weight, place) => (weight > 0 ? [{ place, weight }] : [])),
    at: null,
  })),
});

describe('the coverability set', () => {
  test('of a producer and a consumer', () => {
    const { markings } = complete(
      net(
        [1, 0],
        [
          [1, 0],
          [1, 1],
        ],
        [
          [0, 1],
          [0, 0],
        ],
      ),
    );
    expect(markings).toEqual([[1, OMEGA]]);
  });

  test('of tokens made first and moved later: no single loop makes the last place grow', () => {
    // a makes b; a becomes c; c moves b to d.
    const moved = net(
      [1, 0, 0, 0],
      [
        [1, 0, 0, 0],
        [1, 1, 0, 0],
      ],
      [
        [1, 0, 0, 0],
        [0, 0, 1, 0],
      ],
      [
        [0, 1, 1, 0],
        [0, 0, 1, 1],
      ],
    );
    const set = complete(moved);
    const last = set.markings.findIndex((marking) => marking[3] === OMEGA);
    expect(checkPlan(moved, set.plan(last))).toEqual([0, OMEGA, 1, OMEGA]);
    expect(unroll(moved, set.plan(last), [3], 50)!.filter((transition) => transition === 2)).toHaveLength(50);
  });

  test('of a net that counts to the power of two', () => {
    // x → 2y while in p, y → x while in q; p ⇄ q only three times.
    const powers = net(
      [1, 0, 1, 0, 3],
      [
        [1, 0, 1, 0, 0],
        [1, 0, 0, 2, 0],
      ],
      [
        [1, 0, 0, 0, 0],
        [0, 1, 0, 0, 0],
      ],
      [
        [0, 1, 0, 1, 0],
        [0, 1, 1, 0, 0],
      ],
      [
        [0, 1, 0, 0, 1],
        [1, 0, 0, 0, 0],
      ],
    );
    const { markings } = complete(powers);
    expect(greatestSum(markings, [2])).toBe(16);
    expect(greatestSum(markings, [2, 3])).toBe(16);
  });
});

test('agrees with brute force on random nets, and each ω has its plan', () => {
  let finite = 0;
  fc.assert(
    fc.property(randomPetriNets(fc), (random) => {
      const set = complete(random);
      expect(isInvariant(random, set.markings)).toBe(true);
      // Minimal: no marking below another.
      set.markings.forEach((one, i) => {
        set.markings.forEach((other, j) => {
          if (i !== j) expect(isBelow(one, other)).toBe(false);
        });
      });
      const { markings, complete: whole } = bruteForce(random, 400);
      expect(markings.every((marking) => isCoveredBy(set.markings, marking))).toBe(true);
      const isBounded = set.markings.every((marking) => !marking.includes(OMEGA));
      if (isBounded) {
        finite++;
        expect(whole || markings.length > 400).toBe(true);
        // Exactly the maximal reachable markings.
        if (whole)
          for (const marking of set.markings)
            expect(markings.some((one) => isBelow(marking, one))).toBe(true);
      } else expect(whole).toBe(false);
      set.markings.forEach((marking, index) => {
        expect(checkPlan(random, set.plan(index))).toEqual(marking);
        marking.forEach((count, place) => {
          const run = unroll(random, set.plan(index), [place], count === OMEGA ? 7 : count);
          expect(run).not.toBeNull();
          expect(reached(random, run!)[place]).toBeGreaterThanOrEqual(count === OMEGA ? 7 : count);
        });
      });
    }),
    { seed: 15, numRuns: Number(process.env['SPILLWAY_FUZZ'] ?? 80) },
  );
  expect(finite).toBeGreaterThan(5);
});

test('an invariant from which something is missing is refused', () => {
  fc.assert(
    fc.property(randomPetriNets(fc), fc.nat(), fc.nat(), (random, which, where) => {
      const { markings } = complete(random);
      const index = which % markings.length;
      expect(isInvariant(random, markings.toSpliced(index, 1))).toBe(false);
      const place = where % random.places.length;
      const count = markings[index]![place]!;
      if (count === 0) return;
      const less = markings.map((marking, i) =>
        i === index ? marking.with(place, count === OMEGA ? 5 : count - 1) : marking,
      );
      expect(isInvariant(random, less)).toBe(false);
    }),
    { seed: 15, numRuns: Number(process.env['SPILLWAY_FUZZ'] ?? 50) },
  );
});

function reached(random: PetriNet, run: readonly number[]): Marking {
  const counts = random.places.map(({ initial }) => initial);
  for (const number of run) {
    const { take, put } = random.transitions[number]!;
    for (const { place, weight } of take) {
      counts[place]! -= weight;
      expect(counts[place]).toBeGreaterThanOrEqual(0);
    }
    for (const { place, weight } of put) counts[place]! += weight;
  }
  return counts;
}
