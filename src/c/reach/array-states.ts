// Guesses about all elements of arrays that some execution shows to be wrong: at the head of a loop some of the elements that a guess speaks of are looked at.

import { Random } from '../../base/random.ts';
import { Interpreter, outgoingEdges } from '../program/interpreter.ts';
import type { Program } from '../program/program.ts';
import { objectAt } from '../program/program.ts';
import { bytesIn } from '../program/types.ts';
import type { ArrayGuess } from './array-guesses.ts';
import { isNumberOfAny } from './quantified.ts';
import { valueIn } from './unrefuted.ts';

const RUNS = 12;
const STEPS = 1500;
/** States of one head in one run. */
const MOST_VISITS = 24;

export function unrefutedGuesses(
  program: Program,
  guesses: ReadonlyMap<number, readonly ArrayGuess[]>,
): Map<number, readonly ArrayGuess[]> {
  const left = new Map(guesses);
  const random = new Random(11);
  const outgoing = outgoingEdges(program);
  for (let run = 0; run < RUNS; run++) {
    const reach = run % 3 === 0 ? 3 : 40;
    const machine = new Interpreter(program, (cell) =>
      BigInt.asUintN(cell.width, BigInt(random.below(2 * reach) - Math.floor(reach / 3))),
    );
    const visits = new Map<number, number>();
    for (let step = 0; step < STEPS; step++) {
      const { location } = machine;
      const here = left.get(location);
      const visit = visits.get(location) ?? 0;
      visits.set(location, visit + 1);
      if (here !== undefined && here.length > 0 && visit < MOST_VISITS) {
        program.pool.watch();
        left.set(
          location,
          here.filter((guess) => !isRefuted(program, machine, guess)),
        );
      }
      const edges = outgoing[location]!;
      const first = edges.length > 1 ? random.below(edges.length) : 0;
      const isTaken = edges.some((_, i) => {
        const result = machine.take(edges[(first + i) % edges.length]!);
        return result === 'ok' || result === 'unmodelled';
      });
      if (!isTaken) break;
    }
  }
  return left;
}

function isRefuted(program: Program, machine: Interpreter, { lo, hi, fact }: ArrayGuess): boolean {
  const valueAt = (number: number): bigint => machine.value(program.cells[number]!);
  const element = (address: bigint, width: number): bigint | null => {
    const object = objectAt(program.objects, address);
    const offset = object === null ? 0 : Number(address - object.address);
    const size = object?.extent === undefined ? object?.size : Number(machine.value(object.extent));
    if (object === null || offset + bytesIn(width) > size!) return null;
    let value = 0n;
    for (let i = bytesIn(width) - 1; i >= 0; i--)
      value = (value << 8n) | BigInt(machine.byteAt(object, offset + i));
    return value;
  };
  const [low, high] = [lo, hi].map((place) => BigInt.asIntN(64, valueIn(place, valueAt) ?? 0n)) as [
    bigint,
    bigint,
  ];
  const ends = [low, low + 1n, low + 2n, (low + high) / 2n, high - 2n, high - 1n];
  return ends.some(
    (k) =>
      k >= low &&
      k < high &&
      valueIn(fact, (number) => (isNumberOfAny(number) ? k : valueAt(number)), element) === 0n,
  );
}
