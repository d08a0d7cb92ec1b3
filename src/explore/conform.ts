// Is a recorded trace possible? The model is a nondeterministic automaton whose letters are the observed sends and receives; all other
// steps are silent. The subset construction is done on the fly along the log: after each event all states the model can be in are
// known, and nothing else is kept, so memory does not depend on the length of the log. The first event that leads to the empty set is
// the first that no run of the model explains, whatever happened unseen.
//
// A step may show several events (a handshake, a d_step): what is left of them is part of the state, and comes next.
// Failed assertions do not end a run here: a recorded program does not stop at them. Other runtime errors do.

import type { Budget } from '../base/budget.ts';
import {
  type Conformance,
  fits,
  isObserved,
  type LoggedEvent,
  type MessageEvent,
  type Observed,
} from '../verdict/event-log.ts';
import type { Model } from './compile.ts';
import { hashOf } from './control.ts';
import { haveSeveral } from './instances.ts';
import { FRAME, HEADER } from './layout.ts';
import type { Operation } from './machine.ts';
import { showValue } from './names.ts';

/** A state, how its processes are called, and what its last step still has to show. */
interface Place {
  readonly words: Int32Array;
  /** By process number: which instance of its proctype it is. */
  readonly instances: readonly number[];
  /** By proctype: how many were started. */
  readonly started: readonly number[];
  readonly pending: readonly MessageEvent[];
}

/** Events between two looks at the clock. */
const LOOK_EVERY = 1024;

export function conform(
  model: Model,
  log: Iterable<LoggedEvent>,
  observed: () => Observed,
  budget: Budget,
): Conformance {
  const follower = new Follower(model, observed, budget);
  let places = follower.start();
  let events = 0;
  for (const event of log) {
    const isLate = events % LOOK_EVERY === LOOK_EVERY - 1 && !budget.timeLeft();
    const after = isLate ? null : follower.after(places, event);
    if (after === null) {
      const limit = budget.timeLeft() ? 'state-limit' : 'time-limit';
      return { kind: 'unknown', event, limit };
    }
    if (after.places.length === 0) return { kind: 'impossible', event, allowed: after.allowed };
    places = after.places;
    events++;
  }
  return { kind: 'possible', events };
}

class Follower {
  private readonly model: Model;
  private readonly observed: () => Observed;
  private readonly budget: Budget;
  private readonly several: readonly boolean[];
  private readonly operations: Operation[] = [];

  constructor(model: Model, observed: () => Observed, budget: Budget) {
    this.model = model;
    this.observed = observed;
    this.budget = budget;
    this.several = haveSeveral(model.program);
  }

  start(): Place[] {
    const { machine, program } = this.model;
    if (machine.initial() !== 0) return [];
    const nobody = { instances: [], started: program.proctypes.map(() => 0) };
    return [{ words: machine.copy(), ...this.named(nobody, false), pending: [] }];
  }

  /** Where the model can be after the event; null when a limit was in the way. */
  after(places: readonly Place[], seen: LoggedEvent): { places: Place[]; allowed: MessageEvent[] } | null {
    const here = new PlaceSet();
    const next = new PlaceSet();
    const allowed = new Map<string, MessageEvent>();
    const observed = this.observed();
    for (const place of places) here.add(place);
    const reach = (place: Place): void => {
      const [first, ...rest] = place.pending;
      if (first === undefined) here.add(place);
      else if (fits(first, seen)) next.add({ ...place, pending: rest });
      else if (next.list.length === 0) allowed.set(JSON.stringify(first), first);
    };
    for (let i = 0; i < here.list.length; i++) {
      const place = here.list[i]!;
      if (place.pending.length > 0) reach(place);
      else this.expand(place, observed, reach);
      if (here.list.length + next.list.length > this.budget.maxStates) return null;
      if (i % 256 === 255 && !this.budget.timeLeft()) return null;
    }
    return { places: next.list, allowed: [...allowed.values()] };
  }

  private expand(place: Place, observed: Observed, reach: (place: Place) => void): void {
    const { machine, program } = this.model;
    const { operations } = this;
    machine.unpack(place.words, 0);
    const types = this.types();
    const labels = types.map((type, pid) => this.label(type, place.instances[pid]!));
    machine.setMicro(true);
    operations.length = 0;
    machine.setTrace(operations);
    machine.setSinks(
      (words, length) => {
        const [pid, edge, partner] = machine.choices() as unknown as [number, number, number];
        const ends = program.proctypes[types[pid]!]!.edges[edge]!.statement.kind === 'end';
        const shown = operations.flatMap((operation) =>
          this.eventsOf(operation, labels[pid]!, labels[partner] ?? '?', types, labels),
        );
        const pending = shown.filter((event) => isObserved(event, observed));
        reach({ ...this.named(place, ends), words: words.slice(0, length), pending });
      },
      () => {},
    );
    machine.expand();
    machine.setTrace(null);
  }

  private types(): number[] {
    const { cells, frames } = this.model.machine;
    return Array.from({ length: cells[HEADER.processes]! }, (_, pid) => cells[frames[pid]! + FRAME.type]!);
  }

  private label(type: number, instance: number): string {
    const { name } = this.model.program.proctypes[type]!;
    return this.several[type] ? `${name}[${instance}]` : name;
  }

  /** The instances after a step, at the end of which the machine holds the new state. The youngest process dies first. */
  private named(
    before: Pick<Place, 'instances' | 'started'>,
    ends: boolean,
  ): Pick<Place, 'instances' | 'started'> {
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

  private eventsOf(
    operation: Operation,
    process: string,
    partner: string,
    types: readonly number[],
    labels: readonly string[],
  ): MessageEvent[] {
    if (operation.kind === 'print') return [];
    const { layout, program, machine } = this.model;
    const channel = (id: number): string => this.channelName(id, types, labels);
    const { fields } = layout.queueNames[machine.nameOfChannel[operation.channel - 1]!]!.site;
    const message = operation.message
      .map((value, i) => showValue(program, fields[i]!, value, channel))
      .join(',');
    const queue = channel(operation.channel);
    if (operation.kind !== 'rendezvous') return [{ kind: operation.kind, process, queue, message }];
    return [
      { kind: 'send', process, queue, message },
      { kind: 'receive', process: partner, queue, message },
    ];
  }

  /** Channels are numbered as they come to life: the global ones, then those of each process. */
  private channelName(id: number, types: readonly number[], labels: readonly string[]): string {
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
class PlaceSet {
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
