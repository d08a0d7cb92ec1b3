// Nets by hand, by names: for tests, benchmarks and whoever has effect graphs instead of a program.
//
//   const b = new NetBuilder();
//   const q = b.queue('q', ['a', 'b']);
//   b.process('left').step('s1', 's2', { a: 2, c: -1 }).step('s2', 's1', {});
//
// The first location named in a process is its initial one.

import type { Net, NetClass, NetQueue, NetTransition, Place } from '../net.ts';

export interface StepOptions {
  readonly spawns?: Readonly<Record<string, number>>;
  readonly progress?: boolean;
  readonly text?: string;
}

export class NetBuilder {
  private readonly places: Place[] = [];
  private readonly queues: NetQueue[] = [];
  private readonly processes: ProcessBuilder[] = [];

  queue(name: string, messages: readonly string[], declared = 0): this {
    const places = messages.map((message) => this.place(message, 'message', 0));
    this.queues.push({ name, places, declared, at: null });
    return this;
  }

  rendezvous(...messages: readonly string[]): this {
    for (const message of messages) this.place(message, 'rendezvous', 0);
    return this;
  }

  /** A shared variable: one place per value, the first one holds the token. */
  tokens(...values: readonly string[]): this {
    values.forEach((value, index) => {
      this.place(value, 'token', index === 0 ? 1 : 0);
    });
    return this;
  }

  process(name: string, instances = 1): ProcessBuilder {
    const process = new ProcessBuilder(this, name, instances);
    this.processes.push(process);
    return process;
  }

  build(): Net {
    return {
      classes: this.processes.map((process) => process.netClass()),
      places: this.places,
      queues: this.queues,
      transitions: this.processes.flatMap((process, index) => process.transitions(index)),
    };
  }

  placeNamed(name: string): number {
    return this.named(this.places, name, 'place');
  }

  classNamed(name: string): number {
    return this.named(this.processes, name, 'process');
  }

  private named(items: readonly { readonly name: string }[], name: string, what: string): number {
    const index = items.findIndex((item) => item.name === name);
    if (index < 0) throw new Error(`impossible: no ${what} is named '${name}'`);
    return index;
  }

  private place(name: string, kind: Place['kind'], initial: number): number {
    this.places.push({ name, kind, initial });
    return this.places.length - 1;
  }
}

interface Step {
  readonly from: number;
  readonly to: number;
  readonly effect: Readonly<Record<string, number>>;
  readonly options: StepOptions;
}

class ProcessBuilder {
  readonly name: string;
  private readonly net: NetBuilder;
  private readonly instances: number;
  private readonly locations: string[] = [];
  private readonly steps: Step[] = [];

  constructor(net: NetBuilder, name: string, instances: number) {
    this.net = net;
    this.name = name;
    this.instances = instances;
  }

  step(
    from: string,
    to: string,
    effect: Readonly<Record<string, number>> = {},
    options: StepOptions = {},
  ): this {
    this.steps.push({ from: this.location(from), to: this.location(to), effect, options });
    return this;
  }

  netClass(): NetClass {
    const names = this.locations.length === 0 ? ['start'] : this.locations;
    return {
      name: this.name,
      locations: names.map((name, origin) => ({ name, origin, values: [], at: null })),
      initial: 0,
      instances: this.instances,
      proctype: 0,
    };
  }

  transitions(index: number): NetTransition[] {
    return this.steps.map((step, number) => ({
      class: index,
      from: step.from,
      to: step.to,
      effect: Object.entries(step.effect)
        .filter(([, change]) => change !== 0)
        .map(([place, change]) => ({ place: this.net.placeNamed(place), change })),
      spawns: Object.entries(step.options.spawns ?? {})
        .filter(([, count]) => count !== 0)
        .map(([name, count]) => ({ class: this.net.classNamed(name), count })),
      progress: step.options.progress ?? false,
      text: step.options.text ?? `${this.locations[step.from]} -> ${this.locations[step.to]}`,
      at: null,
      origin: [number],
    }));
  }

  private location(name: string): number {
    const known = this.locations.indexOf(name);
    if (known >= 0) return known;
    this.locations.push(name);
    return this.locations.length - 1;
  }
}
