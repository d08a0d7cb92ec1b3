// The scope that XState 6 runs a step in: children that are created are noted, not made; what is sent directly is noted, not sent.

import type { References } from './references.ts';
import type { XEffect6, XEvent, XLogic6, XSnapshot, XTransition } from './types.ts';

export type Result6 =
  | { readonly snapshot: XSnapshot; readonly effects: readonly XEffect6[] }
  | { readonly snapshot: null; readonly error: unknown };

/** A child that a step creates. */
export interface Made6 {
  readonly name: string;
  readonly id: string;
  readonly logic: XLogic6;
  readonly src: unknown;
  readonly input: unknown;
  readonly sync: boolean;
}

export interface World6 {
  childName(id: string, logic: XLogic6): string;
  /** An actor of that name bears the registry key. */
  registered(key: string, name: string): void;
  lookUp(key: string): string | undefined;
  unseen(message: string): void;
}

interface ActorOptions {
  readonly id?: string;
  readonly src?: unknown;
  readonly input?: unknown;
  readonly registryKey?: string;
  readonly syncSnapshot?: boolean;
}

export class Scope6 {
  readonly scope: object;
  readonly made = new Map<object, Made6>();
  /** What functions send by a reference while the step is computed. */
  readonly direct: { to: string; event: XEvent }[] = [];
  private readonly self: Record<string, unknown>;
  private readonly event: XEvent | null;

  constructor(
    references: References,
    actor: string,
    snapshot: XSnapshot | null,
    event: XEvent | null,
    world: World6,
  ) {
    this.event = event;
    const system = {
      createActorRef: (logic: XLogic6, options: ActorOptions) =>
        this.create(references, world, logic, options),
      get: (key: string) => {
        const name = world.lookUp(key);
        return name === undefined ? undefined : references.of(name);
      },
      getAll: () => ({}),
      _relay: (_: unknown, target: object, sent: XEvent) =>
        this.direct.push({ to: references.nameOf(target), event: sent }),
      _register: () => '',
      _unregister: () => {},
      _set: () => {},
      _hasInspectionObservers: () => true,
      _sendInspectionEvent: () => {},
      _peekChildren: () => undefined,
      _peekKeyedActors: () => undefined,
      _getRootActor: () => undefined,
      inspect: () => ({ unsubscribe: () => {} }),
      children: new Map(),
      keyedActors: new Map(),
      _snapshot: { _scheduledTimers: {}, _nextActorIds: {} },
      _snapshotVersion: 0,
      _logger: () => {},
      _clock: { setTimeout: () => 0, clearTimeout: () => {} },
    };
    references.system = system;
    this.self = references.of(actor) as unknown as Record<string, unknown>;
    Object.assign(this.self, { _snapshot: snapshot ?? undefined, _collectedMicrosteps: undefined });
    this.scope = {
      self: this.self,
      id: actor,
      sessionId: actor,
      logger: () => {},
      defer: () => {},
      system,
      stopChild: () => {},
      emit: () => {},
      actionExecutor: () => {},
    };
    this.self['_actorScope'] = this.scope;
  }

  private create(
    references: References,
    world: World6,
    logic: XLogic6,
    { id, src, input, registryKey, syncSnapshot }: ActorOptions,
  ): object {
    const listens = typeof input === 'object' && input !== null && 'actor' in input && id === undefined;
    if (listens) {
      world.unseen('an actor listens to another: what it hears is not followed');
      return references.of('listener');
    }
    const own = id ?? logic.id ?? 'x:0';
    const name = world.childName(own, logic);
    const child = {
      id: own,
      sessionId: name,
      logic,
      src,
      registryKey,
      options: { input },
      _parent: this.self,
      system: references.system,
      send: (event: XEvent) => references.onSend(name, event),
      getSnapshot: () => ({ status: 'active' }),
      subscribe: () => ({ unsubscribe: () => {} }),
      on: () => ({ unsubscribe: () => {} }),
    };
    references.adopt(child, name);
    this.made.set(child, { name, id: own, logic, src, input, sync: syncSnapshot === true });
    if (registryKey !== undefined) world.registered(registryKey, name);
    return child;
  }

  /** The transitions taken, in order. */
  get transitions(): readonly XTransition[] {
    return (this.self['_collectedMicrosteps'] as XTransition[] | undefined) ?? [];
  }

  /** A child runs until it has told its end. */
  isActive(name: string): boolean {
    const ends = this.event?.type === 'xstate.done.actor' || this.event?.type === 'xstate.error.actor';
    return !ends || this.event?.['sessionId'] !== name;
  }

  forget(): void {
    this.made.clear();
    this.self['_collectedMicrosteps'] = undefined;
  }

  settle(snapshot: XSnapshot): void {
    this.self['_snapshot'] = snapshot;
  }
}
