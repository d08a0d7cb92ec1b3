import { describe, expect, test } from 'vitest';
import { SILENT, UNLIMITED } from '../base/budget.ts';
import { describe as describeRun } from './describe.ts';
import { FAULT } from './faults.ts';
import { modelOf } from './model-of.fuzz.ts';
import type { SearchOptions, SearchOutcome } from './search.ts';
import { search, whyIncomplete } from './search.ts';
import { StateStore } from './store.ts';
import { trailOf } from './trail.ts';

const explore = (text: string, options: SearchOptions = {}, maxStates = 100_000): SearchOutcome =>
  search(
    modelOf(text),
    { endStates: true, assertions: true, ...options },
    { ...UNLIMITED, maxStates },
    SILENT,
  );

describe('what the search finds', () => {
  test('an invalid end state, by the shortest run', () => {
    const model = modelOf(`chan a = [0] of { bit }; chan b = [0] of { bit };
      active proctype P() { do :: skip :: break od; a!1; b?1 }
      active proctype Q() { b!1; a?1 }`);
    const { violations, space } = search(model, { endStates: true }, UNLIMITED, SILENT);
    expect(violations).toMatchObject([{ kind: 'invalid-end-state' }]);
    const { run } = describeRun(model, trailOf(space, violations[0]!), { title: 'deadlock' });
    expect(run.steps.map((step) => step.text)).toEqual(['break']);
  });

  test('more processes than there can be: nothing was looked at, so nothing is known', () => {
    const outcome = explore('active [200] proctype P() { skip } active [200] proctype Q() { skip }');
    expect([outcome.states, whyIncomplete(outcome)]).toEqual([0, 'process-limit']);
  });

  test('an invalid end state behind more failing assertions than are kept', () => {
    const text =
      'byte n; active proctype P() { do :: n < 150 -> n++; assert(n > 200) :: else -> break od; false }';
    const { violations, stopped } = explore(text, { each: true });
    expect([stopped, violations.at(-1)?.kind]).toEqual([true, 'invalid-end-state']);
  });

  test('end labels make waiting valid', () => {
    expect(explore('chan a = [0] of { bit }; active proctype P() { end: a?1 }').violations).toEqual([]);
  });

  test('a violated assertion: the failing step is the last', () => {
    const model = modelOf('byte x; active proctype P() { x++; x++; assert(x < 2) }');
    const { violations, space } = search(model, { assertions: true }, UNLIMITED, SILENT);
    const choices = trailOf(space, violations[0]!);
    const { run } = describeRun(model, choices, { title: '', failing: true });
    expect(run.steps.map((step) => step.text)).toEqual(['x++', 'x++', 'assert(x < 2)']);
  });

  test.each([
    ['byte a[2]; byte i = 2; active proctype P() { a[i] = 1 }', FAULT.index],
    ['byte i; active proctype P() { i = 1 / i }', FAULT.division],
    ['byte i; active proctype P() { i = 1 % i }', FAULT.division],
    ['chan c; chan d = [1] of { byte }; active proctype P() { c!1 }', FAULT.uninitialisedChannel],
    ['chan r = [0] of { byte }; active proctype P() { d_step { skip; r!1 } }', FAULT.dstepRendezvous],
    ['byte x; active proctype P() { d_step { x = 1; x == 2 } }', FAULT.dstepBlocks],
  ])('%s', (text, fault) => {
    const { violations, cutBy } = explore(text);
    expect(violations[0]).toMatchObject({ kind: 'runtime-error', fault });
    expect(cutBy).toBe(fault);
  });

  test.each([
    ['active proctype P() { run P() }', FAULT.tooManyProcesses, 'process-limit'],
    [
      'proctype W() { chan c[20] = [1] of { bit }; false } init { do :: run W() od }',
      FAULT.tooManyChannels,
      'process-limit',
    ],
    [
      'byte x; active proctype P() { d_step { do :: x == 300 -> break :: else -> x++ od } }',
      FAULT.dstepEndless,
      'process-limit',
    ],
    ['byte i; active proctype P() { i = 1 / i }', FAULT.division, 'runtime-error'],
  ])('%s: where a limit or an error ends a path, not everything was seen', (text, fault, reason) => {
    const outcome = explore(text, { assertions: false, endStates: false });
    expect(outcome.violations).toEqual([]);
    expect(outcome.cutBy).toBe(fault);
    expect(whyIncomplete(outcome)).toBe(reason);
  });

  test.each([
    ['chan c = [1] of { byte, byte }; active proctype P() { c!1; c?_,_ }', FAULT.sendFields],
    [
      'chan c = [1] of { byte }; chan d = [1] of { bit, bit }; active proctype P() { c!1,2; c?_ }',
      FAULT.sendFields,
    ],
    ['chan c = [1] of { byte, byte }; byte x; active proctype P() { c!1,2; c?x }', FAULT.receiveFields],
    ['chan c = [0] of { byte }; active proctype P() { !c?[1] }', FAULT.pollRendezvous],
  ])('%s: reported, and passed as pan -c0 does', (text, fault) => {
    const outcome = explore(text, { all: true });
    expect(outcome.violations).toMatchObject([{ kind: 'runtime-error', fault }]);
    expect(whyIncomplete(outcome)).toBe(null);
  });

  test('limits are told apart and never hidden', () => {
    const endless = 'int x; active proctype P() { do :: x++ od }';
    expect(explore(endless, {}, 50).limit).toBe('state-limit');
    const model = modelOf(endless);
    const run = (budget: object) => search(model, {}, { ...UNLIMITED, ...budget }, SILENT).limit;
    expect(run({ timeLeft: () => false })).toBe('time-limit');
    expect(run({ maxMemory: 1 << 23 })).toBe('memory-limit');
  });

  test('depth first sees the same states', () => {
    const text = 'byte x, y; active proctype P() { do :: x < 9 -> x++ :: y < 9 -> y++ od }';
    const count = (order: 'depth' | 'breadth') => {
      const { states, transitions } = explore(text, { order, all: true });
      return { states, transitions };
    };
    expect(count('depth')).toEqual(count('breadth'));
  });

  test('loops inside atomic end, however they branch', () => {
    const { states, limit } = explore(
      'byte x; active proctype P() { atomic { do :: x = (x + 1) % 100 :: x = 0 od } }',
    );
    expect({ states, limit }).toEqual({ states: 1, limit: null });
  });

  test('embedded C is refused, with the place', () => {
    expect(() => modelOf('active proctype P() { c_code { x = 1; } }')).toThrow('embedded C');
  });
});

describe('options SPIN has or has not', () => {
  const text = 'chan q = [1] of { byte }; active proctype P() { q!1; q!2; q!3 }';

  test('messages to a full channel are lost (spin -m)', () => {
    expect(explore(text).violations).toHaveLength(1);
    const lossy = search(modelOf(text, { loseMessages: true }), { endStates: true }, UNLIMITED, SILENT);
    expect(lossy.violations).toEqual([]);
  });

  test('unlimited capacity: queues far longer than anything reserved are kept apart', () => {
    const model = modelOf(
      'chan q = [1] of { int, int, int, int }; active proctype P() { do :: q!1,2,3,4 od }',
      {
        capacity: 'unlimited',
      },
    );
    const { limit, states } = search(model, {}, { ...UNLIMITED, maxStates: 1500 }, SILENT);
    expect(limit).toBe('state-limit');
    expect(states).toBeGreaterThanOrEqual(1500);
    expect(model.machine.peaks()[0]).toBeGreaterThanOrEqual(1499);
  });
});

test('the store tells states apart and finds them again', () => {
  const store = new StateStore();
  const words = (i: number) => new Int32Array([i % 7, i, -i, ...Array(i % 5).fill(i)]);
  // An expectation for each would take most of the time.
  const places = Array.from({ length: 20_000 }, (_, i) => store.add(words(i), words(i).length));
  expect(places.every((place, i) => place === i)).toBe(true);
  for (let i = 0; i < 20_000; i += 37) {
    expect(store.add(words(i), words(i).length)).toBe(i);
    expect(store.wasNew).toBe(false);
  }
  const large = new Int32Array(3_000_000).fill(5);
  expect(store.add(large, large.length)).toBe(20_000);
  expect(store.add(words(30_000), words(30_000).length)).toBe(20_001);
  expect(store.add(large, large.length)).toBe(20_000);
});
