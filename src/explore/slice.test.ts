// The slice for questions about queues: what it leaves out, and that it never has fewer runs.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { SILENT, UNLIMITED } from '../base/budget.ts';
import type { Program } from '../process/program.ts';
import { programOf } from '../promela/testing.ts';
import { randomModels } from '../testing/random-models.ts';
import { compileModel } from './compile.ts';
import { confirm } from './confirm.ts';
import { queueMaxima } from './maxima.ts';
import { search, whyIncomplete } from './search.ts';
import { sliceForQueues } from './slice.ts';

const runs = Number(process.env['SPILLWAY_FUZZ'] ?? 10);
const dropped = (text: string) => [...(sliceForQueues(programOf(text))?.dropped ?? [])].sort();

/** The greatest length of every queue, channels without limit; null without an end within so many states. */
function maximaOf(program: Program, states: number): ReadonlyMap<string, number> | null {
  const model = compileModel(program, { capacity: 'unlimited', processes: 'unlimited' });
  if (!model.ok) return null;
  const outcome = search(model.value, { all: true }, { ...UNLIMITED, maxStates: states }, SILENT);
  return whyIncomplete(outcome) === null ? queueMaxima(model.value) : null;
}

describe('what is left out', () => {
  const head = 'chan q = [1] of { byte, byte };';
  test('a field that is only stored, and what it is computed from', () => {
    expect(
      dropped(`${head} active proctype p() { byte n, d; do :: n < 2 -> d = d + n; q!n,d; n++ od }
        active proctype r() { byte a, b; do :: q?a,b -> if :: a > 0 :: else -> break fi od }`),
    ).toEqual(['b', 'd']);
  });
  test('a choice that comes together again is left open', () => {
    const text = (more: string) => `${head} bool seen;
      active proctype p() { byte a, b; do :: q?a,b; if :: b == 3 -> seen = true ${more} :: else fi od }
      active proctype s() { q!1,2 }`;
    expect(dropped(text(''))).toEqual(['a', 'b', 'seen']);
    expect(dropped(text('; q!1,1'))).toEqual(['a', 'seen']);
    expect(dropped(text('; break'))).toEqual(['a', 'seen']);
  });
  test('a test that may block is kept', () => {
    expect(dropped(`${head} byte x, y; active proctype p() { do :: x++; y++ :: x > 3 -> q!1,2 od }`)).toEqual(
      ['y'],
    );
  });
  test('what is matched, polled, sorted or an index is kept', () => {
    const send = 'active proctype s() { byte x, y; x = 1; y = 2; q!x,y }';
    expect(dropped(`${head} ${send} active proctype p() { q?_,2 }`)).toEqual(['x']);
    expect(dropped(`${head} ${send} active proctype p() { q?[1,_] }`)).toEqual(['y']);
    expect(dropped(`${head} active proctype s() { byte x, y; x = 1; y = 2; q!!x,y }`)).toEqual([]);
    expect(
      dropped(`chan c[2] = [1] of { byte }; active proctype s() { byte x, y; x = 1; y = 1; c[x]!y }`),
    ).toEqual(['y']);
  });
});

test.each(['printf("%d", run p())', 'assert(run p())', 'd = run p()', 'q!d,d; (run p())'])(
  'what starts a process is done: %s',
  (statement) => {
    const text = `chan q = [1] of { byte, byte }; chan r = [1] of { byte }; byte d;
      proctype p() { q!1,1; d++ }
      init { byte x; ${statement}; r?x; x = 0 }`;
    const slice = sliceForQueues(programOf(text))!;
    expect(slice.dropped).toContain('x');
    expect(maximaOf(slice.program, 100)).toEqual(maximaOf(programOf(text), 100));
  },
);

test('random models: the slice’s queues grow at least as long', () => {
  let compared = 0;
  fc.assert(
    fc.property(fc.oneof(randomModels(), randomModels({ wide: true })), (text) => {
      const program = programOf(text);
      const slice = sliceForQueues(program);
      const theirs = slice && maximaOf(slice.program, 6_000);
      if (slice === null || theirs === null) return;
      compared++;
      // Every state of the program that is seen, up to a limit, has no longer queues; and no queue of it grows for ever.
      const model = compileModel(program, { capacity: 'unlimited', processes: 'unlimited' });
      if (!model.ok) return;
      const { loops, maxima } = confirm(model.value, {}, { ...UNLIMITED, maxStates: 4_000 }, SILENT);
      expect(loops).toEqual([]);
      for (const [name, length] of maxima) expect(length, name).toBeLessThanOrEqual(theirs.get(name) ?? 0);
    }),
    { seed: Number(process.env['SPILLWAY_SEED'] ?? 36), numRuns: runs },
  );
  expect(compared).toBeGreaterThan(runs / 20);
});
