// The behaviour of XState's actors for the explorer: states are snapshots, known by one text per snapshot.
//
// Machines and transition functions are run by XState's own functions (`Machines5`, `Machines6`); promises, callbacks and observables are
// not executed: what they may do of themselves is offered.

import type {
  Behaviour,
  Caveat,
  EventValue,
  Logic,
  Offer,
  Outcome,
  Start,
  StateInfo,
  StateKey,
} from '../../actors/behaviour.ts';
import { Decisions } from '../../actors/decisions.ts';
import { ANY, onUnseen } from './any.ts';
import { brief } from './canonical.ts';
import type { Declared } from './declared.ts';
import { Keeper } from './keeper.ts';
import { Ledger, type StateRecord } from './ledger.ts';
import { BEHAVIOUR_LIMITS, type Lessons } from './lessons.ts';
import { type LogicRecord, Logics } from './logics.ts';
import { Machines5 } from './machine5.ts';
import { Machines6 } from './machine6.ts';
import type { Machines } from './machines.ts';
import { offersOf } from './offers.ts';
import { shapeOf } from './shape.ts';
import { isMachine6, type XEvent, type XLogic, type XSnapshot } from './types.ts';
import { errorText, nodeName, stateText } from './words.ts';

export interface RootMachine {
  readonly name: string;
  readonly logic: XLogic;
}

export class XStateBehaviour implements Behaviour {
  readonly name: string;
  private readonly root: RootMachine;
  private readonly ledger: Ledger;
  private readonly keeper: Keeper;
  private readonly decisions = new Decisions();
  private readonly logics: Logics;
  private readonly machines: Machines;
  /** Of the actor whose step is run. */
  private children: readonly object[] = [];
  private readonly shapes = new Map<LogicRecord, Logic>();

  constructor(root: RootMachine, declared: Declared, lessons: Lessons, limits = BEHAVIOUR_LIMITS) {
    this.root = root;
    this.name = root.name;
    this.ledger = new Ledger(declared, lessons, limits);
    this.keeper = new Keeper(this.ledger);
    onUnseen((message) => this.ledger.caveat('unseen', message));
    this.logics = new Logics({
      decide: (what) => this.decisions.decide(what),
      unseen: (message) => this.ledger.caveat('unseen', message),
      children: () => this.children,
    });
    const Chosen = isMachine6(root.logic) ? Machines6 : Machines5;
    this.machines = new Chosen(this.ledger, this.keeper, this.logics);
  }

  /** Types sent to actors of a logic, in this round. */
  get sent(): ReadonlyMap<string, Set<string>> {
    return this.ledger.sent;
  }

  /** Names of actors whose references are part of an event or an input. */
  get exported(): ReadonlySet<string> {
    return this.ledger.exported;
  }

  /** Called when there are too many states. False when nothing can be widened. */
  widenMost(): boolean {
    return this.keeper.widenMost();
  }

  /** One start for every input that is declared; otherwise the input is not known. */
  roots(): readonly Start[] {
    const record = this.logics.of(this.root.logic, this.root.name);
    const inputs = this.ledger.declared.input ?? [ANY];
    return inputs.map((input) => this.ledger.startOf(this.root.name, null, record, input, false));
  }

  start(start: Start): readonly Outcome[] {
    const { actor } = start;
    const { record, input, sync } = this.ledger.start(start);
    this.children = [];
    if (record.kind === 'machine' || record.kind === 'transition')
      return this.alternatives(() => this.machines.start(actor, { record, input, sync }));
    const snapshot: XSnapshot = { status: 'active', output: undefined, error: undefined, input };
    const quiet = this.quiet(this.ledger.stateKey(actor, record, snapshot, null, sync), true);
    const notification = this.machines.snapshotEvent(actor, { status: 'active', context: undefined });
    return [sync ? { ...quiet, effects: this.ledger.toParent(actor, notification) } : quiet];
  }

  react(actor: string, key: StateKey, event: EventValue): readonly Outcome[] {
    const state = this.ledger.state(key);
    const { kind } = state.record;
    const value = this.ledger.eventOf(event.key)!;
    this.children = Object.values(state.snapshot.children ?? {});
    return kind === 'machine' || kind === 'transition'
      ? this.alternatives(() => this.machines.react(actor, state, value))
      : [this.reactOther(actor, key, state, value)];
  }

  private alternatives(run: () => Outcome): readonly Outcome[] {
    const tooMany = (): void =>
      this.ledger.caveat(
        'unseen',
        'one step has too many alternatives: too many guards depend on data that is not known',
      );
    return this.decisions.alternatives(this.ledger.limits.alternatives, tooMany, run);
  }

  private reactOther(actor: string, key: StateKey, { record, sync }: StateRecord, event: XEvent): Outcome {
    const { ledger, machines } = this;
    const ended = (status: 'done' | 'error', value: unknown): Outcome => {
      const snapshot: XSnapshot = { status, output: status === 'done' ? value : undefined, error: undefined };
      const error = status === 'error' ? errorText(value) : null;
      const notification =
        status === 'done' ? machines.doneEvent(actor, value) : machines.errorEvent(actor, value);
      return {
        state: ledger.stateKey(actor, record, snapshot, error, sync),
        effects: ledger.toParent(actor, notification),
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
        const notification = machines.snapshotEvent(actor, { status: 'active', context: event['data'] });
        return { ...this.quiet(key, true), effects: sync ? ledger.toParent(actor, notification) : [] };
      }
      case 'xstate.spillway.sendBack':
        return { ...this.quiet(key, true), effects: ledger.toParent(actor, event['event'] as XEvent) };
      default:
        return this.quiet(key, record.kind === 'callback');
    }
  }

  private quiet(state: StateKey, handled: boolean): Outcome {
    return { state, effects: [], handled, transitions: [] };
  }

  offers(_actor: string, key: StateKey): readonly Offer[] {
    return offersOf(this.ledger, this.ledger.state(key));
  }

  describe(_actor: string, key: StateKey): StateInfo {
    const state = this.ledger.state(key);
    state.info ??= this.infoOf(state);
    return state.info;
  }

  private infoOf({ record, snapshot, error }: StateRecord): StateInfo {
    const nodes = (snapshot._nodes ?? []).filter((node) => node.path.length > 0);
    const status = snapshot.status === 'stopped' ? 'done' : snapshot.status;
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
      text: [configuration, this.contextText(snapshot.context)].filter((part) => part !== '').join(' '),
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
    return brief(context, this.ledger.references.nameOf, 80);
  }

  logicOf(start: Start): Logic | null {
    const { record } = this.ledger.start(start);
    if (record.machine === null) return null;
    const known = this.shapes.get(record) ?? shapeOf(record, record.machine);
    this.shapes.set(record, known);
    return known;
  }

  /** The event that a message's key stands for: for replays. */
  eventOf(key: string): XEvent | undefined {
    return this.ledger.eventOf(key);
  }

  /** The input that a start has: for replays. */
  inputOf(actor: string, key: string): unknown {
    return this.ledger.start({ actor, parent: null, logic: '', key }).input;
  }

  caveats(): readonly Caveat[] {
    return this.ledger.caveats();
  }
}

const kindText = (record: LogicRecord, status: string): string =>
  status !== 'active' ? status : record.kind === 'promise' ? 'pending' : 'running';
