// Contracts of functions that call themselves, from z3's solver for Horn clauses. In a program that is read with open contracts (lower/contracts.ts) each function
// gets two relations: with what it is called, and what it then returns. A call's way on asks for the second, a way into the function for the
// first, so clauses have several relations in their bodies. What is found is a guess: the program is read again with it, and must pass as any other.

import type { Budget } from '../../base/budget.ts';
import { printSort } from '../../smt/print.ts';
import type { Cell, ContractCells, ContractMark, Program } from '../program/program.ts';
import {
  apply,
  applyAt,
  type Beside,
  cellsAt,
  clause,
  clausesOf,
  type Numbers,
  readRelation,
  solve,
} from './horn.ts';
import { bitVectors } from './horn-bits.ts';
import { integers } from './horn-integers.ts';
import { liveCells } from './liveness.ts';
import { type Regions, regionsOf } from './regions.ts';
import { writeTest } from './write.ts';

/** As lower/contracts.ts reads it. */
interface WrittenContract {
  readonly function: string;
  readonly requires: readonly string[];
  readonly ensures: readonly string[];
}

/** Each guess at the contracts of all functions. */
export async function* contractsOf(
  program: Program,
  isError: (location: number) => boolean,
  budget: Budget,
): AsyncGenerator<readonly WrittenContract[]> {
  const marked = program.locations.filter(({ contract }) => contract !== undefined).map(({ id }) => id);
  const isTarget = (location: number) => isError(location) || program.locations[location]!.kind === 'cut';
  const regions = regionsOf(program, isTarget, budget, marked);
  if (regions === null || program.contracts === undefined) return;
  // What the solver says over the integers is read in two ways.
  const kinds = [[integers(program), integers(program, true)], [bitVectors(program)]];
  for (const [first, ...others] of kinds) {
    const clauses = allClauses(regions, program.contracts, first!);
    const limit = Math.min(MOST_MILLISECONDS, budget.remaining() * 0.5);
    const solution = clauses === null || limit < 50 ? null : await solve(clauses, limit, budget, true);
    if (solution === null) continue;
    for (const numbers of [first!, ...others]) {
      const read = (name: string, cells: readonly Cell[]) =>
        readRelation(program.pool, numbers, solution, name, cells);
      const found = program.contracts.map((contract) => ({
        function: contract.function,
        // What is not understood is not required.
        requires: read(enters(contract), given(contract)) ?? [],
        ensures: read(returns(contract), all(contract)),
      }));
      yield found.map((one) => ({
        function: one.function,
        requires: one.requires.map(writeTest),
        ensures: (one.ensures ?? []).map(writeTest),
      }));
    }
  }
}

/** Where there is no limit of time: what is found at all is found soon. */
const MOST_MILLISECONDS = 25_000;

const given = (contract: ContractCells): Cell[] => [...contract.arguments, ...contract.before];
const all = (contract: ContractCells): Cell[] => [
  ...given(contract),
  ...(contract.result === null ? [] : [contract.result]),
  ...contract.after,
];
const enters = (contract: ContractCells): string => `enters-${contract.function}`;
const returns = (contract: ContractCells): string => `returns-${contract.function}`;

function allClauses(regions: Regions, contracts: readonly ContractCells[], numbers: Numbers): string | null {
  const { program } = regions;
  const live = liveCells(program, []);
  const marks = new Map<number, ContractMark>();
  for (const { id, contract } of program.locations) if (contract !== undefined) marks.set(id, contract);
  const named = (mark: ContractMark) => contracts.find((one) => one.function === mark.function)!;
  const beside: Beside = ({ from, to }, after) => {
    const [start, end] = [marks.get(from), marks.get(to)];
    if (end?.role === 'entry') return [apply(enters(named(end)), given(named(end)).map(after))];
    if (start?.role !== 'before' || end?.role !== 'after') return [];
    return [apply(returns(named(start)), all(named(start)).map(after))];
  };
  const clauses = clausesOf(regions, live, numbers, beside);
  if (clauses === null) return null;
  const declared = contracts.flatMap((contract) =>
    [[enters(contract), given(contract)] as const, [returns(contract), all(contract)] as const].map(
      ([name, cells]) =>
        `(declare-fun ${name} (${cells.map((cell) => printSort(numbers.sort(cell))).join(' ')}) Bool)`,
    ),
  );
  const more = [...marks].flatMap(([location, mark]) => {
    const contract = named(mark);
    const head =
      mark.role === 'before'
        ? apply(enters(contract), given(contract).map(numbers.variable))
        : mark.role === 'exit'
          ? apply(returns(contract), all(contract).map(numbers.variable))
          : null;
    if (head === null) return [];
    const here = cellsAt(regions, live, location).map(numbers.variable);
    const variables = [...here, ...all(contract).map(numbers.variable)];
    return [clause(variables, [applyAt(location, here)], head)];
  });
  return [...declared, clauses, ...more].join('\n');
}
