// An irredundant sum of products of a guard, for printing (Minato and Morreale): few short cubes, no cube superfluous.

import type { Bdd } from './bdd.ts';

/** A conjunction of literals: variable and sign. */
export type Cube = readonly { readonly variable: number; readonly positive: boolean }[];

/** The cubes cover at least `node` and at most `upper`. */
export function cubesOf(bdd: Bdd, node: number, upper = node): Cube[] {
  bdd.allow(1_000_000);
  return cover(bdd, node, upper).cubes;
}

/** Cubes that cover `lower` and stay within `upper`, with the function they make up. */
function cover(bdd: Bdd, lower: number, upper: number): { cubes: Cube[]; node: number } {
  if (lower === 0) return { cubes: [], node: 0 };
  if (upper === 1) return { cubes: [[]], node: 1 };
  const variable = Math.min(bdd.top(lower), bdd.top(upper));
  const half = (node: number, positive: boolean) =>
    bdd.top(node) !== variable ? node : positive ? bdd.high(node) : bdd.low(node);
  const [lower0, lower1] = [half(lower, false), half(lower, true)];
  const [upper0, upper1] = [half(upper, false), half(upper, true)];
  const only0 = cover(bdd, bdd.and(lower0, bdd.not(upper1)), upper0);
  const only1 = cover(bdd, bdd.and(lower1, bdd.not(upper0)), upper1);
  const rest = bdd.or(bdd.and(lower0, bdd.not(only0.node)), bdd.and(lower1, bdd.not(only1.node)));
  const both = cover(bdd, rest, bdd.and(upper0, upper1));
  const x = bdd.variable(variable);
  return {
    cubes: [
      ...only1.cubes.map((cube) => [{ variable, positive: true }, ...cube]),
      ...only0.cubes.map((cube) => [{ variable, positive: false }, ...cube]),
      ...both.cubes,
    ],
    node: bdd.orAll([bdd.and(bdd.not(x), only0.node), bdd.and(x, only1.node), both.node]),
  };
}
