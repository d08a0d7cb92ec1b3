// Is an abstract path real? Its symbolic execution from the initial values gives conditions on the inputs; the solver finds inputs or the
// conditions that contradict each other.

import type { Expr } from '../program/expr.ts';
import type { Edge, Program } from '../program/program.ts';
import type { Oracle } from './oracle.ts';
import type { Fresh } from './symbolic.ts';
import { FRESH, Symbolic } from './symbolic.ts';

export type PathResult =
  | {
      readonly kind: 'feasible';
      readonly edges: readonly Edge[];
      /** Values of everything that was open on the path. */
      readonly inputs: readonly { readonly fresh: Fresh; readonly value: bigint }[];
      /** Conditions depend on values that the analysis does not know exactly. */
      readonly vague: readonly Fresh[];
    }
  | {
      readonly kind: 'infeasible';
      /** Steps whose conditions contradict each other; when folded, steps each of which breaks the path alone. */
      readonly core: readonly number[];
      readonly symbolic: Symbolic;
      readonly edges: readonly Edge[];
      /** It folds to false without the solver. */
      readonly folded: boolean;
    }
  | { readonly kind: 'undecided' };

/** `anywhere`: the stretch may begin in any state, not only in the initial one. */
export async function checkPath(
  program: Program,
  edges: readonly Edge[],
  oracle: Oracle,
  anywhere = false,
): Promise<PathResult> {
  const symbolic = new Symbolic(program, FRESH, true);
  if (!anywhere) for (const [cell, value] of program.initial) symbolic.env.set(cell, value);
  symbolic.pastDeath = true;
  symbolic.run(edges.map((edge) => edge.operation));
  if (symbolic.dead !== null)
    return { kind: 'infeasible', core: [...new Set(symbolic.deaths)], symbolic, edges, folded: true };
  const tests = symbolic.constraints.map((constraint) => constraint.test);
  const symbols = symbolic.fresh.map((fresh) => fresh.symbol);
  const solved = await oracle.solve(tests, symbols);
  if (solved.answer === 'unknown') return { kind: 'undecided' };
  if (solved.answer === 'unsat') {
    const core = await shrink(solved.core, tests, oracle);
    const steps = [...new Set(core.map((index) => symbolic.constraints[index]!.step))].sort((a, b) => a - b);
    return { kind: 'infeasible', core: steps, symbolic, edges, folded: false };
  }
  const constrained = new Set<Expr>();
  for (const test of tests) for (const symbol of test.symbols) constrained.add(symbol);
  return {
    kind: 'feasible',
    edges,
    inputs: symbolic.fresh.map((fresh, i) => ({ fresh, value: solved.values[i]! })),
    vague: symbolic.fresh.filter((fresh) => !fresh.exact && constrained.has(fresh.symbol)),
  };
}

/** Drops conditions from a core as long as it stays contradictory. Small cores make few predicates. */
async function shrink(core: readonly number[], tests: readonly Expr[], oracle: Oracle): Promise<number[]> {
  let kept = [...core];
  if (kept.length > 40) return kept;
  for (const index of core) {
    const without = kept.filter((other) => other !== index);
    if (without.length > 0 && (await oracle.satisfiable(without.map((i) => tests[i]!))) === 'unsat')
      kept = without;
  }
  return kept;
}
