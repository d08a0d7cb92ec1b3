// Guesses at what functions that call themselves ensure, from calls that were met: bounds and differences, also where a test of the arguments holds. What
// is kept by all bodies, when all calls inside keep it, is left over (Houdini, as for invariants); the program is read again with that.

import { type Budget, fractionOf } from '../../base/budget.ts';
import type { CellSet } from '../program/cell-set.ts';
import { readTest } from '../program/contract-text.ts';
import type { Expr, Pool } from '../program/expr.ts';
import { symbolNumber } from '../program/expr.ts';
import type { Cell, ContractCells, Program } from '../program/program.ts';
import { equationsOf } from './affine.ts';
import { callsMet, cellsOf, type MetCalls } from './calls-met.ts';
import { guardAtoms, isSigned } from './candidates.ts';
import { inductivePart } from './houdini.ts';
import { allGuesses } from './invariants.ts';
import type { Oracle } from './oracle.ts';
import { type Regions, regionsOf } from './regions.ts';
import { valueIn } from './unrefuted.ts';
import { withOracle } from './with-oracle.ts';
import { writeTest } from './write.ts';

/** By function. */
type Calls = ReadonlyMap<string, MetCalls>;
/** By function: tests in prefix notation. */
type Ensured = ReadonlyMap<string, readonly string[]>;

interface EnsuredContract {
  readonly function: string;
  readonly requires: readonly string[];
  readonly ensures: readonly string[];
}

const MOST_ROUNDS = 8;
const MOST_GUESSES = 90;
const MOST_TESTS = 8;
/** Differences cannot overflow in so many bits more. */
const MORE_BITS = 2;

/** What not all bodies keep is given up, and the program read again, until the rest is kept. `open`: the program read with open contracts. Null when nothing is left, or it takes too long. */
export async function ensuredContracts(
  open: Program,
  read: (contracts: readonly EnsuredContract[]) => Program | null,
  budget: Budget,
): Promise<readonly EnsuredContract[] | null> {
  const calls = callsMet(open, budget.timeLeft);
  let ensured: Ensured | null = null;
  for (let round = 0; round < MOST_ROUNDS && budget.timeLeft(); round++) {
    const program: Program | null = read(contractsOf(ensured));
    if (program === null) return null;
    const assumed: Ensured | null = ensured;
    const kept: Ensured | null = await withOracle(program, budget, (live, oracle) =>
      keptOf(program, live, calls, assumed, oracle, fractionOf(budget, 0.5)),
    );
    if (kept === null) return null;
    ensured = kept;
    if (assumed === null || [...kept].some(([name, tests]) => tests.length < assumed.get(name)!.length))
      continue;
    const contracts = contractsOf(kept);
    return contracts.some(({ ensures }) => ensures.length > 0) ? contracts : null;
  }
  return null;
}

const contractsOf = (ensured: Ensured | null): EnsuredContract[] =>
  [...(ensured ?? [])].map(([name, ensures]) => ({ function: name, requires: [], ensures }));

/** What is kept in a program that is read with `assumed` (null: with nothing, and everything is guessed). Null when it takes too long. */
async function keptOf(
  program: Program,
  live: readonly CellSet[],
  calls: Calls,
  assumed: Ensured | null,
  oracle: Oracle,
  budget: Budget,
): Promise<Ensured | null> {
  const marked = program.locations.flatMap(({ id, contract }) =>
    contract === undefined ? [] : [{ id, ...contract }],
  );
  const exits = new Map(
    marked.flatMap((mark) => (mark.role === 'exit' ? [[mark.function, mark.id] as const] : [])),
  );
  const isCut = (location: number) => program.locations[location]!.kind === 'cut';
  const regions = regionsOf(program, isCut, budget, [...exits.values()]);
  // From entries to calls: there tests are about arguments, and decide something.
  const stretches = regionsOf(
    program,
    isCut,
    budget,
    marked.map(({ id }) => id),
  );
  if (regions === null || stretches === null) return null;
  const guesses = new Map(
    (program.contracts ?? []).map((contract) => {
      const { pool } = program;
      const tests =
        assumed === null
          ? guessesFor(stretches, contract, calls.get(contract.function)!)
          : (assumed.get(contract.function) ?? []).map((text) => readTest(pool, text, cellsOf(contract))!);
      return [contract.function, tests] as const;
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

function guessesFor(regions: Regions, contract: ContractCells, { met, elsewise }: MetCalls): readonly Expr[] {
  const { program } = regions;
  const { pool } = program;
  if (met.length === 0) return [];
  const isNumber = ({ type }: Cell) => type.kind === 'int';
  const cells = cellsOf(contract).filter(isNumber);
  const numbers = (calls: readonly bigint[][]) =>
    calls.map((values) => cellsOf(contract).flatMap((cell, i) => (isNumber(cell) ? [values[i]!] : [])));
  const [real, all] = [numbers(met), numbers([...met, ...elsewise])];
  const inputs = [...contract.arguments, ...contract.before].filter(isNumber).length;
  const found = new Set<Expr>();
  const offer = (when: Expr | null) => {
    const add = (test: Expr) => void found.add(when === null ? test : pool.or(pool.not(when), test));
    const where = (calls: readonly bigint[][]) =>
      when === null
        ? calls
        : calls.filter(
            (values) =>
              valueIn(when, (cell) => values[cells.findIndex(({ id }) => id === cell)] ?? null) === 1n,
          );
    const some = where(real);
    if (some.length === 0 || (when !== null && some.length === real.length)) return;
    equationsOf(program, cells, where(all)).forEach(add);
    equationsOf(program, cells, some).forEach(add);
    for (let output = inputs; output < cells.length; output++) {
      bounds(pool, cells, [output], some, add);
      for (let input = 0; input < inputs; input++) bounds(pool, cells, [output, input], some, add);
    }
  };
  offer(null);
  for (const test of testsOf(regions, cells.slice(0, inputs))) [test, pool.not(test)].forEach(offer);
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
