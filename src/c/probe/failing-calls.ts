// An error deep inside of calls, deeper than recursion is inlined (lower/recursion.ts): the program is executed on the machine with a stack of calls, with chosen inputs.
// What is found is executed again from the start, with the inputs that were written down, before it is reported.

import { Random } from '../../base/random.ts';
import type { Confirmed, Input } from '../program/confirmed.ts';
import type { Cell, Edge, Program } from '../program/program.ts';
import { CallStack, guessedInputs } from './call-stack.ts';
import { changesOf, givenBy, sourceOf } from './replay.ts';

const RUNS = 40;
/** In one run, which is reported whole, and in all of them. */
const STEPS = 50_000;
const ALL_STEPS = 1_000_000;
const DEEPEST = 10_000;
/** Every call that has not ended keeps a copy of the memory: so many bytes in all. */
const MOST_BYTES = 1 << 26;
const BETWEEN_LOOKS = 256;

export interface Failing {
  readonly run: Confirmed;
  /** How many calls inside of each other had not ended at some time. */
  readonly depth: number;
}

interface Executed {
  readonly edges: readonly Edge[];
  readonly inputs: readonly Input[];
  /** Values of cells at the start that the program does not set. */
  readonly initial: ReadonlyMap<number, bigint>;
  readonly depth: number;
  readonly steps: number;
  readonly fails: boolean;
  /** The program has come to its end. */
  readonly isOver: boolean;
}

/** Null where no such run is found. */
export function failingCalls(
  program: Program,
  isError: (location: number) => boolean,
  timeLeft: () => boolean,
): Failing | null {
  const random = new Random(7);
  let steps = 0;
  for (let number = 0; number < RUNS && steps < ALL_STEPS && timeLeft(); number++) {
    const found = execute(program, isError, timeLeft, guessedInputs(number, random));
    const run = found.fails ? again(program, found) : null;
    if (run !== null) return { run, depth: found.depth };
    // Without inputs there is only one run.
    if (found.fails || !found.inputs.some(({ kind }) => kind === 'input')) return null;
    steps += found.steps;
  }
  return null;
}

/** The run up to an error, to its end, or to where it is given up. */
export function execute(
  program: Program,
  isError: (location: number) => boolean,
  timeLeft: () => boolean,
  input: (cell: Cell) => bigint,
): Executed {
  const edges: Edge[] = [];
  const inputs: Input[] = [];
  const initial = new Map<number, bigint>();
  const stack = new CallStack(program, (cell, operation) => {
    if (operation === null) {
      initial.set(cell.id, 0n);
      return 0n;
    }
    const kind = operation.kind === 'input' ? 'input' : 'uninitialised';
    const value = kind === 'input' ? input(cell) : 0n;
    inputs.push({ source: sourceOf(operation), cell, value, step: edges.length, kind });
    return value;
  });
  const { machine, frames } = stack;
  const most = Math.min(DEEPEST, MOST_BYTES / machine.size);
  let steps = 0;
  let depth = 0;
  for (; steps < STEPS && frames.length < most && !isError(machine.location); steps++) {
    if (steps % BETWEEN_LOOKS === 0 && !timeLeft()) break;
    const happened = stack.next();
    if (happened.kind === 'over') break;
    depth = Math.max(depth, frames.length);
    if (happened.kind === 'step') edges.push(happened.edge);
  }
  const isOver = program.locations[machine.location]!.kind === 'end';
  return { edges, inputs, initial, depth, steps, fails: isError(machine.location), isOver };
}

/** The same steps again, on a new machine. */
function again(program: Program, { edges, inputs, initial }: Executed): Confirmed | null {
  let given = 0;
  const stack = new CallStack(program, (_, operation) =>
    operation === null ? 0n : (inputs[given++]?.value ?? 0n),
  );
  const changes: Confirmed['changes'][number][] = [];
  const calls: Confirmed['calls'][number][] = [];
  for (const edge of edges) {
    const { machine } = stack;
    let changed = changesOf(machine, edge);
    let happened = stack.next();
    for (; happened.kind === 'call' || happened.kind === 'return'; happened = stack.next())
      changed = changesOf(machine, edge);
    if (happened.kind === 'over' || happened.edge !== edge) return null;
    changes.push(changed());
    const { call } = edge;
    if (call !== undefined) calls.push({ name: call.name, value: givenBy(machine, call.result) });
  }
  return { kind: 'confirmed', edges, inputs, initial, calls, changes };
}
