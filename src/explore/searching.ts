// A search while it goes on: which states are expanded in which order, what is taken of each, what was found.

import type { Budget, Observer } from '../base/budget.ts';
import { counted } from '../base/counted.ts';
import { MOST_THREADS } from './code-store-shared.ts';
import type { Model } from './compile.ts';
import { Crew, type Leader } from './crew.ts';
import type { Engine, EngineEvents } from './engine.ts';
import type { FaultCode } from './faults.ts';
import { FAULT, isLimit, isPassable } from './faults.ts';
import { IntList } from './growable.ts';
import { type HelperReport, startTogether } from './helper-report.ts';
import { HEADER } from './layout.ts';
import { type Choice, choicesIn, FLAG } from './machine.ts';
import { NativeEngine } from './native.ts';
import { SharedEngine, type SharedEvents, StoreOverflow } from './native-shared.ts';
import { stubbornSetsOf } from './reduction/applies.ts';
import { NoIdleCycle } from './reduction/cycles.ts';
import { Gain } from './reduction/gain.ts';
import { Onward, type Proviso, type Range } from './reduction/onward.ts';
import type { StubbornSets } from './reduction/stubborn.ts';
import { ScriptEngine } from './script.ts';
import type {
  LimitReached,
  SearchOptions,
  SearchOutcome,
  StateSpace,
  Violation,
  ViolationKind,
} from './search.ts';
import { type Team, TeamLost } from './team.ts';

const CHECK_EVERY = 1024;
/** Making WebAssembly costs as much as some thousands of states. */
const NATIVE_FROM = 100;
const MOST_FLAT = 1 << 30;
const KEPT_VIOLATIONS = 100;
const TOGETHER_FROM = 200_000;
const MOST_HELPERS = MOST_THREADS - 1;
/** Pages that every thread begins. */
const HELPER_BYTES = 1 << 23;
/** Per state, of whoever looks for cycles in the graph afterwards (cycles.ts). */
const CYCLE_BYTES = 24;
/** So many states before the limit one thread goes on alone: it meets it exactly. */
const NEAR_LIMIT = 50_000;

export class Search implements Leader<LimitReached> {
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
  private proviso: Proviso;
  /** Set while several threads search. */
  private crew: Crew | null = null;
  private team: Team | null = null;
  private mayGoTogether = true;
  private reports: () => readonly HelperReport[] = () => [];
  maxBytes = Number.POSITIVE_INFINITY;
  private readonly gain = new Gain();
  private cutHere = false;
  /** An atomic sequence was so long that it was stored in between: it may never end, and then nobody else moves. */
  private heldControl = false;
  private unmarked: { choices: readonly Choice[]; found: number }[] = [];
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
    const { reduce, part = 'both' } = options;
    const watched = typeof reduce === 'object' ? reduce : null;
    this.reduction = reduce ? stubbornSetsOf(model, watched) : null;
    this.script = new ScriptEngine(model.machine, this.events, part);
    this.engine = this.script;
    const engine = (): Engine => this.engine;
    this.space = {
      model,
      part,
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
    try {
      const limit = this.begin();
      this.crew?.dismiss(this);
      return this.outcome(limit);
    } finally {
      this.team?.abandon();
    }
  }

  private begin(): LimitReached | null {
    try {
      const fault = this.engine.begin();
      if (fault !== 0) this.cannotBegin(fault as FaultCode);
      return this.everything();
    } catch (error) {
      if (error instanceof StoreOverflow) throw new TeamLost(error.message);
      if (!(error instanceof RangeError)) throw error;
      return 'memory-limit';
    }
  }

  private outcome(limit: LimitReached | null): SearchOutcome {
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
      symmetric: (this.model.options.symmetric ?? []).length > 0,
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
      const limit = this.round();
      if (limit !== null || this.stop || this.reduction === null) return limit;
      const before = this.engine.count;
      for (const state of this.proviso.ignoring(this.ranges())) this.takeOthers(state);
      this.crew?.gather();
      if (this.engine.count === before) return null;
    }
  }

  private round(): LimitReached | null {
    const limit =
      this.crew !== null
        ? 'together'
        : this.options.order === 'depth'
          ? this.lastInFirstOut()
          : this.breadthFirst();
    return limit === 'together' ? this.crew!.lead(this) : limit;
  }

  private ranges(): readonly Range[] {
    return this.engine instanceof SharedEngine ? this.engine.ranges() : [[0, this.engine.count]];
  }

  private breadthFirst(): LimitReached | 'together' | null {
    const single = this.reduction !== null || this.options.graph || this.options.onExpanded !== undefined;
    while (this.expandedCount < this.engine.count && !this.stop) {
      const limit = this.limitReached();
      if (limit !== null) return limit;
      this.goNative();
      if (this.goTogether(() => [this.expandedCount, this.engine.count])) return 'together';
      const end = this.expandedCount + this.batch();
      if (single)
        while (this.expandedCount < Math.min(end, this.engine.count) && !this.stop)
          this.expand(this.expandedCount++);
      else this.expandedCount = this.engine.explore(this.expandedCount, end);
    }
    return null;
  }

  /** How many to expand before the next look at the limits: fewer and fewer towards the last state. */
  batch(): number {
    const left = this.budget.maxStates - this.engine.count;
    return Math.max(1, Math.min(CHECK_EVERY, Math.floor(left / 8)));
  }

  private lastInFirstOut(): LimitReached | 'together' | null {
    let done = 0;
    for (let state = this.stack.pop(); state !== undefined && !this.stop; state = this.stack.pop()) {
      if (this.engine.count > this.budget.maxStates) return 'state-limit';
      if (done++ % CHECK_EVERY === 0) {
        const limit = this.limitReached();
        if (limit !== null) return limit;
        this.goNative();
        if (this.goTogether(() => [...this.stack, state].flatMap((one) => [one, one + 1]))) return 'together';
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
    let steps = engine.expand(chosen, count);
    const successor = engine.takeSuccessor();
    const holdsControl = engine.takeInside();
    if (holdsControl) this.heldControl = true;
    if (successor >= 0 && !holdsControl && !this.cutHere) {
      this.reduced = true;
      this.gain.note();
      this.proviso.set(state, successor);
    } else {
      // A step of the set ends in an error, or one may never end: what else can happen here?
      steps += engine.expand(others, otherCount);
    }
    return steps;
  }

  /** The steps that were left out at a state. */
  private takeOthers(state: number): void {
    this.engine.load(state);
    if ((this.reduction?.choose() ?? -1) < 0) return;
    if (this.options.graph) this.copyRow(state);
    this.engine.expand(this.reduction!.others, this.reduction!.otherCount);
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

  readonly sharedEvents: () => SharedEvents = () => ({
    ...this.events,
    unit: (end, start) => this.crew?.unit(end, start),
  });

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
        this.violate(kind, code as FaultCode, choicesIn(choices, length));
    },
    still: () => this.still(),
  };

  /** There is no initial state: that nothing was found means nothing. */
  private cannotBegin(fault: FaultCode): void {
    this.cutBy ??= fault;
    if (isLimit(fault)) this.limitFaults++;
    else this.violate('runtime-error', fault, []);
  }

  private violate(kind: ViolationKind, fault: FaultCode | null, choices: readonly Choice[]): void {
    this.violationCount++;
    // Of each goal there is one, however many violations of the other came before.
    const isFirst = kind === 'invalid-end-state' ? !this.foundEndState : !this.foundFailure;
    if ((isFirst && this.options.each) || this.violations.length < (this.options.keep ?? KEPT_VIOLATIONS))
      this.violations.push({ kind, fault, state: this.engine.loaded(), choices });
    this.foundEndState ||= kind === 'invalid-end-state';
    this.foundFailure ||= kind !== 'invalid-end-state';
    const isAll = this.foundEach();
    if (!this.options.all && (!this.options.each || isAll)) this.finish();
  }

  private finish(): void {
    this.stop = true;
    this.engine.halt();
  }

  private foundEach(): boolean {
    const { endStates, assertions } = this.options;
    const bits = (this.foundEndState ? 1 : 0) | (this.foundFailure ? 2 : 0);
    // What other threads have found counts, too.
    const found = this.team === null ? bits : this.team.found(bits);
    return ((found & 1) !== 0 || !endStates) && ((found & 2) !== 0 || !assertions);
  }

  private bytes(): number {
    const { edges, marks, arrivals, rowStart, rowEnd, flags } = this.space;
    const lists = [edges, marks, arrivals, rowStart, rowEnd, flags];
    return this.engine.bytes() + this.proviso.bytes() + lists.reduce((sum, list) => sum + list.bytes(), 0);
  }

  private limitReached(): LimitReached | null {
    const limit = this.limit();
    if (limit === null && this.isLarge()) (this.engine as NativeEngine).compact();
    return limit;
  }

  limit(): LimitReached | null {
    const { count } = this.engine;
    this.observer.progress(`${counted(count)} states`);
    if (count > this.budget.maxStates) return 'state-limit';
    if (this.isMemoryOver()) return 'memory-limit';
    return this.budget.timeLeft() ? null : 'time-limit';
  }

  private isMemoryOver(): boolean {
    const { maxMemory, isMemoryOver } = this.budget;
    const bytes = this.bytes() + (this.options.graph ? this.engine.count * CYCLE_BYTES : 0);
    return bytes > maxMemory || (bytes > maxMemory / 2 && isMemoryOver?.() === true);
  }

  isLarge(): boolean {
    return (
      this.engine instanceof NativeEngine && this.engine.isFlat() && this.engine.bytes() > this.flatLimit
    );
  }

  // Several threads

  /** From so many states on, where there are threads to help. `ranges`: what is still to be done (a long list, asked for only then). */
  private goTogether(ranges: () => readonly number[]): boolean {
    const { help } = this.budget;
    const { engine } = this;
    if (help === undefined || !this.mayGoTogether || !(engine instanceof NativeEngine)) return false;
    if (engine.count < (help.from ?? TOGETHER_FROM) || this.isNearLimit()) return false;
    this.mayGoTogether = false;
    const threads = Math.min(help.free(), MOST_HELPERS) + 1;
    if (threads < 2 || !this.canBeShared()) return false;
    if (this.budget.maxMemory - this.bytes() < threads * HELPER_BYTES) return false;
    const left = ranges();
    this.takeCounts();
    const { team, shared, reports } = startTogether(this.model, engine, this.options, help, {
      threads,
      events: this.sharedEvents,
      arrows: this.reduction !== null,
    });
    this.reports = reports;
    this.share(shared, team);
    const before = engine.count;
    shared.countAll = () => before + team.added();
    this.maxBytes = this.budget.maxMemory;
    this.crew = new Crew(shared, team, this.options.order === 'depth' ? 'newest' : 'oldest');
    for (let i = 0; i < left.length; i += 2) this.crew.frontier.add(left[i]!, left[i + 1]!);
    if (this.reduction !== null && this.proviso instanceof Onward) this.proviso.moveTo(shared, before);
    return true;
  }

  /** Callbacks and the edges of the graph stay in one thread. */
  private canBeShared(): boolean {
    const { onState, onExpanded, markStep, graph, shuffle, reduce } = this.options;
    if (onState !== undefined || onExpanded !== undefined || markStep !== undefined) return false;
    return !graph && shuffle === undefined && this.model.claim === null && typeof reduce !== 'object';
  }

  private share(engine: SharedEngine, team: Team): void {
    engine.tell(false);
    this.reduction?.use(engine.machine);
    this.engine = engine;
    this.team = team;
  }

  /** On a thread that helps: until the leader stops it. */
  follow(engine: SharedEngine, team: Team): HelperReport {
    this.share(engine, team);
    this.proviso = new Onward(engine);
    this.crew = new Crew(engine, team, this.options.order === 'depth' ? 'newest' : 'oldest');
    let isMemoryOver = false;
    try {
      this.crew.follow(this);
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      isMemoryOver = true;
    }
    this.takeCounts();
    const { states, transitions, violations, violationCount, limitFaults, cutBy, reduced, heldControl } =
      this;
    const rest = this.crew.frontier.takeAll();
    const peaks = Array.from(engine.peaks);
    const found = { violations, violationCount, limitFaults, cutBy, reduced, heldControl };
    return { ...found, states, transitions, peaks, rest, isMemoryOver };
  }

  expandRange(from: number, end: number): number {
    const engine = this.engine as SharedEngine;
    if (this.reduction === null) return engine.explore(from, end);
    let state = from;
    while (state < end && !this.stop && !engine.isFull()) this.expand(state++);
    return state;
  }

  isDone(): boolean {
    if (!this.stop && !this.options.all && this.options.each && this.foundEach()) this.finish();
    return this.stop || (!this.options.all && !this.options.each && (this.team?.found(0) ?? 0) !== 0);
  }

  isNearLimit(): boolean {
    return this.budget.maxStates - this.engine.count < NEAR_LIMIT;
  }

  collect(): readonly number[] {
    const rest: number[] = [];
    for (const report of this.reports()) {
      this.states += report.states;
      this.transitions += report.transitions;
      this.violations.push(...report.violations);
      this.violationCount += report.violationCount;
      this.limitFaults += report.limitFaults;
      this.cutBy ??= report.cutBy;
      this.reduced ||= report.reduced;
      this.heldControl ||= report.heldControl;
      const { peaks } = this.engine as SharedEngine;
      report.peaks.forEach((peak, i) => {
        peaks[i] = Math.max(peaks[i]!, peak);
      });
      rest.push(...report.rest);
    }
    return rest;
  }
}
