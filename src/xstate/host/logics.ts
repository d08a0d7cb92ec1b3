// Which kind of logic an actor runs, and what is known about each: numbers for keys, names for people, the watched copy of a machine.

import { instrument, type Overseer } from './instrument.ts';
import { instrument6 } from './instrument6.ts';
import {
  isMachine,
  isMachine6,
  type XLogic,
  type XLogic6,
  type XMachine,
  type XMachine6,
  type XScope,
  type XSnapshot,
  type XTransition,
} from './types.ts';

export type LogicKind = 'machine' | 'promise' | 'callback' | 'observable' | 'event-observable' | 'transition';

export interface LogicRecord {
  readonly number: number;
  readonly kind: LogicKind;
  /** For people, and for declarations beside the machine. */
  readonly name: string;
  readonly logic: XLogic;
  /** The watched copy, for machines. */
  readonly machine: XMachine | null;
  /** Numbers of its transitions. */
  readonly transitions: Map<XTransition, string>;
}

export class Logics {
  private readonly records = new Map<XLogic, LogicRecord>();
  private readonly overseer: Overseer;

  constructor(overseer: Overseer) {
    this.overseer = overseer;
  }

  of(logic: XLogic, name: string): LogicRecord {
    const known = this.records.get(logic);
    if (known !== undefined) return known;
    const kind = kindOf(logic);
    const machine = kind === 'machine' ? watched(logic as XMachine, this.overseer) : null;
    const taken = new Set([...this.records.values()].map((record) => record.name));
    const wanted = machine !== null && machine.id !== '(machine)' ? machine.id : name;
    let unique = wanted;
    for (let n = 2; taken.has(unique); n++) unique = `${wanted}#${n}`;
    const record: LogicRecord = {
      number: this.records.size,
      kind,
      name: unique,
      logic,
      machine,
      transitions: machine === null ? new Map() : transitionIds(machine),
    };
    this.records.set(logic, record);
    return record;
  }
}

const watched = (machine: XMachine, overseer: Overseer): XMachine =>
  isMachine6(machine)
    ? (instrument6(machine as unknown as XMachine6, overseer) as unknown as XMachine)
    : instrument(machine, overseer);

function transitionIds(machine: XMachine): Map<XTransition, string> {
  const ids = new Map<XTransition, string>();
  for (const node of machine.idMap.values()) {
    for (const [descriptor, transitions] of node.transitions)
      for (const [index, transition] of transitions.entries())
        ids.set(transition, `${node.path.join('.')}|${descriptor}|${index}`);
    for (const [index, transition] of (node.always ?? []).entries())
      ids.set(transition, `${node.path.join('.')}|always|${index}`);
  }
  return ids;
}

/** XState's creators leave no name: the kinds are told apart by what they do with events of their own. */
export function kindOf(logic: XLogic): LogicKind {
  if (isMachine(logic)) return 'machine';
  if ('initialTransition' in logic) return kindOf6(logic as unknown as XLogic6);
  if (logic.start === undefined) return 'transition';
  const scope = { self: {} } as unknown as XScope;
  const active: XSnapshot = { status: 'active', output: undefined, error: undefined, input: undefined };
  const after = (type: string): XSnapshot | null => {
    try {
      return logic.transition(active, { type, data: 1 }, scope);
    } catch {
      return null;
    }
  };
  if (after('xstate.promise.resolve')?.status === 'done') return 'promise';
  if (after('xstate.observable.complete')?.status === 'done')
    return after('xstate.observable.next')?.context === 1 ? 'observable' : 'event-observable';
  return 'callback';
}

/** The same for XState 6, where every logic but a machine has the same creator. */
function kindOf6(logic: XLogic6): LogicKind {
  const self = { id: 'x', sessionId: 'x', getSnapshot: () => active, system: {} };
  const scope = { self, id: 'x', sessionId: 'x', system: {}, emit: () => {}, logger: () => {} };
  const active: XSnapshot = { status: 'active', output: undefined, error: undefined, input: undefined };
  const attempt = <T>(run: () => T): T | null => {
    try {
      return run();
    } catch {
      return null;
    }
  };
  const after = (type: string): XSnapshot | null =>
    attempt(() => logic.transition(active, { type, data: 1 }, scope)[0]);
  if (after('xstate.async.resolve')?.status === 'done') return 'promise';
  if (after('xstate.observable.complete')?.status === 'done')
    return after('xstate.observable.next')?.context === 1 ? 'observable' : 'event-observable';
  const effects = attempt(() => logic.initialTransition(undefined, scope)[1]) ?? [];
  return effects.some(({ params }) => params?.key === 'callback') ? 'callback' : 'transition';
}
