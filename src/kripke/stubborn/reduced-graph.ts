// The reduced graph of a composition for formulas that cannot see hidden steps: depth first, at each configuration the enabled events of a stubborn set
// of which none is visible, or all enabled events. A set of which a step leads back to the path of the search is not used, so that every cycle has a
// configuration where all is taken and nothing is put off for ever (conditions C0 to C3 of Clarke, Grumberg and Peled, Model Checking, chapter 10).

import type { Budget } from '../../base/budget.ts';
import { IntStack } from '../../base/int-stack.ts';
import { Product } from '../product.ts';
import { tooManyStarts } from '../search.ts';
import type { Edges } from '../structure.ts';
import { packEdges } from '../structure.ts';
import type { System } from '../system.ts';
import { eachOutcome, enabledEvents } from '../system.ts';
import { StubbornSets } from './stubborn-sets.ts';

export interface ReducedGraph {
  readonly edges: Edges;
  readonly initial: readonly number[];
  readonly configuration: (state: number) => Int32Array;
}

export type GraphLimit = 'time-limit' | 'state-limit' | 'memory-limit';

/** A step is visible when the formula names its event or it changes one of the formula's propositions. */
export interface Visible {
  readonly event: (event: number) => boolean;
  /** Whether the two states of the component differ in a proposition of the formula. */
  readonly change: (component: number, from: number, to: number) => boolean;
}

/** `visible` null: nothing may be left out. */
export function reducedGraph(
  system: System,
  visible: Visible | null,
  budget: Budget,
  report: (states: number) => void,
): ReducedGraph | GraphLimit {
  if (tooManyStarts(system, budget)) return 'state-limit';
  const maker = new GraphMaker(system, visible);
  const initial = maker.product.initialStates();
  for (const start of initial) {
    maker.enter(start);
    for (let steps = 0; maker.depth > 0; steps++) {
      maker.step();
      if (maker.product.size > budget.maxStates) return 'state-limit';
      if ((steps & 1023) !== 0) continue;
      report(maker.product.size);
      if (!budget.timeLeft()) return 'time-limit';
      if (maker.bytes > budget.maxMemory) return 'memory-limit';
    }
  }
  const { product } = maker;
  return { edges: maker.edges(), initial, configuration: (state) => product.configuration(state) };
}

const NEW = 0;
const ON_PATH = 1;
const DONE = 2;

class GraphMaker {
  readonly product: Product;
  private readonly system: System;
  private readonly visible: Visible | null;
  private readonly sets: StubbornSets;
  private status = new Uint8Array(1024);
  private readonly sources = new IntStack();
  private readonly events = new IntStack();
  private readonly targets = new IntStack();
  /** The path: configurations, the next of its edges to follow, and the end of its edges. */
  private readonly path = new IntStack();
  private readonly next = new IntStack();
  private readonly end = new IntStack();

  constructor(system: System, visible: Visible | null) {
    this.system = system;
    this.visible = visible;
    this.product = new Product(system);
    this.sets = new StubbornSets(system);
  }

  get depth(): number {
    return this.path.size;
  }

  get bytes(): number {
    return this.product.bytes + 40 * this.sources.size + 12 * this.path.size + this.status.length;
  }

  edges(): Edges {
    return packEdges(this.product.size, this.sources.view(), this.events.view(), this.targets.view());
  }

  enter(state: number): void {
    if (this.statusOf(state) !== NEW) return;
    this.status[state] = ON_PATH;
    this.path.push(state);
    this.next.push(this.sources.size);
    this.expand(state);
    this.end.push(this.sources.size);
  }

  step(): void {
    const top = this.path.size - 1;
    const at = this.next.at(top);
    if (at < this.end.at(top)) {
      this.next.set(top, at + 1);
      this.enter(this.targets.at(at));
      return;
    }
    this.status[this.path.pop()] = DONE;
    this.next.pop();
    this.end.pop();
  }

  private expand(state: number): void {
    const configuration = this.product.configuration(state);
    const all = enabledEvents(this.system, configuration);
    const before = this.sources.size;
    const some =
      this.visible === null
        ? all
        : this.sets.choose(configuration, all, (events) =>
            events.every((event) => this.isHidden(configuration, event)),
          );
    if (this.take(state, configuration, some) && some.length < all.length) {
      for (let size = this.sources.size; size > before; size--) {
        this.sources.pop();
        this.events.pop();
        this.targets.pop();
      }
      this.take(state, configuration, all);
    }
  }

  /** Whether one of the steps leads back to the path. */
  private take(state: number, configuration: Int32Array, events: readonly number[]): boolean {
    let leadsBack = false;
    for (const event of events)
      eachOutcome(this.system, configuration, event, (outcome) => {
        const target = this.product.numberOf(outcome);
        if (this.statusOf(target) === ON_PATH) leadsBack = true;
        this.sources.push(state);
        this.events.push(event);
        this.targets.push(target);
      });
    return leadsBack;
  }

  private isHidden(configuration: Int32Array, event: number): boolean {
    const { event: isNamed, change } = this.visible!;
    if (isNamed(event)) return false;
    const { participants, localIds, components } = this.system;
    return participants[event]!.every((component, i) => {
      const { first, event: events, target } = components[component]!.edges;
      const state = configuration[component]!;
      for (let k = first[state]!; k < first[state + 1]!; k++)
        if (events[k] === localIds[event]![i] && change(component, state, target[k]!)) return false;
      return true;
    });
  }

  private statusOf(state: number): number {
    if (state >= this.status.length) {
      const larger = new Uint8Array(2 * this.status.length);
      larger.set(this.status);
      this.status = larger;
      return this.statusOf(state);
    }
    return this.status[state]!;
  }
}
