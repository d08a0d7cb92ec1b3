// The concrete machine with a stack of calls, for programs that are read with open contracts (lower/contracts.ts): where a call is made the function is entered, with variables of its own; where
// it ends, the caller goes on with its own variables, the result, and what the call left in shared ones.

import { Random } from '../../base/random.ts';
import type { Confirmed } from '../program/confirmed.ts';
import { Interpreter, outgoingEdges, type Provider } from '../program/interpreter.ts';
import {
  ANY_FUNCTION,
  type Cell,
  type ContractCells,
  type Edge,
  type Operation,
  type Program,
} from '../program/program.ts';
import { bytesIn } from '../program/types.ts';

interface Frame {
  /** The caller's memory, and where it goes on. */
  readonly memory: Uint8Array;
  readonly after: number;
}

export type Happened =
  | { readonly kind: 'step'; readonly edge: Edge }
  | { readonly kind: 'call' }
  | { readonly kind: 'return'; readonly contract: ContractCells }
  /** The program ends, does something undefined or something that is not modelled. */
  | { readonly kind: 'over' };

const OVER: Happened = { kind: 'over' };

/** Functions that give any value give these; what is not initialised is 0. */
export const inputsFrom =
  (input: (cell: Cell) => bigint): Provider =>
  (cell, operation) =>
    operation?.kind === 'input' ? input(cell) : 0n;

export class CallStack {
  readonly machine: Interpreter;
  readonly frames: Frame[] = [];
  private readonly program: Program;
  private readonly outgoing: readonly (readonly Edge[])[];
  private readonly marks = new Map<string, number>();

  constructor(program: Program, provide: Provider) {
    this.program = program;
    this.outgoing = outgoingEdges(program);
    this.machine = new Interpreter(program, provide);
    for (const { id, contract } of program.locations)
      if (contract !== undefined)
        this.marks.set(`${contract.role} ${contract.function} ${contract.site}`, id);
  }

  /** Variables begin with these values, whatever the program says. */
  begin(values: ReadonlyMap<Cell, bigint>): void {
    const { machine } = this;
    const memory = machine.snapshot();
    for (const [cell, value] of values)
      for (let byte = 0; byte < bytesIn(cell.width); byte++)
        memory[machine.placeOf(cell) + byte] = Number((value >> BigInt(8 * byte)) & 0xffn);
    machine.restore(machine.location, memory);
  }

  next(): Happened {
    const { machine } = this;
    const mark = this.program.locations[machine.location]!.contract;
    const contract = this.program.contracts?.find((one) => one.function === mark?.function);
    if (mark?.role === 'before') {
      const entry = this.marks.get(`entry ${mark.function} 0`);
      const after = this.marks.get(`after ${mark.function} ${mark.site}`);
      if (entry === undefined || after === undefined) return OVER;
      this.frames.push({ memory: machine.snapshot(), after });
      machine.restore(entry, this.frames.at(-1)!.memory);
      return { kind: 'call' };
    }
    if (mark?.role === 'exit' && contract !== undefined) {
      const frame = this.frames.pop();
      if (frame === undefined) return OVER;
      const memory = machine.snapshot();
      const now = memory.slice();
      memory.set(frame.memory);
      const { result, after, through } = contract;
      for (const cell of [...(result === null ? [] : [result]), ...after, ...through]) {
        const place = machine.placeOf(cell);
        memory.set(now.subarray(place, place + bytesIn(cell.width)), place);
      }
      machine.restore(frame.after, memory);
      return { kind: 'return', contract };
    }
    for (const edge of this.outgoing[machine.location]!) {
      const result = machine.take(edge);
      if (result === 'blocked') continue;
      const isGood = result === 'ok' || (result === 'unmodelled' && looksAtMain(edge.operation));
      return isGood ? { kind: 'step', edge } : OVER;
    }
    return OVER;
  }
}

const SOME = [0n, 1n, 2n, 3n, 5n, 10n, -1n, -2n, 100n, 1n << 31n];

/** In the first runs all inputs are the same. */
export const guessedInputs =
  (run: number, random: Random) =>
  ({ width }: Cell): bigint =>
    BigInt.asUintN(width, SOME[run < SOME.length ? run : random.below(SOME.length)]!);

/** Which function is looked at is open: number 0 is main. All else that is not modelled ends the run, also what is so from the start. */
const looksAtMain = (operation: Operation): boolean =>
  operation.kind === 'havoc' && operation.why === ANY_FUNCTION;

const RUNS = 40;
const STEPS = 4000;
const DEEPEST = 200;

/** A call that is made again inside of itself, when the whole memory is as it was: with the same inputs that goes on for ever. */
export function endlessCall(
  program: Program,
  timeLeft: () => boolean,
): { readonly run: Confirmed; readonly loopAt: number } | null {
  const random = new Random(5);
  for (let number = 0; number < RUNS && timeLeft(); number++) {
    const edges: Edge[] = [];
    const changes: { cell: Cell; value: bigint }[][] = [];
    const stack = new CallStack(program, inputsFrom(guessedInputs(number, random)));
    /** The calls that have not ended: their memory, and the steps before them. */
    const open: { readonly key: string; readonly step: number }[] = [];
    while (edges.length < STEPS && open.length < DEEPEST) {
      const happened = stack.next();
      if (happened.kind === 'over') break;
      if (happened.kind === 'return') open.pop();
      else if (happened.kind === 'call') {
        const key = `${stack.machine.location} ${stack.machine.snapshot().join()}`;
        const before = open.find((one) => one.key === key);
        if (before !== undefined && before.step < edges.length) {
          const run = {
            kind: 'confirmed' as const,
            edges,
            inputs: [],
            initial: new Map(),
            calls: [],
            changes,
          };
          return { run, loopAt: before.step };
        }
        open.push({ key, step: edges.length });
      } else {
        const { operation, span } = happened.edge;
        // Before main begins: nothing that the text says.
        if (span.start === span.end) continue;
        edges.push(happened.edge);
        const cells = operation.kind === 'assign' || operation.kind === 'input' ? [operation.cell] : [];
        changes.push(cells.map((cell) => ({ cell, value: stack.machine.value(cell) })));
      }
    }
  }
  return null;
}
