// One exhaustive search answers everything that is asked about reachable states: what waits for ever, what is lost, what fails, what
// never ends, and which states and transitions are reached at all.
//
// livelock: a run that never ends though nothing comes from outside and no timer fires. In-process such a run is one endless computation after a
// stimulus; distributed it is a cycle of the graph that takes messages only. Where the author has marked what progress is (states, events), it is a cycle
// without any: of messages, timers, promises and callbacks, whatever the outside leaves undone. An endless computation of one thread is a fault in any case.
// stuck: an actor that waits (its state has a way out) and will never move again, whatever happens: no path leads to a step of it.

import type { Budget, Observer } from '../base/budget.ts';
import { counted } from '../base/counted.ts';
import { isFromOutside } from './behaviour.ts';
import { type Move, StateGraph, type Successor } from './graph.ts';
import { growthBehind } from './growth-behind.ts';
import type { Fact, Stimulus, SystemState } from './state.ts';
import { type ActorSystem, hasProgressMarks, type Scheduler } from './system.ts';
import { endlessCycle, standing, stuckActor, type Taken, waitingActors } from './whole-graph.ts';

export type Fault = 'bounded' | 'deadlock-free' | 'stuck-free' | 'livelock-free' | 'handled' | 'error-free';

export interface Finding {
  readonly text: string;
  readonly moves: readonly Move[];
  /** The moves from here on repeat for ever. */
  readonly loopStart: number | null;
  /** Inside the last move: the computation that never ends. */
  readonly spins: boolean;
  /** `bounded`: what mailboxes gain in each round, by actor. */
  readonly growth?: readonly number[];
  /** `bounded`: families that gain a member in each round. */
  readonly families?: readonly number[];
}

export interface Coverage {
  /** `logic state` and `logic transition` that some run reaches. */
  readonly states: ReadonlySet<string>;
  readonly transitions: ReadonlySet<string>;
}

export interface SearchResult {
  readonly graph: StateGraph;
  readonly states: number;
  readonly transitions: number;
  /** Null: every reachable state was seen. */
  readonly limit: 'state-limit' | 'time-limit' | null;
  /** Something happens that the semantics does not model. */
  readonly overlap: string | null;
  readonly findings: ReadonlyMap<Fault, Finding>;
  readonly coverage: Coverage;
  /** By actor: the longest that its mailbox was. */
  readonly longest: readonly number[];
}

export function searchSystem(
  system: ActorSystem,
  scheduler: Scheduler,
  budget: Budget,
  observer: Observer,
  /** The search ends when it has found a fault for each of these. */
  wanted: ReadonlySet<string> = new Set(['all']),
): SearchResult {
  const search = new Search(system, scheduler);
  const limit = search.run(budget, observer, wanted);
  return search.result(limit);
}

/** Events of the platform itself: that nobody takes them is no fault. */
export const isPlatformEvent = (type: string): boolean => /^(?:xstate\.|done\.|error\.)/.test(type);

const ENDLESS = /^an endless macrostep/;

class Search {
  private readonly system: ActorSystem;
  private readonly graph: StateGraph;
  private readonly marked: boolean;
  private readonly findings = new Map<Fault, Finding>();
  private readonly states = new Set<string>();
  private readonly transitions = new Set<string>();
  private readonly longest: number[];
  private readonly edges: Taken[] = [];
  private overlap: string | null = null;
  private crowded = false;

  constructor(system: ActorSystem, scheduler: Scheduler) {
    this.system = system;
    this.graph = new StateGraph(system, scheduler);
    this.marked = hasProgressMarks(system);
    this.longest = system.actors.map(() => 0);
  }

  run(budget: Budget, observer: Observer, wanted: ReadonlySet<string>): SearchResult['limit'] {
    for (const successor of this.graph.initial()) this.visit(-1, successor);
    for (let at = 0; at < this.graph.states.length; at++) {
      if (at % 16 === 0) {
        if (!budget.timeLeft()) return 'time-limit';
        observer.progress(`${counted(at)} states`);
      }
      if (this.graph.states.length > budget.maxStates) return 'state-limit';
      if ([...wanted].every((fault) => this.findings.has(fault as Fault))) return 'state-limit';
      const state = this.graph.states[at]!;
      if (state.slots.length === 0) continue;
      if (isCrowded(state)) {
        this.crowded = true;
        continue;
      }
      const successors = this.graph.successors(at);
      for (const successor of successors) this.visit(at, successor);
      if (successors.length === 0) this.standsStill(at, state);
    }
    if (!this.findings.has('livelock-free'))
      this.keep('livelock-free', endlessCycle(this.graph, this.edges, this.marked));
    if (this.crowded) return 'state-limit';
    this.keep('stuck-free', stuckActor(this.graph, this.edges));
    return null;
  }

  private visit(from: number, successor: Successor): void {
    const { to, result, stimulus } = successor;
    const moved = new Set<number>();
    for (const fact of result.facts) this.note(fact, from, successor, moved);
    result.peaks.forEach((length, actor) => {
      this.longest[actor] = Math.max(this.longest[actor]!, length);
    });
    if (result.growth !== null) this.grows(from, [successor], null, result.growth, true);
    else if (from >= 0 && this.isNew(to) && !this.findings.has('bounded')) {
      const found = growthBehind(this.graph, from, successor);
      if (found !== null)
        this.grows(found.at, found.moves, found.before, found.growth, false, found.families);
    }
    if (result.end === 'overlap')
      this.overlap ??= 'an actor is started while one of the same id is still at work';
    if (result.end === 'spins' || result.end === 'grows' || result.end === 'runs-on')
      this.found(
        'livelock-free',
        from,
        successor,
        'after this the actors keep each other busy for ever',
        true,
      );
    if (from >= 0) {
      const inner = this.isInner(from, stimulus) && !(this.marked && result.facts.some(this.isProgress));
      this.edges.push({ from, to, inner, moved: [...moved], move: successor });
    }
  }

  /** May the step be part of a livelock? */
  private isInner(from: number, stimulus: Stimulus | null): boolean {
    if (stimulus === null || stimulus.kind === 'message') return stimulus !== null;
    if (!this.marked) return false;
    if (stimulus.kind === 'timer') return true;
    const slot = this.graph.states[from]!.slots[stimulus.actor]!;
    const state = typeof slot === 'number' ? slot : slot[stimulus.member]!;
    return !isFromOutside(this.system.actors[stimulus.actor]!.states[state]!.offers[stimulus.index]!.kind);
  }

  private readonly isProgress = (fact: Fact): boolean => {
    if (fact.kind !== 'react') return false;
    if (this.system.actors[fact.actor]!.states[fact.reaction.next]!.progress) return true;
    return (
      fact.message !== null &&
      fact.reaction.handled &&
      (this.system.progress ?? []).includes(this.system.messages[fact.message]!.type)
    );
  };

  private seenStates = 0;

  private isNew(to: number): boolean {
    if (to < this.seenStates) return false;
    this.seenStates = to + 1;
    return true;
  }

  private grows(
    from: number,
    loop: readonly Move[],
    before: SystemState | null,
    growth: readonly number[],
    spins: boolean,
    families: readonly number[] = [],
  ): void {
    if (this.findings.has('bounded')) return;
    const prefix = from < 0 ? [] : this.graph.pathTo(from);
    const { actors } = this.system;
    const what = [
      ...growth.flatMap((gain, actor) =>
        gain > 0 ? [`the mailbox of ${actors[actor]!.name} grows by ${gain} in every round`] : [],
      ),
      ...families.map((actor) => `every round starts one more ${actors[actor]!.name}`),
    ];
    this.findings.set('bounded', {
      text: what.join(', '),
      moves: [...prefix, ...loop],
      loopStart: before === null ? null : prefix.length,
      spins,
      growth,
      families,
    });
  }

  private note(fact: Fact, from: number, successor: Successor, moved: Set<number>): void {
    const { actors, messages } = this.system;
    if (fact.kind === 'react') {
      const actor = actors[fact.actor]!;
      const state = actor.states[fact.reaction.next]!;
      if (actor.logic !== null) {
        for (const name of state.active) this.states.add(`${actor.logic} ${name}`);
        for (const index of fact.reaction.transitions) this.transitions.add(`${actor.logic} ${index}`);
      }
      if (fact.reaction.handled) moved.add(fact.actor);
      if (state.status === 'error') {
        const what = `${actor.name} fails: ${state.error ?? 'an error'}`;
        if (ENDLESS.test(state.error ?? ''))
          this.found('livelock-free', from, successor, `${actor.name}: ${state.error}`, true);
        else if (actor.parent === null) this.found('error-free', from, successor, what);
      }
    }
    if (
      fact.kind === 'ignored' &&
      !this.isOffered(successor, fact) &&
      !isPlatformEvent(messages[fact.message]!.type)
    )
      this.found(
        'handled',
        from,
        successor,
        `${actors[fact.actor]!.name} has no transition for ${messages[fact.message]!.text}`,
      );
    if (fact.kind === 'lost' && !isPlatformEvent(messages[fact.message]!.type)) {
      const who = fact.to === null ? `there is no ${fact.target}` : `${actors[fact.to]!.name} is not running`;
      this.found('handled', from, successor, `${messages[fact.message]!.text} is lost: ${who}`);
    }
  }

  /** An event from outside that nobody takes is nobody's fault. */
  private isOffered({ stimulus, result }: Successor, fact: Fact & { kind: 'ignored' }): boolean {
    return stimulus?.kind === 'offer' && result.facts.indexOf(fact) <= 2;
  }

  private found(fault: Fault, from: number, move: Move, text: string, spins = false): void {
    if (this.findings.has(fault)) return;
    const moves = [...(from < 0 ? [] : this.graph.pathTo(from)), move];
    this.findings.set(fault, { text, moves, loopStart: null, spins });
  }

  private keep(fault: Fault, finding: Finding | null): void {
    if (finding !== null) this.findings.set(fault, finding);
  }

  private standsStill(at: number, state: SystemState): void {
    const waiting = waitingActors(this.system, state);
    if (waiting.length === 0 || this.findings.has('deadlock-free')) return;
    const names = waiting.map((actor) => standing(this.system, actor, state)).join(', ');
    const text = `nothing can happen any more, but ${names}`;
    this.findings.set('deadlock-free', { text, moves: this.graph.pathTo(at), loopStart: null, spins: false });
  }

  result(limit: SearchResult['limit']): SearchResult {
    return {
      graph: this.graph,
      states: this.graph.states.length,
      transitions: this.edges.length,
      limit,
      overlap: this.overlap,
      findings: this.findings,
      coverage: { states: this.states, transitions: this.transitions },
      longest: this.longest,
    };
  }
}

/** Families and mailboxes that grow are followed so far. */
const MOST_MEMBERS = 12;
const MOST_WAITING = 200;

const isCrowded = ({ slots, mail }: SystemState): boolean =>
  slots.some((slot) => typeof slot !== 'number' && slot.length > MOST_MEMBERS) ||
  mail.some((items) => items.length > MOST_WAITING);
