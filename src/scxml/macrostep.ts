// One macrostep of one session: (session, input) to (session, effects), a pure function as far as anybody outside can see.
//
// The algorithm is appendix D of the recommendation, with its names in comments. A macrostep begins with the start of a session or an external event and
// ends when no eventless transition is enabled, the internal queue is empty and what was entered is invoked. Nothing leaves the session on the way: sends,
// starts and stops are effects, in the order in which they take place.
//
// A chart may never finish a macrostep. A state of the macrostep (configuration, history, data, queue) that comes back proves it; charts whose data
// or queue grows on the way are stopped by a limit.

import { type Chart, isDescendant, type Transition } from './chart.ts';
import { ContentRunner } from './content.ts';
import type { DataModel } from './data-model.ts';
import { EndlessWatch } from './endless.ts';
import { type ChartEvent, plainEvent } from './event.ts';
import { UNDEFINED } from './sandbox.ts';
import {
  type Entry,
  enabledTransitions,
  entrySet,
  exitSet,
  isAtomic,
  isInFinalState,
  transitionDomain,
  withoutConflicts,
} from './select.ts';
import type {
  Effect,
  Input,
  Invocation,
  Microstep,
  Outcome,
  Raised,
  Session,
  Surroundings,
} from './session.ts';
import { NEW_SESSION } from './session.ts';

const MOST_MICROSTEPS = 10_000;

export function macrostep(
  chart: Chart,
  model: DataModel,
  around: Surroundings,
  session: Session,
  input: Input,
  mostMicrosteps = MOST_MICROSTEPS,
): Outcome {
  const from = input.kind === 'start' ? NEW_SESSION : session;
  return new Macrostep(chart, model, around, from, mostMicrosteps).run(input);
}

class Macrostep {
  private readonly chart: Chart;
  private readonly model: DataModel;
  private readonly content: ContentRunner;
  private configuration: Set<number>;
  private history: Map<number, readonly number[]>;
  private entered: Set<number>;
  private invocations: Invocation[];
  private running: boolean;
  private readonly toInvoke = new Set<number>();
  private readonly queue: Raised[] = [];
  private readonly effects: Effect[] = [];
  private readonly dropped: Raised[] = [];
  private readonly steps: Microstep[] = [];
  private event: ChartEvent | null;
  private readonly endless: EndlessWatch;

  constructor(chart: Chart, model: DataModel, around: Surroundings, session: Session, most: number) {
    this.chart = chart;
    this.endless = new EndlessWatch(most);
    this.model = model;
    this.configuration = new Set(session.configuration);
    this.history = new Map(session.history);
    this.entered = new Set(session.entered);
    this.invocations = [...session.invocations];
    this.running = session.status === 'running';
    this.event = session.event;
    this.content = new ContentRunner(chart, model, around, session.ids, {
      raise: (event, span) => this.queue.push({ event, span }),
      effect: (effect) => this.effects.push(effect),
      isInvoked: (id) => this.invocations.some((one) => one.id === id),
    });
    model.enter({ sessionId: around.sessionId, name: chart.name }, session.data);
    model.bindEvent(session.event);
    model.setConfiguration((name) => {
      const number = chart.stateNumbers.get(name);
      return number !== undefined && this.configuration.has(number);
    });
  }

  run(input: Input): Outcome {
    let handled = true;
    if (input.kind === 'start') this.start(input);
    else if (input.kind === 'cancel') this.running = false;
    else handled = this.external(input.event);
    this.finish();
    return this.outcome(handled);
  }

  private start(input: Input & { kind: 'start' }): void {
    this.initialData(input);
    for (const { code, span } of this.chart.scripts)
      this.content.attempt({ kind: 'script', code, span }, () => this.model.run(code));
    const { targets, actions } = this.chart.states[0]!.initial!;
    const entered = this.enter([{ source: 0, targets, domain: 0 }], () => this.content.run(actions));
    this.steps.push({ event: null, transitions: [], exited: [], entered });
  }

  /** Early binding makes all data at once; late binding makes the root's, and declares nothing of the rest. */
  private initialData({ values }: Input & { kind: 'start' }): void {
    for (const state of this.chart.states) {
      if (state.number > 0 && this.chart.binding === 'late') {
        for (const { id, span } of state.data)
          this.content.attempt({ kind: 'data', span }, () => this.model.define(id, null));
        continue;
      }
      for (const item of state.data) {
        const value = state.number === 0 ? values.get(item.id) : undefined;
        this.content.attempt({ kind: 'data', span: item.span }, () => {
          if (value === undefined) return this.model.define(item.id, item.value);
          this.model.define(item.id, null);
          this.model.defineValue(item.id, value);
        });
      }
    }
  }

  /** The first part of the main loop's turn for an external event. */
  private external(event: ChartEvent): boolean {
    this.bind(event);
    let noticed = false;
    for (const invocation of [...this.invocations].sort((a, b) => a.state - b.state || a.index - b.index)) {
      const invoke = this.chart.states[invocation.state]!.invokes[invocation.index]!;
      if (invocation.id === event.invokeId && invoke.finalize !== null) {
        this.content.finalize(invoke);
        noticed = true;
      }
      if (invoke.autoForward) {
        this.effects.push({ kind: 'forward', id: invocation.id, event, span: invoke.span });
        noticed = true;
      }
    }
    const transitions = this.select(event.name);
    this.microstep(event.name, transitions);
    return noticed || transitions.length > 0;
  }

  /** Until nothing is enabled, the queue is empty and everything that stays is invoked. */
  private finish(): void {
    while (this.running) {
      this.toQuiet();
      if (!this.running) break;
      for (const state of [...this.toInvoke].sort((a, b) => a - b)) this.invokeAll(state);
      this.toInvoke.clear();
      if (this.queue.length === 0) return;
    }
    this.exitInterpreter();
  }

  private toQuiet(): void {
    while (this.running) {
      let raised: Raised | null = null;
      let enabled = this.select(null);
      if (enabled.length === 0) {
        raised = this.queue.shift() ?? null;
        if (raised === null) return;
        this.bind(raised.event);
        enabled = this.select(raised.event.name);
        if (enabled.length === 0) this.dropped.push(raised);
      }
      this.microstep(raised?.event.name ?? null, enabled);
      this.endless.look(this.steps, this.queue.length, () => this.fingerprint());
    }
  }

  private bind(event: ChartEvent): void {
    this.event = event;
    this.model.bindEvent(event);
  }

  private select(event: string | null): Transition[] {
    const configuration = this.sorted();
    const enabled = enabledTransitions(this.chart, configuration, event, (transition) =>
      this.holds(transition),
    );
    return withoutConflicts(this.chart, enabled, configuration, this.history);
  }

  /** conditionMatch: an error is false, and told. */
  private holds({ condition, span }: Transition): boolean {
    if (condition === null) return true;
    let holds = false;
    this.content.attempt({ kind: 'transition', span }, () => {
      holds = this.model.truth(condition);
    });
    return holds;
  }

  private microstep(event: string | null, transitions: readonly Transition[]): void {
    if (transitions.length === 0) return;
    const exited = this.exit(exitSet(this.chart, transitions, this.sorted(), this.history));
    const entries = transitions.map(
      ({ source, targets, ...rest }): Entry => ({
        source,
        targets,
        domain: transitionDomain(this.chart, { source, targets, ...rest }, this.historyBefore),
      }),
    );
    const entered = this.enter(entries, () => {
      for (const { actions } of transitions) this.content.run(actions);
    });
    this.steps.push({ event, transitions: transitions.map(({ number }) => number), exited, entered });
  }

  /** Histories as they were before the exits of this microstep recorded theirs: a transition's domain is decided then. */
  private historyBefore: ReadonlyMap<number, readonly number[]> = new Map();

  /** exitStates, innermost first. */
  private exit(states: readonly number[]): number[] {
    this.historyBefore = new Map(this.history);
    const inOrder = [...states].reverse();
    for (const number of inOrder) {
      this.toInvoke.delete(number);
      for (const history of this.chart.states[number]!.histories)
        this.history.set(history, this.recorded(number, history));
    }
    for (const number of inOrder) this.leave(number);
    return inOrder;
  }

  private recorded(state: number, history: number): number[] {
    const deep = this.chart.states[history]!.kind === 'deep-history';
    return this.sorted().filter((active) =>
      deep
        ? isAtomic(this.chart, active) && isDescendant(this.chart, active, state)
        : this.chart.states[active]!.parent === state,
    );
  }

  private leave(number: number): void {
    const state = this.chart.states[number]!;
    for (const block of state.onExit) this.content.run(block);
    for (const { id } of this.invocations.filter((one) => one.state === number))
      this.effects.push({ kind: 'stop', id, span: state.span });
    this.invocations = this.invocations.filter((one) => one.state !== number);
    this.configuration.delete(number);
  }

  /** The content of the transitions runs between exits and entries; then enterStates, outermost first. */
  private enter(entries: readonly Entry[], content: () => void): number[] {
    content();
    const { states, byDefault, historyDefaults } = entrySet(this.chart, entries, this.history);
    for (const number of states) {
      const state = this.chart.states[number]!;
      this.configuration.add(number);
      this.toInvoke.add(number);
      this.lateData(number);
      for (const block of state.onEntry) this.content.run(block);
      if (byDefault.has(number)) this.content.run(state.initial!.actions);
      const history = historyDefaults.get(number);
      if (history !== undefined) this.content.run(this.chart.states[history]!.initial!.actions);
      if (state.kind === 'final') this.enteredFinal(number);
    }
    return [...states];
  }

  private lateData(number: number): void {
    if (this.chart.binding !== 'late' || this.entered.has(number)) return;
    const { data } = this.chart.states[number]!;
    if (data.length === 0) return;
    this.entered.add(number);
    for (const item of data)
      this.content.attempt({ kind: 'data', span: item.span }, () => this.model.define(item.id, item.value));
  }

  private enteredFinal(number: number): void {
    const { parent } = this.chart.states[number]!;
    if (parent === 0) {
      this.running = false;
      return;
    }
    const inside = this.chart.states[parent]!;
    const { span } = inside;
    const data = this.content.doneData(this.chart.states[number]!);
    this.queue.push({ event: plainEvent(`done.state.${inside.name}`, 'platform', data), span });
    const above = this.chart.states[inside.parent];
    if (
      above?.kind === 'parallel' &&
      above.children.every((child) => isInFinalState(this.chart, child, this.configuration))
    )
      this.queue.push({
        event: plainEvent(`done.state.${above.name}`, 'platform', UNDEFINED),
        span: above.span,
      });
  }

  private invokeAll(number: number): void {
    for (const invoke of this.chart.states[number]!.invokes) {
      const id = this.content.invoke(invoke);
      if (id !== null) this.invocations.push({ state: number, index: invoke.index, id });
    }
  }

  /** The configuration stays as it was, for whoever asks how the session ended. */
  private exitInterpreter(): void {
    this.running = false;
    const configuration = new Set(this.configuration);
    for (const number of this.sorted().reverse()) {
      this.leave(number);
      const state = this.chart.states[number]!;
      if (state.kind === 'final' && state.parent === 0)
        this.effects.push({ kind: 'done', data: this.content.doneData(state), span: state.span });
    }
    this.configuration = configuration;
  }

  private fingerprint(): string {
    return JSON.stringify([
      this.sorted(),
      [...this.history],
      this.queue.map(({ event }) => event),
      this.model.leave(),
      this.invocations,
      [...this.entered],
      this.content.ids,
    ]);
  }

  private sorted(): number[] {
    return [...this.configuration].sort((a, b) => a - b);
  }

  private outcome(handled: boolean): Outcome {
    const keepsEvent = this.running && readsEventOnExit(this.chart);
    return {
      session: {
        status: this.running ? 'running' : 'done',
        configuration: this.sorted(),
        history: this.history,
        data: this.model.leave(),
        entered: [...this.entered].sort((a, b) => a - b),
        invocations: this.invocations,
        ids: this.content.ids,
        event: keepsEvent ? this.event : null,
      },
      effects: this.effects,
      handled,
      dropped: this.dropped,
      steps: this.steps,
    };
  }
}

const readers = new WeakMap<Chart, boolean>();

/** Handlers that run when the session is taken down from outside still see the last event. */
function readsEventOnExit(chart: Chart): boolean {
  let reads = readers.get(chart);
  if (reads === undefined) {
    reads =
      chart.datamodel !== 'null' &&
      chart.states.some(({ onExit }) =>
        onExit.some((block) =>
          /_event|script/.test(JSON.stringify(block, (key, value) => (key === 'span' ? undefined : value))),
        ),
      );
    readers.set(chart, reads);
  }
  return reads;
}
