// Exhaustive search over the compiled model: breadth first (shortest runs) or last in, first out.
//
// States are counted as SPIN's verifier counts them with reductions off: what lies inside an atomic sequence is passed through, not
// counted. Sequences that branch or run on for very long are stored in between, so that a search always ends on a
// finite model, where SPIN would stop at its depth limit; `states` does not count those.

import type { Budget, Observer } from '../base/budget.ts';
import { counted } from '../base/counted.ts';
import type { Model } from './compile.ts';
import type { Engine, EngineEvents } from './engine.ts';
import type { FaultCode } from './faults.ts';
import { FAULT, isLimit, isPassable } from './faults.ts';
import { IntList } from './growable.ts';
import { HEADER } from './layout.ts';
import { FLAG } from './machine.ts';
import { NativeEngine } from './native.ts';
import { stubbornSetsOf } from './reduction/applies.ts';
import { NoIdleCycle } from './reduction/cycles.ts';
import { Gain } from './reduction/gain.ts';
import { Onward, type Proviso } from './reduction/onward.ts';
import type { StubbornSets } from './reduction/stubborn.ts';
import type { Watched } from './reduction/visible.ts';
import { ScriptEngine } from './script.ts';
import type { States } from './store.ts';

export interface SearchGoals {
  /** Invalid end states. */
  readonly endStates?: boolean;
  /** Assertions and runtime errors. Without it they are still where a path ends. */
  readonly assertions?: boolean;
}

export interface SearchOptions extends SearchGoals {
  /**
   * Take only the steps of a stubborn set where that is enough for `endStates` and `assertions` (docs/search.md). The states seen are then
   * some of the reachable ones; graphs and queue maxima are not complete. With what a property looks at (and `graph`), every run of the model has one in
   * the graph that differs in repetitions only, as far as the property sees.
   */
  readonly reduce?: boolean | Watched;
  readonly order?: 'breadth' | 'depth';
  /** With order `depth`: may change the order of the states that a step added, from this index on. */
  readonly shuffle?: (stack: number[], from: number) => void;
  /** Go on after a violation, past violated assertions as `pan -c0` does (default: stop at the first). */
  readonly all?: boolean;
  /** Go on until a violation of each goal was found. */
  readonly each?: boolean;
  /** With `all`: how many violations are kept (the others are counted). */
  readonly keep?: number;
  /** Keep the edges of the state graph, for cycles. */
  readonly graph?: boolean;
  /** With `graph`: a mark for a step, kept beside its edge. Asked while the machine holds the state before the step. */
  readonly markStep?: (choices: readonly number[]) => number;
  /** Called for each new state with its number; returning true ends the search (limit: null, stopped: true). */
  readonly onState?: (space: StateSpace, state: number) => boolean;
  /** Called after each expansion, when the machine is free to be used; true ends the search. */
  readonly onExpanded?: (space: StateSpace, state: number) => boolean;
}

export type LimitReached = 'time-limit' | 'state-limit' | 'memory-limit';

export type ViolationKind = 'invalid-end-state' | 'assertion' | 'runtime-error' | 'claim';

export interface Violation {
  readonly kind: ViolationKind;
  readonly fault: FaultCode | null;
  /** Where it begins: the state, and the choices from there (four numbers per step), the failing one last. */
  readonly state: number;
  readonly choices: readonly number[];
}

export interface StateSpace {
  readonly model: Model;
  readonly store: States;
  /** The state it was first reached from, −1 for the initial one. */
  readonly parentOf: (state: number) => number;
  /** With `graph`: the targets of a state's steps are edges[rowStart .. rowEnd). */
  readonly edges: IntList;
  readonly rowStart: IntList;
  readonly rowEnd: IntList;
  /** With `markStep`: by index of the edge; and by state, the mark of the step that found it. */
  readonly marks: IntList;
  readonly arrivals: IntList;
  /** With `graph`: FLAG bits; what lies inside an atomic sequence shows none. */
  readonly flags: IntList;
}

export interface SearchOutcome {
  readonly space: StateSpace;
  /** As SPIN counts them. */
  readonly states: number;
  readonly transitions: number;
  readonly violations: readonly Violation[];
  readonly violationCount: number;
  /** How many paths ended because there were too many processes or channels, or a d_step without end. */
  readonly limitFaults: number;
  /** The first error at which a path ended: what would follow was not looked at. */
  readonly cutBy: FaultCode | null;
  /** Null: every reachable state was seen (unless `stopped`). */
  readonly limit: LimitReached | null;
  /** A violation or `onState` ended the search. */
  readonly stopped: boolean;
  /** Steps were left out by stubborn sets. */
  readonly reduced: boolean;
  /** Some atomic sequence was so long that it was stored in between; it may have no end. */
  readonly heldControl: boolean;
  readonly bytes: number;
}

/**
 * Why not everything was seen; null when the search is exhausted: it was not stopped, and no path ended early. This is the one meaning of
 * 'exhausted', for all who conclude something from what a search did not find. (Assertions and other errors that can be passed end no path.)
 */
export function whyIncomplete({ limit, cutBy, limitFaults }: SearchOutcome): Incomplete | null {
  if (limit !== null) return limit;
  if (limitFaults > 0) return 'process-limit';
  return cutBy === null ? null : 'runtime-error';
}

export type Incomplete = LimitReached | 'process-limit' | 'runtime-error';

const CHECK_EVERY = 1024;
/** Making WebAssembly costs as much as some thousands of states. */
const NATIVE_FROM = 100;
const MOST_FLAT = 1 << 30;
const KEPT_VIOLATIONS = 100;

export function search(
  model: Model,
  options: SearchOptions,
  budget: Budget,
  observer: Observer,
): SearchOutcome {
  const run = new Search(model, options, budget, observer);
  return run.run();
}

class Search {
  private readonly script: ScriptEngine;
  /** From some number of states on it is WebAssembly. */
  private engine: Engine;
  private mayGoNative = true;
  /** Bytes from which on states are compressed. */
  private readonly flatLimit: number;
  private readonly space: StateSpace;
  private readonly violations: Violation[] = [];
  private violationCount = 0;
  private limitFaults = 0;
  private cutBy: FaultCode | null = null;
  private states = 0;
  private transitions = 0;
  private foundEndState = false;
  private foundFailure = false;
  private stop = false;
  private readonly stack: number[] = [];
  private reduction: StubbornSets | null;
  private reduced = false;
  /** Breadth first: the states before this one are done. */
  private expandedCount = 0;
  private readonly proviso: Proviso;
  private readonly gain = new Gain();
  private cutHere = false;
  /** An atomic sequence was so long that it was stored in between: it may never end, and then nobody else moves. */
  private heldControl = false;
  private unmarked: { choices: readonly number[]; found: number }[] = [];
  private readonly model: Model;
  private readonly options: SearchOptions;
  private readonly budget: Budget;
  private readonly observer: Observer;

  constructor(model: Model, options: SearchOptions, budget: Budget, observer: Observer) {
    this.model = model;
    this.options = options;
    this.budget = budget;
    this.flatLimit = Math.min(MOST_FLAT, budget.maxMemory / 3);
    this.observer = observer;
    const { reduce } = options;
    const watched = typeof reduce === 'object' ? reduce : null;
    this.reduction = reduce ? stubbornSetsOf(model, watched) : null;
    this.script = new ScriptEngine(model.machine, this.events);
    this.engine = this.script;
    const engine = (): Engine => this.engine;
    this.space = {
      model,
      get store() {
        return engine();
      },
      parentOf: (state) => this.engine.parentOf(state),
      edges: new IntList(),
      marks: new IntList(16),
      arrivals: new IntList(16),
      rowStart: new IntList(),
      rowEnd: new IntList(),
      flags: new IntList(),
    };
    this.proviso = watched === null ? new Onward() : new NoIdleCycle(this.space);
  }

  run(): SearchOutcome {
    this.engine.tell(this.wantsSteps());
    let limit: LimitReached | null = null;
    try {
      const fault = this.engine.begin();
      if (fault !== 0) this.cannotBegin(fault as FaultCode);
      limit = this.everything();
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      limit = 'memory-limit';
    }
    this.takeCounts();
    if (this.engine instanceof NativeEngine) this.model.machine.peaks().set(this.engine.peaks);
    return {
      space: this.space,
      states: this.states,
      transitions: this.transitions,
      violations: this.violations,
      violationCount: this.violationCount,
      limitFaults: this.limitFaults,
      cutBy: this.cutBy,
      limit,
      stopped: this.stop,
      reduced: this.reduced,
      heldControl: this.heldControl,
      bytes: this.bytes(),
    };
  }

  private wantsSteps(): boolean {
    const { graph, order, onState, markStep } = this.options;
    return graph === true || order === 'depth' || onState !== undefined || markStep !== undefined;
  }

  private takeCounts(): void {
    const { transitions, states } = this.engine.takeCounts();
    this.transitions += transitions;
    this.states += states;
    if (this.engine.takeInside()) this.heldControl = true;
  }

  /** Callbacks look at the machine in JavaScript: with them the search stays there. */
  private goNative(): void {
    const { onState, onExpanded, markStep } = this.options;
    if (!this.mayGoNative || this.engine.count < NATIVE_FROM) return;
    this.mayGoNative = false;
    if (onState !== undefined || onExpanded !== undefined || markStep !== undefined) return;
    const native = NativeEngine.of(this.model, this.events, this.budget.maxMemory);
    if (native === null) return;
    this.takeCounts();
    native.takeOver(this.script);
    native.tell(this.wantsSteps());
    this.reduction?.use(native.machine);
    this.engine = native;
  }

  /** Again and again, until no step is ignored for ever. */
  private everything(): LimitReached | null {
    for (;;) {
      const limit = this.options.order === 'depth' ? this.lastInFirstOut() : this.breadthFirst();
      if (limit !== null || this.stop || this.reduction === null) return limit;
      const before = this.engine.count;
      for (const state of this.proviso.ignoring(before)) this.takeOthers(state);
      if (this.engine.count === before) return null;
    }
  }

  private breadthFirst(): LimitReached | null {
    const single = this.reduction !== null || this.options.graph || this.options.onExpanded !== undefined;
    while (this.expandedCount < this.engine.count && !this.stop) {
      const limit = this.limitReached();
      if (limit !== null) return limit;
      this.goNative();
      const end = this.expandedCount + this.batch();
      if (single)
        while (this.expandedCount < Math.min(end, this.engine.count) && !this.stop)
          this.expand(this.expandedCount++);
      else this.expandedCount = this.engine.explore(this.expandedCount, end);
    }
    return null;
  }

  /** How many to expand before the next look at the limits: fewer and fewer towards the last state. */
  private batch(): number {
    const left = this.budget.maxStates - this.engine.count;
    return Math.max(1, Math.min(CHECK_EVERY, Math.floor(left / 8)));
  }

  private lastInFirstOut(): LimitReached | null {
    let done = 0;
    for (let state = this.stack.pop(); state !== undefined && !this.stop; state = this.stack.pop()) {
      if (this.engine.count > this.budget.maxStates) return 'state-limit';
      if (done++ % CHECK_EVERY === 0) {
        const limit = this.limitReached();
        if (limit !== null) return limit;
        this.goNative();
      }
      const before = this.stack.length;
      this.expand(state);
      this.options.shuffle?.(this.stack, before);
    }
    return null;
  }

  private expand(state: number): void {
    const { edges, rowStart, rowEnd, flags } = this.space;
    this.engine.load(state);
    if (this.options.graph) {
      const { machine } = this.engine;
      flags.set(state, machine.cells[HEADER.exclusive]! < 0 ? machine.flags() : 0);
      rowStart.set(state, edges.length);
    }
    const steps = this.takeSteps(state);
    if (this.options.graph) rowEnd.set(state, edges.length);
    this.markSteps();
    if (steps === 0) this.still();
    if (this.options.onExpanded !== undefined) {
      if (this.options.onExpanded(this.space, state)) this.finish();
    }
  }

  /** Nothing moves in the loaded state. */
  private still(): void {
    if (!this.options.endStates || this.model.claim !== null) return;
    if ((this.engine.machine.flags() & FLAG.validEnd) === 0) this.violate('invalid-end-state', null, []);
  }

  private takeSteps(state: number): number {
    const { engine } = this;
    if (this.reduction === null || !this.gain.isWorthIt()) return engine.expand();
    const count = this.reduction.choose();
    if (count < 0) return engine.expand();
    const { chosen, others, otherCount } = this.reduction;
    engine.takeSuccessor();
    if (engine.takeInside()) this.heldControl = true;
    this.cutHere = false;
    engine.choose(chosen, count);
    let steps = engine.expand();
    const successor = engine.takeSuccessor();
    const holdsControl = engine.takeInside();
    if (holdsControl) this.heldControl = true;
    if (successor >= 0 && !holdsControl && !this.cutHere) {
      this.reduced = true;
      this.gain.note();
      this.proviso.set(state, successor);
    } else {
      // A step of the set ends in an error, or one may never end: what else can happen here?
      engine.choose(others, otherCount);
      steps += engine.expand();
    }
    engine.choose(chosen, 0);
    return steps;
  }

  /** The steps that were left out at a state. */
  private takeOthers(state: number): void {
    this.engine.load(state);
    if ((this.reduction?.choose() ?? -1) < 0) return;
    if (this.options.graph) this.copyRow(state);
    this.engine.choose(this.reduction!.others, this.reduction!.otherCount);
    this.engine.expand();
    this.engine.choose(this.reduction!.others, 0);
    this.markSteps();
    if (this.options.graph) this.space.rowEnd.set(state, this.space.edges.length);
  }

  /** Further edges of a state go to the end of the list: those it has must be there, too. */
  private copyRow(state: number): void {
    const { edges, rowStart, rowEnd, marks } = this.space;
    const end = rowEnd.data[state]!;
    const start = rowStart.data[state]!;
    rowStart.set(state, edges.length);
    for (let edge = start; edge < end; edge++) {
      edges.push(edges.data[edge]!);
      if (this.options.markStep !== undefined) marks.push(marks.data[edge]!);
    }
  }

  private markSteps(): void {
    const { markStep } = this.options;
    if (markStep === undefined) return;
    for (const { choices, found } of this.unmarked) {
      const mark = markStep(choices);
      this.space.marks.push(mark);
      if (found >= 0) this.space.arrivals.set(found, mark);
    }
    this.unmarked = [];
  }

  private readonly events: EngineEvents = {
    step: (state, isNew) => {
      if (this.options.graph && this.engine.loaded() >= 0) {
        this.space.edges.push(state);
        if (this.options.markStep !== undefined)
          this.unmarked.push({ choices: this.engine.choices(), found: isNew ? state : -1 });
      }
      if (!isNew) return;
      if (this.options.order === 'depth') this.stack.push(state);
      if (this.options.onState?.(this.space, state)) this.finish();
    },
    claim: () => this.violate('claim', null, this.engine.choices()),
    fault: (code, choices, length) => {
      if (isLimit(code)) this.limitFaults++;
      if (!isPassable(code)) {
        this.cutBy ??= code as FaultCode;
        this.cutHere = typeof this.options.reduce === 'object';
      }
      const kind = code === FAULT.assertion ? 'assertion' : 'runtime-error';
      if (this.options.assertions && !isLimit(code))
        this.violate(kind, code as FaultCode, Array.from(choices.subarray(0, length)));
    },
    still: () => this.still(),
  };

  /** There is no initial state: that nothing was found means nothing. */
  private cannotBegin(fault: FaultCode): void {
    this.cutBy ??= fault;
    if (isLimit(fault)) this.limitFaults++;
    else this.violate('runtime-error', fault, []);
  }

  private violate(kind: ViolationKind, fault: FaultCode | null, choices: readonly number[]): void {
    this.violationCount++;
    if (this.violations.length < (this.options.keep ?? KEPT_VIOLATIONS))
      this.violations.push({ kind, fault, state: this.engine.loaded(), choices });
    this.foundEndState ||= kind === 'invalid-end-state';
    this.foundFailure ||= kind !== 'invalid-end-state';
    if (!this.options.all && (!this.options.each || this.foundEach())) this.finish();
  }

  private finish(): void {
    this.stop = true;
    this.engine.halt();
  }

  private foundEach(): boolean {
    const { endStates, assertions } = this.options;
    return (this.foundEndState || !endStates) && (this.foundFailure || !assertions);
  }

  private bytes(): number {
    const { edges, marks, arrivals, rowStart, rowEnd, flags } = this.space;
    const lists = [edges, marks, arrivals, rowStart, rowEnd, flags];
    return (
      this.engine.bytes() + this.proviso.bytes() + lists.reduce((sum, list) => sum + list.data.length * 4, 0)
    );
  }

  private limitReached(): LimitReached | null {
    const { count } = this.engine;
    this.observer.progress(`${counted(count)} states`);
    if (count > this.budget.maxStates) return 'state-limit';
    if (this.bytes() > this.budget.maxMemory) return 'memory-limit';
    if (this.engine instanceof NativeEngine && this.engine.bytes() > this.flatLimit) this.engine.compact();
    return this.budget.timeLeft() ? null : 'time-limit';
  }
}
