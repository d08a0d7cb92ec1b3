// Which transitions are taken and what they exit and enter: appendix D of the recommendation ("Algorithm for SCXML Interpretation"), the procedures
// selectEventlessTransitions to getTransitionDomain, as functions of configuration and history. Sets of states are sorted arrays of numbers: document order is
// the order of numbers, exit order is the reverse.

import { ancestorsOf, type Chart, isDescendant, isHistory, matches, type Transition } from './chart.ts';

/** What each history state remembers; histories that were never left are missing. */
export type History = ReadonlyMap<number, readonly number[]>;

export const isAtomic = (chart: Chart, state: number): boolean => {
  const { kind } = chart.states[state]!;
  return kind === 'atomic' || kind === 'final';
};

/** Transitions that the event (null: none) enables, conflicts not yet removed. `holds` evaluates conditions, and is asked in the order of the recommendation. */
export function enabledTransitions(
  chart: Chart,
  configuration: readonly number[],
  event: string | null,
  holds: (transition: Transition) => boolean,
): Transition[] {
  const enabled = new Set<Transition>();
  for (const state of configuration) {
    if (!isAtomic(chart, state)) continue;
    const found = firstEnabled(chart, [state, ...ancestorsOf(chart, state)], event, holds);
    if (found !== null) enabled.add(found);
  }
  return [...enabled];
}

function firstEnabled(
  chart: Chart,
  states: readonly number[],
  event: string | null,
  holds: (transition: Transition) => boolean,
): Transition | null {
  for (const state of states) {
    for (const number of chart.states[state]!.transitions) {
      const transition = chart.transitions[number]!;
      if (
        event === null ? transition.events.length > 0 : !transition.events.some((one) => matches(one, event))
      )
        continue;
      if (holds(transition)) return transition;
    }
  }
  return null;
}

/** Of two transitions that would exit a common state the one from the inner state wins, else the one that was found first. */
export function withoutConflicts(
  chart: Chart,
  enabled: readonly Transition[],
  configuration: readonly number[],
  history: History,
): Transition[] {
  if (enabled.length < 2) return [...enabled];
  const exits = new Map(enabled.map((one) => [one, new Set(exitSet(chart, [one], configuration, history))]));
  let kept: Transition[] = [];
  for (const one of enabled) {
    const rivals = kept.filter((other) => intersect(exits.get(one)!, exits.get(other)!));
    if (!rivals.every((other) => isDescendant(chart, one.source, other.source))) continue;
    kept = [...kept.filter((other) => !rivals.includes(other)), one];
  }
  return kept;
}

const intersect = (a: ReadonlySet<number>, b: ReadonlySet<number>): boolean => {
  for (const one of a) if (b.has(one)) return true;
  return false;
};

/** In document order. */
export function exitSet(
  chart: Chart,
  transitions: readonly Transition[],
  configuration: readonly number[],
  history: History,
): number[] {
  const domains = transitions.flatMap((one) => transitionDomain(chart, one, history) ?? []);
  return configuration.filter((state) => domains.some((domain) => isDescendant(chart, state, domain)));
}

/** The state within which everything is exited and entered; null for a targetless transition. */
export function transitionDomain(chart: Chart, transition: Transition, history: History): number | null {
  const targets = effectiveTargets(chart, transition.targets, history);
  if (targets.length === 0) return null;
  const { source } = transition;
  const kind = chart.states[source]!.kind;
  if (
    transition.internal &&
    (kind === 'compound' || kind === 'root') &&
    targets.every((target) => isDescendant(chart, target, source))
  )
    return source;
  return lowestCompoundAncestor(chart, [source, ...targets]);
}

function lowestCompoundAncestor(chart: Chart, states: readonly number[]): number {
  const [head, ...others] = states;
  const compound = ancestorsOf(chart, head!).filter((state) => {
    const { kind } = chart.states[state]!;
    return kind === 'compound' || kind === 'root';
  });
  return compound.find((ancestor) => others.every((state) => isDescendant(chart, state, ancestor))) ?? 0;
}

/** Histories stand for what they remember, or for their defaults. */
function effectiveTargets(chart: Chart, targets: readonly number[], history: History): number[] {
  const found = new Set<number>();
  for (const target of targets) {
    const state = chart.states[target]!;
    if (!isHistory(state)) found.add(target);
    else {
      const remembered = history.get(target);
      const states = remembered ?? effectiveTargets(chart, state.initial?.targets ?? [], history);
      for (const one of states) found.add(one);
    }
  }
  return [...found];
}

/** What entering means: the states, which of them are entered by default, and the content of history defaults that runs in their parents. */
export interface EntrySet {
  /** In document order. */
  readonly states: readonly number[];
  readonly byDefault: ReadonlySet<number>;
  /** Parent of a history to that history, where its default is taken. */
  readonly historyDefaults: ReadonlyMap<number, number>;
}

export interface Entry {
  readonly source: number;
  readonly targets: readonly number[];
  readonly domain: number | null;
}

export function entrySet(chart: Chart, entries: readonly Entry[], history: History): EntrySet {
  const adding = new Entering(chart, history);
  for (const { targets, domain } of entries) {
    for (const target of targets) adding.descendants(target);
    for (const target of effectiveTargets(chart, targets, history)) adding.ancestors(target, domain ?? -1);
  }
  return {
    states: [...adding.states].sort((a, b) => a - b),
    byDefault: adding.byDefault,
    historyDefaults: adding.historyDefaults,
  };
}

class Entering {
  readonly states = new Set<number>();
  readonly byDefault = new Set<number>();
  readonly historyDefaults = new Map<number, number>();
  private readonly chart: Chart;
  private readonly history: History;

  constructor(chart: Chart, history: History) {
    this.chart = chart;
    this.history = history;
  }

  /** addDescendantStatesToEnter */
  descendants(number: number): void {
    const state = this.chart.states[number]!;
    if (isHistory(state)) {
      this.remembered(number);
      return;
    }
    this.states.add(number);
    if (state.kind === 'compound') {
      this.byDefault.add(number);
      this.all(state.initial!.targets, number);
    } else if (state.kind === 'parallel') this.regions(number);
  }

  /** addAncestorStatesToEnter */
  ancestors(number: number, top: number): void {
    for (const ancestor of ancestorsOf(this.chart, number, top)) {
      if (ancestor === 0) continue;
      this.states.add(ancestor);
      if (this.chart.states[ancestor]!.kind === 'parallel') this.regions(ancestor);
    }
  }

  private remembered(number: number): void {
    const { parent, initial } = this.chart.states[number]!;
    const remembered = this.history.get(number);
    if (remembered === undefined) this.historyDefaults.set(parent, number);
    this.all(remembered ?? initial!.targets, parent);
  }

  private all(targets: readonly number[], top: number): void {
    for (const target of targets) this.descendants(target);
    for (const target of targets) this.ancestors(target, top);
  }

  /** Regions in which nothing is entered yet are entered by default. */
  private regions(parallel: number): void {
    for (const child of this.chart.states[parallel]!.children) {
      const started = [...this.states].some(
        (state) => state === child || isDescendant(this.chart, state, child),
      );
      if (!started) this.descendants(child);
    }
  }
}

/** isInFinalState */
export function isInFinalState(chart: Chart, number: number, configuration: ReadonlySet<number>): boolean {
  const { kind, children } = chart.states[number]!;
  if (kind === 'compound')
    return children.some((child) => chart.states[child]!.kind === 'final' && configuration.has(child));
  return kind === 'parallel' && children.every((child) => isInFinalState(chart, child, configuration));
}
