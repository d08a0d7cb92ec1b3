// The checker of multipliers against the independent one of the lp room, on true proofs and on spoilt ones.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { UNLIMITED } from '../base/budget.ts';
import { loadCorpus } from '../kripke/corpus.fuzz.ts';
import { build, recipes } from '../kripke/random.fuzz.ts';
import type { System } from '../kripke/system.ts';
import { compose } from '../kripke/system.ts';
import type { Solver } from '../lp/solver.ts';
import { loadSolver } from '../lp/solver.ts';
import { provesInfeasible } from '../lp/verify.ts';
import type { Block } from './blocks.ts';
import { buildBlocks } from './blocks.ts';
import type { Domains } from './domains.ts';
import { initialDomains, propagate, statesOf } from './domains.ts';
import { encode } from './encode.ts';
import { contradicts } from './farkas.ts';
import { readGraph, stuckJointStates } from './proof-graph.ts';

const seen = { accepted: 0, refused: 0, mixed: 0 };

/** Solves the program of the given end states; on infeasible ones compares the two checkers, on the proof and on changes of it. */
function compare(
  solver: Solver,
  system: System,
  blocks: readonly Block[],
  domains: Domains,
  spoils: readonly (readonly [number, number])[],
): boolean {
  const { problem, keys } = encode(system, blocks, domains, false);
  const outcome = solver.solve(problem);
  if (outcome.kind !== 'infeasible') return false;
  const dual = outcome.dual.values;
  const graph = readGraph(system);
  const checked = blocks.map(({ components }) => ({
    members: components,
    joint: stuckJointStates(graph, components)!,
  }));
  const ends = domains.map((domain) => new Set(statesOf(domain)));
  const agree = (values: readonly bigint[]): void => {
    const expected = provesInfeasible(problem, { values, denominator: 1n });
    const rows = values.flatMap((value, index) =>
      keys[index]!.map(({ key, sign }) => [key, sign * value] as const),
    );
    expect(contradicts(graph, checked, ends, rows)).toBe(expected);
    seen[expected ? 'accepted' : 'refused']++;
  };
  agree(dual);
  agree(dual.map(() => 0n));
  for (const [index, change] of spoils) {
    const at = index % dual.length;
    agree(dual.with(at, change === 0 ? 0n : dual[at]! + BigInt(change)));
  }
  keys.forEach(([first], index) => {
    if (first!.key[0] !== 'mix' || dual[index] === 0n) return;
    seen.mixed++;
    for (const change of [-1n, 1n]) agree(dual.with(index, dual[index]! + change));
  });
  return true;
}

test('multipliers are accepted exactly when they exclude every point', { timeout: 3_600_000 }, async () => {
  const solver = await loadSolver();
  const spoil = fc.array(fc.tuple(fc.nat({ max: 10_000 }), fc.integer({ min: -2, max: 2 })), {
    minLength: 1,
    maxLength: 6,
  });
  fc.assert(
    fc.property(recipes(6, 3, 8, 3), fc.constantFrom(0, 2), spoil, (all, width, spoils) => {
      const system = compose(build(all));
      const blocks = buildBlocks(system, UNLIMITED, width);
      const domains = propagate(initialDomains(system), blocks);
      fc.pre(domains !== null);
      fc.pre(compare(solver, system, blocks, domains!, spoils));
    }),
    { numRuns: Number(process.env['SPILLWAY_FUZZ'] ?? 12), seed: 20268 },
  );
  expect(Math.min(seen.accepted, seen.refused)).toBeGreaterThan(15);
});

test.each(['rw', 'dpn-butler', 'ucosd', 'dpd'])(
  'also on the cases of %s, where blocks count',
  async (name) => {
    const solver = await loadSolver();
    const { system } = loadCorpus(name, ['N=3']);
    const blocks = buildBlocks(system, UNLIMITED);
    const root = propagate(initialDomains(system), blocks)!;
    seen.mixed = 0;
    root.forEach((domain, component) => {
      for (const state of statesOf(domain)) {
        const others = root.with(component, domain.with(state, 0));
        // Without narrowing, so that the linear program has to do the work.
        if (others[component]!.includes(1)) compare(solver, system, blocks, others, []);
      }
    });
    if (name === 'rw' || name === 'dpn-butler') expect(seen.mixed).toBeGreaterThan(0);
  },
);
