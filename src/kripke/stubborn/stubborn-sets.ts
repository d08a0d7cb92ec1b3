// Stubborn sets for compositions (Valmari 1991; docs/structures.md has the proof). At a configuration s take a set C of components such that
//
//   – for each event that a component of C offers at its state and that is enabled at s, all who share the event are in C;
//   – for each one that is not enabled, somebody who shares it and refuses it is in C.
//
// T: all that components of C offer. As long as nothing of T happens, no component of C moves: it would have to by an event that it offers. So what is
// enabled of T stays enabled and has no component in common with whatever else happens, and what is refused stays refused: each enabled event of T may be taken first.
// It is enough to go on with those; among the sets that one component each forces the one with the fewest enabled events is taken.

import type { System } from '../system.ts';
import { enabled } from '../system.ts';

export class StubbornSets {
  private readonly system: System;
  /** Of the present configuration; stamps spare cleaning. */
  private configuration: Int32Array = new Int32Array(0);
  private stamp = 0;
  private readonly enabledAt: Int32Array;
  private readonly isEnabled: Uint8Array;
  /** Of the present set. */
  private mark = 0;
  private readonly inside: Int32Array;
  private readonly taken: Int32Array;
  private readonly queue: number[] = [];
  private found: number[] = [];

  constructor(system: System) {
    this.system = system;
    this.enabledAt = new Int32Array(system.events.length);
    this.isEnabled = new Uint8Array(system.events.length);
    this.inside = new Int32Array(system.components.length);
    this.taken = new Int32Array(system.events.length);
  }

  /**
   * The enabled events of a stubborn set, the fewest that one component forces; `all` themselves when no set is smaller. `fits`: whether a set may be used (one with a visible
   * event may not, where the order of visible events counts).
   */
  choose(
    configuration: Int32Array,
    all: readonly number[],
    fits: (events: readonly number[]) => boolean,
  ): readonly number[] {
    this.configuration = configuration;
    this.stamp++;
    for (const event of all) this.remember(event, true);
    let best = all;
    for (const event of all) {
      // A set that holds the event holds all its participants: one of them is enough to begin with.
      const set = this.closure(this.system.participants[event]![0]!, best.length);
      if (set !== null && set.length < best.length && fits(set)) best = [...set];
      if (best.length === 1) break;
    }
    return best;
  }

  /** Null as soon as it has as many enabled events as the best one so far. */
  private closure(seed: number, limit: number): readonly number[] | null {
    this.mark++;
    this.queue.length = 0;
    this.found = [];
    this.include(seed);
    for (let component = this.queue.pop(); component !== undefined; component = this.queue.pop())
      if (!this.close(component, limit)) return null;
    return this.found;
  }

  private include(component: number): void {
    if (this.inside[component] === this.mark) return;
    this.inside[component] = this.mark;
    this.queue.push(component);
  }

  /** What a component of the set offers draws others in. */
  private close(component: number, limit: number): boolean {
    const { first, event } = this.system.components[component]!.edges;
    const globals = this.system.globalIds[component]!;
    const state = this.configuration[component]!;
    for (let i = first[state]!; i < first[state + 1]!; i++) {
      const id = globals[event[i]!]!;
      if (this.taken[id] === this.mark) continue;
      this.taken[id] = this.mark;
      if (this.canHappen(id)) {
        if (this.found.push(id) >= limit) return false;
        for (const other of this.system.participants[id]!) this.include(other);
      } else this.includeRefuser(id);
    }
    return true;
  }

  private includeRefuser(event: number): void {
    const { participants, localIds, components } = this.system;
    let chosen = -1;
    let fewest = Number.POSITIVE_INFINITY;
    for (const [i, component] of participants[event]!.entries()) {
      const { first, event: events } = components[component]!.edges;
      const state = this.configuration[component]!;
      const [from, to] = [first[state]!, first[state + 1]!];
      let offers = false;
      for (let k = from; k < to && !offers; k++) offers = events[k] === localIds[event]![i];
      if (offers) continue;
      if (this.inside[component] === this.mark) return;
      if (to - from >= fewest) continue;
      fewest = to - from;
      chosen = component;
    }
    this.include(chosen);
  }

  private canHappen(event: number): boolean {
    if (this.enabledAt[event] !== this.stamp)
      this.remember(event, enabled(this.system, this.configuration, event));
    return this.isEnabled[event] === 1;
  }

  private remember(event: number, value: boolean): void {
    this.enabledAt[event] = this.stamp;
    this.isEnabled[event] = value ? 1 : 0;
  }
}
