// One exhaustive search answers everything that is asked about reachable states: what waits for ever, what is lost, what fails, what
// never ends, and which states and transitions are reached at all.
//
// livelock: a run that never ends though nothing comes from outside and no timer fires. In-process such a run is one endless computation after a
// stimulus; distributed it is a cycle of the graph that takes messages only. Where the author has marked what progress is (states, events), it is a cycle
// without any: of messages, timers, promises and callbacks, whatever the outside leaves undone. An endless computation of one thread is a fault in any case.
// stuck: an actor that waits (its state has a way out) and will never move again, whatever happens: no path leads to a step of it.

import type { Budget, Observer } from '../base/budget.ts';
import { counted } from '../base/counted.ts';
import { components } from '../graph/components.ts';
import { digraph } from '../graph/digraph.ts';
import { isFromOutside } from './behaviour.ts';
import { type Move, StateGraph, type Successor } from './graph.ts';
import { growthOf } from './pumping.ts';
import { type Fact, OFF, type Stimulus, type SystemState, trafficOf } from './semantics.ts';
import { type ActorSystem, hasProgressMarks, type Scheduler } from './system.ts';

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
  private readonly edges: {
    from: number;
    to: number;
    inner: boolean;
    moved: readonly number[];
    move: Move;
  }[] = [];
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
    this.looksForCycles();
    if (this.crowded) return 'state-limit';
    this.looksForStuck();
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
    else if (from >= 0 && this.isNew(to)) this.looksForGrowth(from, successor);
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

  /** Is there a state on the way here that differs in its mailboxes only, and can the way be repeated? */
  private looksForGrowth(from: number, last: Successor): void {
    if (this.findings.has('bounded') || last.result.end !== 'quiet') return;
    const now = last.result.state;
    const moves: Move[] = [last];
    let facts: Fact[] = [...last.result.facts];
    for (let at = from, n = 0; at >= 0 && n < MOST_BACK; n++) {
      const before = this.graph.states[at]!;
      const grown = sameButFamilies(before, now);
      if (grown !== null) {
        const same = grown.length > 0 && sameMail(before, now) ? before.mail.map(() => 0) : null;
        const growth = growthOf(trafficOf(before.mail, facts)) ?? same;
        if (growth !== null && !facts.some((fact) => this.looksAtLength(fact, growth, grown))) {
          this.grows(at, moves, before, growth, false, grown);
          return;
        }
      }
      const { from: earlier, move } = this.graph.cameFrom[at]!;
      if (earlier < 0) return;
      moves.unshift(move);
      facts = [...this.graph.redo(earlier, move).facts, ...facts];
      at = earlier;
    }
  }

  /** Does the fact depend on how much is in a mailbox that grows, or on who is in a family that does? */
  private looksAtLength(fact: Fact, growth: readonly number[], families: readonly number[]): boolean {
    const distributed = this.graph.scheduler === 'distributed';
    if (fact.kind === 'stopped') return !distributed || families.includes(fact.actor);
    if (fact.kind === 'offer') {
      const { kind } = this.system.actors[fact.actor]!.states[fact.from]!.offers[fact.index]!;
      return distributed && (kind === 'external' ? growth.some((gain) => gain > 0) : growth[fact.actor]! > 0);
    }
    return fact.kind === 'take' && fact.item >= -1 && families.includes(fact.actor);
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

  private standsStill(at: number, state: SystemState): void {
    const waiting = this.waitingActors(state);
    if (waiting.length === 0 || this.findings.has('deadlock-free')) return;
    const names = waiting.map((actor) => this.standing(actor, state)).join(', ');
    const text = `nothing can happen any more, but ${names}`;
    this.findings.set('deadlock-free', { text, moves: this.graph.pathTo(at), loopStart: null, spins: false });
  }

  private standing(actor: number, state: SystemState): string {
    const slot = state.slots[actor]!;
    const id = typeof slot === 'number' ? slot : slot[0]!;
    return `${this.system.actors[actor]!.name} waits in ${this.system.actors[actor]!.states[id]!.text}`;
  }

  private waitingActors(state: SystemState): number[] {
    return state.slots.flatMap((slot, actor) => {
      const ids = typeof slot === 'number' ? (slot === OFF ? [] : [slot]) : slot;
      return ids.some((id) => !this.system.actors[actor]!.states[id]!.rests) ? [actor] : [];
    });
  }

  private looksForCycles(): void {
    if (this.findings.has('livelock-free')) return;
    const inner = this.edges.filter((edge) => edge.inner);
    const graph = digraph(this.graph.states.length, inner);
    const { of } = components(graph);
    const entry = inner.find((edge) => of[edge.from] === of[edge.to]);
    if (entry === undefined) return;
    const loop = pathInside(
      inner.filter((edge) => of[edge.from] === of[entry.from] && of[edge.to] === of[entry.from]),
      entry.to,
      entry.from,
    );
    const prefix = this.graph.pathTo(entry.from);
    this.findings.set('livelock-free', {
      text: this.marked
        ? 'the system goes on for ever without progress'
        : 'the actors send to each other for ever, without anything from outside',
      moves: [...prefix, entry.move, ...loop.map((edge) => edge.move)],
      loopStart: prefix.length,
      spins: false,
    });
  }

  private looksForStuck(): void {
    const before: number[][] = this.graph.states.map(() => []);
    for (const [index, { to }] of this.edges.entries()) before[to]!.push(index);
    for (const actor of this.system.actors.keys()) {
      const alive = new Uint8Array(this.graph.states.length);
      const work: number[] = [];
      const mark = (state: number): void => {
        if (alive[state] === 1) return;
        alive[state] = 1;
        work.push(state);
      };
      for (const edge of this.edges) if (edge.moved.includes(actor)) mark(edge.from);
      for (let at = work.pop(); at !== undefined; at = work.pop())
        for (const index of before[at]!) mark(this.edges[index]!.from);
      const stuck = this.graph.states.findIndex(
        (state, id) => alive[id] === 0 && state.slots.length > 0 && this.waitingActors(state).includes(actor),
      );
      if (stuck < 0) continue;
      const text = `${this.standing(actor, this.graph.states[stuck]!)} and can never move again`;
      this.findings.set('stuck-free', {
        text,
        moves: this.graph.pathTo(stuck),
        loopStart: null,
        spins: false,
      });
      return;
    }
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

/** How far back a state is compared with those on the way to it. */
const MOST_BACK = 60;

/** Families that have more members now, everything else in the slots being the same; null if it is not. */
function sameButFamilies(before: SystemState, now: SystemState): number[] | null {
  const grown: number[] = [];
  for (const [actor, slot] of now.slots.entries()) {
    const old = before.slots[actor]!;
    if (typeof slot === 'number' || typeof old === 'number') {
      if (slot !== old) return null;
    } else if (slot.join() !== old.join()) {
      const rest = [...slot];
      for (const id of old) {
        const at = rest.indexOf(id);
        if (at < 0) return null;
        rest.splice(at, 1);
      }
      grown.push(actor);
    }
  }
  return grown;
}

const sameMail = (a: SystemState, b: SystemState): boolean =>
  a.mail.every((items, actor) => items.join() === b.mail[actor]!.join());

/** A path of the edges from one state to another. */
function pathInside<E extends { readonly from: number; readonly to: number }>(
  edges: readonly E[],
  from: number,
  to: number,
): E[] {
  const came = new Map<number, E>();
  const work = [from];
  for (let at = work.shift(); at !== undefined && at !== to; at = work.shift())
    for (const edge of edges) {
      if (edge.from !== at || edge.to === from || came.has(edge.to)) continue;
      came.set(edge.to, edge);
      work.push(edge.to);
    }
  const path: E[] = [];
  for (let at = to; at !== from; at = came.get(at)!.from) path.unshift(came.get(at)!);
  return path;
}
