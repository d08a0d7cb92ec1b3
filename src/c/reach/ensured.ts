// Guesses at what functions that call themselves ensure, from calls that were met: bounds and differences, also where a test of the arguments holds. What
// is kept by all bodies, when all calls inside keep it, is left over (Houdini, as for invariants); the program is read again with that.

import type { Budget } from '../../base/budget.ts';
import type { CellSet } from '../program/cell-set.ts';
import type { Expr, Pool } from '../program/expr.ts';
import { symbolNumber } from '../program/expr.ts';
import type { Cell, ContractCells, Program } from '../program/program.ts';
import { equationsOf } from './affine.ts';
import { cellsOf } from './calls-met.ts';
import { guardAtoms, isSigned } from './candidates.ts';
import { inductivePart } from './houdini.ts';
import { allGuesses } from './invariants.ts';
import type { Oracle } from './oracle.ts';
import { type Regions, regionsOf } from './regions.ts';
import { valueIn } from './unrefuted.ts';
import { writeTest } from './write.ts';

/** By function: its calls, as calls-met.ts lists them. */
type Calls = ReadonlyMap<string, readonly (readonly bigint[])[]>;
/** By function: tests in prefix notation. */
export type Ensured = ReadonlyMap<string, readonly string[]>;

const MOST_GUESSES = 90;
const MOST_TESTS = 8;
/** Differences cannot overflow in so many bits more. */
const MORE_BITS = 2;

/** What is kept in a program that is read with `assumed` (null: with nothing, and everything is guessed). Null when it takes too long. */
export async function keptOf(
  program: Program,
  live: readonly CellSet[],
  calls: Calls,
  assumed: Ensured | null,
  oracle: Oracle,
  budget: Budget,
): Promise<Ensured | null> {
  const exits = new Map(
    program.locations.flatMap(({ id, contract }) =>
      contract?.role === 'exit' ? [[contract.function, id] as const] : [],
    ),
  );
  const isCut = (location: number) => program.locations[location]!.kind === 'cut';
  const regions = regionsOf(program, isCut, budget, [...exits.values()]);
  if (regions === null) return null;
  const guesses = new Map(
    (program.contracts ?? []).map((contract) => {
      const known = assumed?.get(contract.function);
      const all = guessesFor(regions, contract, calls.get(contract.function) ?? []);
      return [contract.function, all.filter((test) => known?.includes(writeTest(test)) ?? true)] as const;
    }),
  );
  if (assumed === null) return written(guesses);
  const invariants = new Map(allGuesses(regions, live));
  for (const [name, exit] of exits) invariants.set(exit, guesses.get(name) ?? []);
  const held = await inductivePart(regions, invariants, oracle, budget);
  if (held === null) return null;
  return written(
    new Map(
      [...guesses].map(([name, all]) => {
        const exit = exits.get(name);
        // What never returns ensures everything.
        return [name, exit === undefined ? all : (held.get(exit) ?? [])] as const;
      }),
    ),
  );
}

const written = (tests: ReadonlyMap<string, readonly Expr[]>): Ensured =>
  new Map([...tests].map(([name, here]) => [name, here.map(writeTest)]));

function guessesFor(
  regions: Regions,
  contract: ContractCells,
  met: readonly (readonly bigint[])[],
): readonly Expr[] {
  const { program } = regions;
  const { pool } = program;
  if (met.length === 0) return [];
  const isNumber = ({ type }: Cell) => type.kind === 'int';
  const cells = cellsOf(contract).filter(isNumber);
  const calls = met.map((values) =>
    cellsOf(contract).flatMap((cell, i) => (isNumber(cell) ? [values[i]!] : [])),
  );
  const inputs = [...contract.arguments, ...contract.before].filter(isNumber).length;
  const found = new Set<Expr>(equationsOf(program, cells, calls));
  const offer = (some: readonly (readonly bigint[])[], when: Expr | null) => {
    const add = (test: Expr) => found.add(when === null ? test : pool.or(pool.not(when), test));
    for (let output = inputs; output < cells.length; output++) {
      bounds(pool, cells, [output], some, add);
      for (let input = 0; input < inputs; input++) bounds(pool, cells, [output, input], some, add);
    }
  };
  offer(calls, null);
  for (const test of testsOf(regions, cells.slice(0, inputs)))
    for (const when of [test, pool.not(test)]) {
      const some = calls.filter(
        (values) => valueIn(when, (cell) => values[cells.findIndex(({ id }) => id === cell)] ?? null) === 1n,
      );
      if (some.length > 0 && some.length < calls.length) offer(some, when);
    }
  return [...found].filter(({ op }) => op !== 'const').slice(0, MOST_GUESSES);
}

/** Tests of the program over what functions are given. */
const testsOf = ({ passages }: Regions, inputs: readonly Cell[]): Expr[] =>
  [...guardAtoms(passages)]
    .filter(
      ({ symbols }) =>
        symbols.length > 0 && symbols.every((symbol) => inputs.some(({ id }) => id === symbolNumber(symbol))),
    )
    .slice(0, MOST_TESTS);

/** The smallest and the largest value of a cell, or of its difference to another one, in all these calls. */
function bounds(
  pool: Pool,
  cells: readonly Cell[],
  [output, input]: readonly number[],
  calls: readonly (readonly bigint[])[],
  add: (test: Expr) => void,
): void {
  const of = (i: number) => cells[i]!;
  const number = (values: readonly bigint[], i: number) =>
    isSigned(of(i)) ? values[i]! : BigInt.asUintN(of(i).width, values[i]!);
  const width = MORE_BITS + Math.max(of(output!).width, input === undefined ? 0 : of(input).width);
  const wide = (i: number) => pool.resize(pool.symbol(of(i).id, of(i).width), width, isSigned(of(i)));
  const term = input === undefined ? wide(output!) : pool.binary('sub', wide(output!), wide(input));
  const values = calls.map((one) => number(one, output!) - (input === undefined ? 0n : number(one, input)));
  const [least, most] = extremes(values);
  const constant = (value: bigint) => pool.const(BigInt.asUintN(width, value), width);
  add(pool.compare('sle', constant(least), term));
  add(pool.compare('sle', term, constant(most)));
  // What was met was perhaps not the least there is.
  if (least > 0n) add(pool.compare('sle', constant(0n), term));
  if (most < 0n) add(pool.compare('sle', term, constant(0n)));
}

function extremes(values: readonly bigint[]): [bigint, bigint] {
  let [least, most] = [values[0]!, values[0]!];
  for (const value of values) {
    if (value < least) least = value;
    if (value > most) most = value;
  }
  return [least, most];
}
