// Walking through a protocol's states: initial states, breadth-first search within a limit, random walks.

import type { Budget } from '../../base/budget.ts';
import { Random } from '../../base/random.ts';
import type { InitialStates, Protocol } from '../model.ts';
import type { PreparedFormula } from '../safety/formula.ts';
import type { Formula, Sum } from '../solver/linear.ts';
import { and, constantSum, equalTo, lessOrEqual, not, plusTimes, variableSum } from '../solver/linear.ts';
import { Search } from '../solver/search.ts';
import type { GlobalState } from './state.ts';
import { allHold, Judge, stateKey } from './state.ts';
import type { ConcreteStep, Unsafe } from './step.ts';
import { enabledSteps, isExact, unsafety } from './step.ts';

/** A run: where it begins and what happens. */
export interface ConcreteRun {
  readonly start: GlobalState;
  readonly steps: readonly ConcreteStep[];
}

export const endOf = (run: ConcreteRun): GlobalState => run.steps.at(-1)?.next ?? run.start;

/** Some initial states, all of them when `complete`. */
export function initialStates(protocol: Protocol, limit = 4): { states: GlobalState[]; complete: boolean } {
  const states: GlobalState[] = [];
  let complete = true;
  for (const initial of protocol.initial) {
    const found = solutions(protocol, initial, limit);
    states.push(...found.states);
    complete &&= found.complete;
  }
  return { states, complete };
}

function solutions(protocol: Protocol, initial: InitialStates, limit: number) {
  const starts = offsets(protocol.machines.map(({ registers }) => registers.length));
  const count = starts.at(-1)!;
  const variable = (side: number, index: number): Sum => variableSum(1 + starts[side]! + index);
  const search = new Search({ bellmanFord: 0, decisions: 0, simplex: 0 });
  search.grow(count + 1);
  for (let i = 1; i <= count; i++) search.assert(lessOrEqual(constantSum(0), variableSum(i)));
  for (const { sum, relation } of initial.relations) {
    const value = sum.terms.reduce<Sum>(
      (soFar, [register, factor]) => plusTimes(soFar, variable(register.side, register.index), factor),
      constantSum(sum.constant),
    );
    search.assert(relation === '=' ? equalTo(value, constantSum(0)) : lessOrEqual(value, constantSum(0)));
  }
  const states: GlobalState[] = [];
  for (let round = 0; round < limit; round++) {
    const answer = search.solve(and([]));
    if (!answer.satisfiable) return { states, complete: true };
    const values = answer.values.slice(1, count + 1);
    const state: GlobalState = {
      control: initial.control,
      registers: protocol.machines.map((_, side) => values.slice(starts[side], starts[side + 1])),
      channels: protocol.channels.map(() => []),
    };
    if (allHold(initial.relations, (register) => state.registers[register.side]![register.index]!))
      states.push(state);
    const same: Formula[] = values.map((value, i) => equalTo(variableSum(i + 1), constantSum(value)));
    search.assert(not(and(same)));
  }
  return { states, complete: false };
}

/** Where each of several rows begins when they stand behind each other, and where the last one ends. */
function offsets(lengths: readonly number[]): number[] {
  const result = [0];
  for (const length of lengths) result.push(result.at(-1)! + length);
  return result;
}

export interface Found {
  readonly run: ConcreteRun;
  readonly what: { readonly kind: 'unsafe'; readonly unsafe: Unsafe } | { readonly kind: 'outside' };
}

interface Visited {
  readonly state: GlobalState;
  readonly from: number;
  readonly step: ConcreteStep | null;
}

export interface Exploration {
  readonly found: Found | null;
  readonly states: readonly GlobalState[];
  readonly transitions: number;
  /** Every reachable state was visited. */
  readonly complete: boolean;
  runTo(index: number): ConcreteRun;
}

/** Breadth-first from the initial states (or the given ones): up to `limit` states, or to the first one `examine` objects to. */
export function explore(
  protocol: Protocol,
  limit: number,
  examine: (state: GlobalState) => Found['what'] | null,
  from?: GlobalState,
  timeLeft: () => boolean = () => true,
): Exploration {
  const begin = from === undefined ? initialStates(protocol) : { states: [from], complete: true };
  const visited: Visited[] = [];
  const seen = new Set<string>();
  let complete = begin.complete;
  let transitions = 0;
  const add = (state: GlobalState, parent: number, step: ConcreteStep | null): void => {
    const key = stateKey(state);
    if (seen.has(key)) return;
    if (visited.length >= limit) {
      complete = false;
      return;
    }
    seen.add(key);
    visited.push({ state, from: parent, step });
  };
  const runTo = (index: number): ConcreteRun => {
    const steps: ConcreteStep[] = [];
    let at = visited[index]!;
    for (; at.step !== null; at = visited[at.from]!) steps.unshift(at.step);
    return { start: at.state, steps };
  };
  const done = (found: Found | null): Exploration => ({
    found,
    states: visited.map((one) => one.state),
    transitions,
    complete: complete && found === null,
    runTo,
  });
  for (const state of begin.states) {
    if (isExact(protocol, state)) add(state, -1, null);
    else complete = false;
  }
  for (let i = 0; i < visited.length; i++) {
    const { state } = visited[i]!;
    if ((i & 15) === 0 && !timeLeft()) {
      complete = false;
      break;
    }
    const what = examine(state);
    if (what !== null) return done({ run: runTo(i), what });
    const enabled = enabledSteps(protocol, state);
    complete &&= enabled.complete;
    transitions += enabled.steps.length;
    for (const step of enabled.steps) add(step.next, i, step);
  }
  return done(null);
}

/** What is wrong with a reachable state: it is unsafe, or no disjunct describes it. */
export function objection(
  protocol: Protocol,
  formula: Pick<PreparedFormula, 'definitions' | 'disjuncts' | 'at'> | null,
  state: GlobalState,
): Found['what'] | null {
  const unsafe = unsafety(protocol, state);
  if (unsafe !== null) return { kind: 'unsafe', unsafe };
  if (formula === null) return null;
  const judge = new Judge(formula.definitions, state);
  return formula.at(state.control).some((index) => judge.satisfies(formula.disjuncts[index]!))
    ? null
    : { kind: 'outside' };
}

const FIRST_STATES = 800;

/** Is one of the first states unsafe? */
export const isSoonUnsafe = (protocol: Protocol, { timeLeft }: Budget): boolean =>
  explore(protocol, FIRST_STATES, (state) => objection(protocol, null, state), undefined, timeLeft).found !==
  null;

/** Numbers in [0, 1), the same for the same seed. */
export function randomNumbers(seed: number): () => number {
  const random = new Random(seed);
  return () => random.next();
}

/** Random walks; each has its own inclination to send, so that some fill the channels and others drain them. */
export function walk(
  protocol: Protocol,
  options: {
    readonly seed: number;
    readonly walks: number;
    readonly length: number;
    /** How often to send where both is possible; drawn for each walk unless given. */
    readonly inclination?: number;
  },
  examine: (state: GlobalState) => Found['what'] | null,
  timeLeft: () => boolean = () => true,
): Found | null {
  const random = randomNumbers(options.seed);
  const starts = initialStates(protocol).states.filter((state) => isExact(protocol, state));
  if (starts.length === 0) return null;
  for (let i = 0; i < options.walks && timeLeft(); i++) {
    let state = starts[Math.floor(random() * starts.length)]!;
    const run: ConcreteRun = { start: state, steps: [] };
    const steps: ConcreteStep[] = [];
    const inclination = options.inclination ?? 0.2 + 0.6 * random();
    for (let k = 0; k <= options.length; k++) {
      const what = examine(state);
      if (what !== null) return { run: { ...run, steps }, what };
      const step = choose(enabledSteps(protocol, state).steps, inclination, random);
      if (step === null) break;
      steps.push(step);
      state = step.next;
    }
  }
  return null;
}

export function choose(
  steps: readonly ConcreteStep[],
  inclination: number,
  random: () => number,
): ConcreteStep | null {
  if (steps.length === 0) return null;
  const wanted = random() < inclination ? 'send' : 'receive';
  const preferred = steps.filter((step) => step.action.kind === wanted);
  const from = preferred.length > 0 ? preferred : steps;
  return from[Math.floor(random() * from.length)]!;
}
