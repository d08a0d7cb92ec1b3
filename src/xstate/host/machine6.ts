// Machines of XState 6 as actors. A step of XState 6 is a pure function that gives the next snapshot and the effects in the order in which they take place:
// they are read one by one. Timers are part of a snapshot: what is sent later is a word to oneself, `xstate.timer`.
//
// Two counters in a snapshot never go back (ids of children and of timers without one). They start again behind the highest that is in use, or no
// system that spawns again and again had finitely many states.

import type { Effect, Outcome } from '../../actors/behaviour.ts';
import { ANY, view, watch } from './any.ts';
import type { Keeper } from './keeper.ts';
import type { Ledger, StartRecord, StateRecord } from './ledger.ts';
import { LearnedSomething } from './lessons.ts';
import type { LogicRecord, Logics } from './logics.ts';
import type { Machines } from './machines.ts';
import { type Made6, type Result6, Scope6 } from './scope6.ts';
import type { XEffect6, XEvent, XLogic, XLogic6, XSnapshot, XTransition } from './types.ts';
import { errorMessage, errorText } from './words.ts';

export class Machines6 implements Machines {
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
    const scope = this.scope(actor, null, null);
    const given = record.kind === 'machine' ? input : view(input);
    const result = this.attempt(scope, record, (logic) => logic.initialTransition(given, scope.scope));
    return this.outcome(actor, record, null, result, scope, sync, null);
  }

  react(actor: string, { record, snapshot, sync }: StateRecord, event: XEvent): Outcome {
    const scope = this.scope(actor, snapshot, event);
    const result = this.attempt(scope, record, (logic) => {
      if (record.kind !== 'machine')
        return logic.transition({ ...snapshot, context: view(snapshot.context) }, view(event), scope.scope);
      try {
        return logic.transition(snapshot, event, scope.scope);
      } catch (error) {
        // A machine may have a transition for what its own code throws.
        const notification = logic.getExecutionErrorEvent?.(snapshot, error);
        if (notification === undefined) throw error;
        scope.forget();
        return logic.transition(snapshot, notification, scope.scope);
      }
    });
    return this.outcome(actor, record, snapshot, result, scope, sync, event);
  }

  doneEvent(actor: string, output: unknown): XEvent {
    return { type: 'xstate.done.actor', output, actorId: this.ledger.idOf(actor), sessionId: actor };
  }

  errorEvent(actor: string, error: unknown): XEvent {
    return { type: 'xstate.error.actor', error, actorId: this.ledger.idOf(actor), sessionId: actor };
  }

  snapshotEvent(actor: string, snapshot: unknown): XEvent {
    return { type: 'xstate.snapshot.actor', snapshot, actorId: this.ledger.idOf(actor), sessionId: actor };
  }

  private scope(actor: string, snapshot: XSnapshot | null, event: XEvent | null): Scope6 {
    const { references, lessons } = this.ledger;
    return new Scope6(references, actor, snapshot, event, {
      childName: (id, logic) => {
        const record = this.logics.of(logic as unknown as XLogic, id);
        return this.keeper.isFamily(actor, record) ? `${actor}/${record.name}*` : `${actor}/${id}`;
      },
      registered: (key, name) => {
        const names = lessons.systemIds.get(key) ?? new Set();
        if (names.has(name)) return;
        lessons.systemIds.set(key, names.add(name));
        if (this.asked.has(key)) this.lesson = `registry key ${key}`;
      },
      lookUp: (key) => {
        this.asked.add(key);
        const names = lessons.systemIds.get(key);
        if (names !== undefined && names.size > 1)
          this.ledger.caveat('unseen', `the registry key ${key} belongs to several actors in turn`);
        return names?.values().next().value;
      },
      unseen: (message) => this.ledger.caveat('unseen', message),
    });
  }

  private attempt(
    scope: Scope6,
    record: LogicRecord,
    run: (logic: XLogic6) => [XSnapshot, XEffect6[]],
  ): Result6 {
    const logic = (record.machine ?? record.logic) as unknown as XLogic6;
    const { references } = this.ledger;
    references.onSend = (to, event) => scope.direct.push({ to, event });
    references.isActive = (name) => scope.isActive(name);
    try {
      if (record.kind === 'machine') {
        const [snapshot, effects] = run(logic);
        return { snapshot, effects };
      }
      const { result, marked } = watch(() => run(logic));
      if (!marked) return { snapshot: result![0], effects: result![1] };
      return { snapshot: { status: 'active', context: ANY }, effects: result?.[1] ?? [] };
    } catch (error) {
      return { snapshot: null, error };
    } finally {
      references.onSend = () => {};
      references.isActive = () => true;
    }
  }

  private outcome(
    actor: string,
    record: LogicRecord,
    before: XSnapshot | null,
    result: Result6,
    scope: Scope6,
    sync: boolean,
    event: XEvent | null,
  ): Outcome {
    if (this.lesson !== null) throw new LearnedSomething(this.lesson);
    const { ledger } = this;
    const direct = scope.direct.map(({ to, event: sent }) => ledger.sendEffect(to, sent, false));
    if (result.snapshot === null) {
      const text = errorText(result.error);
      const snapshot: XSnapshot = { ...(before ?? {}), status: 'error', error: undefined };
      const notification = ledger.toParent(actor, this.errorEvent(actor, result.error));
      return {
        state: ledger.stateKey(actor, record, snapshot, text, sync),
        effects: [...direct, ...notification],
        handled: true,
        transitions: [],
      };
    }
    const taken = scope.transitions;
    const effects = this.effects(actor, result.effects, scope);
    const failed = result.snapshot.status === 'error' ? errorText(result.snapshot.error) : null;
    const snapshot =
      failed === null ? this.kept(actor, record, result.snapshot, scope, before) : result.snapshot;
    const notification =
      sync && snapshot.status === 'active'
        ? [this.snapshotEvent(actor, record.kind === 'machine' ? ANY : snapshot)]
        : [];
    const others = ['@xstate.sendTo', '@xstate.terminate'];
    return {
      state: ledger.stateKey(actor, record, { ...snapshot, _nodes: snapshot.nodes ?? [] }, failed, sync),
      effects: [...direct, ...effects, ...notification.flatMap((one) => ledger.toParent(actor, one))],
      handled:
        before === null ||
        record.kind === 'transition' ||
        taken.length > 0 ||
        failed !== null ||
        (event?.type === 'xstate.timer' &&
          (result.effects.some(({ type }) => others.includes(type)) ||
            !(String(event['id']) in (before.timers ?? {})))),
      transitions: taken
        .map((transition: XTransition) => record.transitions.get(transition))
        .filter((one) => one !== undefined),
    };
  }

  private effects(actor: string, raw: readonly XEffect6[], scope: Scope6): Effect[] {
    const { ledger } = this;
    const { references } = ledger;
    const effects: Effect[] = [];
    const stopped = new Set<object>();
    for (const effect of raw) {
      switch (effect.type) {
        case '@xstate.spawn':
        case '@xstate.deadLetter':
          continue;
        case '@xstate.start': {
          const made = scope.made.get(effect.actor!);
          if (made !== undefined && !stopped.has(effect.actor!)) effects.push(this.startEffect(actor, made));
          continue;
        }
        case '@xstate.stop': {
          stopped.add(effect.actor!);
          // One that was spawned in this step never starts.
          if (!scope.made.has(effect.actor!))
            effects.push({ kind: 'stop', actor: references.nameOf(effect.actor!) });
          continue;
        }
        case '@xstate.cancel':
          effects.push({ kind: 'cancel', id: String(effect.id) });
          continue;
        case '@xstate.raise':
        case '@xstate.sendTo':
          effects.push(this.sent(actor, effect));
          continue;
        case '@xstate.terminate':
          continue;
      }
      if (effect.kind === 'emit') effects.push({ kind: 'emit', event: ledger.eventValue(effect.event!) });
      else if (effect.type.startsWith('xstate.logic.'))
        ledger.caveat('unseen', `what the effects of the logic of ${actor} do is not seen`);
      else effects.push(...this.executed(effect));
    }
    const last = raw.findLast(({ type }) => type === '@xstate.terminate');
    if (last === undefined) return effects;
    const { status, output, error } = last as unknown as { status: string; output: unknown; error: unknown };
    const notification = status === 'done' ? this.doneEvent(actor, output) : this.errorEvent(actor, error);
    return [...effects, ...ledger.toParent(actor, notification)];
  }

  private sent(actor: string, { type, target, event, delay, id }: XEffect6): Effect {
    const { ledger } = this;
    if (delay !== undefined) {
      const of = ledger.eventValue(event!).type;
      const timer = ledger.sendEffect(actor, { type: 'xstate.timer', id, of }, true);
      return { ...timer, delay, id: id ?? null };
    }
    const to = type === '@xstate.raise' || target === undefined ? actor : ledger.references.nameOf(target);
    return ledger.sendEffect(to, event!, false);
  }

  /** Code of the user's own: what it sends is seen. */
  private executed(effect: XEffect6): Effect[] {
    const { references } = this.ledger;
    const effects: Effect[] = [];
    references.onSend = (to, event) => effects.push(this.ledger.sendEffect(to, event, false));
    try {
      watch(() => effect.exec());
    } catch (error) {
      this.ledger.caveat(
        'widened',
        `the action ${effect.type} threw when it was tried (${errorMessage(error)}); it is taken to do nothing`,
      );
    } finally {
      references.onSend = () => {};
    }
    return effects;
  }

  private startEffect(actor: string, { name, id, logic, src, input, sync }: Made6): Effect {
    const source = typeof src === 'string' && !src.startsWith('xstate.invoke.') ? src : id;
    const record = this.logics.of(logic as unknown as XLogic, source);
    return { kind: 'start', start: this.ledger.startOf(name, actor, record, input, sync) };
  }

  private kept(
    actor: string,
    record: LogicRecord,
    snapshot: XSnapshot,
    scope: Scope6,
    before: XSnapshot | null,
  ): XSnapshot {
    const kept = this.keeper.kept(actor, record, snapshot, [], before);
    if (record.kind !== 'machine') return kept;
    scope.settle(kept);
    return { ...kept, ...renumbered(kept), timers: this.ledger.references.clean(snapshot.timers ?? {}) };
  }
}

/** The counters, behind the highest number that is in use. */
function renumbered({ children = {}, timers = {} }: XSnapshot): Partial<XSnapshot> {
  const ids: Record<string, number> = {};
  for (const id of Object.keys(children)) {
    const [, prefix, index] = /^(.+):(\d+)$/.exec(id) ?? [];
    if (prefix !== undefined) ids[prefix] = Math.max(ids[prefix] ?? 0, Number(index) + 1);
  }
  const auto = Object.keys(timers).flatMap((id) => /^xstate\.timer\.auto\.(\d+)$/.exec(id)?.[1] ?? []);
  return { _nextActorIds: ids, _nextTimerId: Math.max(-1, ...auto.map(Number)) + 1 };
}
