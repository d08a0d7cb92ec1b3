// Our semantics against XState's own: long random runs of every example, for XState 5 and for the alpha of XState 6.

import { expect, test } from 'vitest';
import { createActor, SimulatedClock } from 'xstate';
import { createActor as createActor6, SimulatedClock as SimulatedClock6 } from 'xstate6';
import { Comparison, random, type Version } from './comparison.fuzz.ts';
import { EXAMPLES, type Example } from './machines.fuzz.ts';
import { EXAMPLES6 } from './machines6.fuzz.ts';

const STEPS = Number(process.env['SPILLWAY_FUZZ'] ?? 20);

function walk(examples: readonly Example[], example: Example, version: Version): void {
  const comparison = new Comparison(example, version);
  const pick = random(examples.indexOf(example) + 1);
  for (let n = 0; n < STEPS; n++) {
    if (!comparison.step(pick) || pick(60) === 0) comparison.restart();
  }
}

test.each(EXAMPLES)('$name runs as XState runs it', (example) => {
  walk(EXAMPLES, example, { createActor, SimulatedClock } as never);
});

test.each(EXAMPLES6)('$name runs as XState 6 runs it', (example) => {
  walk(EXAMPLES6, example, { createActor: createActor6, SimulatedClock: SimulatedClock6 } as never);
});

test('thirty machines and more', () => {
  expect(EXAMPLES.length).toBeGreaterThanOrEqual(30);
});
