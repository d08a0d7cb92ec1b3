// The largest inductive part of a set of guesses (Houdini: Flanagan and Leino, FME 2001): what a block does not keep is struck off until everything left is
// kept. The guesses are the invariants that were found over the integers, and bounds between what the guards of the program compare, which
// together exclude the wrap-around that spoils the former.

import type { Budget } from '../../base/budget.ts';
import type { CellSet } from '../program/cell-set.ts';
import { has } from '../program/cell-set.ts';
import type { Expr } from '../program/expr.ts';
import { symbolNumber } from '../program/expr.ts';
import { replaceSymbols } from '../program/substitute.ts';
import type { Block, BlockGraph } from './blocks.ts';
import type { Oracle } from './oracle.ts';
import { FRESH, Symbolic } from './symbolic.ts';

const MOST_QUESTIONS = 3000;
const MOST_BOUNDS = 40;

interface Step {
  readonly block: Block;
  readonly symbolic: Symbolic;
  readonly guards: readonly Expr[];
}

/** For each cut point the guesses that hold whenever it is reached; none for those that are not. Null when it takes too long. */
export async function inductivePart(
  graph: BlockGraph,
  live: readonly CellSet[],
  guesses: ReadonlyMap<number, readonly Expr[]>,
  oracle: Oracle,
  budget: Budget,
): Promise<Map<number, Expr[]> | null> {
  const { program } = graph;
  const { pool } = program;
  const steps = graph.blocks.flatMap((block): Step[] => {
    const symbolic = new Symbolic(program, FRESH, false);
    symbolic.run(block.operations);
    const guards = symbolic.constraints.map(({ test }) => test);
    return symbolic.dead === null ? [{ block, symbolic, guards }] : [];
  });
  const bounds = boundsOf(graph, steps);
  const held = new Map<number, Expr[]>();
  for (const { id } of program.locations)
    if (graph.isCut[id]) {
      const here = [...(guesses.get(id) ?? [pool.false]), ...bounds];
      held.set(
        id,
        here.filter((test) => test.symbols.every((s) => has(live[id]!, symbolNumber(s)))),
      );
    }
  const initial = new Symbolic(program, FRESH, false);
  for (const [cell, value] of program.initial) initial.env.set(cell, value);
  const isImpossible = async (tests: readonly Expr[]) => (await oracle.satisfiable(tests)) === 'unsat';
  const keep = async (at: number, before: readonly Expr[], after: Symbolic): Promise<boolean> => {
    const kept: Expr[] = [];
    for (const test of held.get(at)!)
      if (await isImpossible([...before, pool.not(after.substitute(test))])) kept.push(test);
    const changed = kept.length < held.get(at)!.length;
    held.set(at, kept);
    return changed;
  };
  await keep(program.entry, [], initial);
  const asked = oracle.asked;
  const queue = [...steps];
  const queued = new Set(queue);
  for (let step = queue.shift(); step !== undefined; step = queue.shift()) {
    queued.delete(step);
    if (!budget.timeLeft() || oracle.asked - asked > MOST_QUESTIONS) return null;
    const { block, symbolic, guards } = step;
    if (!(await keep(block.to, [...held.get(block.from)!, ...guards], symbolic))) continue;
    for (const next of steps)
      if (next.block.from === block.to && !queued.has(next)) {
        queued.add(next);
        queue.push(next);
      }
  }
  for (const [location, tests] of held) if (tests.includes(pool.false)) held.delete(location);
  return held;
}

/** What guards compare, in both directions and with a little room; and that variables which start at a constant stay on one side of it. */
function boundsOf({ program }: BlockGraph, steps: readonly Step[]): Expr[] {
  const { pool } = program;
  const found = new Set<Expr>();
  for (const { guards, symbolic } of steps) {
    // An input that was just read and compared is known by the variable it went to.
    const kept = new Map<Expr, Expr>();
    for (const [cell, value] of symbolic.env)
      if (value.op === 'symbol' && symbolNumber(value) >= FRESH)
        kept.set(value, pool.symbol(cell, value.width));
    for (const guard of guards.flatMap(atoms)) {
      const test = replaceSymbols(pool, guard, (symbol) => kept.get(symbol));
      const [a, b] = test.args as [Expr, Expr];
      if (test.hasLoad || test.symbols.some((symbol) => symbolNumber(symbol) >= FRESH)) continue;
      const op = test.op === 'slt' || test.op === 'sle' ? 'sle' : 'ule';
      if (op === 'ule' && test.op !== 'ult' && test.op !== 'ule') continue;
      found.add(pool.compare(op, a, b));
      found.add(pool.compare(op, b, a));
    }
  }
  for (const { symbolic } of steps)
    for (const [cell, value] of symbolic.env) {
      const { width, type } = program.cells[cell]!;
      if (value.op !== 'const' || type.kind !== 'int' || !type.signed) continue;
      const symbol = pool.symbol(cell, width);
      found.add(pool.compare('sle', value, symbol));
      found.add(pool.compare('sle', symbol, value));
    }
  return [...found].filter(({ op }) => op !== 'const').slice(0, MOST_BOUNDS);
}

const atoms = (test: Expr): Expr[] =>
  test.op === 'conj' || test.op === 'disj' || test.op === 'not' ? test.args.flatMap(atoms) : [test];
