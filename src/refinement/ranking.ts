// Termination of a loop on a condition, by a linear ranking function (Podelski and Rybalchenko's conditions through Farkas' lemma):
// while the condition holds, f is at least some number, and each round makes f smaller by at least one.
//
// The loop is affine: V becomes M·V + k from one test of the condition to the next; the condition is G·V + h ≥ 0. Sought are
// multipliers λ, μ ≥ 0 with f = λ·G, f·(I − M) = μ·G and −f·k − μ·h ≥ 1. The proof is λ and μ: `checkRankingFunction` confirms it with a few
// sums, no solver.

import { ProblemBuilder, type Term } from '../lp/problem.ts';
import type { Solver } from '../lp/solver.ts';
import type { VariableId } from '../process/program.ts';
import { addForms, constantForm, type LinearForm, scaleForm } from './linear.ts';

/** One round: every variable's new value over the old ones. */
export type Update = ReadonlyMap<VariableId, LinearForm>;

export interface RankingFunction {
  /** Multipliers of the condition's forms. */
  readonly lambda: readonly bigint[];
  readonly mu: readonly bigint[];
  /** f, an integer combination of variables; its constant is zero. */
  readonly form: LinearForm;
  /** f is at least this while the condition holds. */
  readonly least: bigint;
  /** f falls by at least this in each round. */
  readonly fall: bigint;
}

export function findRanking(
  solver: Solver,
  condition: readonly LinearForm[],
  update: Update,
): RankingFunction | null {
  if (condition.length === 0) return null;
  const builder = new ProblemBuilder();
  const lambda = condition.map(() => builder.column());
  const mu = condition.map(() => builder.column());
  // Σ λ_j (G_j − G_j∘M) − Σ μ_j G_j has no variables left, and its constant is at least one, with the constants of M and G.
  const losses = condition.map((form) =>
    addForms(linearPart(form), applyUpdate(linearPart(form), update), -1n),
  );
  const variables = new Set([...losses, ...condition].flatMap(({ terms }) => [...terms.keys()]));
  for (const variable of variables) {
    const terms: Term[] = [
      ...losses.map(({ terms: t }, j) => ({
        column: lambda[j]!,
        coefficient: Number(t.get(variable) ?? 0n),
      })),
      ...condition.map(({ terms: t }, j) => ({
        column: mu[j]!,
        coefficient: -Number(t.get(variable) ?? 0n),
      })),
    ];
    builder.row(terms, 0, 0);
  }
  builder.row(
    [
      ...losses.map(({ constant }, j) => ({ column: lambda[j]!, coefficient: Number(constant) })),
      ...condition.map(({ constant }, j) => ({ column: mu[j]!, coefficient: -Number(constant) })),
    ],
    1,
    null,
  );
  const all = [...lambda, ...mu].map((column) => ({ column, coefficient: 1 }));
  const outcome = solver.solve(builder.build('minimise', all));
  if (outcome.kind !== 'optimal') return null;
  const { values } = outcome.primal;
  return checkRankingFunction(
    condition,
    update,
    lambda.map((column) => values[column]!),
    mu.map((column) => values[column]!),
  );
}

/** The ranking function that the multipliers prove, or null when they prove none. */
export function checkRankingFunction(
  condition: readonly LinearForm[],
  update: Update,
  lambda: readonly bigint[],
  mu: readonly bigint[],
): RankingFunction | null {
  if (lambda.length !== condition.length || mu.length !== condition.length) return null;
  if ([...lambda, ...mu].some((multiplier) => multiplier < 0n)) return null;
  const weigh = (multipliers: readonly bigint[]): LinearForm =>
    condition.reduce((sum, form, j) => addForms(sum, form, multipliers[j]!), constantForm(0n));
  const bounded = weigh(lambda);
  const form = linearPart(bounded);
  const loss = addForms(form, applyUpdate(form, update), -1n);
  const rest = addForms(loss, weigh(mu), -1n);
  if (rest.terms.size > 0 || rest.constant < 1n) return null;
  // λ·(G·V + h) ≥ 0, so f ≥ −λ·h; and loss = μ·(G·V + h) + rest ≥ rest.
  return { lambda, mu, form, least: -bounded.constant, fall: rest.constant };
}

const linearPart = (form: LinearForm): LinearForm => ({ terms: form.terms, constant: 0n });

/** The form over the values before the update. */
export function applyUpdate(form: LinearForm, update: Update): LinearForm {
  let result = constantForm(form.constant);
  for (const [variable, coefficient] of form.terms) {
    const now = update.get(variable) ?? { terms: new Map([[variable, 1n]]), constant: 0n };
    result = addForms(result, scaleForm(now, coefficient));
  }
  return result;
}
