// Several orders of one search: what each of them may take, and when its findings are told.

import { describe, expect, test } from 'vitest';
import { type Budget, SILENT, UNLIMITED } from '../base/budget.ts';
import type { SafetyOutcome } from './found.ts';
import { modelOf } from './model-of.fuzz.ts';
import { searchSafety } from './safety.ts';
import { search } from './search.ts';

const GOALS = { endStates: true, assertions: true, reduce: true } as const;

/** 241² states of one process that makes its own choices, beside others that go their way. */
const WIDE = `
active proctype A() { byte x, y; end: do :: d_step { x < 240 -> x++ } :: d_step { y < 240 -> y++ } od }
active [3] proctype B() { byte z; end: do :: d_step { z < 100 -> z++ } od }`;

/** Deadlocks where both hold one fork and nothing is left to count, beyond the first look. */
const STUCK = `
byte left = 1, right = 1;
active proctype A() { d_step { left == 1 -> left = 0 } d_step { right == 1 -> right = 0 } left = 1; right = 1 }
active proctype B() { d_step { right == 1 -> right = 0 } d_step { left == 1 -> left = 0 } left = 1; right = 1 }
active proctype C() { byte x, y; end: do :: d_step { x < 120 -> x++ } :: d_step { y < 120 -> y++ } od }`;

describe('limits on memory', () => {
  const megabyte = 1 << 20;
  const limited = (megabytes: number, further: Partial<Budget> = {}): Budget => ({
    ...UNLIMITED,
    maxMemory: megabytes * megabyte,
    ...further,
  });

  test('a look in full that meets it is followed by the reduced search', () => {
    const { search: last, stuck } = searchSafety(modelOf(WIDE), GOALS, limited(24), SILENT);
    expect(last).toMatchObject({ limit: null, reduced: true });
    expect(stuck).toBeNull();
    expect(last.bytes).toBeLessThan(24 * megabyte);
  });

  test.each([[8], [16]])('%d megabytes are not exceeded by more than a tenth', (megabytes) => {
    for (const graph of [false, true]) {
      const { limit, bytes } = search(modelOf(WIDE), { endStates: true, graph }, limited(megabytes), SILENT);
      expect(limit).toBe('memory-limit');
      expect(bytes).toBeLessThan(1.1 * megabytes * megabyte);
    }
  });

  test('what else the process takes counts from half of it on', () => {
    let asked = 0;
    const isMemoryOver = (): boolean => ++asked >= 1;
    const { limit, bytes } = search(
      modelOf(WIDE),
      { endStates: true },
      limited(32, { isMemoryOver }),
      SILENT,
    );
    expect(limit).toBe('memory-limit');
    expect(asked).toBe(1);
    expect(bytes).toBeGreaterThan(15 * megabyte);
    expect(bytes).toBeLessThan(24 * megabyte);
  });
});

test('a deadlock is told while the search for other errors goes on, and not looked for again', () => {
  const told: SafetyOutcome[] = [];
  const tell = (outcome: SafetyOutcome): void => void told.push(outcome);
  const outcome = searchSafety(modelOf(STUCK), { ...GOALS, reduce: false }, UNLIMITED, SILENT, tell);
  expect(told).toHaveLength(1);
  expect(told[0]!.failure).toBeNull();
  expect(outcome.stuck?.choices).toEqual(told[0]!.stuck!.choices);
  expect(outcome.failure).toBeNull();
  expect(outcome.search).toMatchObject({ limit: null, violationCount: 0 });
});
