import fc from 'fast-check';
import { expect, test } from 'vitest';
import { SILENT, UNLIMITED } from '../base/budget.ts';
import { randomModels } from '../testing/random-models.ts';
import { randomSemanticsModel, seededPick } from '../testing/random-semantics.ts';
import { findRun } from '../verdict/find-run.ts';
import type { CompileOptions, Model } from './compile.ts';
import { confirm } from './confirm.ts';
import { modelOf } from './model-of.fuzz.ts';
import { replay } from './replay.ts';
import { simulate } from './simulate.ts';

function tryModel(text: string, options: CompileOptions): Model | null {
  try {
    return modelOf(text, options);
  } catch {
    return null; // Not every random text is a model.
  }
}

test('random runs of random models are replayed to the same description', () => {
  let runs = 0;
  const texts = [
    ...Array.from({ length: 24 }, (_, seed) => randomSemanticsModel(seededPick(seed + 900))),
    ...fc.sample(randomModels(), { seed: 3, numRuns: Number(process.env['SPILLWAY_FUZZ'] ?? 8) }),
  ];
  for (const text of texts) {
    for (const capacity of ['declared', 'unlimited'] as const) {
      const model = tryModel(text, { capacity, processes: capacity === 'unlimited' ? 'unlimited' : 'spin' });
      if (model === null) continue;
      const { run } = simulate(model, runs, 60);
      const again = replay(model, findRun(JSON.parse(JSON.stringify({ evidence: [{ run }] })))!);
      expect(again.failedAt, text).toBe(null);
      expect(again.run.steps, text).toEqual(run.steps);
      runs++;
    }
  }
  expect(runs).toBeGreaterThan(40);
});

test('more global channels than SPIN allows: every step that is possible can be taken', () => {
  const text = `#define N 130
    chan link[N] = [1] of { byte }; chan log[N] = [1] of { byte };
    active [N] proctype node() { byte seen; seen = _pid; log[_pid]!seen; link[_pid]?seen; link[(_pid + 1) % N]!seen }`;
  // Each of them writes its number down, and waits for the one before it.
  expect(simulate(modelOf(text), 3, 3000).run.steps).toHaveLength(260);
});

test('finished processes that die at once change no maximum', () => {
  let compared = 0;
  for (const text of fc.sample(randomModels({ queueTests: true }), {
    seed: 17,
    numRuns: Number(process.env['SPILLWAY_FUZZ'] ?? 10),
  })) {
    const ask = (processes: 'spin' | 'unlimited') => {
      const model = tryModel(text, { capacity: 'unlimited', processes });
      return model === null
        ? null
        : { model, ...confirm(model, {}, { ...UNLIMITED, maxStates: 800 }, SILENT) };
    };
    const ours = ask('unlimited');
    if (ours === null || !ours.model.anyOrderOfDeath || !ours.exhausted) continue;
    const spin = ask('spin')!;
    if (!spin.exhausted) continue;
    compared++;
    expect([...ours.maxima], text).toEqual([...spin.maxima]);
    expect(ours.states).toBeLessThanOrEqual(spin.states);
  }
  expect(compared).toBeGreaterThan(3);
});
