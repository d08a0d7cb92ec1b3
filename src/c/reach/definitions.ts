// Guesses at how variables of the analysis hang together with those of the program: how many bytes an object has, how many are to be copied, is computed
// once from numbers that are still there at the head of a loop (`size == 4 * n`). None is trusted: houdini.ts keeps what is inductive.

import type { CellSet } from '../program/cell-set.ts';
import { has } from '../program/cell-set.ts';
import type { Expr, Pool } from '../program/expr.ts';
import { symbolNumber } from '../program/expr.ts';
import type { Cell } from '../program/program.ts';
import { sizeOfExpr } from '../program/substitute.ts';
import type { Passage, Regions } from './regions.ts';
import { FRESH } from './symbolic.ts';

/** Values that ways into a loop give a variable; other variables that could stand for a part of one; all guesses. */
const MOST_VALUES = 4;
const MOST_NAMES = 4;
const MOST_FOUND = 24;
/** Larger expressions are no definitions. */
const MOST_NODES = 60;

/** For each head, what holds there where nothing has changed since; what is found for one head is tried at all. */
export function definitionsAt(
  { program, heads, passages }: Regions,
  live: readonly CellSet[],
): Map<number, Expr[]> {
  const { pool, cells } = program;
  const isOwn = ({ object, width }: Cell) => object.kind === 'temporary' && width === 64;
  const numbers = cells.filter(({ type }) => type.kind === 'int');
  const pointers = cells.filter(({ type }) => type.kind === 'pointer');
  const found = new Set<Expr>();
  for (const passage of passages) {
    if (passage.from === passage.to || !heads.includes(passage.to)) continue;
    const here = numbers.filter(({ id }) => has(live[passage.to]!, id));
    const names = namesIn(passage, here);
    for (const cell of here) {
      const value = passage.env.get(cell.id);
      if (value === undefined || value.op === 'const' || !isOwn(cell)) continue;
      for (const one of alternatives(value))
        for (const text of written(pool, one, names, cell))
          if (found.size < MOST_FOUND) found.add(pool.eq(pool.symbol(cell.id, cell.width), text));
    }
    for (const cell of pointers) if (has(live[passage.to]!, cell.id)) addTargets(pool, passage, cell, found);
  }
  const isLiveAt = (head: number) => (expr: Expr) =>
    expr.symbols.every((symbol) => has(live[head]!, symbolNumber(symbol)));
  const all = [...found].filter(({ op }) => op !== 'const');
  return new Map(heads.map((head) => [head, all.filter(isLiveAt(head))]));
}

/** By value: the variables that hold it after the passage. */
function namesIn({ env }: Passage, cells: readonly Cell[]): Map<Expr, Cell[]> {
  const names = new Map<Expr, Cell[]>();
  for (const cell of cells) {
    const value = env.get(cell.id);
    if (value === undefined || value.op === 'const') continue;
    names.set(value, [...(names.get(value) ?? []), cell]);
  }
  return names;
}

/** What a value is where ways have met; none where it is too many things. */
function alternatives(value: Expr): Expr[] {
  const found = new Set<Expr>();
  const walk = (expr: Expr): void => {
    if (found.size > MOST_VALUES) return;
    if (expr.op === 'ite') for (const arg of expr.args.slice(1)) walk(arg);
    else found.add(expr);
  };
  walk(value);
  return found.size > MOST_VALUES ? [] : [...found];
}

/** A pointer is what it was given, or one of the things. */
function addTargets(pool: Pool, { env }: Passage, cell: Cell, found: Set<Expr>): void {
  const value = env.get(cell.id);
  const targets = value === undefined ? [] : alternatives(value).filter(({ op }) => op === 'const');
  const tests = targets.map((target) => pool.eq(pool.symbol(cell.id, cell.width), target));
  if (found.size + tests.length >= MOST_FOUND) return;
  for (const test of tests) found.add(test);
  if (tests.length > 1) found.add(tests.reduce((so, test) => pool.or(so, test)));
}

/** The value in terms of what other variables hold, once for each that could stand in the same place. */
function written(pool: Pool, value: Expr, names: ReadonlyMap<Expr, readonly Cell[]>, cell: Cell): Expr[] {
  if (sizeOfExpr(value, MOST_NODES) > MOST_NODES) return [];
  const texts = new Set<Expr>();
  for (let choice = 0; choice < MOST_NAMES; choice++) {
    const rewrite = (expr: Expr): Expr => {
      const others = (names.get(expr) ?? []).filter(({ id }) => id !== cell.id);
      const name = others[Math.min(choice, others.length - 1)];
      if (name !== undefined) return pool.symbol(name.id, name.width);
      return expr.args.length === 0 ? expr : pool.rebuild(expr, expr.args.map(rewrite));
    };
    const text = rewrite(value);
    if (text.symbols.length > 0 && text.symbols.every((symbol) => symbolNumber(symbol) < FRESH))
      texts.add(text);
  }
  return [...texts];
}
