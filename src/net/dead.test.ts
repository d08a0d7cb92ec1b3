// Freedom from deadlock without a state space, against the search through all states.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { SILENT, UNLIMITED } from '../base/budget.ts';
import { compileModel } from '../explore/compile.ts';
import { search } from '../explore/search.ts';
import { loadSolver } from '../lp/solver.ts';
import { settleLinearly } from '../petri/linear.ts';
import { programOf } from '../promela/testing.ts';
import { randomModels } from '../testing/random-models.ts';
import { buildNet } from './build.ts';
import { programDeadQuestion } from './dead.ts';
import { plainNet } from './petri.ts';

async function linearly(text: string, unfold: 'auto' | 'all' = 'auto') {
  const abstraction = buildNet(programOf(text), { capacities: 'any', unfold });
  if (abstraction.unknowns.length > 0) return null;
  const plain = plainNet(abstraction.net, { capacities: 'declared' });
  const question = programDeadQuestion(abstraction.net, plain, abstraction.offers());
  return settleLinearly(plain.petri, question, UNLIMITED, loadSolver, { groups: plain.groups, maxNodes: 60 });
}

/** Null when the search cannot tell. */
function hasDeadlock(text: string): boolean | null {
  const model = compileModel(programOf(text), { capacity: 'declared' });
  if (!model.ok) return null;
  const outcome = search(model.value, { endStates: true }, { ...UNLIMITED, maxStates: 20_000 }, SILENT);
  const [violation] = outcome.violations;
  if (violation !== undefined) return violation.kind === 'invalid-end-state' ? true : null;
  return outcome.limit === null ? false : null;
}

const ring = (processes: number): string => `
  chan link[${processes}] = [1] of { bit };
  proctype station(chan left, right) { left!1; do :: right?1 -> left!1 od }
  proctype other(chan left, right) { do :: right?1 -> left!1 od }
  init { atomic { run station(link[0], link[${processes - 1}]);
    ${Array.from({ length: processes - 1 }, (_, i) => `run other(link[${i + 1}], link[${i}])`).join('; ')} } }`;

describe('a ring', () => {
  test('with one token never stops', async () => {
    expect(hasDeadlock(ring(4))).toBe(false);
    expect((await linearly(ring(4)))?.kind).toBe('impossible');
  });

  test('without a token does', async () => {
    const silent = ring(4).replace('left!1; do', 'do');
    expect(hasDeadlock(silent)).toBe(true);
    expect((await linearly(silent))?.kind).toBe('open');
  });
});

test.each([
  [
    'philosophers who all take the left fork first',
    true,
    `
    chan fork[3] = [1] of { bit };
    active [3] proctype philosopher() {
      fork[_pid]!1; do :: fork[_pid]?1; fork[(_pid + 1) % 3]?1; fork[_pid]!1; fork[(_pid + 1) % 3]!1 od }`,
  ],
  [
    'a lock in a shared variable',
    false,
    `
    bool free = true;
    active [2] proctype p() { do :: atomic { free -> free = false }; free = true od }`,
  ],
  [
    'a handshake of two',
    false,
    `
    chan r = [0] of { bit };
    active proctype a() { do :: r!1 od } active proctype b() { do :: r?1 od }`,
  ],
  [
    'a handshake with the wrong message',
    true,
    `
    chan r = [0] of { bit };
    active proctype a() { do :: r!1 od } active proctype b() { do :: r?0 od }`,
  ],
  [
    'requests and answers through queues that fill up',
    true,
    `
    chan to = [1] of { bit }; chan back = [1] of { bit };
    active proctype a() { do :: to!1; to!1; back?1; back?1 od } active proctype b() { do :: to?1; back!1; back!1; to?1; to?1 od }`,
  ],
  [
    'a window of two',
    false,
    `
    chan data = [2] of { bit }; chan ack = [2] of { bit };
    active proctype a() { data!1; data!0; do :: ack?1; data!1 od }
    active proctype b() { do :: data?_; ack!1 od }`,
  ],
] as const)('%s', async (_, deadlock, text) => {
  expect(hasDeadlock(text)).toBe(deadlock);
  const answer = await linearly(text);
  if (deadlock) expect(answer?.kind).toBe('open');
  else expect(answer?.kind).toBe('impossible');
});

test('nothing is proved that the search refutes', async () => {
  let proved = 0;
  let dead = 0;
  for (const [features, unfold] of [
    [{}, 'auto'],
    [{ wide: true }, 'auto'],
    [{ wild: true }, 'all'],
  ] as const)
    await fc.assert(
      fc.asyncProperty(randomModels(features), async (text) => {
        const real = hasDeadlock(text);
        if (real === null) return;
        if (real) dead++;
        const answer = await linearly(text, unfold);
        if (answer?.kind !== 'impossible') return;
        proved++;
        expect(real).toBe(false);
      }),
      { seed: 15, numRuns: Number(process.env['SPILLWAY_FUZZ'] ?? 16) },
    );
  expect(proved).toBeGreaterThan(2);
  expect(dead).toBeGreaterThan(5);
});
