// The induction against the concrete semantics, over random protocols and formulas: it must never accept a formula that a run leaves, or
// that some state satisfies whose successor does not.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { UNLIMITED } from '../base/budget.ts';
import { explore, objection, randomNumbers, walk } from './concrete/explore.ts';
import type { GlobalState } from './concrete/state.ts';
import { satisfying, showState } from './concrete/state.ts';
import { enabledSteps, unsafety } from './concrete/step.ts';
import { evenGrains } from './infer/grain.ts';
import { inferInvariant } from './infer/infer.ts';
import type { Model } from './model.ts';
import { showModel } from './report/print.ts';
import { prepare } from './safety/formula.ts';
import { anyProtocols, LIMIT, runs, seed } from './testing/protocols.ts';
import { coarseFormula, mutate, mutation, statesOf } from './testing/random.ts';
import { induct, modelOf } from './testing/testing.ts';

let accepted = 0;
let refused = 0;
let examples = 0;
let unexplained = 0;
/** States of accepted formulas that were drawn at random. */
let unreachable = 0;

async function judge(model: Model): Promise<boolean> {
  const { protocol, invariant } = model;
  const { failures } = await induct(model, 3);
  const formula = prepare(protocol, invariant);
  if (failures.length > 0) {
    refused++;
    for (const failure of failures) {
      const has = failure.kind === 'initial' ? failure.state !== null : failure.example !== null;
      if (has) examples++;
      else unexplained++;
    }
    return false;
  }
  accepted++;
  const examine = (state: GlobalState) => objection(protocol, formula, state);
  const found =
    explore(protocol, 250, examine).found ?? walk(protocol, { seed: 3, walks: 6, length: 25 }, examine);
  expect(found, `accepted, but violated:\n${showModel(model, 'as written')}`).toBeNull();
  // Not only reachable states: every state of the formula is safe and stays inside.
  const random = randomNumbers(seed + 5);
  for (const disjunct of invariant) {
    for (const state of await statesOf(formula, disjunct, random, 12)) {
      unreachable++;
      const shown = `${showState(protocol, state)}\n${showModel(model, 'as written')}`;
      expect(satisfying(protocol.definitions, [disjunct], state), shown).toEqual([0]);
      expect(unsafety(protocol, state), shown).toBeNull();
      for (const { next } of enabledSteps(protocol, state).steps)
        expect(satisfying(protocol.definitions, invariant, next).length, shown).toBeGreaterThan(0);
    }
  }
  return true;
}

describe('soundness', () => {
  test(
    'neither with formulas that leave open what is in the channels',
    async () => {
      let kept = 0;
      let atoms = 0;
      await fc.assert(
        fc.asyncProperty(
          anyProtocols,
          fc.array(fc.nat(100_000), { minLength: 1, maxLength: 4 }),
          async (text, picks) => {
            const model = modelOf(text);
            const { states } = explore(model.protocol, 150, () => null);
            const invariant = coarseFormula(model, picks, states);
            if (!(await judge({ ...model, invariant }))) return;
            kept++;
            for (const { predicates, relations } of invariant) atoms += predicates.length + relations.length;
          },
        ),
        { seed: seed + 15, numRuns: 4 * runs },
      );
      expect(kept).toBeGreaterThan(runs / 10);
      expect(atoms).toBeGreaterThan(kept);
    },
    LIMIT,
  );

  test(
    'what the induction accepts, no run leaves',
    async () => {
      await fc.assert(
        fc.asyncProperty(
          anyProtocols,
          fc.array(mutation, { maxLength: 3 }),
          fc.boolean(),
          async (text, mutations, fine) => {
            const model = modelOf(text);
            const invariant = inferInvariant(model.protocol, UNLIMITED, evenGrains(model.protocol, fine));
            await judge(mutations.reduce(mutate, { ...model, invariant }));
          },
        ),
        { seed: seed + 11, numRuns: runs },
      );
      // The test would be worthless if nothing were accepted, or nothing refused.
      expect(accepted).toBeGreaterThan(runs / 10);
      expect(refused).toBeGreaterThan(runs / 10);
      expect(unreachable).toBeGreaterThan(2 * runs);
      // Most refusals come with an example.
      expect(examples).toBeGreaterThan(4 * unexplained);
    },
    LIMIT,
  );
});
