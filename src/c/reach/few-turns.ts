// Do the loops of a program end soon, whatever the inputs are? Tried with some inputs, the largest and smallest numbers among them: the answer decides what is tried, and
// nothing about a verdict.

import { Random } from '../../base/random.ts';
import { Interpreter, outgoingEdges } from '../program/interpreter.ts';
import type { Cell, Program } from '../program/program.ts';

const STEPS = 20_000;

/** What every input of a run is. */
const INPUTS: readonly ((cell: Cell, random: Random) => bigint)[] = [
  () => 0n,
  () => 1n,
  ({ width }) => BigInt.asUintN(width, -1n),
  ({ width }) => (1n << BigInt(width - 1)) - 1n,
  ({ width }) => 1n << BigInt(width - 1),
  ({ width }, random) => BigInt.asUintN(width, BigInt(random.below(200) - 60)),
  ({ width }, random) => BigInt.asUintN(width, BigInt(random.below(12))),
  ({ width }, random) => BigInt.asUintN(width, BigInt(random.below(1 << 30)) * 7n),
  (_, random) => BigInt(random.below(2)),
];
const RUNS_EACH = 3;

/** How often heads of loops are come by in the longest of some runs; null where one of them does not end soon. */
export function turnsOfSomeRuns(program: Program, heads: readonly number[]): number | null {
  const isHead = new Set(heads);
  const outgoing = outgoingEdges(program);
  const random = new Random(11);
  let most = 0;
  for (const input of INPUTS)
    for (let run = 0; run < RUNS_EACH; run++) {
      const machine = new Interpreter(program, (cell) => input(cell, random));
      let turns = 0;
      for (let step = 0; ; step++) {
        program.pool.watch();
        if (step === STEPS) return null;
        if (isHead.has(machine.location)) turns++;
        const taken = outgoing[machine.location]!.some((edge) => {
          const result = machine.take(edge);
          return result === 'ok' || result === 'unmodelled';
        });
        if (!taken) break;
      }
      most = Math.max(most, turns);
    }
  return most;
}
