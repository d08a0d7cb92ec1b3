// One macrostep of one actor, by XState's own functions in a scope of ours: what happened, as data.
//
// The order of effects is XState's: code of the user's own runs while the transition is computed, built-in effects are deferred to its end.
// In the first step everything waits until the actor is started, and its children are started first.

import { watch } from './any.ts';
import type { LogicRecord } from './logics.ts';
import type { References } from './references.ts';
import type { XAction, XEvent, XLogic, XScope, XSnapshot, XTransition } from './types.ts';

export interface CreatedActor {
  readonly name: string;
  readonly id: string;
  readonly logic: XLogic;
  readonly src: unknown;
  readonly input: unknown;
  readonly sync: boolean;
  readonly systemId: string | undefined;
}

export type RawEffect =
  | { readonly kind: 'action'; readonly action: XAction }
  | { readonly kind: 'send'; readonly to: string; readonly event: XEvent }
  | { readonly kind: 'spawn'; readonly created: CreatedActor };

export interface Microstep {
  readonly event: XEvent;
  readonly snapshot: XSnapshot;
  readonly transitions: readonly XTransition[];
}

export interface Step {
  /** Null: it threw `error`. */
  readonly snapshot: XSnapshot | null;
  readonly error: unknown;
  readonly immediate: readonly RawEffect[];
  readonly deferred: readonly RawEffect[];
  readonly created: ReadonlyMap<object, CreatedActor>;
  readonly microsteps: readonly Microstep[];
  /** What the user's own actions threw, which is not taken to happen. */
  readonly thrown: readonly { readonly action: string; readonly error: unknown }[];
}

export interface StepWorld {
  readonly references: References;
  readonly systemActor: (systemId: string) => string | undefined;
  readonly onSystemId: (systemId: string, name: string) => void;
  /** The name of a child. */
  readonly childName: (parent: string, actor: object, taken: ReadonlySet<string>) => string;
}

interface MadeActor {
  readonly id: string;
  readonly sessionId: string;
  readonly logic: XLogic;
  readonly src: unknown;
  readonly options: { readonly input?: unknown; readonly systemId?: string };
  readonly _syncSnapshot?: boolean;
  getSnapshot: () => unknown;
}

export function runStep(
  world: StepWorld,
  self: string,
  record: LogicRecord,
  used: ReadonlySet<string>,
  run: (logic: XLogic, scope: XScope) => XSnapshot,
): Step {
  const { references } = world;
  const immediate: RawEffect[] = [];
  const deferred: RawEffect[] = [];
  const created = new Map<object, CreatedActor>();
  const microsteps: Microstep[] = [];
  const thrown: { action: string; error: unknown }[] = [];
  // Names of children that may be running: a new one gets a name of its own, though it may have the id of an old one.
  const names = new Set(used);
  const ids = new Set([...used].map((name) => name.slice(self.length + 1)));
  let last: CreatedActor | null = null;

  const bookId = (): string => {
    let n = 0;
    while (ids.has(`x:${n}`)) n++;
    ids.add(`x:${n}`);
    return `x:${n}`;
  };
  const onCreated = (actor: MadeActor): void => {
    if (actor.id !== actor.sessionId) ids.delete(actor.sessionId);
    const name = world.childName(self, actor, names);
    names.add(name);
    references.adopt(actor, name);
    actor.getSnapshot = () => references.of(name) && unknownSnapshot(references, name);
    last = {
      name,
      id: actor.id,
      logic: actor.logic,
      src: actor.src,
      input: actor.options.input,
      sync: actor._syncSnapshot === true,
      systemId: actor.options.systemId,
    };
    if (last.systemId !== undefined) world.onSystemId(last.systemId, name);
    created.set(actor, last);
  };
  const system = {
    _bookId: bookId,
    _register: () => '',
    _unregister: () => {},
    _set: () => {},
    get: (systemId: string) => {
      const name = world.systemActor(systemId);
      return name === undefined ? undefined : references.of(name);
    },
    getAll: () => ({}),
    inspect: () => ({ unsubscribe: () => {} }),
    _sendInspectionEvent: (event: { type: string; actorRef?: unknown; [key: string]: unknown }) => {
      if (event.type === '@xstate.actor') onCreated(event.actorRef as MadeActor);
      if (event.type === '@xstate.microstep')
        microsteps.push({
          event: event['event'] as XEvent,
          snapshot: event['snapshot'] as XSnapshot,
          transitions: event['_transitions'] as XTransition[],
        });
    },
    _relay: () => {},
    scheduler: { schedule: () => {}, cancel: () => {}, cancelAll: () => {} },
    getSnapshot: () => ({ _scheduledEvents: {} }),
    start: () => {},
    _clock: { setTimeout: () => 0, clearTimeout: () => {} },
    _logger: () => {},
    _snapshot: { _scheduledEvents: {} },
  };
  references.system = system;
  const scope: XScope = {
    self: references.of(self),
    id: self,
    sessionId: self,
    logger: () => {},
    // Only `spawn` inside an assignment comes here: built-in effects are not executed.
    defer: () => {
      if (last !== null) deferred.push({ kind: 'spawn', created: last });
    },
    system,
    stopChild: () => {},
    emit: () => {},
    actionExecutor: (action) => {
      if (action.type === 'xstate.stopChild' && action.params !== undefined)
        names.delete(references.nameOf(action.params as object));
      if (action.type.startsWith('xstate.')) deferred.push({ kind: 'action', action });
      else if (action.exec !== undefined) execute(action);
    },
  };
  const execute = (action: XAction): void => {
    references.onSend = (to, event) => immediate.push({ kind: 'send', to, event });
    try {
      watch(() => action.exec!(action.info, action.params));
    } catch (error) {
      thrown.push({ action: action.type, error });
    } finally {
      references.onSend = () => {};
    }
  };
  // A reference that is used inside a guard or an assignment sends at once as well.
  references.onSend = (to, event) => immediate.push({ kind: 'send', to, event });
  const base = { immediate, deferred, created, microsteps, thrown };
  try {
    const snapshot = run(record.machine ?? record.logic, scope);
    return { ...base, snapshot, error: undefined };
  } catch (error) {
    return { ...base, snapshot: null, error };
  } finally {
    references.onSend = () => {};
  }
}

const unknownSnapshot = (references: References, name: string): unknown =>
  (references.of(name) as unknown as { getSnapshot: () => unknown }).getSnapshot();
