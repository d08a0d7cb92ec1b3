import fc from 'fast-check';
import { expect, test } from 'vitest';
import { SILENT, UNLIMITED } from '../base/budget.ts';
import { loadCorpus } from '../kripke/corpus.fuzz.ts';
import { build, naiveProduct, recipes } from '../kripke/random.fuzz.ts';
import { isPath } from '../kripke/replay.ts';
import { STRATEGIES } from '../kripke/strategies.ts';
import { compose, isDeadlock } from '../kripke/system.ts';
import { loadSolver } from '../lp/solver.ts';
import { checkDeadlock } from './deadlock.ts';
import { auditDeadlock, toDocument } from './document.ts';
import { settleLinear } from './linear.ts';
import { checkProof } from './proof.ts';

const RUNS = Number(process.env['SPILLWAY_FUZZ'] ?? 50);

test('random compositions: every strategy agrees with the naive product', {
  timeout: 3_600_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(recipes(4, 4), async (all) => {
      const { states } = naiveProduct(all);
      const expected = states.some(({ next }) => next.length === 0) ? 'deadlock' : 'free';
      const system = compose(build(all));
      for (const strategy of STRATEGIES) {
        const answer = await checkDeadlock(system, strategy, UNLIMITED, SILENT);
        if (strategy === 'linear' && answer.kind === 'unknown') continue;
        expect(`${strategy} ${answer.kind}`).toBe(`${strategy} ${expected}`);
        if (answer.kind !== 'deadlock') continue;
        const last = answer.path.states.at(-1)!;
        expect(isPath(system, answer.path) && isDeadlock(system, last)).toBe(true);
        const found = states.find((state) => state.states.join() === [...last].join());
        expect(found?.next).toEqual([]);
      }
    }),
    { numRuns: RUNS, seed: 20261 },
  );
});

test('linear proofs survive their way through a document, and prove nothing of a system that deadlocks', {
  timeout: 3_600_000,
}, async () => {
  let farkas = 0;
  let spoilt = 0;
  await fc.assert(
    fc.asyncProperty(
      recipes(6, 3, 8, 3),
      fc.constantFrom(0, 2, 4),
      fc.boolean(),
      async (all, width, grouped) => {
        const system = compose(build(all));
        const expected = naiveProduct(all).states.some(({ next }) => next.length === 0) ? 'deadlock' : 'free';
        const result = await settleLinear(system, UNLIMITED, loadSolver, undefined, { width, grouped });
        if (result.kind !== 'open') expect(result.kind).toBe(expected);
        const blocks = system.participants.filter(({ length }) => length > 1 && length <= 4);
        if (expected === 'deadlock')
          expect(checkProof(system, { blocks, tree: { kind: 'empty' } })).toBe(false);
        if (result.kind !== 'free') return;
        const document = JSON.parse(JSON.stringify(toDocument(system, result.proof)));
        expect(auditDeadlock(system, document)).toBeNull();
        // With an edge less the system may get stuck: then the same proof must not pass.
        for (const [index, { edges }] of all.entries()) {
          const fewer = all.with(index, { ...all[index]!, edges: edges.slice(1) });
          if (!naiveProduct(fewer).states.some(({ next }) => next.length === 0)) continue;
          spoilt++;
          expect(checkProof(compose(build(fewer)), result.proof)).toBe(false);
        }
        if (JSON.stringify(document.tree).includes('farkas')) farkas++;
      },
    ),
    { numRuns: RUNS, seed: 20262 },
  );
  expect(Math.min(farkas, spoilt)).toBeGreaterThan(1);
});

test.each([
  ['rw', 4],
  ['rw', 9],
  ['rw', 60],
  ['dpn', 2],
  ['dpn', 6],
  ['dpn', 100],
  ['dpn-butler', 6],
  ['ucosn', 6],
])('%s with n = %i is free of deadlocks, by the linear condition', async (name, n) => {
  const { system } = loadCorpus(name, [`N=${n}`]);
  const answer = await checkDeadlock(system, 'linear', UNLIMITED, SILENT);
  expect(answer.kind).toBe('free');
});

test.each([
  ['dpd', 2, 4],
  ['dpd', 10, 20],
  ['dpd', 60, 120],
  ['ucosd', 5, 7],
])('%s with n = %i deadlocks, after %i steps', async (name, n, steps) => {
  const { system } = loadCorpus(name, [`N=${n}`]);
  const answer = await checkDeadlock(system, 'linear', UNLIMITED, SILENT);
  expect(answer.kind === 'deadlock' && answer.path.events.length).toBe(steps);
});

test.each([
  ['rw', 3, 'free'],
  ['dpn', 4, 'free'],
  ['dpd', 4, 'deadlock'],
  ['ucosn', 3, 'free'],
  ['ucosd', 3, 'deadlock'],
] as const)('%s with n = %i: refinement and the whole product say %s', async (name, n, expected) => {
  const { system } = loadCorpus(name, [`N=${n}`]);
  expect((await checkDeadlock(system, 'compositional', UNLIMITED, SILENT)).kind).toBe(expected);
  expect((await checkDeadlock(system, 'monolithic', UNLIMITED, SILENT)).kind).toBe(expected);
});

test('a forged certificate is refused', async () => {
  const { system } = loadCorpus('rw', ['N=4']);
  const result = await settleLinear(system, UNLIMITED, loadSolver);
  if (result.kind !== 'free') throw new Error('RW-4 must be proved');
  const { proof } = result;
  expect(checkProof(system, proof)).toBe(true);
  expect(checkProof(system, { ...proof, tree: { kind: 'empty' } })).toBe(false);
  expect(checkProof(system, { ...proof, tree: { kind: 'farkas', rows: [[['start', 0], 1n]] } })).toBe(false);
  expect(checkProof(system, { ...proof, tree: { kind: 'farkas', rows: [[['refusal', 9999], 1n]] } })).toBe(
    false,
  );
  for (const block of [[], [0, 0], [99], [...system.components.keys()]])
    expect(checkProof(system, { ...proof, blocks: [...proof.blocks, block] })).toBe(false);
  const deadlocking = loadCorpus('dpd', ['N=3']).system;
  expect(checkProof(deadlocking, { blocks: [[0, 1]], tree: { kind: 'empty' } })).toBe(false);
});

test('limits end the search with an honest answer', async () => {
  const { system } = loadCorpus('dpn', ['N=8']);
  const answer = await checkDeadlock(system, 'monolithic', { ...UNLIMITED, maxStates: 100 }, SILENT);
  expect(answer.kind === 'unknown' && answer.limit).toBe('states');
});
