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
  LEAST_MILLISECONDS,
  type Numbers,
  readRelation,
  type Solution,
  solve,
} from './horn.ts';
import { bitVectors } from './horn-bits.ts';
import { integers } from './horn-integers.ts';
import { liveCells } from './liveness.ts';
import type { Asking } from './oracle.ts';
import { type Regions, regionsOf } from './regions.ts';
import { writeTest } from './write.ts';

/** As lower/contracts.ts reads it. */
interface WrittenContract {
  readonly function: string;
  readonly requires: readonly string[];
  readonly ensures: readonly string[];
}

/** A way to write numbers for the solver, and those in which its solution is read. */
interface Kind {
  readonly clauses: string;
  readonly readAs: readonly Numbers[];
}

/** Guesses at the contracts of all functions, in several goes: a question that the solver has answered is not asked again. */
export class ContractGuesses {
  private readonly program: Program;
  private readonly contracts: readonly ContractCells[];
  private open: readonly Kind[];
  private readonly asking: Asking = {};

  constructor(program: Program, isError: (location: number) => boolean, budget: Budget) {
    const marked = program.locations.filter(({ contract }) => contract !== undefined).map(({ id }) => id);
    const isTarget = (location: number) => isError(location) || program.locations[location]!.kind === 'cut';
    const regions = regionsOf(program, isTarget, budget, marked);
    this.program = program;
    this.contracts = program.contracts ?? [];
    // What the solver says over the integers is read in two ways.
    const kinds = [[integers(program), integers(program, true)], [bitVectors(program)]];
    this.open = kinds.flatMap((readAs) => {
      const clauses = regions === null ? null : allClauses(regions, this.contracts, readAs[0]!);
      return clauses === null ? [] : [{ clauses, readAs }];
    });
  }

  /** A question that is being asked ends at once. */
  end(): void {
    this.asking.end?.();
  }

  /** What is found within so many milliseconds for each question. */
  async *within(milliseconds: number, budget: Budget): AsyncGenerator<readonly WrittenContract[]> {
    for (const kind of this.open) {
      const limit = Math.min(milliseconds, budget.remaining() * 0.5);
      if (limit < LEAST_MILLISECONDS) return;
      const solution = await solve(kind.clauses, limit, budget, true, this.asking);
      if (solution === 'open') continue;
      this.open = this.open.filter((other) => other !== kind);
      if (solution === 'none') continue;
      for (const numbers of kind.readAs) yield this.read(solution, numbers);
    }
  }

  private read(solution: Solution, numbers: Numbers): readonly WrittenContract[] {
    const read = (name: string, cells: readonly Cell[]) =>
      readRelation(this.program.pool, numbers, solution, name, cells);
    // What is not understood is not required, and not ensured.
    return this.contracts.map((contract) => ({
      function: contract.function,
      requires: (read(enters(contract), given(contract)) ?? []).map(writeTest),
      ensures: (read(returns(contract), all(contract)) ?? []).map(writeTest),
    }));
  }
}

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
