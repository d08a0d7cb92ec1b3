// Machines of XState 5 as actors: a step's raw effects in the order in which XState has them take place.

import type { Effect, Outcome } from '../../actors/behaviour.ts';
import { ANY, isReference, mark, view, watch } from './any.ts';
import { canonical } from './canonical.ts';
import { realLogic } from './instrument.ts';
import type { Keeper } from './keeper.ts';
import type { Ledger, StartRecord, StateRecord } from './ledger.ts';
import { LearnedSomething } from './lessons.ts';
import type { LogicRecord, Logics } from './logics.ts';
import type { Machines } from './machines.ts';
import { aliveIn, NO_PAST, type Past, pastAfter, pastWith } from './past.ts';
import { type CreatedActor, type RawEffect, runStep, type Step } from './step.ts';
import type { XEvent, XLogic, XScope, XSnapshot } from './types.ts';
import { ENDLESS, errorMessage, errorText, nodeName } from './words.ts';

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
const snapshotEvent = (id: string, snapshot: unknown): XEvent => ({
  type: `xstate.snapshot.${id}`,
  snapshot,
});

export class Machines5 implements Machines {
  private readonly ledger: Ledger;
  private readonly keeper: Keeper;
  private readonly logics: Logics;
  private readonly asked = new Set<string>();
  private lesson: string | null = null;

  constructor(ledger: Ledger, keeper: Keeper, logics: Logics) {
    this.ledger = ledger;
    this.keeper = keeper;
    this.logics = logics;
  }

  start(actor: string, { record, input, sync }: StartRecord): Outcome {
    const run = (logic: XLogic, scope: XScope): XSnapshot =>
      record.kind === 'machine'
        ? logic.getInitialSnapshot(scope, input)
        : watchedTransition(() => logic.getInitialSnapshot(scope, view(input)));
    return this.outcome(actor, record, null, this.run(actor, record, new Set(), run), sync, NO_PAST);
  }

  react(actor: string, { record, snapshot, past: before, sync }: StateRecord, event: XEvent): Outcome {
    const { references } = this.ledger;
    const past = pastWith(references, snapshot, before, event, (message) =>
      this.ledger.caveat('unseen', message),
    );
    const run = (logic: XLogic, scope: XScope): XSnapshot =>
      record.kind === 'machine'
        ? logic.transition(snapshot, event, scope)
        : watchedTransition(() =>
            logic.transition({ ...snapshot, context: view(snapshot.context) }, view(event), scope),
          );
    const step = this.run(actor, record, aliveIn(references, snapshot, past), run);
    return this.outcome(actor, record, snapshot, step, sync, past);
  }

  doneEvent(actor: string, output: unknown): XEvent {
    return doneEvent(this.ledger.idOf(actor), output);
  }

  errorEvent(actor: string, error: unknown): XEvent {
    return errorEvent(this.ledger.idOf(actor), error);
  }

  snapshotEvent(actor: string, snapshot: unknown): XEvent {
    return snapshotEvent(this.ledger.idOf(actor), snapshot);
  }

  private run(
    actor: string,
    record: LogicRecord,
    used: ReadonlySet<string>,
    run: (logic: XLogic, scope: XScope) => XSnapshot,
  ): Step {
    const { references, lessons } = this.ledger;
    const step = runStep(
      {
        references,
        systemActor: (systemId) => {
          this.asked.add(systemId);
          const names = lessons.systemIds.get(systemId);
          if (names !== undefined && names.size > 1)
            this.ledger.caveat('unseen', `the systemId ${systemId} belongs to several actors in turn`);
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
    const names = this.ledger.lessons.systemIds.get(systemId) ?? new Set();
    if (names.has(name)) return;
    this.ledger.lessons.systemIds.set(systemId, names.add(name));
    // Thrown when the step is over: XState would take it for an error of the machine.
    if (this.asked.has(systemId)) this.lesson = `systemId ${systemId}`;
  }

  private childName(
    parent: string,
    made: { readonly id: string; readonly logic: XLogic },
    taken: ReadonlySet<string>,
  ): string {
    const record = this.logics.of(realLogic(made.logic), made.id);
    if (this.keeper.isFamily(parent, record)) return `${parent}/${record.name}*`;
    const name = `${parent}/${made.id}`;
    if (!taken.has(name)) return name;
    let n = 2;
    while (taken.has(`${name}~${n}`)) n++;
    return `${name}~${n}`;
  }

  private outcome(
    actor: string,
    record: LogicRecord,
    before: XSnapshot | null,
    step: Step,
    sync: boolean,
    past: Past,
  ): Outcome {
    const { ledger } = this;
    for (const { action, error } of step.thrown)
      ledger.caveat(
        'widened',
        `the action ${action} threw when it was tried (${errorMessage(error)}); it is taken to do nothing`,
      );
    const immediate = step.immediate.flatMap((effect) => this.effectOf(actor, effect, step, before));
    const transitions = step.microsteps
      .flatMap((micro) => micro.transitions)
      .map((transition) => record.transitions.get(transition))
      .filter((one) => one !== undefined);
    const first = step.microsteps[0];
    const handled = before === null || record.kind === 'transition' || (first?.transitions.length ?? 0) > 0;
    if (step.snapshot === null || step.snapshot.status === 'error')
      return this.failed(actor, record, before, step, sync, { immediate, transitions, handled });
    this.noticeStale(step);
    const after = pastAfter(ledger.references, before, step, past);
    const snapshot = this.keeper.kept(actor, record, step.snapshot, after.orphans, before);
    const starts = before === null && snapshot.status === 'active' ? this.childStarts(actor, step) : [];
    const id = ledger.idOf(actor);
    const notifications =
      snapshot.status === 'active' && sync ? [snapshotEvent(id, shown(record, snapshot))] : [];
    const last = snapshot.status === 'done' ? [doneEvent(id, snapshot.output)] : [];
    return {
      state: ledger.stateKey(actor, record, snapshot, null, sync, after),
      effects: [
        ...starts,
        ...immediate,
        ...this.deferredEffects(actor, step, before),
        ...[...notifications, ...last].flatMap((event) => ledger.toParent(actor, event)),
      ],
      handled,
      transitions,
    };
  }

  /** The context keeps a reference to an actor whose name a new one has got in this step. */
  private noticeStale({ snapshot, created }: Step): void {
    const { references } = this.ledger;
    for (const { name } of created.values())
      if (!name.endsWith('*') && holds(snapshot?.context, references.of(name)))
        this.ledger.caveat(
          'unseen',
          `${name} is started again while the context keeps a reference to its predecessor: the two are not told apart`,
        );
  }

  private failed(
    actor: string,
    record: LogicRecord,
    before: XSnapshot | null,
    step: Step,
    sync: boolean,
    { immediate, transitions, handled }: Pick<Outcome, 'transitions' | 'handled'> & { immediate: Effect[] },
  ): Outcome {
    const { ledger } = this;
    const error = step.snapshot === null ? step.error : step.snapshot.error;
    const escalated = isEscalated(step, before);
    const deferred = escalated ? this.deferredEffects(actor, step, before) : [];
    const snapshot: XSnapshot = { ...(before ?? {}), status: 'error', error: undefined };
    const text = this.endless(step, error) ?? errorText(error);
    return {
      state: ledger.stateKey(actor, record, snapshot, text, sync),
      effects: [...immediate, ...deferred, ...ledger.toParent(actor, errorEvent(ledger.idOf(actor), error))],
      handled: handled || escalated,
      transitions,
    };
  }

  /** An endless macrostep: it went through its limit of microsteps and was back where it had been. */
  private endless(step: Step, error: unknown): string | null {
    if (!errorMessage(error).startsWith('Infinite loop detected')) return null;
    const seen = new Set<string>();
    for (const { event, snapshot, transitions } of step.microsteps) {
      const key = canonical(
        [snapshot.context, event, (snapshot._nodes ?? []).map(nodeName), transitions.length],
        this.ledger.references.nameOf,
      );
      if (seen.has(key)) {
        const around = step.microsteps
          .slice(-6)
          .flatMap((micro) => micro.transitions.map((one) => one.source.path.join('.')));
        return `${ENDLESS}: it goes round through ${[...new Set(around)].join(', ') || 'its root'}`;
      }
      seen.add(key);
    }
    this.ledger.caveat('unseen', 'a macrostep takes more microsteps than are followed');
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
    const start = this.ledger.startOf(created.name, actor, record, created.input, created.sync);
    return { kind: 'start', start };
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
    const { ledger } = this;
    const { references } = ledger;
    if (raw.kind === 'send')
      return [ledger.sendEffect(raw.to, raw.event, this.isCertain(actor, raw.to, step, before))];
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
        const target = typeof given.to === 'object' && given.to !== null ? references.nameOf(given.to) : null;
        const event =
          given.event.type === 'xstate.error'
            ? errorEvent(ledger.idOf(actor), given.event['data'])
            : given.event;
        const certain = target !== null && this.isCertain(actor, target, step, before);
        return [timed(ledger.sendEffect(target, event, certain, given.targetId), given)];
      }
      case 'xstate.raise': {
        if (typeof given.delay !== 'number') return [];
        return [timed(ledger.sendEffect(actor, given.event, true), given)];
      }
      case 'xstate.cancel':
        return [{ kind: 'cancel', id: String(given.sendId) }];
      case 'xstate.stopChild':
        return params === undefined ? [] : [{ kind: 'stop', actor: references.nameOf(params as object) }];
      case 'xstate.emit':
        return [{ kind: 'emit', event: ledger.eventValue(given.event) }];
      default:
        return [];
    }
  }

  private isCertain(actor: string, target: string, step: Step, before: XSnapshot | null): boolean {
    const { parents, references } = this.ledger;
    if (target === actor || parents.get(actor) === target) return true;
    return [step.snapshot?.children, before?.children].some((children) =>
      Object.values(children ?? {}).some((child) => references.nameOf(child) === target),
    );
  }
}

function timed(
  effect: Effect & { kind: 'send' },
  { delay, id }: { readonly delay?: unknown; readonly id?: unknown },
): Effect {
  return typeof delay !== 'number' ? effect : { ...effect, delay, id: typeof id === 'string' ? id : null };
}

const shown = (record: LogicRecord, snapshot: XSnapshot): unknown =>
  record.kind === 'machine' ? ANY : { status: snapshot.status, context: snapshot.context };

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

function watchedTransition(run: () => XSnapshot): XSnapshot {
  const { result, marked } = watch(run);
  if (!marked) return result as XSnapshot;
  mark();
  return { status: 'active', output: undefined, error: undefined, context: ANY };
}

/** Does the value contain that very object? */
function holds(value: unknown, wanted: object, seen = new Set<object>()): boolean {
  if (typeof value !== 'object' || value === null || seen.has(value)) return false;
  if (value === wanted) return true;
  if (isReference(value)) return false;
  seen.add(value);
  const parts = value instanceof Map || value instanceof Set ? [...value].flat() : Object.values(value);
  return parts.some((part) => holds(part, wanted, seen));
}
