// The behaviour of XState's actors for the explorer: states are snapshots, known by one text per snapshot.
//
// What may grow without end is cut off: a key of a context with too many values becomes unknown (widened), children that are spawned
// again and again become a family. Either starts the exploration anew, with what was learned.

import type {
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
} from '../../actors/behaviour.ts';
import { ANY, mark, OPEN, onUnseen, view, watch } from './any.ts';
import { brief, canonical } from './canonical.ts';
import type { Declared } from './declared.ts';
import { realLogic } from './instrument.ts';
import { type LogicRecord, Logics } from './logics.ts';
import { References } from './references.ts';
import { nodeName, shapeOf } from './shape.ts';
import { type CreatedActor, type RawEffect, runStep, type Step } from './step.ts';
import type { XEvent, XLogic, XNode, XScope, XSnapshot } from './types.ts';

/** What earlier rounds learned; grows from round to round. */
export interface Lessons {
  /** `machine.key` */
  readonly widened: Set<string>;
  /** `parent machine>child logic` */
  readonly families: Set<string>;
  /** systemId → names of actors that bear it. */
  readonly systemIds: Map<string, Set<string>>;
  /** Event types that actors send to actors of a logic: they do not come from outside. */
  readonly internal: Map<string, Set<string>>;
}

export const noLessons = (): Lessons => ({
  widened: new Set(),
  families: new Set(),
  systemIds: new Map(),
  internal: new Map(),
});

export class LearnedSomething extends Error {}

export interface BehaviourLimits {
  /** Values of one key of a context that are told apart. */
  readonly values: number;
  /** Sets of children that are told apart. */
  readonly childSets: number;
  /** Alternatives of one step. */
  readonly alternatives: number;
}

export const BEHAVIOUR_LIMITS: BehaviourLimits = { values: 64, childSets: 24, alternatives: 256 };

/** What a snapshot does not say of the children: who has told their end, and who runs though nobody knows them any more. */
interface Past {
  readonly ended: readonly string[];
  readonly orphans: readonly string[];
}

const NO_PAST: Past = { ended: [], orphans: [] };

interface StateRecord {
  readonly record: LogicRecord;
  readonly snapshot: XSnapshot;
  readonly error: string | null;
  readonly sync: boolean;
  readonly past: Past;
  info: StateInfo | null;
}

interface StartRecord {
  readonly record: LogicRecord;
  readonly input: unknown;
  readonly sync: boolean;
}

export interface RootMachine {
  readonly name: string;
  readonly logic: XLogic;
}

export class XStateBehaviour implements Behaviour {
  readonly name: string;
  /** Types sent to actors of a logic, in this round. */
  readonly sent = new Map<string, Set<string>>();
  private readonly root: RootMachine;
  private readonly declared: Declared;
  private readonly lessons: Lessons;
  private readonly limits: BehaviourLimits;
  private readonly references = new References();
  private readonly logics: Logics;
  private readonly states = new Map<StateKey, StateRecord>();
  private readonly stateNumbers = new Map<string, StateKey>();
  private readonly startRecords = new Map<string, StartRecord>();
  private readonly events = new Map<string, XEvent>();
  private readonly parents = new Map<string, string | null>();
  private readonly logicByActor = new Map<string, LogicRecord>();
  private readonly found = new Map<string, Caveat>();
  private readonly values = new Map<string, Set<string>>();
  private readonly childSets = new Map<string, Set<string>>();
  private readonly asked = new Set<string>();
  private lesson: string | null = null;
  private decisions: boolean[] = [];
  private taken: { value: boolean; text: string }[] = [];

  constructor(root: RootMachine, declared: Declared, lessons: Lessons, limits = BEHAVIOUR_LIMITS) {
    this.root = root;
    this.name = root.name;
    this.declared = declared;
    this.lessons = lessons;
    this.limits = limits;
    this.references.parentOf = (name) => this.parents.get(name) ?? null;
    onUnseen((message) => this.caveat('unseen', message));
    this.logics = new Logics({
      decide: (what) => this.decide(what),
      unseen: (message) => this.caveat('unseen', message),
    });
  }

  roots(): readonly Start[] {
    const record = this.logics.of(this.root.logic, this.root.name);
    const inputs = this.declared.input ?? [
      typeof (record.machine?.config as { context?: unknown } | undefined)?.context === 'function'
        ? ANY
        : undefined,
    ];
    return inputs.slice(0, 1).map((input) => this.startOf(this.root.name, null, record, input, false));
  }

  private startOf(
    actor: string,
    parent: string | null,
    record: LogicRecord,
    input: unknown,
    sync: boolean,
  ): Start {
    const clean = this.references.clean(input);
    const text = canonical(clean, this.references.nameOf);
    const key = `${record.name}(${clean === undefined ? '' : text})${sync ? '+' : ''}`;
    this.startRecords.set(`${actor} ${key}`, { record, input: clean, sync });
    this.parents.set(actor, parent);
    this.logicByActor.set(actor, record);
    return { actor, parent, logic: record.name, key };
  }

  start(start: Start): readonly Outcome[] {
    const { record, input, sync } = this.startRecords.get(`${start.actor} ${start.key}`)!;
    if (record.kind !== 'machine' && record.kind !== 'transition') {
      const snapshot: XSnapshot = { status: 'active', output: undefined, error: undefined, input };
      const quiet = this.quiet(this.stateKey(start.actor, record, snapshot, null, sync), true);
      const told = {
        type: `xstate.snapshot.${this.references.of(start.actor).id}`,
        snapshot: { status: 'active', context: undefined },
      };
      return [sync ? { ...quiet, effects: this.toParent(start.parent, told) } : quiet];
    }
    return this.alternatives(() => {
      const step = this.run(start.actor, record, new Set(), (logic, scope) =>
        record.kind === 'machine'
          ? logic.getInitialSnapshot(scope, input)
          : watchedTransition(() => logic.getInitialSnapshot(scope, view(input))),
      );
      return this.outcome(start.actor, record, null, step, sync);
    });
  }

  react(actor: string, key: StateKey, event: EventValue): readonly Outcome[] {
    const state = this.states.get(key)!;
    const { record, snapshot, sync } = state;
    const value = this.events.get(event.key)!;
    switch (record.kind) {
      case 'machine':
        return this.alternatives(() => {
          const past = this.pastWith(snapshot, state.past, value);
          const step = this.run(actor, record, this.alive(snapshot, past), (logic, scope) =>
            logic.transition(snapshot, value, scope),
          );
          return this.outcome(actor, record, snapshot, step, sync, past);
        });
      case 'transition':
        return this.alternatives(() => {
          const step = this.run(actor, record, new Set(), (logic, scope) =>
            watchedTransition(() =>
              logic.transition({ ...snapshot, context: view(snapshot.context) }, view(value), scope),
            ),
          );
          return this.outcome(actor, record, snapshot, step, sync);
        });
      default:
        return [this.reactOther(actor, key, state, value)];
    }
  }

  /** Promises, callbacks, observables: they are not executed; what they may do of themselves is offered. */
  private reactOther(actor: string, key: StateKey, { record, sync }: StateRecord, event: XEvent): Outcome {
    const parent = this.parents.get(actor) ?? null;
    const id = this.references.of(actor).id;
    const ended = (status: 'done' | 'error', value: unknown): Outcome => {
      const snapshot: XSnapshot = { status, output: status === 'done' ? value : undefined, error: undefined };
      const told = status === 'done' ? doneEvent(id, value) : errorEvent(id, value);
      return {
        state: this.stateKey(
          actor,
          record,
          snapshot,
          status === 'error' ? this.errorText(value) : null,
          sync,
        ),
        effects: this.toParent(parent, told),
        handled: true,
        transitions: [],
      };
    };
    switch (event.type) {
      case 'xstate.promise.resolve':
      case 'xstate.observable.complete':
        return ended('done', event['data']);
      case 'xstate.promise.reject':
      case 'xstate.observable.error':
        return ended('error', event['data']);
      case 'xstate.observable.next': {
        const snapshot = { status: 'active', context: event['data'] };
        const told = { type: `xstate.snapshot.${id}`, snapshot };
        return { ...this.quiet(key, true), effects: sync ? this.toParent(parent, told) : [] };
      }
      case 'xstate.spillway.sendBack':
        return { ...this.quiet(key, true), effects: this.toParent(parent, event['event'] as XEvent) };
      default:
        return this.quiet(key, record.kind === 'callback');
    }
  }

  private toParent(parent: string | null, event: XEvent): Effect[] {
    return parent === null ? [] : [this.sendEffect(parent, event, true)];
  }

  private quiet(state: StateKey, handled: boolean): Outcome {
    return { state, effects: [], handled, transitions: [] };
  }

  offers(actor: string, key: StateKey): readonly Offer[] {
    const { record, snapshot } = this.states.get(key)!;
    const { outputs = {}, errors = {}, callbacks = {} } = this.declared;
    const offer = (kind: Offer['kind'], event: XEvent): Offer => ({ kind, event: this.eventValue(event) });
    const sendBack = (): Offer[] =>
      (callbacks[record.name] ?? []).map((event) =>
        offer('callback', {
          type: 'xstate.spillway.sendBack',
          event: typeof event === 'string' ? { type: event } : event,
        }),
      );
    switch (record.kind) {
      case 'machine':
        return this.externalTypes(record, snapshot).flatMap((type) =>
          this.payloads(type).map((event) => offer('external', event)),
        );
      case 'promise':
        return [
          ...(outputs[record.name] ?? [ANY]).map((data) =>
            offer('settled', { type: 'xstate.promise.resolve', data }),
          ),
          ...(errors[record.name] ?? [ANY]).map((data) =>
            offer('settled', { type: 'xstate.promise.reject', data }),
          ),
        ];
      case 'observable':
      case 'event-observable':
        return [
          ...(record.kind === 'observable'
            ? (outputs[record.name] ?? [ANY]).map((data) =>
                offer('callback', { type: 'xstate.observable.next', data }),
              )
            : sendBack()),
          offer('settled', { type: 'xstate.observable.complete', data: undefined }),
          ...(errors[record.name] ?? [ANY]).map((data) =>
            offer('settled', { type: 'xstate.observable.error', data }),
          ),
        ];
      case 'callback':
        if (callbacks[record.name] === undefined)
          this.caveat(
            'widened',
            `what the callback ${record.name} sends is not declared: events that no actor sends are taken to come at any time (spillway.callbacks says more)`,
          );
        return sendBack();
      default:
        void actor;
        return [];
    }
  }

  /** The types that the configuration has a transition for and that nobody inside sends. */
  private externalTypes(record: LogicRecord, snapshot: XSnapshot): string[] {
    const types = new Set((snapshot._nodes ?? []).flatMap((node) => [...node.transitions.keys()]));
    const internal = this.lessons.internal.get(record.name);
    const declared = this.declared.events;
    const fromCallbacks = new Set(
      Object.values(this.declared.callbacks ?? {}).flatMap((list) =>
        list.map((event) => (typeof event === 'string' ? event : event.type)),
      ),
    );
    if (declared !== undefined)
      return Object.keys(declared).filter((type) =>
        [...types].some((descriptor) => matches(type, descriptor)),
      );
    return [...types].filter(
      (type) =>
        !type.startsWith('xstate.') &&
        !type.endsWith('*') &&
        internal?.has(type) !== true &&
        !fromCallbacks.has(type),
    );
  }

  private payloads(type: string): XEvent[] {
    const cases = this.declared.events?.[type];
    if (cases === undefined) {
      const open = { type };
      Object.defineProperty(open, OPEN, { value: true });
      return [open];
    }
    return cases.length === 0 ? [{ type }] : cases.map((payload) => ({ ...payload, type }));
  }

  describe(_actor: string, key: StateKey): StateInfo {
    const state = this.states.get(key)!;
    state.info ??= this.infoOf(state);
    return state.info;
  }

  private infoOf({ record, snapshot, error }: StateRecord): StateInfo {
    const nodes = (snapshot._nodes ?? []).filter((node) => node.path.length > 0);
    const status = snapshot.status === 'stopped' ? 'done' : snapshot.status;
    const context = this.contextText(snapshot.context);
    const configuration =
      record.kind === 'machine'
        ? stateText(nodes)
        : record.kind === 'transition'
          ? ''
          : kindText(record, status);
    const stuckless = nodes.every(
      (node) => node.transitions.size === 0 && (node.always ?? []).length === 0 && node.invoke.length === 0,
    );
    const rootQuiet = record.machine === null || record.machine.root.transitions.size === 0;
    return {
      text: [configuration, context].filter((part) => part !== '').join(' '),
      active: nodes.map(nodeName),
      tags: [...new Set(nodes.flatMap((node) => node.tags))],
      status,
      ...(error === null ? {} : { error }),
      rests: status !== 'active' || record.kind !== 'machine' || (stuckless && rootQuiet),
      progress: nodes.some((node) => node.tags.includes('progress') || node.meta?.['progress'] === true),
      at: null,
    };
  }

  private contextText(context: unknown): string {
    if (
      context === undefined ||
      (typeof context === 'object' && context !== null && Object.keys(context).length === 0)
    )
      return '';
    return brief(context, this.references.nameOf, 80);
  }

  private readonly shapes = new Map<LogicRecord, Logic>();

  logicOf(start: Start): Logic | null {
    const { record } = this.startRecords.get(`${start.actor} ${start.key}`)!;
    if (record.machine === null) return null;
    const known = this.shapes.get(record) ?? shapeOf(record, record.machine);
    this.shapes.set(record, known);
    return known;
  }

  /** The event that a message's key stands for: for replays. */
  eventOf(key: string): XEvent | undefined {
    return this.events.get(key);
  }

  caveats(): readonly Caveat[] {
    const widened = [...this.lessons.widened].map(
      (key): Caveat => ({
        kind: 'widened',
        message: `${key} takes too many values to be told apart: it may be anything`,
        at: null,
      }),
    );
    const families = [...this.lessons.families].map(
      (key): Caveat => ({
        kind: 'widened',
        message: `actors spawned again and again are counted, not told apart: ${key.replace('>', ' spawns ')}`,
        at: null,
      }),
    );
    return [...widened, ...families, ...this.found.values()];
  }

  // --- one step -------------------------------------------------------------------------------------------------------

  private decide(what: string): boolean {
    const index = this.taken.length;
    const value = this.decisions[index] ?? true;
    this.taken.push({ value, text: `${what} is ${value}` });
    return value;
  }

  /** Runs the step for every combination of what unknown guards may say. */
  private alternatives(run: () => Outcome): readonly Outcome[] {
    const outcomes = new Map<string, Outcome>();
    this.decisions = [];
    for (let n = 0; n < this.limits.alternatives; n++) {
      this.taken = [];
      const outcome = run();
      const assumed = this.taken.map(({ text }) => text);
      const key = JSON.stringify([outcome.state, outcome.effects, outcome.handled, outcome.transitions]);
      if (!outcomes.has(key)) outcomes.set(key, assumed.length === 0 ? outcome : { ...outcome, assumed });
      const next = this.taken.map(({ value }) => value);
      while (next.at(-1) === false) next.pop();
      if (next.length === 0) return [...outcomes.values()];
      next[next.length - 1] = false;
      this.decisions = next;
    }
    this.caveat(
      'unseen',
      'one step has too many alternatives: too many guards depend on data that is not known',
    );
    return [...outcomes.values()];
  }

  private run(
    actor: string,
    record: LogicRecord,
    used: ReadonlySet<string>,
    run: (logic: XLogic, scope: XScope) => XSnapshot,
  ): Step {
    const step = runStep(
      {
        references: this.references,
        systemActor: (systemId) => {
          this.asked.add(systemId);
          const names = this.lessons.systemIds.get(systemId);
          if (names !== undefined && names.size > 1)
            this.caveat('unseen', `the systemId ${systemId} belongs to several actors in turn`);
          return names?.values().next().value;
        },
        onSystemId: (systemId, name) => this.learnSystemId(systemId, name),
        childName: (parent, made, taken) =>
          this.childName(parent, made as { id: string; logic: XLogic }, taken),
      },
      actor,
      record,
      used,
      run,
    );
    if (this.lesson !== null) throw new LearnedSomething(this.lesson);
    return step;
  }

  private learnSystemId(systemId: string, name: string): void {
    const names = this.lessons.systemIds.get(systemId) ?? new Set();
    if (names.has(name)) return;
    this.lessons.systemIds.set(systemId, names.add(name));
    // Thrown when the step is over: XState would take it for an error of the machine.
    if (this.asked.has(systemId)) this.lesson = `systemId ${systemId}`;
  }

  private childName(
    parent: string,
    made: { readonly id: string; readonly logic: XLogic },
    taken: ReadonlySet<string>,
  ): string {
    const record = this.logics.of(realLogic(made.logic), made.id);
    if (this.lessons.families.has(this.familyKey(parent, record))) return `${parent}/${record.name}*`;
    const name = `${parent}/${made.id}`;
    if (!taken.has(name)) return name;
    let n = 2;
    while (taken.has(`${name}~${n}`)) n++;
    return `${name}~${n}`;
  }

  private familyKey(parent: string, child: LogicRecord): string {
    return `${this.logicByActor.get(parent)?.name ?? parent}>${child.name}`;
  }

  private outcome(
    actor: string,
    record: LogicRecord,
    before: XSnapshot | null,
    step: Step,
    sync: boolean,
    past: Past = NO_PAST,
  ): Outcome {
    for (const { action, error } of step.thrown)
      this.caveat(
        'widened',
        `the action ${action} threw when it was tried (${errorMessage(error)}); it is taken to do nothing`,
      );
    const parent = this.parents.get(actor) ?? null;
    const id = this.references.of(actor).id;
    const immediate = step.immediate.flatMap((effect) => this.effectOf(actor, effect, step, before));
    const transitions = step.microsteps
      .flatMap((micro) => micro.transitions)
      .map((transition) => record.transitions.get(transition))
      .filter((one) => one !== undefined);
    const first = step.microsteps[0];
    const handled = before === null || record.kind === 'transition' || (first?.transitions.length ?? 0) > 0;
    if (step.snapshot === null || step.snapshot.status === 'error') {
      const error = step.snapshot === null ? step.error : step.snapshot.error;
      const escalated = isEscalated(step, before);
      const deferred = escalated ? this.deferredEffects(actor, step, before) : [];
      const snapshot: XSnapshot = { ...(before ?? {}), status: 'error', error: undefined };
      const text = this.endless(step, error) ?? this.errorText(error);
      return {
        state: this.stateKey(actor, record, snapshot, text, sync),
        effects: [...immediate, ...deferred, ...this.toParent(parent, errorEvent(id, error))],
        handled: handled || escalated,
        transitions,
      };
    }
    const after = this.pastAfter(before, step, past);
    const snapshot = this.kept(actor, record, step.snapshot, after);
    const effects: Effect[] = [];
    if (before === null && snapshot.status === 'active') effects.push(...this.childStarts(actor, step));
    effects.push(...immediate, ...this.deferredEffects(actor, step, before));
    if (snapshot.status === 'active' && sync)
      effects.push(
        ...this.toParent(parent, {
          type: `xstate.snapshot.${id}`,
          snapshot: this.shownSnapshot(record, snapshot),
        }),
      );
    if (snapshot.status === 'done') effects.push(...this.toParent(parent, doneEvent(id, snapshot.output)));
    return {
      state: this.stateKey(actor, record, snapshot, null, sync, after),
      effects,
      handled,
      transitions,
    };
  }

  private shownSnapshot(record: LogicRecord, snapshot: XSnapshot): unknown {
    return record.kind === 'machine' ? ANY : { status: snapshot.status, context: snapshot.context };
  }

  /** An endless macrostep: it went through its limit of microsteps and was back where it had been. */
  private endless(step: Step, error: unknown): string | null {
    if (!errorMessage(error).startsWith('Infinite loop detected')) return null;
    const seen = new Set<string>();
    for (const { event, snapshot, transitions } of step.microsteps) {
      const key = canonical(
        [snapshot.context, event, (snapshot._nodes ?? []).map(nodeName), transitions.length],
        this.references.nameOf,
      );
      if (seen.has(key)) {
        const around = step.microsteps
          .slice(-6)
          .flatMap((micro) => micro.transitions.map((one) => one.source.path.join('.')));
        return `${ENDLESS}: it goes round through ${[...new Set(around)].join(', ') || 'its root'}`;
      }
      seen.add(key);
    }
    this.caveat('unseen', 'a macrostep takes more microsteps than are followed');
    return 'a macrostep takes too many microsteps';
  }

  private childStarts(actor: string, step: Step): Effect[] {
    const children = new Set(Object.values(step.snapshot?.children ?? {}));
    return [...step.created]
      .filter(([made]) => children.has(made))
      .map(([, created]) => this.startEffect(actor, created));
  }

  private startEffect(actor: string, created: CreatedActor): Effect {
    const logic = realLogic(created.logic);
    const src =
      typeof created.src === 'string' && !created.src.startsWith('xstate.invoke.') ? created.src : created.id;
    const record = this.logics.of(logic, src);
    return { kind: 'start', start: this.startOf(created.name, actor, record, created.input, created.sync) };
  }

  private deferredEffects(actor: string, step: Step, before: XSnapshot | null): Effect[] {
    const running =
      before === null && step.snapshot?.status === 'active' ? this.childStarts(actor, step) : [];
    const startedAlready = new Set(
      running.map((effect) => (effect.kind === 'start' ? effect.start.actor : '')),
    );
    const stoppedEarly = new Set<object>();
    for (const raw of step.deferred)
      if (
        raw.kind === 'action' &&
        raw.action.type === 'xstate.stopChild' &&
        step.created.has(raw.action.params as object)
      )
        stoppedEarly.add(raw.action.params as object);
    const early = new Set([...stoppedEarly].map((made) => step.created.get(made)!));
    return step.deferred.flatMap((raw): Effect[] => {
      const created = raw.kind === 'spawn' ? raw.created : spawnedBy(raw, step);
      if (created !== null)
        return early.has(created) || startedAlready.has(created.name)
          ? []
          : [this.startEffect(actor, created)];
      if (
        raw.kind === 'action' &&
        raw.action.type === 'xstate.stopChild' &&
        stoppedEarly.has(raw.action.params as object)
      )
        return [];
      return this.effectOf(actor, raw, step, before);
    });
  }

  private effectOf(actor: string, raw: RawEffect, step: Step, before: XSnapshot | null): Effect[] {
    if (raw.kind === 'send')
      return [this.sendEffect(raw.to, raw.event, this.isCertain(actor, raw.to, step, before))];
    if (raw.kind === 'spawn') return [];
    const { type, params } = raw.action;
    const given = params as {
      to?: unknown;
      targetId?: string;
      event: XEvent;
      delay?: unknown;
      id?: unknown;
      sendId?: string;
    };
    switch (type) {
      case 'xstate.sendTo': {
        const target =
          typeof given.to === 'object' && given.to !== null ? this.references.nameOf(given.to) : null;
        const event =
          given.event.type === 'xstate.error'
            ? errorEvent(this.references.of(actor).id, given.event['data'])
            : given.event;
        const effect = this.sendEffect(
          target,
          event,
          target !== null && this.isCertain(actor, target, step, before),
          given.targetId,
        );
        return [this.timed(effect, given)];
      }
      case 'xstate.raise': {
        if (typeof given.delay !== 'number') return [];
        return [this.timed(this.sendEffect(actor, given.event, true), given)];
      }
      case 'xstate.cancel':
        return [{ kind: 'cancel', id: String(given.sendId) }];
      case 'xstate.stopChild':
        return params === undefined
          ? []
          : [{ kind: 'stop', actor: this.references.nameOf(params as object) }];
      case 'xstate.emit':
        return [{ kind: 'emit', event: this.eventValue(given.event) }];
      default:
        return [];
    }
  }

  private timed(effect: Effect, { delay, id }: { readonly delay?: unknown; readonly id?: unknown }): Effect {
    if (effect.kind !== 'send' || typeof delay !== 'number') return effect;
    return { ...effect, delay, id: typeof id === 'string' ? id : null };
  }

  private isCertain(actor: string, target: string, step: Step, before: XSnapshot | null): boolean {
    if (target === actor || this.parents.get(actor) === target) return true;
    return [step.snapshot?.children, before?.children].some((children) =>
      Object.values(children ?? {}).some((child) => this.references.nameOf(child) === target),
    );
  }

  private sendEffect(
    to: string | null,
    event: XEvent,
    certain: boolean,
    target?: string,
  ): Effect & { kind: 'send' } {
    const record = to === null ? undefined : this.logicByActor.get(to);
    if (record !== undefined) {
      const types = this.sent.get(record.name) ?? new Set();
      this.sent.set(record.name, types.add(event.type));
    }
    return {
      kind: 'send',
      to,
      target: target ?? to ?? 'nobody',
      event: this.eventValue(event),
      delay: null,
      id: null,
      certain,
    };
  }

  private eventValue(event: XEvent): EventValue {
    const clean = this.references.clean(event);
    const key = canonical(clean, this.references.nameOf);
    if (!this.events.has(key)) this.events.set(key, clean);
    return { type: clean.type, key, text: this.eventText(clean), data: jsonOf(clean) };
  }

  private eventText(event: XEvent): string {
    if (event.type === 'xstate.spillway.sendBack') return `sends ${this.eventText(event['event'] as XEvent)}`;
    const { type, ...payload } = event;
    const shown = Object.fromEntries(
      Object.entries(payload).filter(([key, value]) => value !== undefined && key !== 'actorId'),
    );
    const label = shortType(type);
    return Object.keys(shown).length === 0 ? label : `${label} ${brief(shown, this.references.nameOf, 50)}`;
  }

  private errorText(error: unknown): string {
    return error === ANY ? 'rejected' : errorMessage(error);
  }

  // --- what is kept of a snapshot -----------------------------------------------------------------------------------------

  /** A child that tells its end is running no more. */
  private pastWith(snapshot: XSnapshot, past: Past, event: XEvent): Past {
    const id = /^xstate\.(?:done|error)\.actor\.(.*)$/s.exec(event.type)?.[1];
    const child = id === undefined ? undefined : snapshot.children?.[id];
    if (child === undefined) return past;
    const name = this.references.nameOf(child);
    if (past.orphans.some((orphan) => orphan.startsWith(name.replace(/~\d+$/, ''))))
      this.caveat('unseen', `several actors have the id ${id}: which of them ends is not told apart`);
    return { ...past, ended: [...new Set([...past.ended, name])].sort() };
  }

  private alive(snapshot: XSnapshot, { ended, orphans }: Past): Set<string> {
    const children = Object.values(snapshot.children ?? {}).map(this.references.nameOf);
    return new Set([...children.filter((name) => !ended.includes(name)), ...orphans]);
  }

  private pastAfter(before: XSnapshot | null, step: Step, past: Past): Past {
    const { nameOf } = this.references;
    const children = Object.values(step.snapshot?.children ?? {})
      .filter((child) => child !== undefined)
      .map(nameOf);
    const created = [...step.created.values()].map(({ name }) => name);
    const stopped = step.deferred.flatMap((raw) =>
      raw.kind === 'action' && raw.action.type === 'xstate.stopChild' && raw.action.params !== undefined
        ? [nameOf(raw.action.params as object)]
        : [],
    );
    const ended = past.ended.filter((name) => children.includes(name) && !created.includes(name));
    const known = before === null ? [] : Object.values(before.children ?? {}).map(nameOf);
    const orphans = [...past.orphans, ...known, ...created].filter(
      (name) =>
        !name.endsWith('*') &&
        !children.includes(name) &&
        !past.ended.includes(name) &&
        (!stopped.includes(name) || past.orphans.includes(name)),
    );
    return { ended, orphans: [...new Set(orphans)].sort() };
  }

  private kept(actor: string, record: LogicRecord, snapshot: XSnapshot, past: Past): XSnapshot {
    if (record.kind !== 'machine') {
      const context = this.references.clean(snapshot.context);
      return { ...snapshot, context: this.widenedValue(`${record.name}`, context) };
    }
    const context = this.keptContext(record, snapshot.context);
    const children: Record<string, object> = {};
    const families = new Set<string>();
    for (const [id, child] of Object.entries(snapshot.children ?? {})) {
      if (child === undefined) continue;
      const name = this.references.nameOf(child);
      if (name.endsWith('*') && families.has(name)) continue;
      families.add(name);
      children[id] = this.references.of(name);
    }
    this.countChildren(actor, record, [
      ...Object.values(children).map(this.references.nameOf),
      ...past.orphans,
    ]);
    return { ...snapshot, context, children };
  }

  private keptContext(record: LogicRecord, context: unknown): unknown {
    const clean = this.references.clean(context);
    if (typeof clean !== 'object' || clean === null) return clean;
    const told = this.declared.context?.[record.name];
    return Object.fromEntries(
      Object.entries(clean).map(([key, value]) => {
        if (told !== undefined && !told.includes(key)) return [key, ANY];
        return [key, this.widenedValue(`${record.name}.${key}`, value)];
      }),
    );
  }

  private widenedValue(key: string, value: unknown): unknown {
    if (this.lessons.widened.has(key)) return ANY;
    const seen = this.values.get(key) ?? new Set();
    this.values.set(key, seen.add(canonical(value, this.references.nameOf)));
    if (seen.size > this.limits.values) {
      this.lessons.widened.add(key);
      throw new LearnedSomething(`${key} has too many values`);
    }
    return value;
  }

  /** Called when there are too many states: the key with the most values is widened. False when there is none. */
  widenMost(): boolean {
    const [most] = [...this.values].sort((a, b) => b[1].size - a[1].size);
    if (most === undefined || most[1].size < 4) return false;
    this.lessons.widened.add(most[0]);
    return true;
  }

  private countChildren(actor: string, record: LogicRecord, names: readonly string[]): void {
    const sets = this.childSets.get(record.name) ?? new Set();
    this.childSets.set(record.name, sets.add(names.join(' ')));
    if (sets.size <= this.limits.childSets) return;
    const counts = new Map<string, number>();
    for (const name of names) {
      if (name.endsWith('*')) continue;
      const logic = this.logicByActor.get(name);
      if (logic !== undefined) {
        const key = this.familyKey(actor, logic);
        counts.set(key, (counts.get(key) ?? 0) + 1);
      }
    }
    const [most] = [...counts].sort((a, b) => b[1] - a[1]);
    if (most === undefined || most[1] < 4) return;
    this.lessons.families.add(most[0]);
    throw new LearnedSomething(`${most[0]} is a family`);
  }

  private stateKey(
    actor: string,
    record: LogicRecord,
    snapshot: XSnapshot,
    error: string | null,
    sync: boolean,
    past: Past = NO_PAST,
  ): StateKey {
    const { nameOf } = this.references;
    const ended = snapshot.status !== 'active';
    const text = JSON.stringify([
      actor,
      record.number,
      snapshot.status,
      (snapshot._nodes ?? []).map((node) => node.id),
      ended ? '' : canonical(snapshot.context, nameOf),
      ended ? '' : Object.entries(snapshot.children ?? {}).map(([id, child]) => [id, nameOf(child)]),
      ended
        ? ''
        : Object.entries(snapshot.historyValue ?? {}).map(([id, nodes]) => [
            id,
            nodes.map((node) => node.id),
          ]),
      error,
      sync,
      ended ? '' : past.ended,
      ended ? '' : past.orphans,
    ]);
    const known = this.stateNumbers.get(text);
    if (known !== undefined) return known;
    const key = String(this.states.size);
    this.stateNumbers.set(text, key);
    this.states.set(key, { record, snapshot, error, sync, past, info: null });
    return key;
  }

  caveat(kind: Caveat['kind'], message: string): void {
    this.found.set(message, { kind, message, at: null });
  }
}

export const ENDLESS = 'an endless macrostep';

/** An event type and a descriptor: `mouse.*` and `*` are patterns. */
const matches = (type: string, descriptor: string): boolean =>
  descriptor === '*' ||
  descriptor === type ||
  (descriptor.endsWith('.*') && `${type}.`.startsWith(descriptor.slice(0, -1)));

function watchedTransition(run: () => XSnapshot): XSnapshot {
  const { result, marked } = watch(run);
  if (!marked) return result as XSnapshot;
  mark();
  return { status: 'active', output: undefined, error: undefined, context: ANY };
}

/** An error event that no transition takes ends the machine, after its children were stopped. */
const isEscalated = (step: Step, before: XSnapshot | null): boolean =>
  before !== null &&
  step.snapshot !== null &&
  step.microsteps.length === 1 &&
  step.microsteps[0]!.transitions.length === 0;

function spawnedBy(raw: RawEffect, step: Step): CreatedActor | null {
  if (raw.kind !== 'action' || raw.action.type !== 'xstate.spawnChild') return null;
  const { actorRef } = raw.action.params as { actorRef?: object };
  return actorRef === undefined ? null : (step.created.get(actorRef) ?? null);
}

const doneEvent = (id: string, output: unknown): XEvent => ({
  type: `xstate.done.actor.${id}`,
  output,
  actorId: id,
});
const errorEvent = (id: string, error: unknown): XEvent => ({
  type: `xstate.error.actor.${id}`,
  error,
  actorId: id,
});

const errorMessage = (error: unknown): string =>
  error instanceof Error ? error.message : error === ANY ? 'any error' : String(error);

/** What can be written down of it. */
function jsonOf(event: XEvent): unknown {
  try {
    return JSON.parse(JSON.stringify(event, (_, value) => (value === ANY ? undefined : value)));
  } catch {
    return { type: event.type };
  }
}

export function shortType(type: string): string {
  const after = /^xstate\.after\.([^.]*)\./.exec(type);
  if (after !== null) return `after ${after[1]}`;
  return type
    .replace(/^xstate\.done\.actor\./, 'done ')
    .replace(/^xstate\.error\.actor\./, 'error ')
    .replace(/^xstate\.promise\.resolve$/, 'resolves')
    .replace(/^xstate\.promise\.reject$/, 'rejects')
    .replace(/^xstate\.observable\./, '')
    .replace(/^xstate\.snapshot\./, 'snapshot ');
}

/** The configuration by its innermost states: `a.b` or `(x, y.z)`. */
function stateText(nodes: readonly XNode[]): string {
  const leaves = nodes.filter((node) => !nodes.some((other) => other.parent === node));
  const names = leaves.map(nodeName);
  return names.length === 1 ? names[0]! : names.length === 0 ? '' : `(${names.join(', ')})`;
}

const kindText = (record: LogicRecord, status: string): string =>
  status !== 'active' ? status : record.kind === 'promise' ? 'pending' : 'running';
