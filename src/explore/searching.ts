// A search while it goes on: which states are expanded in which order, what is taken of each, what was found.

import type { Budget, Observer } from '../base/budget.ts';
import { counted } from '../base/counted.ts';
import type { Choice } from './choices.ts';
import { MOST_THREADS } from './code-store-shared.ts';
import type { Model } from './compile.ts';
import { Crew, type Leader } from './crew.ts';
import type { Engine, EngineEvents } from './engine.ts';
import type { FaultCode } from './faults.ts';
import { FAULT, isLimit, isPassable } from './faults.ts';
import { Findings, GOAL } from './findings.ts';
import { canBeShared, type HelperReport, startTogether } from './helper-report.ts';
import { CHECK_EVERY, Limits } from './limits.ts';
import { FLAG } from './machine.ts';
import { NativeEngine } from './native.ts';
import { SharedEngine, type SharedEvents, StoreOverflow } from './native-shared.ts';
import { Pending } from './pending.ts';
import type { Range } from './reduction/onward.ts';
import { ReducedSteps } from './reduction/steps.ts';
import { emptySpace, Rows } from './rows.ts';
import { ScriptEngine } from './script.ts';
import type { LimitReached, SearchOptions, SearchOutcome, StateSpace, ViolationKind } from './search.ts';
import { type Team, TeamLost } from './team.ts';

/** Making WebAssembly costs as much as some thousands of states. */
const NATIVE_FROM = 100;
const TOGETHER_FROM = 200_000;
const MOST_HELPERS = MOST_THREADS - 1;
/** Pages that every thread begins. */
const HELPER_BYTES = 1 << 23;

const isDeep = (order: SearchOptions['order']): boolean => order === 'depth' || order === 'spin';

export class Search implements Leader<LimitReached> {
  private readonly script: ScriptEngine;
  /** From some number of states on it is WebAssembly. */
  private engine: Engine;
  private mayGoNative = true;
  private readonly space: StateSpace;
  private readonly findings: Findings;
  private readonly rows: Rows;
  private readonly limits: Limits;
  private stop = false;
  private readonly pending: Pending;
  private readonly reduction: ReducedSteps | null;
  /** Breadth first: the states before this one are done. */
  private expandedCount = 0;
  /** Set while several threads search. */
  private crew: Crew | null = null;
  private team: Team | null = null;
  private mayGoTogether = true;
  private reports: () => readonly HelperReport[] = () => [];
  maxBytes = Number.POSITIVE_INFINITY;
  private readonly model: Model;
  private readonly options: SearchOptions;
  private readonly budget: Budget;
  private readonly observer: Observer;

  constructor(model: Model, options: SearchOptions, budget: Budget, observer: Observer) {
    this.model = model;
    this.options = options;
    this.budget = budget;
    this.observer = observer;
    const { reduce, part = 'both' } = options;
    this.script = new ScriptEngine(model.machine, this.events, part);
    this.engine = this.script;
    this.pending = new Pending(options.order ?? 'breadth');
    const engine = (): Engine => this.engine;
    this.space = emptySpace(model, part, engine);
    this.findings = new Findings(options);
    this.rows = new Rows(this.space, options.markStep);
    this.reduction = reduce ? ReducedSteps.of(this.space, typeof reduce === 'object' ? reduce : null) : null;
    this.limits = new Limits(
      this.space,
      budget,
      options.graph === true,
      engine,
      () => this.reduction?.bytes() ?? 0,
    );
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
    const found = this.findings.found();
    return {
      ...found,
      // States without the values that nobody reads are fewer, too.
      reduced: found.reduced || this.model.options.dead !== undefined,
      space: this.space,
      limit,
      stopped: this.stop,
      symmetric: (this.model.options.symmetric ?? []).length > 0,
      bytes: this.limits.bytes(),
    };
  }

  private wantsSteps(): boolean {
    const { graph, order, onState, markStep } = this.options;
    return graph === true || isDeep(order) || onState !== undefined || markStep !== undefined;
  }

  private takeCounts(): void {
    this.findings.count(this.engine.takeCounts());
    if (this.engine.takeInside()) this.findings.heldControl = true;
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
      for (const state of this.reduction.ignoring(this.ranges())) this.takeOthers(state);
      this.crew?.gather();
      if (this.engine.count === before) return null;
    }
  }

  private round(): LimitReached | null {
    const limit =
      this.crew !== null
        ? 'together'
        : isDeep(this.options.order)
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
      const end = this.expandedCount + this.limits.batch();
      if (single)
        while (this.expandedCount < Math.min(end, this.engine.count) && !this.stop)
          this.expand(this.expandedCount++);
      else this.expandedCount = this.engine.explore(this.expandedCount, end);
    }
    return null;
  }

  private lastInFirstOut(): LimitReached | 'together' | null {
    const { pending } = this;
    const { shuffle, most = Number.POSITIVE_INFINITY } = this.options;
    for (let state = pending.take(); state !== undefined && !this.stop; state = pending.take()) {
      if (this.engine.count > this.budget.maxStates || pending.expanded > most) return 'state-limit';
      if (pending.expanded % CHECK_EVERY === 1) {
        const limit = this.limitReached();
        if (limit !== null) return limit;
        this.goNative();
        if (this.goTogether(() => [...pending.all(), state].flatMap((one) => [one, one + 1])))
          return 'together';
      }
      const before = pending.length;
      this.expand(state);
      pending.arrange(before, shuffle);
    }
    return null;
  }

  private expand(state: number): void {
    this.engine.load(state);
    if (this.options.graph) this.rows.open(state, this.engine.machine);
    const steps = this.reduction?.take(this.engine, state, this.findings) ?? this.engine.expand();
    if (this.options.graph) this.rows.close(state);
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

  /** The steps that were left out at a state. */
  private takeOthers(state: number): void {
    this.engine.load(state);
    if (!this.reduction!.leavesOut()) return;
    if (this.options.graph) this.rows.reopen(state);
    this.reduction!.takeOthers(this.engine);
    if (this.options.graph) this.rows.close(state);
  }

  readonly sharedEvents: () => SharedEvents = () => ({
    ...this.events,
    unit: (end, start) => this.crew?.unit(end, start),
  });

  private readonly events: EngineEvents = {
    step: (state, isNew) => {
      if (this.options.graph && this.engine.loaded() >= 0) this.rows.step(this.engine, state, isNew);
      if (isDeep(this.options.order)) this.pending.add(state, isNew);
      if (!isNew) return;
      if (this.options.onState?.(this.space, state)) this.finish();
    },
    claim: () => this.violate('claim', null, this.engine.choices().copy()),
    fault: (code, choices) => {
      this.findings.fault(code);
      if (!isPassable(code)) this.reduction?.cut();
      const kind = code === FAULT.assertion ? 'assertion' : 'runtime-error';
      if (this.options.assertions && !isLimit(code)) this.violate(kind, code, choices.copy());
    },
    still: () => this.still(),
  };

  /** There is no initial state: that nothing was found means nothing. */
  private cannotBegin(fault: FaultCode): void {
    this.findings.cutBy ??= fault;
    if (isLimit(fault)) this.findings.limitFaults++;
    else this.violate('runtime-error', fault, []);
  }

  private violate(kind: ViolationKind, fault: FaultCode | null, choices: readonly Choice[]): void {
    this.findings.add({ kind, fault, state: this.engine.loaded(), choices });
    const isAll = this.foundEach();
    if (!this.options.all && (!this.options.each || isAll)) this.finish();
  }

  private finish(): void {
    this.stop = true;
    this.engine.halt();
  }

  private foundEach(): boolean {
    const { endStates, assertions } = this.options;
    const own = this.findings.goals();
    // What other threads have found counts, too.
    const found = this.team === null ? own : this.team.found(own);
    return ((found & GOAL.endState) !== 0 || !endStates) && ((found & GOAL.failure) !== 0 || !assertions);
  }

  private limitReached(): LimitReached | null {
    const limit = this.limit();
    if (limit === null && this.limits.isLarge()) (this.engine as NativeEngine).compact();
    return limit;
  }

  limit(): LimitReached | null {
    this.observer.progress(`${counted(this.engine.count)} states`);
    return this.limits.reached();
  }

  // Several threads

  /** From so many states on, where there are threads to help. `ranges`: what is still to be done (a long list, asked for only then). */
  private goTogether(ranges: () => readonly number[]): boolean {
    const { help } = this.budget;
    const { engine } = this;
    if (this.options.order === 'spin') return false;
    if (help === undefined || !this.mayGoTogether || !(engine instanceof NativeEngine)) return false;
    if (engine.count < (help.from ?? TOGETHER_FROM) || this.limits.isNear()) return false;
    this.mayGoTogether = false;
    const threads = Math.min(help.free(), MOST_HELPERS) + 1;
    if (threads < 2 || !canBeShared(this.model, this.options)) return false;
    if (this.budget.maxMemory - this.limits.bytes() < threads * HELPER_BYTES) return false;
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
    this.reduction?.moveTo(shared, before);
    return true;
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
    this.reduction?.drawOn(engine);
    this.crew = new Crew(engine, team, this.options.order === 'depth' ? 'newest' : 'oldest');
    let isMemoryOver = false;
    try {
      this.crew.follow(this);
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      isMemoryOver = true;
    }
    this.takeCounts();
    const rest = this.crew.frontier.takeAll();
    return { ...this.findings.found(), peaks: Array.from(engine.peaks), rest, isMemoryOver };
  }

  expandRange(from: number, end: number): number {
    const engine = this.engine as SharedEngine;
    if (this.reduction === null) return engine.explore(from, end);
    let state = from;
    while (state < end && !this.stop && !engine.isFull()) this.expand(state++);
    return state;
  }

  batch = (): number => this.limits.batch();
  isNearLimit = (): boolean => this.limits.isNear();
  isLarge = (): boolean => this.limits.isLarge();

  isDone(): boolean {
    if (!this.stop && !this.options.all && this.options.each && this.foundEach()) this.finish();
    return this.stop || (!this.options.all && !this.options.each && (this.team?.found(0) ?? 0) !== 0);
  }

  collect(): readonly (readonly number[])[] {
    return this.reports().map((report) => {
      this.findings.include(report);
      const { peaks } = this.engine as SharedEngine;
      report.peaks.forEach((peak, i) => {
        peaks[i] = Math.max(peaks[i]!, peak);
      });
      return report.rest;
    });
  }
}
