// The composition built on the fly: configurations are numbered as they are met. It serves the automata-theoretic search
// of the ltl room, the monolithic mode, and the naive oracle of the tests.

import { stateCount } from './structure.ts';
import type { System } from './system.ts';
import { eachEnabledEvent, eachInitial, eachOutcome } from './system.ts';
import type { Tuples } from './tuples.ts';
import { SingleTable, TupleTable } from './tuples.ts';

type Steps = (configuration: Int32Array, visit: (event: number, target: Int32Array) => void) => void;

export class Product {
  readonly system: System;
  /** Numbers written for the targets of steps so far: what building it has cost, whatever the machine. */
  written = 0;
  private readonly table: Tuples;
  private readonly steps: Steps | undefined;

  /** `steps`: another way to go on from a configuration than by all its events. */
  constructor(system: System, steps?: Steps) {
    this.system = system;
    this.steps = steps;
    const [only, ...others] = system.components;
    this.table =
      only !== undefined && others.length === 0
        ? new SingleTable(stateCount(only))
        : new TupleTable(system.components.length);
  }

  /** Configurations met so far. */
  get size(): number {
    return this.table.size;
  }

  get bytes(): number {
    return this.table.bytes;
  }

  initialStates(): readonly number[] {
    const states: number[] = [];
    eachInitial(this.system, (configuration) => {
      states.push(this.table.intern(configuration));
      return undefined;
    });
    return states;
  }

  /** Calls visit(event, target) for every step; events are numbered as in the system. */
  eachSuccessor(state: number, visit: (event: number, target: number) => void): void {
    if (this.system.components.length === 1) {
      this.alone(state, visit);
      return;
    }
    const configuration = this.configuration(state);
    if (this.steps !== undefined) {
      this.steps(configuration, (event, target) => {
        this.written += target.length;
        visit(event, this.table.intern(target));
      });
      return;
    }
    eachEnabledEvent(this.system, configuration, (event) => {
      eachOutcome(this.system, configuration, event, (target) => {
        this.written += target.length;
        visit(event, this.table.intern(target));
      });
      return undefined;
    });
  }

  /** One component takes all its steps by itself. */
  private alone(state: number, visit: (event: number, target: number) => void): void {
    const { first, event, target } = this.system.components[0]!.edges;
    const globals = this.system.globalIds[0]!;
    const here = this.table.entry(state, 0);
    const to = [0];
    for (let i = first[here]!; i < first[here + 1]!; i++) {
      this.written++;
      to[0] = target[i]!;
      visit(globals[event[i]!]!, this.table.intern(to));
    }
  }

  /** The number of a configuration that may be new. */
  numberOf(configuration: Int32Array): number {
    return this.table.intern(configuration);
  }

  /** A copy of the configuration. */
  configuration(state: number): Int32Array {
    const copy = new Int32Array(this.table.width);
    this.table.read(state, copy);
    return copy;
  }

  stateOf(state: number, component: number): number {
    return this.table.entry(state, component);
  }
}
