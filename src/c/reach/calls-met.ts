// What functions with contracts were called with, and gave, in some executions of a program that is read with open contracts: calls enter the functions, on a stack, and come
// back. Guesses at what functions ensure begin here; nothing rests on it.

import { Random } from '../../base/random.ts';
import { CallStack } from '../probe/call-stack.ts';
import type { Cell, ContractCells, Program } from '../program/program.ts';

const RUNS = 40;
const STEPS = 20_000;
const DEEPEST = 300;
const MOST_CALLS = 300;

/** The cells that a contract speaks of, in the order in which their values are listed. */
export const cellsOf = (contract: ContractCells): Cell[] => [
  ...contract.arguments,
  ...contract.before,
  ...(contract.result === null ? [] : [contract.result]),
  ...contract.after,
];

/** By function, as signed numbers. */
export function callsMet(program: Program): ReadonlyMap<string, readonly bigint[][]> {
  const met = new Map((program.contracts ?? []).map((contract) => [contract.function, [] as bigint[][]]));
  const random = new Random(3);
  for (let run = 0; run < RUNS; run++) {
    const reach = [3, 12, 130][run % 3]!;
    const stack = new CallStack(program, (cell) =>
      BigInt.asUintN(cell.width, BigInt(random.below(2 * reach) - Math.floor(reach / 3))),
    );
    const { machine } = stack;
    for (let step = 0; step < STEPS && stack.frames.length < DEEPEST; step++) {
      const { location } = machine;
      const mark = program.locations[location]!.contract;
      const leaving = mark?.role === 'exit' ? met.get(mark.function) : undefined;
      const contract = program.contracts?.find((one) => one.function === mark?.function);
      if (leaving !== undefined && contract !== undefined && leaving.length < MOST_CALLS)
        leaving.push(cellsOf(contract).map((cell) => BigInt.asIntN(cell.width, machine.value(cell))));
      if (stack.next().kind === 'over') break;
    }
  }
  return met;
}
