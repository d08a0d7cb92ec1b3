// Everything that is known about the actors of one round of exploration, by the keys that the explorer uses: starts, states, events, and what is
// to be said about them. A state's key is a number; two snapshots have the same if and only if they are told apart by nothing.

import type { Caveat, Effect, EventValue, Start, StateInfo, StateKey } from '../../actors/behaviour.ts';
import { canonical } from './canonical.ts';
import type { Declared } from './declared.ts';
import type { BehaviourLimits, Lessons } from './lessons.ts';
import type { LogicRecord } from './logics.ts';
import { NO_PAST, type Past } from './past.ts';
import { References } from './references.ts';
import type { XEvent, XSnapshot } from './types.ts';
import { eventText, jsonOf, typeOf } from './words.ts';

export interface StateRecord {
  readonly record: LogicRecord;
  readonly snapshot: XSnapshot;
  readonly error: string | null;
  readonly sync: boolean;
  readonly past: Past;
  info: StateInfo | null;
}

export interface StartRecord {
  readonly record: LogicRecord;
  readonly input: unknown;
  /** Tells its parent of every snapshot. */
  readonly sync: boolean;
}

export class Ledger {
  readonly references = new References();
  readonly declared: Declared;
  readonly lessons: Lessons;
  readonly limits: BehaviourLimits;
  /** Types sent to actors of a logic, in this round. */
  readonly sent = new Map<string, Set<string>>();
  /** Names of actors whose references are part of an event or an input: others than their parents may have them. */
  readonly exported = new Set<string>();
  readonly parents = new Map<string, string | null>();
  readonly logicByActor = new Map<string, LogicRecord>();
  private readonly states = new Map<StateKey, StateRecord>();
  private readonly stateNumbers = new Map<string, StateKey>();
  private readonly starts = new Map<string, StartRecord>();
  private readonly events = new Map<string, XEvent>();
  private readonly found = new Map<string, Caveat>();

  constructor(declared: Declared, lessons: Lessons, limits: BehaviourLimits) {
    this.declared = declared;
    this.lessons = lessons;
    this.limits = limits;
    this.references.parentOf = (name) => this.parents.get(name) ?? null;
  }

  startOf(actor: string, parent: string | null, record: LogicRecord, input: unknown, sync: boolean): Start {
    const clean = this.references.clean(input);
    const text = canonical(clean, this.noted);
    const key = `${record.name}(${clean === undefined ? '' : text})${sync ? '+' : ''}`;
    this.starts.set(`${actor} ${key}`, { record, input: clean, sync });
    this.parents.set(actor, parent);
    this.logicByActor.set(actor, record);
    return { actor, parent, logic: record.name, key };
  }

  private readonly noted = (reference: object): string => {
    const name = this.references.nameOf(reference);
    this.exported.add(name);
    return name;
  };

  start({ actor, key }: Start): StartRecord {
    return this.starts.get(`${actor} ${key}`)!;
  }

  state(key: StateKey): StateRecord {
    return this.states.get(key)!;
  }

  stateKey(
    actor: string,
    record: LogicRecord,
    snapshot: XSnapshot,
    error: string | null,
    sync: boolean,
    past: Past = NO_PAST,
  ): StateKey {
    const { nameOf } = this.references;
    const ended = snapshot.status !== 'active';
    const whileActive = ended
      ? ''
      : [
          canonical(snapshot.context, nameOf),
          Object.entries(snapshot.children ?? {}).map(([id, child]) => [id, nameOf(child)]),
          Object.entries(snapshot.historyValue ?? {}).map(([id, nodes]) => [
            id,
            nodes.map((node) => node.id),
          ]),
          snapshot.timers === undefined ? '' : canonical(snapshot.timers, nameOf),
          snapshot._stateInputs === undefined ? '' : canonical(snapshot._stateInputs, nameOf),
          past.ended,
          past.orphans,
        ];
    const nodes = (snapshot._nodes ?? []).map((node) => node.id);
    const text = JSON.stringify([actor, record.number, snapshot.status, nodes, error, sync, whileActive]);
    const known = this.stateNumbers.get(text);
    if (known !== undefined) return known;
    const key = String(this.states.size);
    this.stateNumbers.set(text, key);
    this.states.set(key, { record, snapshot, error, sync, past, info: null });
    return key;
  }

  eventValue(event: XEvent): EventValue {
    const clean = this.references.clean(event);
    const key = canonical(clean, this.noted);
    if (!this.events.has(key)) this.events.set(key, clean);
    return { type: typeOf(clean), key, text: eventText(clean, this.references.nameOf), data: jsonOf(clean) };
  }

  /** The event that a message's key stands for. */
  eventOf(key: string): XEvent | undefined {
    return this.events.get(key);
  }

  sendEffect(to: string | null, event: XEvent, certain: boolean, target?: string): Effect & { kind: 'send' } {
    const record = to === null ? undefined : this.logicByActor.get(to);
    const value = this.eventValue(event);
    if (record !== undefined) {
      const types = this.sent.get(record.name) ?? new Set();
      this.sent.set(record.name, types.add(value.type));
    }
    return {
      kind: 'send',
      to,
      target: target ?? to ?? 'nobody',
      event: value,
      delay: null,
      id: null,
      certain,
    };
  }

  toParent(actor: string, event: XEvent): Effect[] {
    const parent = this.parents.get(actor) ?? null;
    return parent === null ? [] : [this.sendEffect(parent, event, true)];
  }

  idOf(actor: string): string {
    return this.references.of(actor).id;
  }

  caveat(kind: Caveat['kind'], message: string): void {
    this.found.set(message, { kind, message, at: null });
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
}
