import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { UNLIMITED } from '../base/budget.ts';
import { loadSolver } from '../lp/solver.ts';
import { coverBackward } from './backward.ts';
import { type BackwardProof, checkBackwardProof } from './backward-check.ts';
import { isCoveredBy } from './cover-check.ts';
import { coverabilitySet } from './coverability.ts';
import { settleLinearly } from './linear.ts';
import { checkLinearProof, type LinearProof, type ProofNode } from './linear-check.ts';
import { fire, initialMarking, isBelow, isDead, type Marking, type PetriNet } from './net.ts';
import { coverQuestion, deadQuestion } from './question.ts';
import { bruteForce, randomPetriNets } from './random-petri.fuzz.ts';
import { isSiphon, isTrap, largestSiphon, largestTrap, neverMarked } from './traps.ts';

const runs = (count: number) => ({ seed: 15, numRuns: Number(process.env['SPILLWAY_FUZZ'] ?? count) });
const targets = fc.array(fc.nat(2), { minLength: 4, maxLength: 4 });

describe('backward coverability', () => {
  test('agrees with the coverability set, with runs and checked proofs', async () => {
    const solver = await loadSolver();
    const seen = { covered: 0, uncoverable: 0 };
    fc.assert(
      fc.property(randomPetriNets(fc), targets, (net, target) => {
        const outcome = coverBackward(net, [target], solver, UNLIMITED);
        const forward = coverabilitySet(net, UNLIMITED);
        expect(forward.kind).toBe('complete');
        if (outcome.kind === 'stopped') throw new Error('stopped');
        seen[outcome.kind]++;
        expect(outcome.kind === 'covered').toBe(isCoveredBy(forward.set.markings, target));
        if (outcome.kind === 'covered') {
          let marking: Marking = initialMarking(net);
          for (const transition of outcome.run) marking = fire(net.transitions[transition]!, marking)!;
          expect(isBelow(target, marking)).toBe(true);
        } else {
          expect(checkBackwardProof(net, [target], outcome.proof)).toBe(true);
          for (const broken of brokenBackward(outcome.proof)) {
            // What is still accepted must still be a proof of the same: here it is checked from scratch.
            if (checkBackwardProof(net, [target], broken))
              expect(isCoveredBy(forward.set.markings, target)).toBe(false);
          }
        }
      }),
      runs(80),
    );
    expect(Math.min(seen.covered, seen.uncoverable)).toBeGreaterThan(10);
  });
});

/** Every single number changed, every entry left out. */
function* brokenBackward({ basis, potentials }: BackwardProof): Generator<BackwardProof> {
  for (const [index, marking] of basis.entries()) {
    yield { potentials, basis: basis.toSpliced(index, 1) };
    for (const [place, count] of marking.entries())
      for (const other of [count + 1, count - 1])
        yield { potentials, basis: basis.with(index, marking.with(place, other)) };
  }
  for (const [index, weights] of potentials.entries()) {
    yield { basis, potentials: potentials.toSpliced(index, 1) };
    for (const [place, weight] of weights.entries())
      for (const other of [weight + 1n, weight - 1n])
        yield { basis, potentials: potentials.with(index, weights.with(place, other)) };
  }
}

describe('linear proofs', () => {
  test('that no dead marking is reachable agree with brute force', async () => {
    let proved = 0;
    let dead = 0;
    await fc.assert(
      fc.asyncProperty(randomPetriNets(fc, { weight: 2 }), async (net) => {
        const answer = await settleLinearly(net, deadQuestion(net), UNLIMITED, loadSolver);
        const { markings } = bruteForce(net, 300);
        const found = markings.some((marking) => isDead(net, marking));
        if (found) dead++;
        if (answer.kind !== 'impossible') return;
        proved++;
        expect(found).toBe(false);
        for (const broken of brokenLinear(answer.proof))
          if (checkLinearProof(net, deadQuestion(net), broken)) expect(found).toBe(false);
      }),
      runs(60),
    );
    expect(Math.min(proved, dead)).toBeGreaterThan(6);
  });

  test('that a target is never covered agree with the coverability set', async () => {
    let proved = 0;
    await fc.assert(
      fc.asyncProperty(randomPetriNets(fc), targets, async (net, target) => {
        const answer = await settleLinearly(net, coverQuestion(target), UNLIMITED, loadSolver);
        if (answer.kind !== 'impossible') return;
        proved++;
        expect(isCoveredBy(coverabilitySet(net, UNLIMITED).set.markings, target)).toBe(false);
      }),
      runs(60),
    );
    expect(proved).toBeGreaterThan(10);
  });

  test('stay open where an empty siphon is what keeps the target away; the backward search settles it', async () => {
    const net: PetriNet = {
      name: 'siphon',
      places: [1, 0, 0].map((initial, place) => ({ name: `p${place}`, initial, at: null })),
      transitions: [
        {
          name: 'needs both',
          take: [
            { place: 0, weight: 1 },
            { place: 1, weight: 1 },
          ],
          put: [{ place: 1, weight: 2 }],
          at: null,
        },
        {
          name: 'back',
          take: [{ place: 1, weight: 1 }],
          put: [
            { place: 0, weight: 1 },
            { place: 2, weight: 1 },
          ],
          at: null,
        },
      ],
    };
    const answer = await settleLinearly(net, coverQuestion([0, 0, 1]), UNLIMITED, loadSolver);
    expect(answer.kind).toBe('open');
    expect(coverBackward(net, [[0, 0, 1]], await loadSolver(), UNLIMITED).kind).toBe('uncoverable');
    expect(neverMarked(net)).toEqual(new Set([1, 2]));
  });
});

/** Every multiplier changed, every step, atom and trap left out. */
function* brokenLinear(proof: LinearProof): Generator<LinearProof> {
  const { traps, potentials, relaxations, tree } = proof;
  for (const [index, weights] of potentials.entries())
    for (const [number, [place, weight]] of weights.entries())
      for (const other of [weight + 1n, weight - 1n])
        yield { ...proof, potentials: potentials.with(index, weights.with(number, [place, other])) };
  for (const [index, { clause, bounds }] of relaxations.entries()) {
    yield { ...proof, relaxations: relaxations.with(index, { clause: clause + 1, bounds }) };
    for (const which of bounds.keys())
      yield {
        ...proof,
        relaxations: relaxations.with(index, { clause, bounds: bounds.with(which, bounds[which]! + 1) }),
      };
  }
  for (const index of traps.keys()) yield { ...proof, traps: traps.toSpliced(index, 1) };
  for (const node of brokenNodes(tree)) yield { ...proof, tree: node };
}

function* brokenNodes({ steps, leaf }: ProofNode): Generator<ProofNode> {
  for (const [index, step] of steps.entries()) {
    yield { leaf, steps: steps.toSpliced(index, 1) };
    yield { leaf, steps: steps.with(index, { ...step, clause: step.clause + 1 }) };
    for (const [number, one] of step.cases.entries()) {
      if (one === null) continue;
      yield { leaf, steps: steps.with(index, { ...step, cases: step.cases.with(number, null) }) };
      for (const broken of brokenNodes(one))
        yield { leaf, steps: steps.with(index, { ...step, cases: step.cases.with(number, broken) }) };
    }
  }
  if (leaf === null) return;
  for (const part of ['places', 'traps', 'relaxations', 'atoms'] as const)
    for (const [index, [which, multiplier]] of leaf[part].entries()) {
      yield { steps, leaf: { ...leaf, [part]: leaf[part].toSpliced(index, 1) } };
      for (const other of [multiplier + 1n, multiplier - 1n, -multiplier])
        yield { steps, leaf: { ...leaf, [part]: leaf[part].with(index, [which, other]) } };
      yield { steps, leaf: { ...leaf, [part]: leaf[part].with(index, [which + 1, multiplier]) } };
    }
}

test('the largest trap and the largest siphon are what brute force finds', () => {
  fc.assert(
    fc.property(randomPetriNets(fc, { places: 4 }), fc.nat(15), (net, mask) => {
      const inside = [0, 1, 2, 3].filter((place) => (mask >> place) & 1);
      const union = (test: (net: PetriNet, places: ReadonlySet<number>) => boolean): number[] => {
        const found = new Set<number>();
        for (let subset = 1; subset < 16; subset++) {
          const places = inside.filter((place) => (subset >> place) & 1);
          if (test(net, new Set(places))) for (const place of places) found.add(place);
        }
        return [...found].sort();
      };
      expect([...largestTrap(net, inside)].sort()).toEqual(union(isTrap));
      expect([...largestSiphon(net, inside)].sort()).toEqual(union(isSiphon));
    }),
    runs(80),
  );
});
