// Partitions against the definition, and against the coarsest one found by brute force.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { coarsestBisimulation } from './bisimulation.ts';
import { isBisimulation, type Step } from './bisimulation-check.ts';
import { HIDDEN, type LabelledGraph } from './labelled.ts';

const RUNS = Number(process.env['SPILLWAY_FUZZ'] ?? 80);
const always = (): boolean => true;

interface Recipe {
  readonly nodes: number;
  readonly edges: readonly (readonly [number, number, number])[];
  readonly colour: readonly number[];
}

const recipes = (maxNodes: number): fc.Arbitrary<Recipe> =>
  fc.integer({ min: 1, max: maxNodes }).chain((nodes) => {
    const node = fc.nat({ max: nodes - 1 });
    return fc.record({
      nodes: fc.constant(nodes),
      edges: fc.array(fc.tuple(node, fc.constantFrom(HIDDEN, HIDDEN, 0, 1), node), {
        maxLength: 3 * nodes,
      }),
      colour: fc.array(fc.constantFrom(0, 0, 0, 1), { minLength: nodes, maxLength: nodes }),
    });
  });

function graphOf({ nodes, edges, colour }: Recipe): LabelledGraph {
  const sorted = [...edges].sort((a, b) => a[0] - b[0]);
  const first = new Int32Array(nodes + 1);
  for (const [from] of sorted) first[from + 1]!++;
  for (let node = 0; node < nodes; node++) first[node + 1]! += first[node]!;
  return {
    nodes,
    first,
    label: Int32Array.from(sorted, (edge) => edge[1]),
    target: Int32Array.from(sorted, (edge) => edge[2]),
    colour: Int32Array.from(colour),
  };
}

const stepsOf = ({ nodes, edges }: Recipe): Step[][] =>
  Array.from({ length: nodes }, (_, node) =>
    edges
      .filter(([from]) => from === node)
      .map(([, label, to]) => ({ label: label === HIDDEN ? null : String(label), to })),
  );

/** Every partition that respects the colours: the number of classes of the coarsest one that is a bisimulation. */
function fewestClasses(recipe: Recipe, kind: 'strong' | 'branching'): number {
  const steps = stepsOf(recipe);
  let fewest = recipe.nodes;
  const classOf: number[] = [];
  const place = (node: number, used: number): void => {
    if (used > fewest) return;
    if (node === recipe.nodes) {
      if (used < fewest && isBisimulation(steps, classOf, kind)) fewest = used;
      return;
    }
    for (let id = 0; id <= used; id++) {
      const other = classOf.slice(0, node).indexOf(id);
      if (other >= 0 && recipe.colour[other] !== recipe.colour[node]) continue;
      classOf[node] = id;
      place(node + 1, Math.max(used, id + 1));
    }
  };
  place(0, 0);
  return fewest;
}

test.each(['strong', 'branching'] as const)('%s: a bisimulation, and the coarsest there is', (kind) => {
  let lumped = 0;
  fc.assert(
    fc.property(recipes(6), (recipe) => {
      const blocks = coarsestBisimulation(graphOf(recipe), kind, always)!;
      expect(isBisimulation(stepsOf(recipe), [...blocks.of], kind)).toBe(true);
      recipe.colour.forEach((colour, node) => {
        const mate = [...blocks.of].indexOf(blocks.of[node]!);
        expect(recipe.colour[mate]).toBe(colour);
      });
      expect(blocks.count).toBe(fewestClasses(recipe, kind));
      if (blocks.count < recipe.nodes) lumped++;
    }),
    { numRuns: RUNS, seed: 20301 },
  );
  expect(lumped).toBeGreaterThan(RUNS / 5);
});

test.each(['strong', 'branching'] as const)('%s: larger graphs, by the definition', (kind) => {
  fc.assert(
    fc.property(recipes(60), (recipe) => {
      const blocks = coarsestBisimulation(graphOf(recipe), kind, always)!;
      expect(isBisimulation(stepsOf(recipe), [...blocks.of], kind)).toBe(true);
    }),
    { numRuns: RUNS, seed: 20302 },
  );
});

test('hidden steps that decide nothing are forgotten, going on hidden for ever is not', () => {
  const blocks = (edges: Recipe['edges'], nodes: number) =>
    coarsestBisimulation(graphOf({ nodes, edges, colour: Array(nodes).fill(0) }), 'branching', always)!;
  // τ.a and a; then the choice that τ makes between a and b, which is kept.
  expect(blocks([[0, HIDDEN, 1], [1, 0, 2]], 3).count).toBe(2); // biome-ignore format: one line
  expect(blocks([[0, HIDDEN, 1], [0, 1, 2], [1, 0, 2]], 3).count).toBe(3); // biome-ignore format: one line
  const looping = blocks([[0, HIDDEN, 0], [1, HIDDEN, 0]], 3); // biome-ignore format: one line
  expect([looping.count, [...looping.divergent].sort()]).toEqual([2, [0, 1]]);
});

test('the time is obeyed', () => {
  const recipe = { nodes: 3, edges: [[0, 0, 1]] as const, colour: [0, 0, 0] };
  expect(coarsestBisimulation(graphOf(recipe), 'strong', () => false)).toBeNull();
});
