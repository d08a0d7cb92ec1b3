// The largest inductive part of a set of guesses (Houdini: Flanagan and Leino, FME 2001): what a passage does not keep is struck off until everything left
// is kept. Each model of the solver that shows one guess to be wrong strikes off all that are wrong in it.

import type { Budget } from '../../base/budget.ts';
import type { Expr } from '../program/expr.ts';
import { symbolNumber } from '../program/expr.ts';
import { replaceSymbols } from '../program/substitute.ts';
import type { Oracle } from './oracle.ts';
import { instances } from './quantified.ts';
import type { Passage, Regions } from './regions.ts';

/** By head of a loop. */
export type Invariants = ReadonlyMap<number, readonly Expr[]>;

const MOST_QUESTIONS = 600;

/** A test or number after a passage, over the values before it. */
export const valueAfter = ({ program }: Regions, passage: Passage, expr: Expr): Expr =>
  replaceSymbols(program.pool, expr, (symbol) => passage.env.get(symbolNumber(symbol)));

/** The guesses that hold whenever their head is reached. Null when it takes too long. */
export async function inductivePart(
  regions: Regions,
  guesses: Invariants,
  oracle: Oracle,
  budget: Budget,
): Promise<Map<number, readonly Expr[]> | null> {
  const { program, heads, passages } = regions;
  const held = new Map(heads.map((head) => [head, [...new Set(guesses.get(head) ?? [])]] as const));
  const between = passages.filter(({ to }) => held.has(to));
  const queue = [...between];
  let questions = 0;
  for (let passage = queue.shift(); passage !== undefined; passage = queue.shift()) {
    const { from, to, guard } = passage;
    const tests = held.get(to)!;
    const goals = tests.map((test) => valueAfter(regions, passage!, test));
    if (goals.every((goal) => goal === program.pool.true)) continue;
    const before = instances(program.pool, [...(held.get(from) ?? []), guard], goals);
    const kept = await oracle.kept(before, goals, () => budget.timeLeft() && ++questions <= MOST_QUESTIONS);
    if (kept === null) return null;
    if (!kept.includes(false)) continue;
    held.set(
      to,
      tests.filter((_, i) => kept[i]),
    );
    for (const next of between) if (next.from === to && !queue.includes(next)) queue.push(next);
  }
  return new Map(held);
}

/** Can these hold together at the head? */
export const canHold = async (
  { program }: Regions,
  tests: readonly Expr[],
  oracle: Oracle,
): Promise<boolean> => (await oracle.satisfiable(instances(program.pool, tests, []))) !== 'unsat';

/** Is no target reached where these hold? */
export async function excludesTargets(
  { program, passages, heads }: Regions,
  held: Invariants,
  oracle: Oracle,
): Promise<boolean> {
  const isHead = new Set(heads);
  for (const { from, to, guard } of passages) {
    if (isHead.has(to)) continue;
    const before = instances(program.pool, [...(held.get(from) ?? []), guard], []);
    if ((await oracle.satisfiable(before)) !== 'unsat') return false;
  }
  return true;
}
