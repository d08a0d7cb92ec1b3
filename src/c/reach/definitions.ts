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
const MOST_FOUND = 40;
/** Pointers that are copies of copies. */
const ROUNDS = 3;
/** Of those that stand in the text. */
const MOST_WRITTEN = 10;
/** Larger expressions are no definitions. */
const MOST_NODES = 60;

/** For each head, what holds there where nothing has changed since; what is found for one head is tried at all. */
export function definitionsAt(regions: Regions, live: readonly CellSet[]): Map<number, Expr[]> {
  const { program, heads, passages } = regions;
  const { pool, cells } = program;
  const isOwn = ({ object, width }: Cell) => object.kind === 'temporary' && width === 64;
  const numbers = cells.filter(({ type }) => type.kind === 'int');
  const found = new Set<Expr>();
  // As the text has it.
  for (const { operation } of program.edges)
    if (operation.kind === 'assign' && isOwn(operation.cell)) {
      const { cell, value } = operation;
      const isText = value.op !== 'symbol' && value.op !== 'const' && !value.hasLoad;
      if (isText && sizeOfExpr(value, MOST_NODES) <= MOST_NODES && found.size < MOST_WRITTEN)
        found.add(pool.eq(pool.symbol(cell.id, cell.width), value));
    }
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
  }
  for (const test of targetsOf(regions)) if (found.size < MOST_FOUND) found.add(test);
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

/** A pointer is what it was given, or one of the things: addresses, or what other pointers are. */
function targetsOf({ program: { pool, cells }, heads, passages }: Regions): Expr[] {
  const targets = new Map<number, Set<Expr>>();
  const into = passages.filter(({ from, to }) => from !== to && heads.includes(to));
  for (let round = 0; round < ROUNDS; round++)
    for (const { env } of into)
      for (const [id, value] of env) {
        if (cells[id]!.type.kind !== 'pointer') continue;
        const known = targets.get(id) ?? new Set();
        targets.set(id, known);
        for (const one of alternatives(value))
          if (one.op === 'const') known.add(one);
          else if (one.op === 'symbol')
            for (const other of targets.get(symbolNumber(one)) ?? []) known.add(other);
      }
  return [...targets].flatMap(([id, known]) => {
    if (known.size > MOST_VALUES) return [];
    const tests = [...known].map((target) => pool.eq(pool.symbol(id, cells[id]!.width), target));
    return tests.length > 1 ? [...tests, tests.reduce((so, test) => pool.or(so, test))] : tests;
  });
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
