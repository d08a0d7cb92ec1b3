// Guesses at what holds of all elements of an array between two places: `for all k: lo <= k < hi → …`. What is said of the elements is what the program itself does with one of them,
// for any other one: what it writes at an index (`a[i] = 2 * i`: a[k] is 2 * k), and what it asks about what lies there (`a[i] <= max`). The places are
// where the array begins and ends, variables, and numbers that they are compared with. None is trusted: houdini.ts keeps what is inductive.

import type { CellSet } from '../program/cell-set.ts';
import { has } from '../program/cell-set.ts';
import type { Expr, Pool } from '../program/expr.ts';
import { symbolNumber } from '../program/expr.ts';
import type { Cell, Program } from '../program/program.ts';
import { apart } from '../program/simplify.ts';
import { replaceSymbols } from '../program/substitute.ts';
import { isSigned } from './candidates.ts';
import { anyNumber, isAnyNumber } from './quantified.ts';
import type { Regions } from './regions.ts';
import { FRESH } from './symbolic.ts';

/** What is guessed of the elements of one array, and the variables that are taken for places. */
const MOST_FACTS = 14;
const MOST_PLACES = 5;
const MOST_CONSTANTS = 3;

/** `lo <= k < hi → fact`. */
export interface ArrayGuess {
  readonly lo: Expr;
  readonly hi: Expr;
  readonly fact: Expr;
  readonly whole: Expr;
}

/** By head, of the arrays that matter there. `cells`: the numbers at each head. */
export function arrayGuesses(
  regions: Regions,
  live: readonly CellSet[],
  cells: ReadonlyMap<number, readonly Cell[]>,
): ReadonlyMap<number, readonly ArrayGuess[]> {
  const arrays = regions.program.cells.filter(({ array }) => array !== undefined);
  const facts = new Map(arrays.map((array) => [array, factsAbout(regions, array)] as const));
  return new Map(
    regions.heads.map((head) => {
      const here = cells.get(head) ?? [];
      const known = new Set(
        [...here, ...arrays].filter(({ id }) => has(live[head]!, id)).map(({ id }) => id),
      );
      const guesses = arrays
        .filter(({ id }) => known.has(id))
        .flatMap((array) => {
          const said = facts
            .get(array)!
            .filter(({ symbols }) => symbols.every((s) => isAnyNumber(s) || known.has(symbolNumber(s))))
            .slice(0, MOST_FACTS);
          return rangesIn(regions, array, here).flatMap(([lo, hi]) =>
            said.map((fact) => guessOf(regions.program, lo, hi, fact)),
          );
        });
      return [head, guesses.filter(({ whole }) => whole.op !== 'const')] as const;
    }),
  );
}

function guessOf({ pool }: Program, lo: Expr, hi: Expr, fact: Expr): ArrayGuess {
  const k = anyNumber(pool);
  const isOutside = pool.or(pool.compare('slt', k, lo), pool.compare('sle', hi, k));
  return { lo, hi, fact, whole: pool.or(isOutside, fact) };
}

/** Where what is said begins and ends. */
function rangesIn({ program, passages }: Regions, { object, array }: Cell, cells: readonly Cell[]) {
  const { pool } = program;
  const { stride, first } = array!;
  const number = (value: bigint | number) => pool.const(value, 64);
  const count = Math.floor((object.size - first) / stride);
  const places = cells.filter(({ width }) => width >= 16 && width <= 64).slice(0, MOST_PLACES);
  const wide = (cell: Cell) => pool.resize(pool.symbol(cell.id, cell.width), 64, isSigned(cell));
  const after = (place: Expr) => pool.binary('add', place, number(1n));
  const ends = [...boundsIn(passages, count)].map(number);
  const ranges: [Expr, Expr][] = ends.map((end) => [number(0n), end]);
  for (const place of places.map(wide)) {
    ranges.push([number(0n), place], [number(0n), after(place)]);
    for (const end of ends) ranges.push([place, end], [after(place), end]);
    for (const other of places.map(wide))
      if (other !== place) ranges.push([place, other], [after(place), other]);
  }
  return ranges;
}

/** Constants that numbers are compared with, up to the length of the array, which is one of them. */
function boundsIn(passages: Regions['passages'], count: number): Set<bigint> {
  const found = new Set([BigInt(count)]);
  const seen = new Set<Expr>();
  const stack = passages.map(({ guard }) => guard);
  for (let expr = stack.pop(); expr !== undefined && seen.size < 2000; expr = stack.pop()) {
    if (seen.has(expr)) continue;
    seen.add(expr);
    if (expr.op === 'slt' || expr.op === 'ult' || expr.op === 'sle' || expr.op === 'ule')
      for (const { op, value } of expr.args)
        for (const end of op === 'const' ? [value, value + 1n] : [])
          if (end > 1n && end < BigInt(count) && found.size <= MOST_CONSTANTS) found.add(end);
    stack.push(...expr.args);
  }
  return found;
}

/** What the program does with one element, said of element `k`. */
function factsAbout({ program, passages }: Regions, array: Cell): readonly Expr[] {
  const { pool } = program;
  const found = new Set<Expr>();
  const offer = (fact: Expr | null) => {
    if (fact === null || fact.op === 'const' || fact.symbols.some((s) => symbolNumber(s) >= FRESH)) return;
    if (fact.symbols.some(isAnyNumber)) found.add(fact);
  };
  for (const { env, guard } of passages) {
    for (const { address, value } of writesIn(env.get(array.id)))
      offer(generalised(pool, array, address, (k) => pool.eq(elementAt(pool, array, k), value)));
    for (const atom of atomsAbout(guard, array)) {
      const plain = ofArraysBefore(pool, atom);
      for (const address of addressesIn(plain, array)) offer(generalised(pool, array, address, () => plain));
    }
  }
  const both = [...found].flatMap((fact) =>
    fact.op === 'eq' ? [fact, pool.not(fact)] : [pool.not(fact), fact],
  );
  return [...new Set([...found, ...both])];
}

const elementAt = (pool: Pool, { id, width, object, array }: Cell, k: Expr): Expr => {
  const offset = pool.binary('mul', k, pool.const(array!.stride, 64));
  const start = pool.const(object.address + BigInt(array!.first), 64);
  return pool.select(pool.symbol(id, width), pool.binary('add', offset, start));
};

/** The fact about the element at the address, as one about element `k`: the variable in the address is solved for. */
function generalised(pool: Pool, array: Cell, address: Expr, fact: (k: Expr) => Expr): Expr | null {
  const { object, array: part } = array;
  const k = anyNumber(pool);
  const start = object.address + BigInt(part!.first);
  const [rest, from] = apart(address);
  if (rest.op === 'const') return null;
  const stride = BigInt(part!.stride);
  const isScaled = rest.op === 'mul' && rest.args[1]!.op === 'const' && rest.args[1]!.value === stride;
  const behind = BigInt.asIntN(64, from - start);
  if ((!isScaled && stride !== 1n) || behind % stride !== 0n) return null;
  // The index is the variable, extended, and a constant: before it was extended, or after.
  const index = isScaled ? rest.args[0]! : rest;
  const [wide, more] = apart(index);
  const inner = wide.op === 'sext' || wide.op === 'zext' ? wide.args[0]! : wide;
  const [variable, less] = apart(inner);
  if (variable.op !== 'symbol' || isAnyNumber(variable)) return null;
  const by = behind / stride + BigInt.asIntN(64, more) + BigInt.asIntN(variable.width, less);
  const value = pool.trunc(pool.binary('sub', k, pool.const(by, 64)), variable.width);
  const replaced = replaceSymbols(pool, fact(k), (symbol) => (symbol === variable ? value : undefined));
  return atPlainIndices(pool, replaced);
}

/** `sext(trunc(k) + 1)` at indices is k + 1, where that lies in the array. */
function atPlainIndices(pool: Pool, expr: Expr): Expr {
  const memo = new Map<Expr, Expr>();
  const plain = (node: Expr): Expr => {
    if ((node.op === 'sext' || node.op === 'zext') && node.width === 64) {
      const [narrow, by] = apart(node.args[0]!);
      const more = pool.const(BigInt.asIntN(narrow.width, by), 64);
      if (narrow.op === 'trunc' && narrow.args[0]!.width === 64)
        return pool.binary('add', narrow.args[0]!, more);
    }
    return node.args.length === 0 ? node : pool.rebuild(node, node.args.map(plain));
  };
  const walk = (node: Expr): Expr => {
    if (!node.hasArray || node.op === 'symbol') return node;
    let made = memo.get(node);
    if (made === undefined) {
      made =
        node.op === 'select'
          ? pool.select(walk(node.args[0]!), plain(node.args[1]!))
          : pool.rebuild(node, node.args.map(walk));
      memo.set(node, made);
    }
    return made;
  };
  return walk(expr);
}

function writesIn(contents: Expr | undefined): readonly { readonly address: Expr; readonly value: Expr }[] {
  const found: { address: Expr; value: Expr }[] = [];
  const seen = new Set<Expr>();
  const stack = contents === undefined ? [] : [contents];
  for (let node = stack.pop(); node !== undefined && seen.size < 200; node = stack.pop()) {
    if (seen.has(node) || node.width >= 0) continue;
    seen.add(node);
    if (node.op === 'store') found.push({ address: node.args[1]!, value: node.args[2]! });
    stack.push(...node.args);
  }
  return found;
}

/** Tests without structure that read the array. */
function atomsAbout(guard: Expr, { id }: Cell): readonly Expr[] {
  const found: Expr[] = [];
  const seen = new Set<Expr>();
  const stack = [guard];
  for (let expr = stack.pop(); expr !== undefined && seen.size < 2000; expr = stack.pop()) {
    if (!expr.hasArray || seen.has(expr)) continue;
    seen.add(expr);
    const isAtom = expr.width === 0 && expr.op !== 'conj' && expr.op !== 'disj' && expr.op !== 'not';
    if (isAtom && expr.symbols.some((symbol) => symbolNumber(symbol) === id)) found.push(expr);
    stack.push(...expr.args);
  }
  return found;
}

/** Reads of arrays as they were before what the passage writes. */
function ofArraysBefore(pool: Pool, expr: Expr): Expr {
  const base = (array: Expr): Expr => {
    let from = array;
    while (from.op === 'store' || from.op === 'ite')
      from = from.op === 'store' ? from.args[0]! : from.args[2]!;
    return from;
  };
  const memo = new Map<Expr, Expr>();
  const walk = (node: Expr): Expr => {
    if (!node.hasArray || node.op === 'symbol') return node;
    let made = memo.get(node);
    if (made === undefined) {
      made =
        node.op === 'select'
          ? pool.select(base(node.args[0]!), walk(node.args[1]!))
          : pool.rebuild(node, node.args.map(walk));
      memo.set(node, made);
    }
    return made;
  };
  return walk(expr);
}

function addressesIn(expr: Expr, { id }: Cell): readonly Expr[] {
  const found = new Set<Expr>();
  const seen = new Set<Expr>();
  const stack = [expr];
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    if (!node.hasArray || seen.has(node)) continue;
    seen.add(node);
    const [array] = node.args;
    if (node.op === 'select' && array!.op === 'symbol' && symbolNumber(array!) === id)
      found.add(node.args[1]!);
    stack.push(...node.args);
  }
  return [...found];
}
