import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { SILENT, UNLIMITED } from '../base/budget.ts';
import { randomModels } from '../testing/random-models.ts';
import { randomSemanticsModel, seededPick } from '../testing/random-semantics.ts';
import type { Choice } from './choices.ts';
import type { Model } from './compile.ts';
import type { ConfirmOptions, ConfirmOutcome } from './confirm.ts';
import { confirm } from './confirm.ts';
import { totalLength } from './control.ts';
import { describe as describeRun } from './describe.ts';
import { modelOf } from './model-of.fuzz.ts';
import { applyChoice } from './trail.ts';
import { repeatsForEver } from './words.ts';

const unlimited = (text: string): Model => modelOf(text, { capacity: 'unlimited', processes: 'unlimited' });

function ask(text: string, options: ConfirmOptions = {}, maxStates = 30_000): ConfirmOutcome {
  return confirm(
    unlimited(text),
    { allowNewProcesses: true, ...options },
    { ...UNLIMITED, maxStates },
    SILENT,
  );
}

/** The names of queues that grow, with how much per round, or the exact maxima. */
function answer(text: string, options: ConfirmOptions = {}): string {
  const { loops, exhausted, maxima } = ask(text, options);
  const growing = loops.map(({ growthByName }) =>
    [...growthByName].map(([name, by]) => `${name} +${by}`).join(),
  );
  if (growing.length > 0) return growing.sort().join('; ');
  return exhausted ? [...maxima].map(([name, length]) => `${name} ≤ ${length}`).join('; ') : 'unknown';
}

describe('the word condition', () => {
  test.each([
    [[], ['a'], [], true],
    [[], ['a'], ['a'], true],
    [['b'], ['a'], ['b'], false],
    [['b'], ['a'], [], true],
    [['a'], ['a', 'a'], ['a'], true],
    [['a', 'b'], ['a', 'b', 'a', 'b'], ['a', 'b'], true],
    [['a', 'b'], ['b', 'a'], ['a', 'b'], false],
    [['a'], ['b', 'a', 'b', 'a'], ['a', 'b'], true],
    [['a', 'a', 'a'], ['a'], ['a', 'a'], false],
  ])('%j, %j appended, %j removed: %s', (contents, appended, removed, expected) => {
    expect(repeatsForEver(contents, appended, removed)).toBe(expected);
  });

  test('agrees with taking the letters one by one', () => {
    const word = (max: number) => fc.array(fc.constantFrom('a', 'b'), { maxLength: max });
    fc.assert(
      fc.property(word(4), word(4), word(3), (contents, appended, removed) => {
        let queue = [...contents];
        let goesOn = true;
        for (let round = 0; round < 40 && goesOn; round++) {
          queue = [...queue, ...appended];
          goesOn = removed.every((letter, i) => queue[i] === letter);
          queue = queue.slice(removed.length);
        }
        // Taking all letters after all sends is the most generous order.
        if (repeatsForEver(contents, appended, removed)) expect(goesOn).toBe(true);
        else if (appended.length >= removed.length) expect(goesOn).toBe(false);
      }),
      { seed: 5, numRuns: Number(process.env['SPILLWAY_FUZZ'] ?? 150) },
    );
  });
});

describe('unbounded queues', () => {
  const MESSAGES = 'mtype = { msg0, msg1 }; chan C = [2] of { mtype };\n';

  test('a producer floods its queue', () => {
    expect(answer(`${MESSAGES}active proctype P() { do :: C!msg0 od }`)).toBe('C +1');
  });

  test('started loops flood, a loop that waits for what nobody sends does not', () => {
    expect(answer(`${MESSAGES}active proctype P() { C!msg0; do :: C?msg0; C!msg0; C!msg0 od }`)).toBe('C +1');
    expect(answer(`${MESSAGES}active proctype P() { C!msg0; do :: C?msg1; C!msg0; C!msg0 od }`)).toBe(
      'C ≤ 1',
    );
  });

  test('letters must come in the right order', () => {
    expect(answer(`${MESSAGES}active proctype P() { C!msg0; do :: C?msg0; C!msg1; C!msg0 od }`)).toBe(
      'C ≤ 2',
    );
  });

  test('processes without end: by a loop, by self-creation; mutual creation that stops', () => {
    expect(answer(`${MESSAGES}proctype Q() { C!msg0 } active proctype P() { do :: run Q() od }`)).toBe(
      'C +1',
    );
    expect(answer(`${MESSAGES}active proctype P() { C!msg0; run P() }`)).toBe('C +1');
    const mutual = `${MESSAGES}proctype P() { C!msg0; run Q() } proctype Q() { C?msg1; run R() } proctype R() { C!msg1; run P() }`;
    expect(answer(`${mutual} init { C!msg1; run P() }`)).toBe('C ≤ 3');
  });

  test('process numbers that the model can see forbid leaving processes behind', () => {
    const { loops } = ask(`${MESSAGES}active proctype P() { _nr_pr < 9; C!msg0; run P() }`, {}, 500);
    expect(loops).toEqual([]);
  });

  test('what only works while the queue is short does not repeat', () => {
    const bounded = (guard: string) => `${MESSAGES}active proctype P() { do :: ${guard} -> C!msg0 od }`;
    expect(answer(bounded('len(C) < 3'))).toBe('C ≤ 3');
    expect(answer(bounded('empty(C)'))).toBe('C ≤ 1');
    expect(answer(bounded('!C?[msg0]'))).toBe('C ≤ 1');
    expect(answer(`${MESSAGES}active proctype P() { do :: C?msg0 -> break :: else -> C!msg0 od }`)).toBe(
      'C ≤ 1',
    );
  });

  test('what longer queues only make truer repeats', () => {
    const guarded = (guard: string) =>
      `${MESSAGES}active proctype P() { C!msg0; do :: ${guard} -> C!msg0 od }`;
    for (const guard of ['nempty(C)', 'len(C) > 0', '0 < len(C)', 'nfull(C)', '!(len(C) <= 0)', 'len(C)'])
      expect(answer(guarded(guard)), guard).toBe('C +1');
    expect(ask(guarded('len(C) != 3'), {}, 300).loops).toEqual([]);
    expect(ask(guarded('len(C) % 2'), {}, 300).loops).toEqual([]);
    expect(answer(guarded('nempty(C) && len(C) < 3'))).toBe('C ≤ 3');
  });

  test('a timeout repeats when nobody waits for what grows', () => {
    const beside = (other: string) => `${MESSAGES}chan D = [1] of { mtype };
      active proctype P() { do :: timeout -> C!msg0 od } ${other}`;
    expect(ask(beside(''), { queues: ['C'] }, 300).loops).toHaveLength(1);
    expect(ask(beside('active proctype Q() { D?msg0 }'), { queues: ['C'] }, 300).loops).toHaveLength(1);
    // The second timeout comes only after Q has taken the message.
    const waiting = 'active proctype Q() { byte n; do :: n < 2 -> C?msg0; n++ od }';
    expect(ask(beside(waiting), { queues: ['C'] }, 300).loops).toHaveLength(1);
    expect(
      answer(
        beside('active proctype Q() { C?msg0; false }').replace('do :: timeout', 'do :: timeout && empty(C)'),
      ),
    ).toBe('C ≤ 1; D ≤ 0');
  });

  test('a channel in a variable is the one it holds at that step', () => {
    const station = (guard: string) => `${MESSAGES}chan D = [1] of { mtype };
      proctype P(chan inp, out) { do :: ${guard} -> out!msg0 od }
      init { run P(D, C) }`;
    // One looks at the queue that stays the same, the other at the one that grows.
    expect(ask(station('empty(inp)'), { queues: ['C'] }, 300).loops).toHaveLength(1);
    expect(answer(station('len(out) < 3'))).toBe('C ≤ 3; D ≤ 0');
    expect(answer(station('nempty(inp) || len(out) < 2'))).toBe('C ≤ 2; D ≤ 0');
    // The variable changes within the round.
    const turned = `${MESSAGES}chan D = [1] of { mtype }; chan x;
      active proctype P() { do :: x = D; empty(x); x = C; len(x) < 3; C!msg0 od }`;
    expect(answer(turned)).toBe('C ≤ 3; D ≤ 0');
  });

  test('an atomic sequence that waits gives others their chance only while it waits', () => {
    const text = `${MESSAGES}chan D = [1] of { bit };
      active proctype P() { do :: atomic { C!msg0; D?1; C?msg0 } od }
      active proctype Q() { do :: D!1 od }`;
    expect(ask(text, {}, 2000).loops.map(({ growthByName }) => [...growthByName.keys()].join())).toEqual([
      'D',
    ]);
  });

  test('the run is replayed and described, with its growth', () => {
    const model = unlimited(`${MESSAGES}byte x; active proctype P() { x = 3; do :: C!msg1 od }`);
    const [loop] = confirm(model, {}, UNLIMITED, SILENT).loops;
    const described = describeRun(model, [...loop!.prefix, ...loop!.loop], {
      title: 'C grows',
      loopStart: loop!.prefix.length,
    });
    expect(described.ok).toBe(true);
    expect(described.run.steps.map((step) => step.text)).toEqual(['x = 3', 'C!msg1']);
    expect(described.run.loopStart).toBe(1);
    expect(described.run.steps[0]!.changes).toEqual([{ name: 'x', value: '3' }]);
  });
});

describe('loops without progress', () => {
  const labels: ConfirmOptions = { progress: { kind: 'labels' } };
  const found = (text: string, options = labels) => ask(text, options).loops.length > 0;

  test('labels', () => {
    expect(found('active proctype P() { do :: skip; progress: skip od }')).toBe(false);
    expect(found('active proctype P() { do :: skip :: skip; progress: skip od }')).toBe(true);
  });

  test('growing queues are allowed', () => {
    const text = 'chan q = [1] of { byte }; active proctype P() { do :: q!1 :: q?1; progress: skip od }';
    const { loops } = ask(text, labels);
    expect([...loops[0]!.growthByName]).toEqual([['q', 1]]);
  });

  test('chosen steps', () => {
    const text = 'byte x; active proctype P() { do :: x = 1 - x od } active proctype Q() { do :: skip od }';
    const steps = (proctype: number): ConfirmOptions => ({
      progress: { kind: 'steps', isProgress: (type) => type === proctype },
    });
    expect(found(text, steps(0))).toBe(true);
    expect(found('byte x; active proctype P() { do :: x = 1 - x od }', steps(0))).toBe(false);
  });
});

test('every loop found on random models goes on for many rounds', () => {
  const texts = [
    ...fc.sample(randomModels(), { seed: 11, numRuns: Number(process.env['SPILLWAY_FUZZ'] ?? 12) }),
    ...Array.from({ length: 16 }, (_, seed) => randomSemanticsModel(seededPick(seed + 5000))),
  ];
  let loops = 0;
  for (const text of texts) {
    let model: Model;
    try {
      model = unlimited(text);
    } catch {
      continue; // Not every text is a model.
    }
    for (const loop of confirm(model, {}, { ...UNLIMITED, maxStates: 400 }, SILENT).loops) {
      loops++;
      model.machine.initial();
      const take = (choices: readonly Choice[]): void => {
        for (const choice of choices) if (!applyChoice(model, choice)) expect.fail(text);
      };
      take(loop.prefix);
      const before = totalLength(model);
      for (let round = 0; round < 15; round++) take(loop.loop);
      const gained = [...loop.growth.values()].reduce((sum, by) => sum + by, 0);
      expect(totalLength(model), text).toBe(before + 15 * gained);
    }
  }
  expect(loops).toBeGreaterThan(3);
});
