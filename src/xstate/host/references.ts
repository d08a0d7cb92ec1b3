// Actor references as user code sees them: one object per actor of the system, equal by identity, that records what is sent to it.

import { ANY, isReference, isRunningUserCode, mark, OPEN, rawOf } from './any.ts';
import type { XEvent } from './types.ts';

export interface Reference {
  readonly id: string;
  readonly sessionId: string;
  readonly send: (event: XEvent) => void;
}

export class References {
  private readonly refs = new Map<string, Reference>();
  private readonly names = new WeakMap<object, string>();
  /** Who hears what is sent directly, while a step runs. */
  onSend: (to: string, event: XEvent) => void = () => {};
  /** Does it run, as far as XState's own functions are told? */
  isActive: (name: string) => boolean = () => true;
  system: object = {};
  parentOf: (name: string) => string | null = () => null;

  of(name: string): Reference {
    const known = this.refs.get(name);
    if (known !== undefined) return known;
    const references = this;
    const reference = {
      id: name.slice(name.lastIndexOf('/') + 1),
      sessionId: name,
      src: name,
      systemId: undefined,
      _processingStatus: 1,
      get system() {
        return references.system;
      },
      get _parent() {
        const parent = references.parentOf(name);
        return parent === null ? undefined : references.of(parent);
      },
      send: (event: XEvent) => references.onSend(name, event),
      _send: (event: XEvent) => references.onSend(name, event),
      getSnapshot: () => {
        // XState itself asks whether a child is still there.
        if (!isRunningUserCode()) return { status: references.isActive(name) ? 'active' : 'done' };
        mark();
        return ANY;
      },
      getPersistedSnapshot: () => {
        mark();
        return ANY;
      },
      subscribe: () => ({ unsubscribe: () => {} }),
      on: () => ({ unsubscribe: () => {} }),
      toJSON: () => ({ xstate$$type: 1, id: name }),
    };
    Object.defineProperty(reference, 'ref', { value: reference });
    this.refs.set(name, reference);
    this.names.set(reference, name);
    return reference;
  }

  /** An actor that XState made itself gets the name of the reference that will stand for it. */
  adopt(actor: object, name: string): void {
    this.names.set(actor, name);
  }

  readonly nameOf = (reference: object): string => this.names.get(reference) ?? 'unknown';

  /** The value with references in the place of actors, and without views: what is kept between steps. */
  clean<T>(value: T): T {
    return this.cleaned(value, new Map()) as T;
  }

  private cleaned(value: unknown, seen: Map<object, unknown>): unknown {
    if (typeof value !== 'object' || value === null || value === ANY) return value;
    const raw = rawOf(value);
    const known = seen.get(raw);
    if (known !== undefined) return known;
    if (isReference(raw)) {
      const name = this.names.get(raw);
      return name === undefined ? raw : this.of(name);
    }
    if (Array.isArray(raw)) {
      const copy: unknown[] = [];
      seen.set(raw, copy);
      for (const item of raw) copy.push(this.cleaned(item, seen));
      return copy;
    }
    if (raw instanceof Map)
      return new Map([...raw].map(([key, item]) => [this.cleaned(key, seen), this.cleaned(item, seen)]));
    if (raw instanceof Set) return new Set([...raw].map((item) => this.cleaned(item, seen)));
    const prototype = Object.getPrototypeOf(raw);
    if (prototype !== Object.prototype && prototype !== null) return raw;
    const copy: Record<string | symbol, unknown> = {};
    seen.set(raw, copy);
    for (const [key, item] of Object.entries(raw)) copy[key] = this.cleaned(item, seen);
    if ((raw as { [OPEN]?: boolean })[OPEN] === true) Object.defineProperty(copy, OPEN, { value: true });
    return copy;
  }
}
