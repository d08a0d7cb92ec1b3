// Guesses at how variables of the analysis hang together with those of the program: how many bytes an object has, how many are to be copied, is computed
// once from numbers that are still there at the head of a loop (`size == 4 * n`). None is trusted: houdini.ts keeps what is inductive.

import type { CellSet } from '../program/cell-set.ts';
import { has } from '../program/cell-set.ts';
import type { Expr, Pool } from '../program/expr.ts';
import { symbolNumber } from '../program/expr.ts';
import type { Cell, Program } from '../program/program.ts';
import { sizeOfExpr } from '../program/substitute.ts';
import { alternatives, pointerGuesses } from './pointer-guesses.ts';
import type { Passage, Regions } from './regions.ts';
import { FRESH } from './symbolic.ts';

/** Variables that could stand for a part of a value; all guesses. */
const MOST_NAMES = 4;
const MOST_FOUND = 40;
/** Of those that stand in the text. */
const MOST_WRITTEN = 10;
/** Larger expressions are no definitions. */
const MOST_NODES = 60;

/** For each head, what holds there where nothing has changed since; what is found for one head is tried at all. */
export function definitionsAt(regions: Regions, live: readonly CellSet[]): Map<number, Expr[]> {
  const { program, heads, passages } = regions;
  const { pool, cells } = program;
  const numbers = cells.filter(({ type }) => type.kind === 'int');
  const found = new Set<Expr>();
  const texts = textsOf(program);
  for (const passage of passages) {
    if (passage.from === passage.to || !heads.includes(passage.to)) continue;
    const here = numbers.filter(({ id }) => has(live[passage.to]!, id));
    const names = namesIn(passage, here);
    for (const cell of here) {
      const value = passage.env.get(cell.id);
      if (!isOwn(cell) || value?.op === 'const') continue;
      const known = texts.get(cell) ?? new Set();
      texts.set(cell, known);
      // What it was before is now, perhaps, in terms of a copy.
      for (const one of value === undefined ? [...known] : alternatives(value))
        for (const text of written(pool, one, names, cell)) known.add(text);
    }
  }
  for (const [{ id, width }, known] of texts)
    for (const text of known) if (found.size < MOST_FOUND) found.add(pool.eq(pool.symbol(id, width), text));
  const isLiveAt = (head: number) => (expr: Expr) =>
    expr.symbols.every((symbol) => has(live[head]!, symbolNumber(symbol)));
  const all = [...found, ...pointerGuesses(regions)].filter(({ op }) => op !== 'const');
  return new Map(heads.map((head) => [head, all.filter(isLiveAt(head))]));
}

const isOwn = ({ object, width }: Cell): boolean => object.kind === 'temporary' && width === 64;

/** What is assigned, as the text has it. */
function textsOf({ edges }: Program): Map<Cell, Set<Expr>> {
  const texts = new Map<Cell, Set<Expr>>();
  for (const { operation } of edges) {
    if (operation.kind !== 'assign' || !isOwn(operation.cell) || texts.size >= MOST_WRITTEN) continue;
    const { cell, value } = operation;
    const isText = value.op !== 'symbol' && value.op !== 'const' && !value.hasLoad;
    if (cell.type.kind === 'int' && isText && sizeOfExpr(value, MOST_NODES) <= MOST_NODES)
      texts.set(cell, (texts.get(cell) ?? new Set()).add(value));
  }
  return texts;
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
