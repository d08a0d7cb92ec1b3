// All interleavings of a program with threads, on the concrete machine: breadth first, moments told apart by their memory and places.
//
// Not every order of independent steps is tried. A set of threads is persistent when no thread outside of it can ever touch what the next steps inside it
// touch (Godefroid): then only those steps are taken. What others can touch is read off the graph: everything reachable from where they stand. Deadlocks, reached
// errors and races are preserved; so that no thread is put off for ever, a moment whose chosen steps lead only to moments already seen is expanded in full.
// Steps that touch nothing shared follow the one before at once.
//
// Sequential consistency is what is searched. For programs without data races C promises exactly that; the search says whether there is a race.

import { type Budget, type Observer, TimeOver, watchOf } from '../../base/budget.ts';
import { Interpreter, restsOnPadding, type StepResult } from '../program/interpreter.ts';
import type { Edge, Location, Operation, Program } from '../program/program.ts';
import { ThreadGraph } from './graph.ts';
import { Inputs } from './inputs.ts';
import { isDeadlock, openEdges, type Race, raceAt, standingOf } from './moment.ts';
import { ThreadNames } from './names.ts';
import { persistentSet } from './persistent.ts';
import { deadlockTitle, raceTitle } from './titles.ts';

/** One thread's steps without a break, with the values that came from outside. */
export interface Move {
  readonly thread: number;
  readonly edges: readonly Edge[];
  readonly inputs: readonly bigint[];
}

export interface Violation {
  readonly moves: readonly Move[];
  readonly title: string;
  readonly race?: Race;
}

export const THREAD_PROPERTIES = ['assertions', 'no-undefined', 'deadlock-free', 'race-free'] as const;
export type ThreadProperty = (typeof THREAD_PROPERTIES)[number];

export interface SearchResult {
  readonly violations: ReadonlyMap<ThreadProperty, Violation>;
  /** Why what was not found may still be there: in words, first ones first. */
  readonly open: readonly string[];
  readonly limit: 'time-limit' | 'state-limit' | 'memory-limit' | null;
  readonly states: number;
  readonly transitions: number;
}

/** A character for each byte, whatever its value. */
const BYTES = new TextDecoder('latin1');
/** Steps of a thread that follow at once. */
const LONGEST_STRETCH = 20_000;
const LOOK_AT_CLOCK = 15;

interface Moment {
  readonly memory: Uint8Array;
  readonly at: Int32Array;
  readonly parent: number;
  readonly move: Move | null;
}

export function searchThreads(
  program: Program,
  isError: (location: number) => boolean,
  asked: readonly ThreadProperty[],
  budget: Budget,
  observer: Observer,
): SearchResult {
  try {
    const prepared = () => new Search(program, isError, asked, budget, observer);
    return program.pool.underWatch(watchOf(budget), prepared).run();
  } catch (error) {
    if (!(error instanceof TimeOver)) throw error;
    return { violations: new Map(), open: [], limit: 'time-limit', states: 0, transitions: 0 };
  }
}

class Search {
  private readonly program: Program;
  private readonly isError: (location: number) => boolean;
  private readonly asked: readonly ThreadProperty[];
  private readonly budget: Budget;
  private readonly observer: Observer;
  private readonly graph: ThreadGraph;
  private readonly inputs: Inputs;
  private readonly machine: Interpreter;
  private readonly names: ThreadNames;
  private readonly moments: Moment[] = [];
  private readonly known = new Map<string, number>();
  private readonly violations = new Map<ThreadProperty, Violation>();
  private readonly open = new Set<string>();
  private given: bigint[] = [];
  private transitions = 0;

  constructor(
    program: Program,
    isError: (location: number) => boolean,
    asked: readonly ThreadProperty[],
    budget: Budget,
    observer: Observer,
  ) {
    this.program = program;
    this.isError = isError;
    this.asked = asked;
    this.budget = budget;
    this.observer = observer;
    this.graph = new ThreadGraph(program);
    this.inputs = new Inputs(program);
    this.names = new ThreadNames(program);
    this.machine = new Interpreter(
      program,
      (_, operation) => (operation === null ? 0n : (this.given.shift() ?? 0n)),
      true,
    );
  }

  run(): SearchResult {
    const threads = this.program.threads!;
    const at = Int32Array.from(threads, ({ entry }) => entry);
    this.remember(this.machine.snapshot(), at, -1, null);
    for (let i = 0; i < this.moments.length; i++) {
      if ((i & LOOK_AT_CLOCK) === 0) {
        this.observer.progress(`${this.moments.length} states of ${threads.length} threads`);
        const limit = this.limit();
        if (limit !== null) return this.result(limit);
      }
      this.expand(i);
      if (this.asked.every((property) => this.violations.has(property))) return this.result(null);
    }
    return this.result(null);
  }

  private limit(): SearchResult['limit'] {
    if (!this.budget.timeLeft()) return 'time-limit';
    if (this.moments.length > this.budget.maxStates) return 'state-limit';
    const bytes = this.moments.length * (3 * this.moments[0]!.memory.length + 400);
    return bytes > this.budget.maxMemory ? 'memory-limit' : null;
  }

  private result(limit: SearchResult['limit']): SearchResult {
    return {
      violations: this.violations,
      open: [...this.open],
      limit,
      states: this.moments.length,
      transitions: this.transitions,
    };
  }

  /** True when the moment is new. */
  private remember(memory: Uint8Array, at: Int32Array, parent: number, move: Move | null): boolean {
    at.forEach((location, thread) => {
      for (const cell of this.graph.deadCells(thread, location)) this.machine.clear(memory, cell);
    });
    const key = `${at.join()} ${BYTES.decode(memory)}`;
    if (this.known.has(key)) return false;
    this.known.set(key, this.moments.length);
    this.moments.push({ memory, at, parent, move });
    return true;
  }

  private expand(index: number): void {
    const { memory, at } = this.moments[index]!;
    if (this.isOver(at)) return;
    this.machine.restore(at[0]!, memory);
    this.lookForRace(index, at, null);
    const alone = this.alone(at);
    if (alone !== null) {
      // Where an assumption fails the run is none.
      const standing = standingOf(this.machine, this.graph, at[alone]!);
      if (standing === 'waiting' || standing === 'idle')
        this.open.add(
          `a thread ${standing === 'idle' ? 'ends' : 'waits for others'} in a section that none of them may come between`,
        );
      this.take(index, alone);
      return;
    }
    if (this.wants('deadlock-free') && isDeadlock(this.machine, this.graph, at))
      this.violated('deadlock-free', index, null, deadlockTitle(this.program, this.machine, this.graph, at));
    const all = Array.from(at, (_, thread) => thread);
    const chosen = persistentSet(this.machine, this.graph, at);
    let fresh = false;
    for (const thread of chosen ?? all) if (this.take(index, thread)) fresh = true;
    if (chosen !== null && !fresh)
      for (const thread of all) if (!chosen.includes(thread)) this.take(index, thread);
  }

  /** `move`: the steps that a thread has taken since, in the midst of what it does in one piece. */
  private lookForRace(index: number, at: Int32Array, move: Move | null): void {
    if (!this.wants('race-free')) return;
    const race = raceAt(this.machine, this.graph, at, move?.thread);
    if (race === null) return;
    const title = raceTitle(this.program, race);
    if (race.sure) this.violated('race-free', index, move, title, race);
    else this.open.add(`perhaps ${title}`);
  }

  private wants(property: ThreadProperty): boolean {
    return this.asked.includes(property) && !this.violations.has(property);
  }

  private isOver(at: Int32Array): boolean {
    return at.some(
      (location) => this.program.locations[location]!.kind !== 'inner' || this.isError(location),
    );
  }

  /** The one thread that may go on, where only one may. */
  private alone(at: Int32Array): number | null {
    const { atomicHolder, threads } = this.program;
    const standing = at.findIndex((location) => this.program.locations[location]!.atomic === true);
    if (standing >= 0) return standing;
    const holder = atomicHolder === undefined ? 0 : Number(this.machine.value(atomicHolder));
    return holder === 0 ? null : threads!.findIndex(({ number }) => number === holder);
  }

  /** All moves of a thread; true when one leads to a new moment. */
  private take(index: number, thread: number): boolean {
    const { memory, at } = this.moments[index]!;
    this.machine.restore(at[thread]!, memory);
    const open = openEdges(this.machine, this.graph.outgoing[at[thread]!]!);
    let fresh = false;
    for (const edge of open)
      for (const inputs of this.inputsOf(edge)) {
        this.machine.restore(at[thread]!, memory);
        if (this.follow(index, thread, edge, inputs)) fresh = true;
      }
    return fresh;
  }

  /** One list of values for each way to try. */
  private inputsOf({ operation, to }: Edge): readonly (readonly bigint[])[] {
    if (operation.kind === 'input') {
      const { values, complete } = this.inputs.of(operation.cell);
      if (!complete) this.open.add(`not every value of ${operation.source}() was tried`);
      return values.map((value) => [value]);
    }
    if (operation.kind !== 'havoc') return [[]];
    const mattering = operation.cells.filter((cell) => this.graph.matters(cell, to));
    // Large objects are not looked at by their parts: all of them matter.
    const isLarge = !operation.exact && (operation.objects?.length ?? 0) > 0;
    if (mattering.length === 0 && !isLarge) return [operation.cells.map(() => 0n)];
    if (!operation.exact) {
      this.open.add(operation.why);
      return [];
    }
    // Nothing is in it yet: the machine notices when it is read all the same.
    return [operation.cells.map(() => 0n)];
  }

  /** The edge, and what follows it at once. */
  private follow(index: number, thread: number, first: Edge, inputs: readonly bigint[]): boolean {
    const { machine, graph, program } = this;
    this.given = [...inputs];
    const edges: Edge[] = [];
    this.transitions++;
    for (let edge: Edge | null = first; edge !== null; ) {
      machine.unwritten = null;
      const trouble = this.names.trouble(machine, edge, () => this.memoryThatMatters(thread, edge!.from));
      if (trouble !== null) {
        if (edges.length > 0) return this.upTo(index, { thread, edges, inputs });
        this.open.add(trouble);
        return false;
      }
      const result = machine.take(edge);
      if (result === 'blocked') return false;
      const { id, kind, atomic }: Location = program.locations[edge.to]!;
      const isLost = result === 'undefined' || restsOnPadding(edge, result) || machine.unwritten !== null;
      const ends = isLost || kind !== 'inner' || this.isError(id);
      // Others may still do something before the run ends here: that moment is one of its own.
      if (ends && edges.length > 0) return this.upTo(index, { thread, edges, inputs });
      edges.push(edge);
      if (ends) {
        this.ending(index, { thread, edges, inputs }, result);
        return false;
      }
      edge =
        edges.length < LONGEST_STRETCH && (graph.quiet[id] || atomic === true) ? this.onlyEdge(id) : null;
      if (edge !== null && atomic === true && !graph.quiet[id])
        this.lookForRace(index, this.placesAfter(index, thread), { thread, edges: [...edges], inputs });
    }
    return this.arrive(index, { thread, edges, inputs });
  }

  private memoryThatMatters(thread: number, location: number): Uint8Array {
    const memory = this.machine.snapshot();
    for (const cell of this.graph.deadCells(thread, location)) this.machine.clear(memory, cell);
    return memory;
  }

  private arrive(index: number, move: Move): boolean {
    return this.remember(this.machine.snapshot(), this.placesAfter(index, move.thread), index, move);
  }

  /** Where all stand when the thread has moved to where the machine is. */
  private placesAfter(index: number, thread: number): Int32Array {
    const at = this.moments[index]!.at.slice();
    at[thread] = this.machine.location;
    return at;
  }

  /** The moment after these steps. */
  private upTo(index: number, move: Move): boolean {
    const { memory, at } = this.moments[index]!;
    this.machine.restore(at[move.thread]!, memory);
    this.given = [...move.inputs];
    for (const edge of move.edges) this.machine.take(edge);
    return this.arrive(index, move);
  }

  /** The run is over with the last of these steps. */
  private ending(index: number, move: Move, result: StepResult): void {
    const { machine } = this;
    const { id, kind, why } = this.program.locations[move.edges.at(-1)!.to]!;
    if (machine.unwritten !== null)
      this.open.add(`'${machine.unwritten}' is read before anything is written to it`);
    else if (result === 'undefined') {
      if (this.wants('no-undefined')) this.violated('no-undefined', index, move, machine.trouble);
    } else if (restsOnPadding(move.edges.at(-1)!, result)) this.open.add(machine.trouble);
    else if (this.isError(id)) {
      const title = kind === 'error' ? why : 'the label ERROR is reached';
      if (this.wants('assertions')) this.violated('assertions', index, move, title);
    } else if (kind === 'cut') this.open.add(why);
  }

  /** Null where there is a choice, or something from outside. */
  private onlyEdge(location: number): Edge | null {
    const edges = this.graph.outgoing[location]!;
    const open = openEdges(this.machine, edges);
    const [only, more] = open;
    if (only === undefined || more !== undefined) return null;
    return isFromOutside(only.operation) && !this.graph.quiet[location] ? null : only;
  }

  private violated(
    property: ThreadProperty,
    index: number,
    last: Move | null,
    title: string,
    race?: Race,
  ): void {
    const moves: Move[] = last === null ? [] : [last];
    for (let i = index; this.moments[i]!.move !== null; i = this.moments[i]!.parent)
      moves.unshift(this.moments[i]!.move!);
    this.violations.set(property, { moves, title, ...(race === undefined ? {} : { race }) });
  }
}

const isFromOutside = ({ kind }: Operation): boolean => kind === 'input' || kind === 'havoc';
