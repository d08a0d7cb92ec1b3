// What functions with contracts were called with, and gave, in some executions of a program that is read with open contracts: calls enter the functions, on a stack, and come
// back. Guesses at what functions ensure begin here; nothing rests on it.

import { Random } from '../../base/random.ts';
import { CallStack, inputsFrom } from '../probe/call-stack.ts';
import type { Cell, ContractCells, Program } from '../program/program.ts';

const RUNS = 40;
/** In one run, and in all of them. */
const STEPS = 100_000;
const ALL_STEPS = 800_000;
const DEEPEST = 5000;
/** Every call that has not ended keeps a copy of the memory: so many bytes in all. */
const MOST_BYTES = 1 << 26;
const MOST_CALLS = 300;

/** The cells that a contract speaks of, in the order in which their values are listed. */
export const cellsOf = (contract: ContractCells): Cell[] => [
  ...contract.arguments,
  ...contract.before,
  ...(contract.result === null ? [] : [contract.result]),
  ...contract.after,
];

/** The values of the cells of each call, as signed numbers. */
export interface MetCalls {
  readonly met: bigint[][];
  /** The same where shared variables began with something else: what the only run of a program has by chance is not in all of them. */
  readonly elsewise: bigint[][];
}

/** By function. */
export function callsMet(program: Program, timeLeft: () => boolean): ReadonlyMap<string, MetCalls> {
  const contracts = program.contracts ?? [];
  const calls = new Map(
    contracts.map((contract) => [contract.function, { met: [], elsewise: [] } as MetCalls]),
  );
  const random = new Random(3);
  let steps = 0;
  /** Without any there is only one real run. */
  let inputs = 0;
  for (let run = 0; run < RUNS && steps < ALL_STEPS && timeLeft(); run++) {
    const isReal = run % 4 !== 3;
    if (isReal && run > 0 && inputs === 0) continue;
    const reach = [3, 12, 130][run % 3]!;
    const some = ({ width }: Cell) =>
      BigInt.asUintN(width, BigInt(random.below(2 * reach) - Math.floor(reach / 3)));
    const stack = new CallStack(
      program,
      inputsFrom((cell) => {
        inputs++;
        return some(cell);
      }),
    );
    if (!isReal)
      stack.begin(new Map(contracts.flatMap(({ after }) => after).map((cell) => [cell, some(cell)])));
    steps += follow(stack, program, (contract, values) => {
      const { met, elsewise } = calls.get(contract.function)!;
      const found = isReal ? met : elsewise;
      if (found.length < MOST_CALLS) found.push(values);
    });
  }
  return calls;
}

/** How many steps were taken. */
function follow(
  stack: CallStack,
  program: Program,
  leaves: (contract: ContractCells, values: bigint[]) => void,
): number {
  const { machine } = stack;
  const deepest = Math.min(DEEPEST, MOST_BYTES / machine.size);
  for (let step = 0; ; step++) {
    if (step === STEPS || stack.frames.length >= deepest) return step;
    const mark = program.locations[machine.location]!.contract;
    const contract = program.contracts?.find((one) => one.function === mark?.function);
    if (mark?.role === 'exit' && contract !== undefined)
      leaves(
        contract,
        cellsOf(contract).map((cell) => BigInt.asIntN(cell.width, machine.value(cell))),
      );
    if (stack.next().kind === 'over') return step;
  }
}
