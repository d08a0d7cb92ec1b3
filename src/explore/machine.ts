// What a compiled model can do. The search engines know only this.
//
// There is one machine per model, and it holds one state at a time; many use it in turns. Each opens a cursor of its own, which says what counts
// as a step and who is told: nothing of it is left behind for the next.

import { ChoiceCells, type Choices } from './choices.ts';
import type { FaultCode } from './faults.ts';
import type { Moves } from './moves.ts';

/** Told about each step: the words of the state it leads to; valid only during the call. */
export type Sink = (words: Int32Array, length: number) => void;

/** Told about each runtime error: its code and the choices from the loaded state on, the failing one last. */
export type FaultSink = (code: FaultCode, choices: Choices) => void;

/** What a step did that its choice alone does not tell. */
export type Operation =
  | {
      /** One message put into or taken from a queue. */
      readonly kind: 'send' | 'receive' | 'copy';
      /** The channel's number. */
      readonly channel: number;
      readonly position: number;
      readonly sorted: boolean;
      readonly message: readonly number[];
    }
  | { readonly kind: 'rendezvous'; readonly channel: number; readonly message: readonly number[] }
  | {
      readonly kind: 'print';
      readonly format: string;
      readonly values: readonly number[];
      /** By argument: the mtype set whose names `%e` shows, or null. */
      readonly sets: readonly (string | null)[];
    };

/** Who moves in a step: the claim and then the system, the system alone, or the claim alone. */
export type Part = 'both' | 'system' | 'claim';

/** How the machine is used. */
export interface Use {
  /** Default: both. */
  readonly part?: Part;
  /** Each statement is a step of its own; otherwise a step goes on through an atomic sequence, as SPIN does. */
  readonly micro?: boolean;
  readonly step: Sink;
  readonly fault?: FaultSink;
  /** Collects what the step that the sink is told about does (micro steps only): valid during the call. */
  readonly operations?: Operation[];
}

export interface Cursor {
  /**
   * Every step of the loaded state, through the sinks. Returns how many there are; 0 means nothing can move.
   * With a count, only the steps of the first so many of these processes (and the claim): not for states inside atomic.
   */
  expand(processes?: Int32Array, count?: number): number;
  /** The same for one process alone, without regard to exclusive control or timeouts. */
  expandProcess(pid: number): number;
}

/** What the generated text gives (code-runtime.ts, compile.ts). */
export interface GeneratedMachine
  extends Omit<CompiledMachine, 'open' | 'choices' | 'movesOf' | 'couldBegin'> {
  /** How the next expansion goes. */
  use(
    step: Sink,
    /** `used`: how many of the numbers in `choiceCells` lead to the error. */
    fault: (code: FaultCode, used: number) => void,
    micro: boolean,
    operations: Operation[] | null,
    part: number,
  ): void;
  /** Of the first so many of `chosen()` only; 0 for all. */
  expand(count: number): number;
  expandProcess(pid: number): number;
  chosen(): Int32Array;
  /** Choices as numbers (choices.ts), and how many of the numbers count now. */
  choiceCells(): Int32Array;
  choiceLength(): number;
  /** Writes down what the process could begin, in `probed()` (moves.ts). Returns how many numbers. */
  probe(pid: number): number;
  probed(): Int32Array;
}

/** As the generated code has it. */
export const PART: Readonly<Record<Part, number>> = { both: 0, system: 1, claim: 2 };

export const NOBODY = new Int32Array(0);

const unheard: FaultSink = () => {};

/** The machine around generated code. */
export function machineAround(generated: GeneratedMachine): CompiledMachine {
  const cells = generated.choiceCells();
  const [taken, failing] = [new ChoiceCells(cells), new ChoiceCells(cells)];
  const chosen = generated.chosen();
  const open = ({ part = 'both', micro = false, step, fault = unheard, operations }: Use): Cursor => {
    const failed = (code: FaultCode, used: number): void => fault(code, failing.upTo(used));
    const trace = operations ?? null;
    return {
      expand: (processes = NOBODY, count = 0) => {
        for (let i = 0; i < count; i++) chosen[i] = processes[i]!;
        generated.use(step, failed, micro, trace, PART[part]);
        return generated.expand(count);
      },
      expandProcess: (pid) => {
        generated.use(step, failed, micro, trace, PART[part]);
        return generated.expandProcess(pid);
      },
    };
  };
  return {
    ...generated,
    open,
    choices: () => taken.upTo(generated.choiceLength()),
    movesOf: (pid, into) => {
      const used = generated.probe(pid);
      return into.read(generated.probed(), used);
    },
    couldBegin: (pid) => generated.probe(pid) > 0,
  };
}

export interface CompiledMachine {
  open(use: Use): Cursor;
  /** Loads the initial state; gives a fault code when it cannot even be built, else 0. */
  initial(): number;
  /** Packs the loaded state and gives the number of words; they are in `words()`, asked for afterwards (it may be a new array). */
  pack(): number;
  words(): Int32Array;
  /** The packed words of the loaded state, for keeping. */
  copy(): Int32Array;
  /** How many of the packed words come before the queues. */
  controlWords(): number;
  /** How many of them come before the processes; the first word is the number of processes. */
  globalWords(): number;
  unpack(words: Int32Array, offset: number): number;
  /** What the process could begin in the loaded state, timeouts and exclusive control aside: `into` says it afterwards. */
  movesOf(pid: number, into: Moves): Moves;
  /** Is it anything at all? */
  couldBegin(pid: number): boolean;
  /** Could the process move in the loaded state, timeouts aside? */
  canMove(pid: number): boolean;
  /** The choices on the way from the loaded state to the one the sink is told about: valid during the call. */
  choices(): Choices;
  /** Bits of the loaded state: 1 progress, 2 accept, 4 everyone stands at a valid end. */
  flags(): number;
  /** The claim has reached its end: the run so far violates the property. */
  claimEnded(): boolean;
  /** By queue name: the greatest length seen so far. */
  peaks(): Int32Array;
  // The memory, for those who describe states: layout.ts says what is where.
  readonly cells: Int32Array;
  readonly frames: Int32Array;
  queues(): Int32Array;
  /** By channel number − 1: its shape, and its index in the layout's queue names. */
  readonly shapeOfChannel: Int32Array;
  readonly nameOfChannel: Int32Array;
}

/** What can be seen of the state that is loaded. */
export type LoadedState = Pick<
  CompiledMachine,
  'movesOf' | 'cells' | 'frames' | 'queues' | 'shapeOfChannel' | 'flags'
>;

export const FLAG = { progress: 1, accept: 2, validEnd: 4 } as const;
