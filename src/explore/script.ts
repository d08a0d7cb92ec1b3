// A search's engine in JavaScript: the model's own machine, and a plain store.

import { IntList } from '../base/growable.ts';
import type { Choices } from './choices.ts';
import type { Engine, EngineEvents } from './engine.ts';
import type { CompiledMachine, Cursor, Part } from './machine.ts';
import { StateStore } from './store.ts';

export class ScriptEngine implements Engine {
  readonly machine: CompiledMachine;
  readonly part: Part;
  readonly store = new StateStore();
  private readonly events: EngineEvents;
  private readonly cursor: Cursor;
  private readonly parents = new IntList();
  private wanted = false;
  private stop = false;
  private current = -1;
  private successor = -1;
  private inside = false;
  private transitions = 0;
  private states = 0;

  constructor(machine: CompiledMachine, events: EngineEvents, part: Part) {
    this.machine = machine;
    this.part = part;
    this.events = events;
    this.cursor = machine.open({ part, step: this.step, fault: events.fault });
    machine.peaks().fill(0);
  }

  get count(): number {
    return this.store.count;
  }

  bytes(): number {
    return this.store.bytes() + this.parents.data.length * 4;
  }

  tell(wanted: boolean): void {
    this.wanted = wanted;
  }

  begin(): number {
    const fault = this.machine.initial();
    if (fault !== 0) return fault;
    const first = this.machine.copy();
    this.step(first, first.length);
    return 0;
  }

  load(state: number): void {
    this.current = state;
    this.loadInto(this.machine, state);
  }

  loadInto(machine: CompiledMachine, state: number): void {
    this.store.loadInto(machine, state);
  }

  equals(state: number, words: Int32Array, length: number): boolean {
    return this.store.equals(state, words, length);
  }

  expand(processes?: Int32Array, count?: number): number {
    return this.cursor.expand(processes, count);
  }

  explore(from: number, to: number): number {
    let state = from;
    for (; state < to && state < this.count && !this.stop; state++) {
      this.load(state);
      if (this.cursor.expand() === 0) this.events.still();
    }
    return state;
  }

  halt(): void {
    this.stop = true;
  }

  takeSuccessor(): number {
    const { successor } = this;
    this.successor = -1;
    return successor;
  }

  takeInside(): boolean {
    const { inside } = this;
    this.inside = false;
    return inside;
  }

  takeCounts(): { transitions: number; states: number } {
    const { transitions, states } = this;
    this.transitions = 0;
    this.states = 0;
    return { transitions, states };
  }

  loaded(): number {
    return this.current;
  }

  parentOf(state: number): number {
    return this.parents.data[state]!;
  }

  choices(): Choices {
    return this.machine.choices();
  }

  /** The same as `step` in code-store.ts. */
  private readonly step = (words: Int32Array, length: number): void => {
    const inside = words[0]! >>> 16 !== 0;
    if (!inside) this.transitions++;
    if (this.machine.claimEnded()) {
      this.events.claim();
      return;
    }
    const state = this.store.add(words, length);
    const isNew = this.store.wasNew;
    if (isNew || this.successor < 0) this.successor = state;
    if (inside) this.inside = true;
    if (isNew) {
      if (!inside) this.states++;
      this.parents.push(this.current);
    }
    if (this.wanted) this.events.step(state, isNew);
  };
}
