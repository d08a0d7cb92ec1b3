// Stubborn sets: which processes of a state need to move now.
//
// Idea (Valmari, Stubborn sets for reduced state space generation, 1990; Godefroid, Partial-order methods, 1996). A set T of transitions is
// *strongly stubborn* at a state when it holds, with every transition that is possible, all that do not commute with it, and with
// every transition that is not possible a set without which it cannot become so; and something in it is possible. Then no
// sequence of outsiders disables, enables or disturbs a member, and it is enough to take the members that are possible.
//
// The set is found by closure from one process that can move. Its members are *all* edges of a process at its location (`whole`), or single edges
// that are not possible. A transition elsewhere in a process's program is not possible; to come to it the process must leave by an
// edge that leads there. Which edge uses what is known per instance class (classes.ts), so that the closure reads:
//   whole p, edge possible        every use of a resource, by anyone and at any time, that conflicts with the step is *demanded*
//   whole p, edge not possible    every use that could help it is demanded
//   a demand                      in every process the edges with such a use, or that lead to one: `whole` if possible, else what they need.
//                                 A way that goes through a receive from an empty channel ends there when all sends to it are demanded
//   a handshake                   is a step of both: whole sender, whole receiver
//   the end of a process          waits for the youngest process
//   `else`, edges behind `unless` wait for an edge beside them that is possible: whole p says the same
// A timeout waits until nothing moves, and some member stays possible: it needs nothing.
// Where nobody sees deaths (immortal.ts), one that is possible is a set of its own.
//
// For properties of runs (visible.ts) two more conditions, Valmari's V and I (The state explosion problem, 1998): a set with a possible visible
// member holds all visible transitions; and where an invisible one is possible, the set has one that is.
//
// Assumes: no priorities, `enabled`, `pc_value`, `_last`, no lost messages (applies.ts); the loaded state is not inside an
// atomic sequence.

import type { Edge } from '../../process/program.ts';
import type { Model } from '../compile.ts';
import { HEADER } from '../layout.ts';
import type { Moves } from '../moves.ts';
import type { StepFacts } from './classes.ts';
import type { Facts } from './constants.ts';
import { handshakeReceives } from './forms.ts';
import type { Need } from './needs.ts';
import { CHANNEL, LIFE } from './resources.ts';
import { Situation } from './situation.ts';
import { VisibleSteps } from './visible.ts';

/** Everything must move. */
const FULL = -1;

export class StubbornSets {
  /** After `choose`: the processes to move, then the others. */
  readonly chosen: Int32Array;
  readonly others: Int32Array;
  otherCount = 0;
  private readonly facts: Facts;
  private readonly model: Model;
  private readonly state: Situation;
  private whole: Uint8Array;
  private waiting: Set<number>[] = [];
  /** By resource: the modes in which every use belongs to the set. */
  private readonly demanded: Uint16Array;
  /** Pairs of a resource and modes, to be met; and processes to be expanded. */
  private readonly demands: number[] = [];
  private readonly wholes: number[] = [];
  /** Locations that `leadsTo` has come to, and the same as marks. */
  private readonly way: number[] = [];
  private readonly isOnWay: Uint8Array;
  private failed = false;
  private cost = 0;
  /** What the property sees; null when only deadlocks and failing steps are asked for. */
  private readonly visible: VisibleSteps | null;
  private hasVisible = false;
  private hasInvisible = false;

  constructor(facts: Facts, maxProcesses: number, visible: Uint16Array | null) {
    this.visible = visible === null ? null : new VisibleSteps(visible);
    this.facts = facts;
    this.model = facts.model;
    this.state = new Situation(facts, maxProcesses);
    this.chosen = new Int32Array(maxProcesses);
    this.others = new Int32Array(maxProcesses);
    this.whole = new Uint8Array(maxProcesses);
    this.demanded = new Uint16Array(facts.resources.count);
    const most = facts.model.program.proctypes.reduce(
      (max, { locations }) => Math.max(max, locations.length),
      0,
    );
    this.isOnWay = new Uint8Array(most);
  }

  /** From now on states are loaded there. */
  use(machine: Facts['machine']): void {
    this.facts.machine = machine;
  }

  /** How many processes of the loaded state must move, −1 for all. Those are in `chosen`, the rest in `others`. */
  choose(): number {
    if (!this.state.load()) return FULL;
    if (this.model.options.deathsFirst === true && this.youngestDies()) return this.divide(this.whole);
    let best: Uint8Array | null = null;
    let least = Number.POSITIVE_INFINITY;
    for (let pid = this.state.processes - 1; pid >= 0 && least > 1; pid--) {
      if (this.state.possibleOf(pid).length === 0) continue;
      if (!this.closure(pid, least) || this.cost >= least) continue;
      least = this.cost;
      best = this.whole.slice(0, this.state.processes);
    }
    return best === null ? FULL : this.divide(best);
  }

  /** Then it is all of the set. */
  private youngestDies(): boolean {
    const { processes, classOf, location } = this.state;
    const youngest = processes - 1;
    if (!classOf[youngest]!.proctype.locations[location[youngest]!]!.isFinal) return false;
    if (this.state.possibleOf(youngest).length === 0) return false;
    this.whole.fill(0, 0, processes);
    this.whole[youngest] = 1;
    return true;
  }

  private divide(whole: Uint8Array): number {
    let inside = 0;
    let outside = 0;
    let left = 0;
    for (let pid = this.state.processes - 1; pid >= 0; pid--) {
      if (whole[pid] === 1) this.chosen[inside++] = pid;
      else {
        this.others[outside++] = pid;
        left += this.state.possibleOf(pid).length;
      }
    }
    this.otherCount = outside;
    return left === 0 ? FULL : inside;
  }

  /** False when it came to nothing better than `limit`. */
  private closure(seed: number, limit: number): boolean {
    this.whole.fill(0, 0, this.state.processes);
    this.demanded.fill(0);
    for (let pid = 0; pid < this.state.processes; pid++) {
      if (this.waiting[pid] === undefined) this.waiting[pid] = new Set();
      else this.waiting[pid]!.clear();
    }
    this.demands.length = 0;
    this.wholes.length = 0;
    this.failed = false;
    this.cost = 0;
    this.hasVisible = this.hasInvisible = false;
    this.takeWhole(seed);
    while (!this.failed && this.cost < limit) {
      // What is known of a process first: the more is demanded, the fewer ways lead to what else is.
      const pid = this.wholes.pop();
      if (pid !== undefined) {
        this.expandWhole(pid);
        continue;
      }
      const modes = this.demands.pop();
      if (modes === undefined) {
        if (this.takesInvisible()) continue;
        return true;
      }
      this.meet(this.demands.pop()!, modes);
    }
    return false;
  }

  private takeWhole(pid: number): void {
    if (this.whole[pid] === 1) return;
    this.whole[pid] = 1;
    this.cost += this.state.possibleOf(pid).length;
    this.wholes.push(pid);
  }

  private expandWhole(pid: number): void {
    const { proctype, steps, isDead } = this.state.classOf[pid]!;
    const possible = this.state.possibleOf(pid);
    for (let i = 0; i < possible.length; i++) {
      const edge = possible.edge(i);
      if (edge < 0) {
        this.failed = true;
        return;
      }
      this.conflictsOf(steps[edge]!);
      if (this.visible !== null) this.see(pid, possible, i);
      const partner = possible.partner(i);
      if (partner < 0) continue;
      this.takeWhole(partner);
      this.conflictsOf(this.state.classOf[partner]!.steps[possible.partnerEdge(i)]!);
    }
    for (const id of proctype.locations[this.state.location[pid]!]!.edges)
      if (!isDead[id] && !this.state.isPossible(pid, id)) this.takeNeeds(pid, proctype.edges[id]!);
  }

  /** Condition V. */
  private see(pid: number, possible: Moves, at: number): void {
    if (!this.isVisible(pid, possible, at)) {
      this.hasInvisible = true;
      return;
    }
    if (this.hasVisible) return;
    this.hasVisible = true;
    this.visible!.modes.forEach((modes, resource) => {
      if (modes !== 0) this.demand(resource, modes);
    });
    this.demand(this.facts.resources.everything, 1);
  }

  private isVisible(pid: number, possible: Moves, at: number): boolean {
    const { classOf } = this.state;
    const partner = possible.partner(at);
    if (this.visible!.isVisible(classOf[pid]!, possible.edge(at))) return true;
    return partner >= 0 && this.visible!.isVisible(classOf[partner]!, possible.partnerEdge(at));
  }

  /** Condition I: false when it is met, or nothing invisible is possible. */
  private takesInvisible(): boolean {
    if (!this.hasVisible || this.hasInvisible) return false;
    for (let pid = 0; pid < this.state.processes; pid++) {
      if (this.whole[pid] === 1) continue;
      const possible = this.state.possibleOf(pid);
      for (let i = 0; i < possible.length; i++) {
        if (possible.edge(i) >= 0 && this.isVisible(pid, possible, i)) continue;
        this.takeWhole(pid);
        return true;
      }
    }
    return false;
  }

  private conflictsOf(step: StepFacts): void {
    if (step.everything || step.unsure) {
      this.failed = true;
      return;
    }
    this.demand(this.facts.resources.everything, 1);
    for (let i = 0; i < step.resources.length; i++) this.demand(step.resources[i]!, step.conflicts[i]!);
  }

  /** Every transition, now or later, that uses the resource in one of these modes belongs to the set. */
  private demand(resource: number, modes: number): void {
    const missing = modes & ~this.demanded[resource]!;
    if (missing === 0) return;
    this.demanded[resource]! |= missing;
    this.demands.push(resource, missing);
  }

  private meet(resource: number, modes: number): void {
    const { future, processes } = this.state;
    const { whole } = this;
    for (let pid = 0; pid < processes; pid++) {
      const used = future[pid]![resource]! & modes;
      if (used === 0 || whole[pid] === 1) continue;
      // Before any other process can end, the youngest must have.
      if (resource !== 0 || pid === processes - 1) this.meetIn(pid, resource, modes);
      else if ((used & ~LIFE.end) !== 0) this.meetIn(pid, resource, modes & ~LIFE.end);
    }
  }

  /** The process may use it so. */
  private meetIn(pid: number, resource: number, modes: number): void {
    const { proctype, steps, isDead } = this.state.classOf[pid]!;
    for (const id of proctype.locations[this.state.location[pid]!]!.edges) {
      if (isDead[id] || this.waiting[pid]!.has(id)) continue;
      const edge = proctype.edges[id]!;
      const own =
        this.state.usedBy(steps[id]!, resource, modes) || this.state.startsUse(pid, id, resource, modes);
      if (own || this.leadsTo(pid, edge, resource, modes)) this.take(pid, edge);
      if (this.whole[pid] === 1) break;
    }
  }

  /**
   * Can a use of the resource come after the edge, without anything before it that is in the set? A receive from a channel that is empty
   * now is, when all sends to it are; so is a send to a full one, when all receives are.
   */
  private leadsTo(pid: number, first: Edge, resource: number, modes: number): boolean {
    const { after, proctype, steps, waitsOn, waitedOn, isDead } = this.state.classOf[pid]!;
    if ((after[first.to]![resource]! & modes) === 0 || this.isHeld(waitsOn[first.id]!)) return false;
    if (!this.isAnyHeld(waitedOn)) return true;
    const { way, isOnWay } = this;
    way.length = 0;
    way.push(first.to);
    isOnWay[first.to] = 1;
    let found = false;
    for (let next = 0; next < way.length && !found; next++) {
      for (const id of proctype.locations[way[next]!]!.edges) {
        if (isDead[id] || this.isHeld(waitsOn[id]!)) continue;
        found =
          this.state.usedBy(steps[id]!, resource, modes) || this.state.startsUse(pid, id, resource, modes);
        if (found) break;
        const { to } = proctype.edges[id]!;
        if (isOnWay[to] === 1 || (after[to]![resource]! & modes) === 0) continue;
        isOnWay[to] = 1;
        way.push(to);
      }
    }
    for (const location of way) isOnWay[location] = 0;
    return found;
  }

  private isAnyHeld(channels: readonly number[]): boolean {
    for (const channel of channels) if (this.isHeld(channel)) return true;
    return false;
  }

  /** `channel`: its number for a receive, −number for a send, 0 for anything else. */
  private isHeld(channel: number): boolean {
    if (channel === 0) return false;
    const { machine } = this.facts;
    const number = Math.abs(channel);
    if (number > machine.cells[HEADER.channels]!) return false;
    const length = this.state.lengthOf(number);
    if (channel > 0) return length === 0 && (this.demanded[number]! & SENDS) === SENDS;
    const { capacity } = this.model.layout.shapes[machine.shapeOfChannel[number - 1]!]!;
    return (
      this.model.options.capacity !== 'unlimited' &&
      capacity > 0 &&
      length === capacity &&
      (this.demanded[number]! & CHANNEL.receive) !== 0
    );
  }

  private take(pid: number, edge: Edge): void {
    if (this.whole[pid] === 1) return;
    if (this.state.isPossible(pid, edge.id)) this.takeWhole(pid);
    else this.takeNeeds(pid, edge);
  }

  private takeNeeds(pid: number, edge: Edge): void {
    if (this.waiting[pid]!.has(edge.id)) return;
    this.waiting[pid]!.add(edge.id);
    const { proctype } = this.state.classOf[pid]!;
    if (edge.statement.kind === 'end') {
      this.takeWhole(this.state.processes - 1);
      return;
    }
    if (edge.statement.kind === 'else') {
      this.takeWhole(pid);
      if (proctype.provided === null) return;
    }
    if (edge.blockedBy.length > 0) {
      this.takeWhole(pid);
      // What blocks a step of its own does not block its half of somebody else's handshake.
      const mayReceive = handshakeReceives(edge.statement).length > 0;
      if (!mayReceive && edge.blockedBy.some((blocker) => this.state.isPossible(pid, blocker))) return;
    }
    const needs = this.state.classOf[pid]!.needsOf(edge.id);
    const empty = needs.channel > 0 && this.state.lengthOf(needs.channel) === 0;
    this.helpersOf(pid, empty ? needs.whenEmpty : needs.otherwise);
  }

  private helpersOf(pid: number, need: Need): void {
    if (need.anything) {
      this.failed = true;
      return;
    }
    for (let i = 0; i < need.resources.length; i++) this.demand(need.resources[i]!, need.helpful[i]!);
    this.demand(this.facts.resources.everything, 1);
    if (!need.ownMoves) return;
    const { proctype } = this.state.classOf[pid]!;
    for (const id of proctype.locations[this.state.location[pid]!]!.edges)
      this.take(pid, proctype.edges[id]!);
  }
}

const SENDS = CHANNEL.send | CHANNEL.sortedSend;
