// Who and what is in the state that the machine holds, by the names that runs use. Along a log no run is at hand that would have counted the
// processes: each place carries which instance of its proctype a process is.

import type { MessageEvent } from '../verdict/event-log.ts';
import type { Model } from './compile.ts';
import { hashOf } from './control.ts';
import { haveSeveral } from './instances.ts';
import { FRAME, HEADER } from './layout.ts';

/** A state, how its processes are called, and what its last step still has to show. */
export interface Place {
  readonly words: Int32Array;
  /** By process number: which instance of its proctype it is. */
  readonly instances: readonly number[];
  /** By proctype: how many were started. */
  readonly started: readonly number[];
  readonly pending: readonly MessageEvent[];
}

export class PlaceNames {
  private readonly model: Model;
  private readonly several: readonly boolean[];

  constructor(model: Model) {
    this.model = model;
    this.several = haveSeveral(model.program);
  }

  /** The machine holds the first state. */
  first(): Place {
    const nobody = { instances: [], started: this.model.program.proctypes.map(() => 0) };
    return { words: this.model.machine.copy(), ...this.named(nobody, false), pending: [] };
  }

  types(): number[] {
    const { cells, frames } = this.model.machine;
    return Array.from({ length: cells[HEADER.processes]! }, (_, pid) => cells[frames[pid]! + FRAME.type]!);
  }

  label(type: number, instance: number): string {
    const { name } = this.model.program.proctypes[type]!;
    return this.several[type] ? `${name}[${instance}]` : name;
  }

  /** The instances after a step, at the end of which the machine holds the new state. The youngest process dies first. */
  named(before: Pick<Place, 'instances' | 'started'>, ends: boolean): Pick<Place, 'instances' | 'started'> {
    const { cells, frames } = this.model.machine;
    const count = cells[HEADER.processes]!;
    const alive = ends ? before.instances.length - 1 : before.instances.length;
    if (!ends && count === alive) return before;
    const instances = before.instances.slice(0, alive);
    const started = [...before.started];
    for (let pid = alive; pid < count; pid++) {
      const type = cells[frames[pid]! + FRAME.type]!;
      // Of a proctype that is never there twice the number is not shown: counting would make states differ for nothing.
      instances.push(this.several[type] ? started[type]!++ : 0);
    }
    return { instances, started };
  }

  /** Channels are numbered as they come to life: the global ones, then those of each process. */
  channelName(id: number, types: readonly number[], labels: readonly string[]): string {
    const { layout, program } = this.model;
    let index = id - 1;
    const global = layout.globalChannels[index];
    if (global !== undefined) return layout.queueNames[global.name]!.name;
    index -= layout.globalChannels.length;
    for (const [pid, type] of types.entries()) {
      const slots = layout.localChannels[type]!;
      const slot = slots[index];
      if (slot !== undefined && index >= 0) {
        const own = layout.queueNames[slot.name]!.name.slice(program.proctypes[type]!.name.length + 1);
        return `${labels[pid]}.${own}`;
      }
      index -= slots.length;
    }
    return `channel ${id}`;
  }
}

/** Places without repetition, in the order in which they were added. */
export class PlaceSet {
  readonly list: Place[] = [];
  private readonly buckets = new Map<number, Place[]>();

  add(place: Place): void {
    const hash = hashOf(place.words, 0, place.words.length);
    const bucket = this.buckets.get(hash);
    if (bucket === undefined) this.buckets.set(hash, [place]);
    else if (bucket.some((one) => isSame(one, place))) return;
    else bucket.push(place);
    this.list.push(place);
  }
}

const isSame = (a: Place, b: Place): boolean =>
  isEqual(a.words, b.words) &&
  (a.instances === b.instances || isEqual(a.instances, b.instances)) &&
  (a.started === b.started || isEqual(a.started, b.started)) &&
  a.pending.length === b.pending.length &&
  a.pending.every((event, i) => {
    const other = b.pending[i]!;
    return (
      event.kind === other.kind &&
      event.process === other.process &&
      event.queue === other.queue &&
      event.message === other.message
    );
  });

function isEqual(a: ArrayLike<number>, b: ArrayLike<number>): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}
