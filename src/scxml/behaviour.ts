// A system of charts as the actors room wants it: every session is an actor, a macrostep is one call.
//
// A state's key is the number of its chart and the session's own key. What a session does when its parent takes it down (`onexit` handlers) is not a macrostep of
// its own here: it is asked for separately (`stopped`). A macrostep that cannot be finished leads to a state of its own,
// with the reason as its error, and the analysis proves nothing that such a state could contradict.

import type {
  ActorName,
  Behaviour,
  Caveat,
  Effect,
  EventValue,
  Logic,
  Offer,
  Outcome,
  Start,
  StateInfo,
  StateKey,
} from '../actors/behaviour.ts';
import { Decisions } from '../actors/decisions.ts';
import type { Diagnostic } from '../source/diagnostic.ts';
import { startOf } from '../source/source.ts';
import type { Chart, OutsideEvent } from './chart.ts';
import type { DataModel } from './data-model.ts';
import { effectsOf, type Naming, parentOf } from './effects-of.ts';
import { EndlessMacrostep } from './endless.ts';
import { eventsSentBy, listens, outsideEvents } from './environment.ts';
import { type ChartEvent, plainEvent } from './event.ts';
import { forget, givenNames, idleVariables } from './idle-data.ts';
import { logicOf } from './logic.ts';
import { macrostep } from './macrostep.ts';
import { Fault, NO_DATA } from './sandbox.ts';
import { type Input, keyOf, NEW_SESSION, type Session, type Surroundings, sessionOf } from './session.ts';
import { showEvent, showSession } from './show.ts';
import type { ChartSystem } from './system.ts';
import { Troubles } from './troubles.ts';
import { Widening } from './widening.ts';

const MOST_ALTERNATIVES = 128;

/** How a session begins. */
interface Beginning {
  readonly chart: Chart;
  readonly values: Input & { kind: 'start' };
}

interface Decoded {
  readonly chart: Chart;
  readonly session: Session;
  /** Set where the session came to a halt: why. */
  readonly fault: string | null;
}

export class ChartBehaviour implements Behaviour, Naming {
  readonly name: string;
  private readonly system: ChartSystem;
  private readonly modelOf: (chart: Chart) => DataModel;
  private readonly whole: boolean;
  private readonly widening: Widening;
  private readonly decisions = new Decisions();
  private readonly charts: Chart[] = [];
  private readonly idle = new Map<Chart, ReadonlySet<string>>();
  private readonly logics: Logic[] = [];
  private readonly beginnings = new Map<string, Beginning>();
  private readonly surroundings = new Map<string, Surroundings>();
  private readonly decoded = new Map<StateKey, Decoded>();
  private readonly events = new Map<string, ChartEvent>();
  private readonly outside = new Map<ActorName, readonly OutsideEvent[]>();
  private readonly troubles = new Troubles();

  /** `whole`: all data is kept, also what decides nothing. */
  constructor(
    system: ChartSystem,
    modelOf: (chart: Chart) => DataModel,
    whole = false,
    widening = new Widening(givenNames(system)),
  ) {
    this.widening = widening;
    this.system = system;
    this.modelOf = modelOf;
    this.name = system.name;
    this.whole = whole;
    const inside = eventsSentBy(system.library.entries().flatMap(({ chart }) => chart ?? []));
    for (const { name, chart, environment } of system.instances) {
      const events = environment ?? outsideEvents(chart, inside);
      this.outside.set(name, events);
      if (environment === null) this.troubles.openTo(chart, events);
    }
  }

  roots(): readonly Start[] {
    return this.system.instances.map(({ name, chart, values }) => this.startOf(name, null, chart, values));
  }

  start(start: Start): readonly Outcome[] {
    return this.startByKey(start.actor, start.key);
  }

  /** The same, where only the key is known. */
  startByKey(actor: ActorName, key: string): readonly Outcome[] {
    const { chart, values } = this.beginnings.get(key)!;
    return this.alternatives(chart, () => this.step(actor, chart, NEW_SESSION, values));
  }

  react(actor: ActorName, state: StateKey, event: EventValue): readonly Outcome[] {
    const { chart, session } = this.decode(state);
    const input: Input = { kind: 'event', event: this.eventOf(event) };
    return this.alternatives(chart, () => this.step(actor, chart, session, input));
  }

  /** The handlers run when the parent takes the session down; the parent itself hears nothing of it any more. */
  stopped(actor: ActorName, state: StateKey): readonly Effect[] {
    const { chart, session, fault } = this.decode(state);
    if (fault !== null || !chart.states.some(({ onExit }) => onExit.length > 0)) return [];
    const outcomes = this.alternatives(chart, () => this.step(actor, chart, session, { kind: 'cancel' }));
    const parent = parentOf(actor);
    const [first, ...others] = outcomes.map(({ effects }) =>
      effects.filter((one) => one.kind === 'send' && one.delay === null && one.to !== parent),
    );
    if (others.length > 0 && others.some((other) => JSON.stringify(other) !== JSON.stringify(first)))
      this.troubles.caveat(
        'unseen',
        'what is sent when the chart is taken down depends on data that was widened',
        chart.span,
      );
    return first ?? [];
  }

  /** One outcome for every way in which conditions on forgotten data may turn out. */
  private alternatives(chart: Chart, run: () => Outcome): readonly Outcome[] {
    if (this.widening.in(chart).size === 0) return [run()];
    const model = this.modelOf(chart);
    model.decided = ({ text }) =>
      this.widening.looksAt(chart, text) ? this.decisions.decide(text.trim()) : null;
    try {
      return this.decisions.alternatives(
        MOST_ALTERNATIVES,
        () => this.troubles.caveat('unseen', 'one step has too many alternatives', chart.span),
        run,
      );
    } finally {
      model.decided = () => null;
    }
  }

  /** Called when there are too many states. False when nothing can be widened. */
  widenMost(): boolean {
    return this.widening.widenMost(
      [...this.decoded.values()].map(({ chart, session }) => ({ chart, data: session.data })),
    );
  }

  offers(actor: ActorName, state: StateKey): readonly Offer[] {
    const { chart, session } = this.decode(state);
    const forwards = session.invocations.some(
      (one) => chart.states[one.state]!.invokes[one.index]!.autoForward,
    );
    return (this.outside.get(actor) ?? [])
      .filter(({ name }) => forwards || listens(chart, session.configuration, name))
      .map(({ name, data }) => ({
        kind: 'local',
        event: this.eventValue(plainEvent(name, 'external', data)),
      }));
  }

  describe(_actor: ActorName, state: StateKey): StateInfo {
    const { chart, session, fault } = this.decode(state);
    const active = session.configuration.map((number) => chart.states[number]!);
    const tags = [...new Set(active.flatMap((one) => one.tags))];
    const last = active.at(-1);
    return {
      text: fault ?? showSession(chart, session),
      active: active.map(({ name }) => name),
      tags,
      status: fault !== null ? 'error' : session.status === 'done' ? 'done' : 'active',
      ...(fault === null ? {} : { error: fault }),
      rests:
        session.status === 'done' ||
        [0, ...session.configuration].every((number) => chart.states[number]!.transitions.length === 0),
      progress: tags.includes('progress'),
      at: last === undefined ? startOf(chart.span) : startOf(last.span),
    };
  }

  logicOf(start: Start): Logic | null {
    const { chart } = this.beginnings.get(start.key)!;
    return this.logics[this.numberOf(chart)]!;
  }

  caveats(): readonly Caveat[] {
    return [...this.widening.caveats(), ...this.troubles.caveats()];
  }

  /** The event behind an event's key: for replays. */
  eventOf(event: EventValue): ChartEvent {
    return this.events.get(event.key)!;
  }

  diagnostics(): readonly Diagnostic[] {
    return this.troubles.problems.list;
  }

  private step(actor: ActorName, chart: Chart, session: Session, input: Input): Outcome {
    try {
      const around = this.around(actor, chart);
      const outcome = macrostep(chart, this.modelOf(chart), around, session, input);
      this.troubles.watchDropped(outcome);
      return {
        state: this.encodeState(chart, outcome.session),
        effects: outcome.effects.flatMap((effect) => effectsOf(actor, around.invokeId, effect, this)),
        handled: outcome.handled,
        transitions: outcome.steps.flatMap(({ transitions }) => transitions.map(String)),
      };
    } catch (error) {
      if (error instanceof EndlessMacrostep)
        return this.halted(chart, session, this.troubles.endless(chart, session, error));
      if (error instanceof Fault)
        return this.halted(chart, session, this.troubles.fault(chart, session, input, error));
      throw error;
    }
  }

  private around(actor: ActorName, chart: Chart): Surroundings {
    const key = `${actor} ${this.numberOf(chart)}`;
    let around = this.surroundings.get(key);
    if (around === undefined) {
      const cut = actor.lastIndexOf('/');
      const instance = this.system.instances.find(({ name }) => name === actor);
      const roots = new Set(this.system.instances.map(({ name }) => name));
      around = {
        sessionId: actor,
        hasParent: cut >= 0,
        invokeId: cut < 0 ? null : actor.slice(cut + 1),
        addresses: instance?.targets ?? new Map(),
        resolve: (source) => this.system.library.resolve(source, chart),
        knows: (id) => roots.has(id.split('/')[0]!),
      };
      this.surroundings.set(key, around);
    }
    return around;
  }

  startOf(
    actor: ActorName,
    parent: ActorName | null,
    chart: Chart,
    values: ReadonlyMap<string, string>,
  ): Start {
    const key = `${this.numberOf(chart)} ${JSON.stringify([...values])}`;
    this.beginnings.set(key, { chart, values: { kind: 'start', values } });
    return { actor, parent, logic: this.logics[this.numberOf(chart)]!.name, key };
  }

  private numberOf(chart: Chart): number {
    const known = this.charts.indexOf(chart);
    if (known >= 0) return known;
    const taken = this.logics.filter(
      ({ name }) => name === chart.name || name.startsWith(`${chart.name} (`),
    ).length;
    this.logics.push(logicOf(chart, taken === 0 ? chart.name : `${chart.name} (${taken + 1})`));
    return this.charts.push(chart) - 1;
  }

  eventValue(event: ChartEvent): EventValue {
    const key = JSON.stringify(event);
    this.events.set(key, event);
    return { type: event.name, key, text: showEvent(event) };
  }

  private idleIn(chart: Chart): ReadonlySet<string> {
    let idle = this.idle.get(chart);
    if (idle === undefined) {
      idle = this.whole ? new Set<string>() : idleVariables(chart, givenNames(this.system));
      this.idle.set(chart, idle);
    }
    return idle;
  }

  private encodeState(chart: Chart, after: Session): StateKey {
    const left = forget(after.data, this.idleIn(chart));
    const session = { ...after, data: forget(left, this.widening.in(chart)) };
    const key = `${this.numberOf(chart)}:${keyOf(session)}`;
    if (!this.decoded.has(key)) this.decoded.set(key, { chart, session, fault: null });
    return key;
  }

  private decode(key: StateKey): Decoded {
    const known = this.decoded.get(key);
    if (known !== undefined) return known;
    const colon = key.indexOf(':');
    return {
      chart: this.charts[Number(key.slice(0, colon))]!,
      session: sessionOf(key.slice(colon + 1)),
      fault: null,
    };
  }

  /** The session stays where it was and takes nothing more. */
  private halted(chart: Chart, before: Session, fault: string): Outcome {
    const session: Session = { ...before, data: NO_DATA, invocations: [], event: null };
    const state = `${this.numberOf(chart)}:halted ${fault} ${keyOf(session)}`;
    this.decoded.set(state, { chart, session, fault });
    return { state, effects: [], handled: true, transitions: [] };
  }
}
