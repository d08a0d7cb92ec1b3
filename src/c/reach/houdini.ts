// The largest inductive part of a set of guesses (Houdini: Flanagan and Leino, FME 2001): what a passage does not keep is struck off until everything left
// is kept. Each model of the solver that shows one guess to be wrong strikes off all that are wrong in it.

import type { Budget } from '../../base/budget.ts';
import type { Expr } from '../program/expr.ts';
import { symbolNumber } from '../program/expr.ts';
import { replaceSymbols } from '../program/substitute.ts';
import type { Oracle } from './oracle.ts';
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
    const before = [...(held.get(from) ?? []), guard];
    for (let changed = true; changed && held.get(to)!.length > 0; ) {
      if (!budget.timeLeft() || ++questions > MOST_QUESTIONS) return null;
      const goals = held.get(to)!.map((test) => valueAfter(regions, passage!, test));
      const open = goals.filter((goal) => goal !== program.pool.true);
      if (open.length === 0) break;
      const wrong = await oracle.counterexample(before, goals);
      if (wrong === null) return null;
      changed = wrong.includes(true);
      if (!changed) break;
      held.set(
        to,
        held.get(to)!.filter((_, i) => !wrong[i]),
      );
      for (const next of between) if (next.from === to && !queue.includes(next)) queue.push(next);
    }
  }
  return new Map(held);
}

/** Is no target reached where these hold? */
export async function excludesTargets(
  { passages, heads }: Regions,
  held: Invariants,
  oracle: Oracle,
): Promise<boolean> {
  const isHead = new Set(heads);
  for (const { from, to, guard } of passages)
    if (!isHead.has(to) && (await oracle.satisfiable([...(held.get(from) ?? []), guard])) !== 'unsat')
      return false;
  return true;
}
