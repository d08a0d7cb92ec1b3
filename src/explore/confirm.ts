// Looks for real runs that flood queues (or never make progress), with channels of unlimited capacity.
//
// In turn: a breadth-first search that compares each new state with its ancestors (finds the shortest runs, and proves
// boundedness when it runs out of new states), random walks that prefer given edges (the loops of a linear program's
// counterexample), random walks that prefer nothing; for a queue that seems to grow, cycles of a box in which the other queues are short. A candidate counts only when pumping.ts accepts it.

import { type Budget, type Observer, shareOf, withStates } from '../base/budget.ts';
import type { Offer, Wanted } from './ancestors.ts';
import { AncestorCheck } from './ancestors.ts';
import type { Model } from './compile.ts';
import { type Box, loopsInBox } from './images/boxed.ts';
import { focusesFor, observeTraffic } from './images/traffic.ts';
import { cycleWithoutProgress, graphOptions } from './livelock.ts';
import { queueMaxima } from './maxima.ts';
import type { PumpedLoop } from './pumping.ts';
import { pump } from './pumping.ts';
import type { Progress } from './round.ts';
import type { Incomplete, SearchOutcome, StateSpace } from './search.ts';
import { search, whyIncomplete } from './search.ts';
import { walkForLoops } from './walks.ts';

export interface ConfirmOptions {
  /** Names of queues whose growth is asked for; all buffered ones when left out. */
  readonly queues?: readonly string[];
  /** By proctype: the edges to prefer in random walks. */
  readonly preferred?: readonly ReadonlySet<number>[];
  /** Look for a loop without progress instead of growth. */
  readonly progress?: Progress;
  /** Accept loops that leave processes behind (SPIN would stop at 255). */
  readonly allowNewProcesses?: boolean;
  readonly seed?: number;
  /** `one`: the long search is only for a first loop (default: all queues asked for). */
  readonly enough?: 'one' | 'all';
  /**
   * Another way to settle it, tried before the long search: true when it did. It is given the names of the queues that were seen to grow, and a
   * way to look for loops that flood a certain queue in small boxes.
   */
  readonly otherwise?: (growing: ReadonlySet<string>, floods: (queue: string) => boolean) => boolean;
}

export interface FoundLoop extends PumpedLoop {
  /** By queue name: messages gained per round. */
  readonly growthByName: ReadonlyMap<string, number>;
}

export interface ConfirmOutcome {
  /** Each with at least one queue that was asked for and not yet seen to grow. */
  readonly loops: readonly FoundLoop[];
  /** Every state under unlimited capacity was seen: the maxima are exact and nothing was missed. */
  readonly exhausted: boolean;
  /** By queue name: the greatest length, exact when exhausted. */
  readonly maxima: ReadonlyMap<string, number>;
  readonly limit: Incomplete | null;
  readonly states: number;
  readonly transitions: number;
  readonly search: SearchOutcome;
}

/** States the first breadth-first pass may store before random walks get their turn. */
const FIRST_PASS = 20_000;
/** States of the search for further loops, when one is known. */
const FURTHER_LOOK = 200_000;
/** Small boxes first: most loops need little room elsewhere. */
const BOXES = [
  { others: 1, kept: 1, states: 150_000 },
  { others: 2, kept: 1, states: 300_000 },
];
/** … with only those moving who have to do with the queue. */
const FOCUSED = [
  { others: 1, kept: 1, states: 20_000 },
  { others: 2, kept: 1, states: 40_000 },
];
/** Steps that may be spent on looking at candidates: each costs its prefix and three rounds. */
const MAX_REPLAYED = 100_000;

/** The model must be compiled with unlimited capacity. */
export function confirm(
  model: Model,
  options: ConfirmOptions,
  budget: Budget,
  observer: Observer,
): ConfirmOutcome {
  const collector = new Collector(model, options);
  const first = collector.searchFrom(
    { ...budget, maxStates: Math.min(FIRST_PASS, budget.maxStates) },
    observer,
  );
  const settled = first.limit !== 'state-limit' || budget.maxStates <= FIRST_PASS;
  if (collector.done() || settled) return collector.outcome(first);
  walkForLoops(model, options, budget, collector.offer, collector.isWanted);
  if (!collector.done() && (options.enough !== 'one' || !collector.found())) collector.floodsInFocus(budget);
  const other = options.otherwise?.(collector.growing(), (name) => collector.floodsInBox(name, budget));
  if (other || collector.done()) return collector.outcome(first);
  // One loop refutes the whole: for the other queues a further look is enough, unless all of them are asked for.
  const isEnough = options.enough === 'one';
  const rest = isEnough && collector.found() ? withStates(budget, FURTHER_LOOK) : budget;
  if (isEnough && !collector.found()) collector.hurry();
  return collector.outcome(collector.searchFrom(rest, observer));
}

/** Tries candidates and keeps those that add something. */
class Collector {
  private readonly loops: FoundLoop[] = [];
  private readonly missing: Set<string>;
  private readonly failures = new Map<string, number>();
  private replayed = 0;
  private oneIsEnough = false;
  private readonly model: Model;
  private readonly options: ConfirmOptions;

  constructor(model: Model, options: ConfirmOptions) {
    this.model = model;
    this.options = options;
    const all = model.layout.queueNames.filter((queue) => queue.capacity > 0).map((queue) => queue.name);
    this.missing = new Set(options.queues ?? all);
  }

  found(): boolean {
    return this.loops.length > 0;
  }

  growing(): Set<string> {
    return new Set(this.loops.flatMap(({ growthByName }) => [...growthByName.keys()]));
  }

  /** Is there a loop that floods the queue, in boxes of growing size? */
  floodsInBox(queue: string, budget: Budget): boolean {
    return BOXES.some((box) => this.floodsIn(queue, box, budget));
  }

  /** The same for all queues that are asked for, while only those move who have to do with them. */
  floodsInFocus(budget: Budget): void {
    if (this.options.progress !== undefined) return;
    const traffic = observeTraffic(this.model);
    for (const box of FOCUSED)
      for (const queue of this.missing) {
        const focuses = focusesFor(this.model, traffic, this.channelOf(queue));
        focuses.some((focus) => this.done() || this.floodsIn(queue, { ...box, focus }, budget));
      }
  }

  private channelOf(queue: string): number {
    const { globalChannels, queueNames } = this.model.layout;
    return globalChannels.findIndex(({ name }) => queueNames[name]!.name === queue);
  }

  private floodsIn(queue: string, { states, ...box }: Box & { states: number }, budget: Budget): boolean {
    const channel = this.channelOf(queue);
    if (channel < 0 || this.options.progress !== undefined) return false;
    this.replayed = 0;
    const part = withStates(shareOf(budget, 4), states);
    loopsInBox(this.model, channel, box, part, ({ loop, prefix }) => {
      this.offer(loop, () => prefix);
      return !this.missing.has(queue);
    });
    return !this.missing.has(queue);
  }

  /** From now on one loop is enough. */
  hurry(): void {
    this.oneIsEnough = true;
  }

  done(): boolean {
    if (this.options.progress !== undefined || this.oneIsEnough) return this.loops.length > 0;
    return this.missing.size === 0;
  }

  readonly isWanted: Wanted = (channel) => {
    const { machine, layout } = this.model;
    return this.missing.has(layout.queueNames[machine.nameOfChannel[channel]!]!.name);
  };

  readonly offer: Offer = (loop, getPrefix) => {
    const key = loop.join();
    const failed = this.failures.get(key) ?? 0;
    if (this.replayed >= MAX_REPLAYED || failed >= 3) return this.done();
    const prefix = getPrefix();
    this.replayed += 2 * prefix.length + 4 * loop.length;
    const found = pump(
      this.model,
      { prefix, loop },
      {
        allowNewProcesses: this.options.allowNewProcesses ?? false,
        progress: this.options.progress ?? null,
      },
    );
    if (found === null) this.failures.set(key, failed + 1);
    else this.keep(found);
    return this.done();
  };

  private keep(found: PumpedLoop): void {
    const { machine, layout } = this.model;
    const growthByName = new Map<string, number>();
    for (const [channel, gained] of found.growth) {
      const { name } = layout.queueNames[machine.nameOfChannel[channel - 1]!]!;
      growthByName.set(name, (growthByName.get(name) ?? 0) + gained);
    }
    const isNew = [...growthByName.keys()].some((name) => this.missing.has(name));
    if (!isNew && this.options.progress === undefined) return;
    for (const name of growthByName.keys()) this.missing.delete(name);
    this.loops.push({ ...found, growthByName });
  }

  searchFrom(budget: Budget, observer: Observer): SearchOutcome {
    const ancestors = new AncestorCheck(
      this.model,
      this.options.allowNewProcesses ?? false,
      this.options.progress ?? null,
      this.isWanted,
    );
    const { progress } = this.options;
    const found = search(
      this.model,
      {
        ...graphOptions(this.model, progress ?? null),
        all: true,
        onState: (space, state) => ancestors.note(space, state),
        onExpanded: (space) => this.replayed < MAX_REPLAYED && ancestors.candidates(space, this.offer),
        assertions: true,
      },
      budget,
      observer,
    );
    if (progress !== undefined && !this.done()) this.offerCycle(found.space, progress);
    return found;
  }

  /** A cycle of the explored graph without progress: queues as they were. */
  private offerCycle(space: StateSpace, progress: Progress): void {
    const cycle = cycleWithoutProgress(space, progress);
    if (cycle === null) return;
    this.replayed = 0;
    this.failures.clear();
    this.offer(cycle.loop, () => cycle.prefix);
    if (!this.done()) throw new Error('impossible: a cycle of the state graph that cannot be repeated');
  }

  outcome(found: SearchOutcome): ConfirmOutcome {
    return {
      loops: this.loops,
      exhausted: whyIncomplete(found) === null && !found.stopped,
      maxima: queueMaxima(this.model),
      limit: whyIncomplete(found),
      states: found.states,
      transitions: found.transitions,
      search: found,
    };
  }
}
