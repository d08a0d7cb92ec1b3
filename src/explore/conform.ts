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
import type { Operation } from './machine.ts';
import { showValue } from './names.ts';
import { type Place, PlaceNames, PlaceSet } from './places.ts';

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
  private readonly names: PlaceNames;
  private readonly operations: Operation[] = [];

  constructor(model: Model, observed: () => Observed, budget: Budget) {
    this.model = model;
    this.observed = observed;
    this.budget = budget;
    this.names = new PlaceNames(model);
  }

  start(): Place[] {
    return this.model.machine.initial() === 0 ? [this.names.first()] : [];
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
    const types = this.names.types();
    const labels = types.map((type, pid) => this.names.label(type, place.instances[pid]!));
    operations.length = 0;
    const cursor = machine.open({
      micro: true,
      operations,
      step: (words, length) => {
        const [pid, edge, partner] = machine.choices().at(0);
        const ends = program.proctypes[types[pid]!]!.edges[edge]!.statement.kind === 'end';
        const shown = operations.flatMap((operation) =>
          this.eventsOf(operation, labels[pid]!, labels[partner] ?? '?', types, labels),
        );
        const pending = shown.filter((event) => isObserved(event, observed));
        reach({ ...this.names.named(place, ends), words: words.slice(0, length), pending });
      },
    });
    cursor.expand();
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
    const channel = (id: number): string => this.names.channelName(id, types, labels);
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
}
