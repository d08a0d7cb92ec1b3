// The strategies against their definitions, on random graphs.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { elementaryCycles } from '../graph/cycles.ts';
import type { Digraph } from '../graph/digraph.ts';
import { digraph } from '../graph/digraph.ts';
import { type CycleShape, localDependency } from './strategies.ts';

interface Case {
  readonly graph: Digraph;
  readonly modifies: readonly boolean[];
  readonly cycles: readonly (readonly number[])[];
  readonly shapes: readonly CycleShape[];
}

const cases: fc.Arbitrary<Case> = fc
  .array(fc.tuple(fc.nat(5), fc.nat(5), fc.boolean()), { minLength: 2, maxLength: 12 })
  .map((arcs) => {
    const graph = digraph(
      6,
      arcs.map(([from, to]) => ({ from, to })),
    );
    const modifies = arcs.map(([, , does]) => does);
    const { cycles } = elementaryCycles(graph, { maxCycles: 200 });
    const shapes = cycles.map((cycle) => ({
      locations: new Set(cycle.map((arc) => graph.arcs[arc]!.from)),
      modifies: cycle.some((arc) => modifies[arc]),
    }));
    return { graph, modifies, cycles, shapes };
  });

/** The locations reached from one without modifying anything. */
function quietly({ graph, modifies }: Case, from: number): Set<number> {
  const seen = new Set([from]);
  const work = [from];
  for (let node = work.pop(); node !== undefined; node = work.pop())
    for (const arc of graph.out[node]!) {
      const { to } = graph.arcs[arc]!;
      if (modifies[arc] || seen.has(to)) continue;
      seen.add(to);
      work.push(to);
    }
  return seen;
}

/** [CycleDeps] Definition 3: paths there and back, between locations s of c and s' of c', that modify nothing. */
function isPreemptive(item: Case, c: number, other: number): boolean {
  const { shapes } = item;
  if (!shapes[other]!.modifies) return false;
  for (const s of shapes[c]!.locations) {
    const there = quietly(item, s);
    for (const t of shapes[other]!.locations) if (there.has(t) && quietly(item, t).has(s)) return true;
  }
  return false;
}

test('PC is the set of preemptive cycles by their definition', () => {
  let some = 0;
  fc.assert(
    fc.property(cases, (item) => {
      item.cycles.forEach((_, c) => {
        const expected = item.cycles.flatMap((__, other) =>
          other !== c && isPreemptive(item, c, other) ? [other] : [],
        );
        const found = localDependency(item.shapes, c, 'PC');
        expect(found).toEqual(expected);
        some += found.length;
      });
    }),
    { seed: 21, numRuns: Number(process.env['SPILLWAY_FUZZ'] ?? 100) },
  );
  expect(some).toBeGreaterThan(150);
});

test('PC ⊆ ND ⊆ MC, and all of MC modifies', () => {
  fc.assert(
    fc.property(cases, ({ shapes, cycles }) => {
      cycles.forEach((_, c) => {
        const [pc, nd, mc] = (['PC', 'ND', 'MC'] as const).map(
          (name) => new Set(localDependency(shapes, c, name)),
        );
        for (const index of pc!) expect(nd!.has(index)).toBe(true);
        for (const index of nd!) expect(mc!.has(index)).toBe(true);
        for (const index of mc!) expect(shapes[index]!.modifies && index !== c).toBe(true);
      });
    }),
    { seed: 22, numRuns: Number(process.env['SPILLWAY_FUZZ'] ?? 40) },
  );
});

test('on a random walk that repeats c and modifies again and again, a cycle of PC is completed', () => {
  // The claim the dependencies rest on: between enough modifications, some completed cycle is in PC.
  fc.assert(
    fc.property(cases, fc.array(fc.nat(50), { minLength: 300, maxLength: 300 }), (item, choices) => {
      const completed = completedCycles(item, choices);
      item.cycles.forEach((_, c) => {
        const late = new Set(completed.slice(Math.floor(completed.length / 2)));
        const early = new Set(completed.slice(0, Math.floor(completed.length / 2)));
        if (!late.has(c) || !early.has(c)) return;
        // Cycles completed in both halves, as a stand-in for "again and again"; c among them, and one that modifies.
        const again = [...late].filter((index) => early.has(index) && index !== c);
        if (!again.some((index) => item.shapes[index]!.modifies)) return;
        const all = new Set(completed);
        expect(localDependency(item.shapes, c, 'PC').some((index) => all.has(index))).toBe(true);
      });
    }),
    { seed: 23, numRuns: Number(process.env['SPILLWAY_FUZZ'] ?? 40) },
  );
});

/** Walks along and takes off each elementary cycle as it closes. */
function completedCycles({ graph, cycles }: Case, choices: readonly number[]): number[] {
  const keys = new Map(cycles.map((cycle, index) => [rotation(cycle), index]));
  const path: number[] = [];
  let node = 0;
  const done: number[] = [];
  for (const choice of choices) {
    const out = graph.out[node]!;
    if (out.length === 0) break;
    const arc = out[choice % out.length]!;
    path.push(arc);
    node = graph.arcs[arc]!.to;
    const start = path.findIndex((taken) => graph.arcs[taken]!.from === node);
    if (start >= 0) done.push(keys.get(rotation(path.splice(start)))!);
  }
  return done;
}

function rotation(cycle: readonly number[]): string {
  const least = cycle.indexOf(Math.min(...cycle));
  return [...cycle.slice(least), ...cycle.slice(0, least)].join();
}
