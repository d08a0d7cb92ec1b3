// Symmetry: the states that a search with it keeps are those of the full search up to the order of like processes, no more and no fewer; it finds the
// same deadlocks and errors; and what it finds is a run of the model.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { SILENT, UNLIMITED } from '../../base/budget.ts';
import { randomConcurrentModel } from '../../testing/random-concurrency.ts';
import { randomModels } from '../../testing/random-models.ts';
import { randomSemanticsModel, seededPick } from '../../testing/random-semantics.ts';
import { randomTwinsModel } from '../../testing/random-twins.ts';
import { withTwins } from '../../testing/twins.ts';
import type { Model } from '../compile.ts';
import { modelOf } from '../model-of.fuzz.ts';
import { replays } from '../replays.fuzz.ts';
import { searchSafety } from '../safety.ts';
import { type SearchOutcome, search } from '../search.ts';
import { immortalModel } from './immortal.ts';
import { plainTrail, symmetricModel } from './symmetry.ts';

const COUNT = Math.max(10, Number(process.env['SPILLWAY_FUZZ'] ?? 0));
const SEED = Number(process.env['SPILLWAY_SEED'] ?? 0);
const MOST = { ...UNLIMITED, maxStates: 20_000 };

function randomModel(i: number): string {
  if (i % 4 === 3) return randomTwinsModel(seededPick(SEED + i), { numbers: false });
  const text =
    i % 3 === 0
      ? fc.sample(randomModels({ wild: i % 2 === 0 }), { numRuns: 1, seed: SEED + i })[0]!
      : i % 3 === 1
        ? randomSemanticsModel(seededPick(SEED + i))
        : randomConcurrentModel(seededPick(SEED + i));
  return withTwins(text);
}

function modelsOf(text: string): { plain: Model; symmetric: Model; model: Model } | null {
  try {
    const model = modelOf(text);
    const plain = immortalModel(model);
    const symmetric = plain && symmetricModel(plain);
    return plain && symmetric && { plain, symmetric, model };
  } catch {
    return null;
  }
}

const kindsOf = ({ violations }: SearchOutcome): string[] =>
  [...new Set(violations.map(({ kind, fault }) => `${kind} ${fault}`))].sort();

describe('symmetry', () => {
  test(`${COUNT} random models`, { timeout: 3_600_000 }, () => {
    let compared = 0;
    let smaller = 0;
    const goals = { endStates: true, assertions: true, all: true, keep: Number.POSITIVE_INFINITY };
    for (let i = 0; i < COUNT; i++) {
      const text = randomModel(i);
      const models = modelsOf(text);
      if (models === null) continue;
      const { plain, symmetric } = models;
      const full = search(plain, goals, MOST, SILENT);
      if (full.limit !== null) continue;
      const less = search(symmetric, goals, MOST, SILENT);
      expect(less.limit, text).toBeNull();
      // States inside long atomic sequences are stored in the order of their processes.
      if (!full.heldControl) expect(less.space.store.count, text).toBe(statesUpToOrder(full, symmetric));
      expect(kindsOf(less), text).toEqual(kindsOf(full));
      for (const violation of [...less.violations.slice(0, 10), ...less.violations.slice(-10)]) {
        const choices = plainTrail(plain, less.space, violation);
        expect(replays(plain, choices, violation), text).toBe(true);
      }
      compared++;
      if (less.states < full.states) smaller++;
    }
    if (COUNT > 20) console.log({ compared, smaller });
    expect(compared).toBeGreaterThan(COUNT / 10);
    expect(smaller).toBeGreaterThan(COUNT / 20);
  });

  const workers = (count: number, body: string) => `
    byte busy; chan jobs = [2] of { byte }; chan done = [2] of { byte };
    active [${count}] proctype Worker() { byte job; do :: jobs?job -> busy++; job = job + 1; ${body} busy--; done!job od }
    active proctype Boss() { byte n; do :: n < 6 -> jobs!n; n++ :: done?_ od }`;

  test('of a pool of workers hardly more counts than how many are where', () => {
    const { plain, symmetric, model } = modelsOf(workers(3, ''))!;
    const full = search(plain, { all: true }, UNLIMITED, SILENT);
    const less = search(symmetric, { all: true }, UNLIMITED, SILENT);
    expect([full.symmetric, less.symmetric]).toEqual([false, true]);
    expect(full.states).toBeGreaterThan(4 * less.states);
    // Both reductions together, and none.
    const both = searchSafety(model, { endStates: true, reduce: true }, UNLIMITED, SILENT);
    const none = searchSafety(model, { endStates: true, reduce: false }, UNLIMITED, SILENT);
    expect([both.search.symmetric, none.search.symmetric]).toEqual([true, false]);
    expect(both.stuck === null).toBe(none.stuck === null);
  });

  test('an error that needs three of them at once is found, and its run is one of the model', () => {
    const model = modelOf(workers(4, 'assert(busy < 3);'));
    const { failure, search: last } = searchSafety(
      model,
      { assertions: true, reduce: true },
      UNLIMITED,
      SILENT,
    );
    expect(last.symmetric).toBe(true);
    expect(failure?.kind).toBe('assertion');
  });

  /** Longer than what a search passes in one go: states inside are stored as they are, in the order of their processes. */
  test.each([
    [1, 2, 3],
    [2, 3, 1],
    [3, 2, 1],
  ])('an error at the end of a long atomic sequence, by the one that holds %d, %d, %d', (...holds) => {
    for (const failing of holds) {
      const model = modelOf(`byte g, t[3]; proctype P() { byte x; short i; d_step { x = t[g]; g++ }
        atomic { g == 3 && x == ${failing} -> do :: i < 700 -> i++ :: else -> break od; g++; assert(x == 0) } }
        init { t[0] = ${holds[0]}; t[1] = ${holds[1]}; t[2] = ${holds[2]}; run P(); run P(); run P() }`);
      const goals = { assertions: true, endStates: true, reduce: true };
      const { failure, stuck, search: last } = searchSafety(model, goals, UNLIMITED, SILENT);
      expect([last.symmetric, failure?.kind, stuck?.kind]).toEqual([true, 'assertion', 'invalid-end-state']);
    }
  });

  test.each([
    ['a number is looked at', 'byte x; active [3] proctype P() { x = _pid; assert(x < 3) }'],
    [
      'another one is looked at',
      'active [2] proctype P() { skip; there: skip } active proctype Q() { P[0]@there -> skip }',
    ],
    ['it has a channel of its own', 'active [3] proctype P() { chan c = [1] of { byte }; c!1; c?_ }'],
    ['there is one of each', 'active proctype P() { run Q() } proctype Q() { skip }'],
  ])('not where %s', (_, text) => {
    const plain = immortalModel(modelOf(text));
    expect(plain && symmetricModel(plain)).toBeNull();
  });
});

/** How many states of the search are different ones up to the order of like processes. */
function statesUpToOrder({ space }: SearchOutcome, { machine }: Model): number {
  const seen = new Set<string>();
  for (let state = 0; state < space.store.count; state++) {
    space.store.loadInto(machine, state);
    seen.add(Array.from(machine.copy()).join());
  }
  return seen.size;
}

test('a run through a sequence without end is found again, whoever else moves', () => {
  const model =
    modelOf(`chan own[3] = [1] of { byte }; chan q = [2] of { byte }; chan r = [0] of { byte }; byte a[3], g;
    proctype P(byte i; chan w) { byte x; skip;
      atomic { do :: skip; g = (g + 1) % 3 :: a[0] != 1 -> break od };
      { x = (x + 1) % 3 } unless { own[x % 3]??1; run C(x) };
      x = 2 / g; q?1; own[i]!0 }
    proctype C(byte i) { byte x; if :: i < 3 -> a[x] = 1 :: else fi }
    init { chan m = [1] of { byte }; atomic { run P(0, own[0]); run P(1, m); run P(2, r) }; m!1 }`);
  const { failure } = searchSafety(
    model,
    { endStates: true, assertions: true, reduce: true },
    UNLIMITED,
    SILENT,
  );
  expect(failure?.kind).toBe('runtime-error');
});
