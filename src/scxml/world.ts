// Charts at work together, as the recommendation describes it: sessions with an external queue each, timers, invocations. The order of events is decided
// by whoever calls `take` and `fire`; `settle` decides it as a clock would: everything that can happen now happens before time goes on.
//
// This is the reference for runs: what an analysis claims is replayed here.

import type { Chart } from './chart.ts';
import type { DataModel } from './data-model.ts';
import { type ChartEvent, plainEvent } from './event.ts';
import type { Library } from './library.ts';
import { macrostep } from './macrostep.ts';
import type { Encoded } from './sandbox.ts';
import {
  type Effect,
  type Input,
  NEW_SESSION,
  type Outcome,
  type Session,
  type Surroundings,
  type Target,
} from './session.ts';

export interface Member {
  readonly id: string;
  readonly chart: Chart;
  session: Session;
  readonly around: Surroundings;
  readonly parent: string | null;
  readonly mailbox: ChartEvent[];
  /** Alive: running and not stopped. */
  alive: boolean;
}

export interface Timer {
  readonly owner: string;
  readonly to: string | null;
  readonly address: string;
  readonly event: ChartEvent;
  readonly due: number;
  readonly id: string | null;
}

export interface WorldStep {
  readonly session: string;
  readonly event: ChartEvent | null;
  readonly outcome: Outcome;
}

/** What a root session is told from outside. */
export interface RootOptions {
  readonly addresses?: ReadonlyMap<string, string>;
  readonly values?: ReadonlyMap<string, Encoded>;
}

export class World {
  readonly members = new Map<string, Member>();
  timers: Timer[] = [];
  now = 0;
  readonly steps: WorldStep[] = [];
  readonly lost: { readonly to: string; readonly event: ChartEvent }[] = [];
  private readonly library: Library;
  private readonly modelOf: (chart: Chart) => DataModel;

  constructor(library: Library, modelOf: (chart: Chart) => DataModel) {
    this.library = library;
    this.modelOf = modelOf;
  }

  start(id: string, chart: Chart, options: RootOptions = {}): void {
    this.begin(id, chart, null, null, options.values ?? new Map(), options.addresses ?? new Map());
  }

  /** An event from outside the system. */
  post(id: string, event: ChartEvent): void {
    this.deliver(id, event);
  }

  /** The session takes the first event of its queue. */
  take(id: string): void {
    const member = this.members.get(id);
    const event = member?.alive ? member.mailbox.shift() : undefined;
    if (member !== undefined && event !== undefined) this.step(member, { kind: 'event', event });
  }

  fire(timer: Timer): void {
    this.timers = this.timers.filter((one) => one !== timer);
    this.now = Math.max(this.now, timer.due);
    if (timer.to === null) this.lost.push({ to: timer.address, event: timer.event });
    else this.deliver(timer.to, timer.event);
  }

  /** Runs until nothing can happen before `until` any more; false when that takes more than `most` macrosteps. */
  settle(until: number, most = 10_000): boolean {
    for (let count = 0; count < most; count++) {
      const next = [...this.members.values()].find(({ alive, mailbox }) => alive && mailbox.length > 0);
      if (next !== undefined) {
        this.take(next.id);
        continue;
      }
      const timer = this.nextTimer();
      if (timer === null || timer.due > until) {
        this.now = Math.max(this.now, Math.min(until, Number.MAX_SAFE_INTEGER));
        return true;
      }
      this.fire(timer);
    }
    return false;
  }

  nextTimer(): Timer | null {
    return this.timers.reduce<Timer | null>(
      (first, one) => (first === null || one.due < first.due ? one : first),
      null,
    );
  }

  private begin(
    id: string,
    chart: Chart,
    parent: string | null,
    invokeId: string | null,
    values: ReadonlyMap<string, Encoded>,
    addresses: ReadonlyMap<string, string>,
  ): void {
    const around: Surroundings = {
      sessionId: id,
      hasParent: parent !== null,
      invokeId,
      addresses,
      resolve: (source) => this.library.resolve(source, chart),
      knows: (other) => this.members.has(other),
    };
    const member: Member = { id, chart, session: NEW_SESSION, around, parent, mailbox: [], alive: true };
    this.members.set(id, member);
    this.step(member, { kind: 'start', values });
  }

  private step(member: Member, input: Input, counts: (effect: Effect) => boolean = () => true): void {
    const outcome = macrostep(member.chart, this.modelOf(member.chart), member.around, member.session, input);
    member.session = outcome.session;
    this.steps.push({ session: member.id, event: input.kind === 'event' ? input.event : null, outcome });
    for (const effect of outcome.effects) if (counts(effect)) this.apply(member, effect);
    if (outcome.session.status === 'done') this.retire(member);
  }

  private retire(member: Member): void {
    member.alive = false;
    this.timers = this.timers.filter(({ owner }) => owner !== member.id);
  }

  private apply(member: Member, effect: Effect): void {
    switch (effect.kind) {
      case 'send': {
        const to = this.sessionOf(member, effect.target);
        if (effect.delay === 0) this.deliver(to ?? effect.address, effect.event);
        else
          this.timers.push({
            owner: member.id,
            to,
            address: effect.address,
            event: effect.event,
            due: this.now + effect.delay,
            id: effect.id,
          });
        return;
      }
      case 'cancel':
        this.timers = this.timers.filter(({ owner, id }) => owner !== member.id || id !== effect.id);
        return;
      case 'start':
        this.begin(
          childId(member.id, effect.id),
          effect.chart,
          member.id,
          effect.id,
          effect.values,
          new Map(),
        );
        return;
      case 'stop':
        this.stop(childId(member.id, effect.id));
        return;
      case 'forward':
        this.deliver(childId(member.id, effect.id), effect.event);
        return;
      case 'done':
        if (member.parent !== null)
          this.deliver(member.parent, {
            ...plainEvent(`done.invoke.${member.around.invokeId}`, 'external', effect.data),
            invokeId: member.around.invokeId,
          });
        return;
      case 'log':
        return;
    }
  }

  /** Taken down by its parent: its handlers run, but the parent hears nothing of it any more. */
  private stop(id: string): void {
    const member = this.members.get(id);
    if (member?.alive)
      this.step(
        member,
        { kind: 'cancel' },
        (effect) => effect.kind !== 'send' || effect.target.kind !== 'parent',
      );
  }

  private deliver(id: string, event: ChartEvent): void {
    const member = this.members.get(id);
    if (member?.alive) member.mailbox.push(event);
    else this.lost.push({ to: id, event });
  }

  private sessionOf(member: Member, target: Target): string | null {
    switch (target.kind) {
      case 'self':
        return member.id;
      case 'parent':
        return member.parent;
      case 'invoked':
        return childId(member.id, target.id);
      case 'session':
        return target.id;
    }
  }
}

/** Sessions are called by the way from the root to them. */
export const childId = (parent: string, invokeId: string): string => `${parent}/${invokeId}`;
