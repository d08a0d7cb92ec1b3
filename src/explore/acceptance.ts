// Acceptance cycles of a compiled model, with or without a claim: on the fly, by the emptiness check of the ltl room.
//
// A state is accepting when the claim or some process stands at an `accept` label; a step is when it passes one inside `atomic`. (For
// formulas only the claim's labels count: compile.ts.) A claim that reaches its end is a violation at
// once. Without a claim a run that ends goes on by standing still, too. Weak fairness (a process that can move for ever moves infinitely often) is one more mark per process: a step
// has the mark of every process that takes part in it and of every process that could not move.
// Inside an atomic sequence the claim does not move, so states stored there accept nothing.

import type { Budget, Observer } from '../base/budget.ts';
import type { Emptiness, MarkedEdge, MarkedGraph, MarkedPath } from '../ltl/emptiness.ts';
import { findAcceptingCycle } from '../ltl/emptiness.ts';
import type { Choice, Choices } from './choices.ts';
import type { Model } from './compile.ts';
import type { FaultCode } from './faults.ts';
import { FAULT, isPassable } from './faults.ts';
import { FRAME } from './layout.ts';
import { type Cursor, FLAG } from './machine.ts';
import type { Reduction } from './reduction.ts';
import { reductionOf } from './reduction.ts';
import { StateStore } from './store.ts';

export interface AcceptanceOptions {
  readonly fair: boolean;
  /** The property does not count steps: local steps need not be interleaved. */
  readonly reduce: boolean;
}

export type AcceptanceOutcome = AcceptanceFigures &
  (
    | { readonly kind: 'none' }
    | { readonly kind: 'cycle'; readonly path: ChoicePath }
    | {
        readonly kind: 'limit';
        readonly limit: 'time-limit' | 'state-limit' | 'memory-limit' | 'too-many-processes';
      }
  );

/** From the initial state: the choices of each step, one for each statement in it, none where the system stands still. */
export interface ChoicePath {
  readonly steps: readonly (readonly Choice[])[];
  /** The steps from here on repeat; null when the claim has ended after the last step. */
  readonly loopStart: number | null;
}

export interface AcceptanceFigures {
  readonly states: number;
  readonly transitions: number;
  /** A runtime error (not an assertion) cut some path off: then the absence of cycles proves nothing. */
  readonly fault: FaultCode | null;
}

export function findAcceptance(
  model: Model,
  options: AcceptanceOptions,
  budget: Budget,
  observer: Observer,
): AcceptanceOutcome {
  const graph = new ModelGraph(model, options);
  const found = searchWithin(graph, budget, observer);
  const figures = { states: graph.size, transitions: graph.transitions, fault: graph.fault };
  switch (found.kind) {
    case 'empty':
      return { kind: 'none', ...figures };
    case 'limit':
      return { kind: 'limit', limit: found.limit, ...figures };
    default:
      return { kind: 'cycle', path: pathOf(graph, found.path), ...figures };
  }
}

function pathOf(graph: ModelGraph, { nodes, edges, loopStart }: MarkedPath<MarkedEdge>): ChoicePath {
  const ended = nodes[loopStart] === ENDED;
  const taken = ended ? edges.slice(0, loopStart) : edges;
  const steps = taken.map((edge, index) => graph.choicesOf(nodes[index]!, edge));
  return { steps, loopStart: ended ? null : loopStart };
}

type Found =
  | Exclude<Emptiness<MarkedEdge>, { kind: 'limit' }>
  | {
      readonly kind: 'limit';
      readonly limit: 'time-limit' | 'state-limit' | 'memory-limit' | 'too-many-processes';
    };

export function searchWithin(
  graph: MarkedGraph & { readonly crowded: boolean },
  budget: Budget,
  observer: Observer,
): Found {
  const timeLeft = (): boolean => !graph.crowded && budget.timeLeft();
  try {
    const found = findAcceptingCycle(graph, { ...budget, timeLeft }, observer);
    return graph.crowded ? { kind: 'limit', limit: 'too-many-processes' } : found;
  } catch (error) {
    // What the engine throws when no more memory can be had.
    if (error instanceof RangeError) return { kind: 'limit', limit: 'memory-limit' };
    throw error;
  }
}

/** The node behind every run whose claim has ended. */
export const ENDED = 0;
/** Process numbers that fairness can tell apart. */
const FAIR_PROCESSES = 29;

export class ModelGraph implements MarkedGraph {
  readonly marks: number;
  transitions = 0;
  fault: FaultCode | null = null;
  /** More processes than fairness has marks for. */
  crowded = false;
  private readonly model: Model;
  private readonly options: AcceptanceOptions;
  private readonly store = new StateStore();
  private readonly full: number;
  private readonly reduction: Reduction | null;
  private readonly cursor: Cursor;
  /** Sees whether a process can move. */
  private readonly watcher: Cursor;
  private canMove = false;
  private readonly alone = new Int32Array(1);
  /** Target and marks of each edge in turn. */
  private readonly found: number[] = [];
  /** The choices of each edge in `found`, when somebody wants to know. */
  private choices: Choice[][] | null = null;
  private accepting = 0;
  /** Marks of the processes that cannot move in the expanded state. */
  private waiting = 0;

  constructor(model: Model, options: AcceptanceOptions) {
    this.model = model;
    this.options = options;
    this.marks = options.fair ? 1 + FAIR_PROCESSES : 1;
    this.full = 2 ** this.marks - 1;
    this.reduction = options.reduce && !options.fair ? reductionOf(model) : null;
    this.cursor = model.machine.open({ step: this.onStep, fault: this.onFault });
    const see = (): void => {
      this.canMove = true;
    };
    this.watcher = model.machine.open({ step: see, fault: see });
  }

  /** A state's node is its number in the store plus one. */
  get size(): number {
    return this.store.count + 1;
  }

  bytes(): number {
    return this.store.bytes();
  }

  initial(): readonly number[] {
    const { machine } = this.model;
    const fault = machine.initial();
    if (fault !== 0) {
      this.fault = fault as FaultCode;
      return [];
    }
    const first = machine.copy();
    return [this.store.add(first, first.length) + 1];
  }

  successors(node: number): readonly MarkedEdge[] {
    const arcs = this.arcs(node);
    return Array.from({ length: arcs.length / 2 }, (_, i) => ({
      target: arcs[2 * i]!,
      marks: arcs[2 * i + 1]!,
    }));
  }

  arcs(node: number): number[] {
    this.found.length = 0;
    if (node === ENDED) {
      this.found.push(ENDED, this.full);
      return this.found;
    }
    const { machine } = this.model;
    const state = node - 1;
    const chunk = this.store.chunkOf(state);
    const start = this.store.startOf(state);
    if (this.options.fair) this.waiting = this.waitingIn(chunk, start);
    machine.unpack(chunk, start);
    const insideAtomic = chunk[start]! >>> 16 !== 0;
    this.accepting = !insideAtomic && (machine.flags() & FLAG.accept) !== 0 ? 1 : 0;
    const alone = insideAtomic || this.reduction === null ? -1 : this.processAlone(this.reduction);
    this.alone[0] = alone;
    const executable = this.cursor.expand(this.alone, alone < 0 ? 0 : 1);
    if (executable === 0 && this.accepting && this.model.claim === null)
      this.add(node, this.full, machine.choices(), 0);
    return this.found;
  }

  /** A process of the loaded state whose steps are enough; −1 when there is none. */
  private processAlone({ alone }: Reduction): number {
    const { cells, frames } = this.model.machine;
    const processes = cells[0]!;
    for (let pid = 0; pid < processes; pid++) {
      const frame = frames[pid]!;
      if (alone[cells[frame]!]![cells[frame + FRAME.location]!] !== 1) continue;
      if (this.model.machine.canMove(pid)) return pid;
    }
    return -1;
  }

  /** The edges with their choices; the machine holds the node's state afterwards. */
  stepsOf(node: number): readonly { readonly edge: MarkedEdge; readonly choices: readonly Choice[] }[] {
    const choices: Choice[][] = [];
    this.choices = choices;
    const edges = this.successors(node);
    this.choices = null;
    return edges.map((edge, index) => ({ edge, choices: choices[index]! }));
  }

  /** The choices behind an edge that `successors` gave. They are not kept: most edges are never asked for. */
  choicesOf(node: number, edge: MarkedEdge): readonly Choice[] {
    const choices: Choice[][] = [];
    this.choices = choices;
    const index = this.successors(node).findIndex(
      ({ target, marks }) => target === edge.target && marks === edge.marks,
    );
    this.choices = null;
    return choices[index]!;
  }

  private readonly onStep = (words: Int32Array, length: number): void => {
    const { machine } = this.model;
    this.transitions++;
    if (machine.claimEnded()) {
      this.add(ENDED, this.full, machine.choices());
      return;
    }
    const target = this.store.add(words, length) + 1;
    const choices = machine.choices();
    const isLong = choices.length > 1;
    const accepting = this.accepting | (isLong ? passesAccept(this.model, choices.copy()) : 0);
    const marks = this.options.fair ? accepting | this.fairMarks(choices) : accepting;
    this.add(target, marks, choices);
  };

  private readonly onFault = (code: FaultCode, choices: Choices): void => {
    const last = choices.length - 1;
    // An assertion of the claim itself: the claim says that this must not happen.
    if (code === FAULT.assertion && choices.process(last) === -1) this.add(ENDED, this.full, choices, last);
    else if (!isPassable(code)) this.fault ??= code;
  };

  /** `count`: only the first so many choices. */
  private add(target: number, marks: number, choices: Choices, count?: number): void {
    this.found.push(target, marks);
    this.choices?.push(choices.copy(count));
  }

  private fairMarks(choices: Choices): number {
    let marks = this.waiting;
    for (let i = 0; i < choices.length; i++) {
      marks |= processMark(choices.process(i));
      if (choices.partner(i) >= 0) marks |= processMark(choices.partner(i));
    }
    return marks;
  }

  private waitingIn(chunk: Int32Array, start: number): number {
    const { machine } = this.model;
    let marks = 0;
    const processes = chunk[start]! & 0xffff;
    if (processes > FAIR_PROCESSES) this.crowded = true;
    for (let pid = 0; pid < FAIR_PROCESSES; pid++) {
      this.canMove = false;
      if (pid < processes) {
        machine.unpack(chunk, start);
        if (this.watcher.expandProcess(pid) > 0) this.canMove = true;
      }
      if (!this.canMove) marks |= processMark(pid);
    }
    return marks;
  }
}

/** 1 when an atomic sequence came by an `accept` label; the last location of the step is the next state's matter. */
export function passesAccept({ machine, program, options }: Model, choices: readonly Choice[]): number {
  if (options.acceptLabels === 'claim') return 0;
  const accepts = (pid: number, edge: number): boolean => {
    if (pid < 0) return false;
    const { edges, locations } = program.proctypes[machine.cells[machine.frames[pid]!]!]!;
    return locations[edges[edge]!.to]!.isAccept;
  };
  for (const [pid, edge, partner, partnerEdge] of choices.slice(0, -1))
    if (accepts(pid, edge) || accepts(partner, partnerEdge)) return 1;
  return 0;
}

const processMark = (pid: number): number => (pid < FAIR_PROCESSES ? 2 << pid : 0);
