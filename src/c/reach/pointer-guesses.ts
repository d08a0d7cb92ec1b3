// Guesses at where pointers point at the heads of loops: to what they were given, to one of a few things, or somewhere between the beginning and the end of one, at the
// beginning of an element. None is trusted: houdini.ts keeps what is inductive.

import type { Expr, Pool } from '../program/expr.ts';
import { symbolNumber } from '../program/expr.ts';
import { type Cell, type MemoryObject, ownerAt, type Program } from '../program/program.ts';
import { sizeOf } from '../program/types.ts';
import type { Regions } from './regions.ts';

/** Values that ways into a loop give a variable. */
const MOST_VALUES = 4;
/** Pointers that are copies of copies. */
const ROUNDS = 3;
const MOST_FOUND = 40;

/** What a value is where ways have met; none where it is too many things. */
export function alternatives(value: Expr): Expr[] {
  const found = new Set<Expr>();
  const walk = (expr: Expr): void => {
    if (found.size > MOST_VALUES) return;
    if (expr.op === 'ite') for (const arg of expr.args.slice(1)) walk(arg);
    else found.add(expr);
  };
  walk(value);
  return found.size > MOST_VALUES ? [] : [...found];
}

export function pointerGuesses({ program, heads, passages }: Regions): Expr[] {
  const { pool, cells } = program;
  const targets = new Map<Cell, Set<Expr>>();
  const into = passages.filter(({ from, to }) => from !== to && heads.includes(to));
  const inLoops = new Set(
    passages.filter(({ from, to }) => from === to).flatMap(({ env }) => [...env.keys()]),
  );
  // Not at the beginning only.
  const within = new Set(inLoops);
  for (let round = 0; round < ROUNDS; round++)
    for (const { env } of into)
      for (const [id, value] of env) {
        const cell = cells[id]!;
        if (cell.type.kind !== 'pointer') continue;
        const known = targets.get(cell) ?? new Set();
        targets.set(cell, known);
        if (alternatives(value).some(({ op }) => op === 'add' || op === 'sub')) within.add(id);
        for (const one of alternatives(value))
          for (const address of addressesIn(one, (symbol) => targets.get(cells[symbolNumber(symbol)]!)))
            known.add(address);
      }
  const found = new Set<Expr>();
  for (const [cell, known] of targets) {
    if (known.size > MOST_VALUES || known.size === 0) continue;
    const tests = [...known].map((target) => pool.eq(pool.symbol(cell.id, cell.width), target));
    for (const test of tests) found.add(test);
    if (tests.length > 1) found.add(tests.reduce((so, test) => pool.or(so, test)));
    if (within.has(cell.id)) for (const test of walks(program, cell, known)) found.add(test);
  }
  for (const test of comparisons(program, targets, inLoops)) found.add(test);
  return [...found].slice(0, MOST_FOUND);
}

/** Of constants, of what other pointers are, and of what something is added to. */
function* addressesIn(value: Expr, of: (symbol: Expr) => Iterable<Expr> | undefined): Iterable<Expr> {
  if (value.op === 'const') yield value;
  else if (value.op === 'symbol') yield* of(value) ?? [];
  else if (value.op === 'add' || value.op === 'sub')
    for (const arg of value.args.flatMap(alternatives)) if (arg.width === 64) yield* addressesIn(arg, of);
}

const targetOf = ({ objects }: Program, address: Expr): MemoryObject | null => {
  const object = address.op === 'const' ? ownerAt(objects, address.value) : null;
  return object?.address === address.value ? object : null;
};

/** A pointer that goes through an object is never outside of it, and always at an element. */
function* walks(program: Program, cell: Cell, targets: Iterable<Expr>): Iterable<Expr> {
  const { pool } = program;
  const element = cell.type.kind === 'pointer' ? (sizeOf(cell.type.to) ?? 1) : 1;
  for (const target of targets) {
    const object = targetOf(program, target);
    if (object === null) continue;
    const offset = offsetIn(pool, object, cell);
    const { extent } = object;
    const end = extent === undefined ? pool.const(object.size, 64) : pool.symbol(extent.id, 64);
    yield pool.compare('ule', offset, end);
    yield pool.eq(offset, end);
    if (element > 1) yield pool.eq(pool.binary('urem', offset, pool.const(element, 64)), pool.const(0n, 64));
  }
}

/** Of two pointers into one object, one of which moves. */
function* comparisons(
  program: Program,
  targets: ReadonlyMap<Cell, ReadonlySet<Expr>>,
  moving: ReadonlySet<number>,
): Iterable<Expr> {
  const { pool } = program;
  for (const [cell, known] of targets)
    for (const [other, others] of targets)
      for (const target of known) {
        const object =
          moving.has(cell.id) && cell !== other && others.has(target) ? targetOf(program, target) : null;
        if (object === null) continue;
        const [a, b] = [offsetIn(pool, object, cell), offsetIn(pool, object, other)];
        yield pool.compare('ule', a, b);
        yield pool.compare('ule', b, a);
      }
}

const offsetIn = (pool: Pool, { address }: MemoryObject, { id, width }: Cell): Expr =>
  pool.binary('sub', pool.zext(pool.symbol(id, width), 64), pool.const(address, 64));
