// What functions with contracts were called with, and gave, in some executions of a program that is read with open contracts: calls enter the functions, on a stack, and come
// back. Guesses at what functions ensure begin here; nothing rests on it.

import { Random } from '../../base/random.ts';
import { Interpreter, outgoingEdges } from '../program/interpreter.ts';
import type { Cell, ContractCells, Program } from '../program/program.ts';
import { bytesIn } from '../program/types.ts';

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
  const contracts = new Map((program.contracts ?? []).map((contract) => [contract.function, contract]));
  const met = new Map([...contracts.keys()].map((name) => [name, [] as bigint[][]]));
  const marks = new Map<string, number>();
  for (const { id, contract } of program.locations)
    if (contract !== undefined) marks.set(`${contract.role} ${contract.function} ${contract.site}`, id);
  const outgoing = outgoingEdges(program);
  const random = new Random(3);
  for (let run = 0; run < RUNS; run++) {
    const reach = [3, 12, 130][run % 3]!;
    const machine = new Interpreter(program, (cell, operation) =>
      // The first thing that is open is which function is looked at: main.
      operation?.kind === 'havoc' && !operation.exact
        ? 0n
        : BigInt.asUintN(cell.width, BigInt(random.below(2 * reach) - Math.floor(reach / 3))),
    );
    const stack: { readonly memory: Uint8Array; readonly after: number }[] = [];
    for (let step = 0; step < STEPS; step++) {
      const mark = program.locations[machine.location]!.contract;
      const contract = mark && contracts.get(mark.function)!;
      if (mark?.role === 'before') {
        const entry = marks.get(`entry ${mark.function} 0`);
        const after = marks.get(`after ${mark.function} ${mark.site}`);
        if (entry === undefined || after === undefined || stack.length === DEEPEST) break;
        stack.push({ memory: machine.snapshot(), after });
        machine.restore(entry, stack.at(-1)!.memory);
      } else if (mark?.role === 'exit' && contract !== undefined) {
        const { memory, after } = stack.pop()!;
        const calls = met.get(mark.function)!;
        const values = cellsOf(contract).map((cell) => BigInt.asIntN(cell.width, machine.value(cell)));
        if (calls.length < MOST_CALLS) calls.push(values);
        const now = machine.snapshot();
        for (const cell of [...(contract.result === null ? [] : [contract.result]), ...contract.after]) {
          const place = machine.placeOf(cell);
          memory.set(now.subarray(place, place + bytesIn(cell.width)), place);
        }
        machine.restore(after, memory);
        continue;
      }
      const taken = outgoing[machine.location]!.some((edge) => {
        const result = machine.take(edge);
        return result === 'ok' || (result === 'unmodelled' && stack.length === 0);
      });
      if (!taken) break;
    }
  }
  return met;
}
