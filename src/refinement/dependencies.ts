// Cycle dependencies (c, S) and (n, c, S) of [CycleDeps] and [Ciclo] VII, found for one cycle: for `deps`, for hints, and for the
// refinement loop, which uses the rows behind them (rows.ts) and, without a number, the sets of the finest strategy.

import type { Solver } from '../lp/solver.ts';
import { type NetCycle, netCycles } from '../net/cycles.ts';
import type { VariableId } from '../process/program.ts';
import { cycleKey } from './components.ts';
import type { CodeContext } from './context.ts';
import { cyclicClaims, cyclicRow, greatest, stepOfLoop, variableOf } from './cyclic.ts';
import { messageConditions } from './fastened.ts';
import { wayOver } from './messages.ts';
import { findRanking } from './ranking.ts';
import { type Claim, type Facts, modifiersOf } from './rows.ts';
import { maySatisfy, sendersOf, wayToSend } from './senders.ts';
import { type LocalStrategy, localDependency } from './strategies.ts';
import { type Termination, terminationBy, testsOf, viewLoop } from './termination.ts';

export type Strategy = LocalStrategy | 'IS' | 'SC' | 'FC';

export interface Dependency {
  readonly cycle: NetCycle;
  readonly kind: 'local' | 'global' | 'message';
  readonly strategy: Strategy;
  /** S: when the cycle repeats for ever, so does one of these. */
  readonly on: readonly NetCycle[];
  /** n: rounds at most between two changes of what the condition depends on; null without a number. */
  readonly iterations: number | null;
  readonly claim: Claim | null;
  readonly variables: readonly VariableId[];
  /** The statement that needs it. */
  readonly at: { readonly transition: number };
}

/** Cycles of one class that are looked at; beyond, no dependency is derived from them. */
const MAX_CYCLES_PER_CLASS = 2_000;

/** The ranking functions of the cycle's conditions: at most one per condition, the one on the fewest variables. */
export function terminationsOf(
  facts: Facts,
  solver: Solver,
  cycle: NetCycle,
): (Termination & { claim: Claim })[] {
  const { context } = facts;
  const intervals = facts.of(cycle.class);
  const done = new Set<string>();
  const found: (Termination & { claim: Claim })[] = [];
  for (const test of testsOf(context, intervals, cycle)) {
    const name = `${test.step}.${test.operation}`;
    if (done.has(name)) continue;
    const view = viewLoop(context, intervals, cycle, test);
    const ranking = view && findRanking(solver, view.condition, view.update);
    if (!view || !ranking) continue;
    done.add(name);
    const claim: Claim = {
      kind: 'ranking',
      cycle: cycle.transitions,
      test,
      lambda: ranking.lambda,
      mu: ranking.mu,
    };
    found.push({ ...terminationBy(context, intervals, view, ranking), claim });
  }
  return found;
}

/** Does a ranking function on this test give a number of rounds? */
export const isNumbered = (
  terminations: readonly Termination[],
  { test }: { readonly test: { readonly step: number; readonly operation: number } },
): boolean =>
  terminations.some(
    ({ test: { step, operation }, iterations }) =>
      step === test.step && operation === test.operation && iterations !== null,
  );

/** Null when a class involved has too many cycles. */
function cyclesAround(facts: Facts, netClass: number): NetCycle[] | null {
  const { context } = facts;
  const { cycles, complete } = netCycles(
    context.net,
    { maxCycles: MAX_CYCLES_PER_CLASS },
    (candidate) => candidate === netClass,
    context.graphs,
  );
  return complete ? [...cycles] : null;
}

/**
 * S of the finest strategy: in the cycle's own process the preemptive cycles, counting as modifying only what can make the condition
 * true again; in other processes every cycle that does.
 */
export function supplementaryCycles(facts: Facts, termination: Termination): NetCycle[] | null {
  return dependentOn(facts, termination, 'PC', modifiersOf(facts, termination));
}

/** The transitions that write what the condition depends on. */
function writersOf(
  { context }: Facts,
  { variables, cycle }: Pick<Termination, 'variables' | 'cycle'>,
): Set<number> {
  const writers = new Set<number>();
  for (const variable of variables) {
    const isLocal = context.program.variables[variable]!.owner !== null;
    for (const writer of context.writers.get(variable) ?? [])
      if (!isLocal || context.net.transitions[writer]!.class === cycle.class) writers.add(writer);
  }
  return writers;
}

function dependentOn(
  facts: Facts,
  { cycle, local }: Pick<Termination, 'cycle' | 'local'>,
  strategy: LocalStrategy,
  modifiers: ReadonlySet<number>,
): NetCycle[] | null {
  const { context } = facts;
  // A growing class has no cycles to speak of in a ray: then there is no set.
  for (const writer of modifiers)
    if (context.growing.has(context.net.transitions[writer]!.class)) return null;
  const modifies = (candidate: NetCycle): boolean => candidate.transitions.some((t) => modifiers.has(t));
  const own = cyclesAround(facts, cycle.class);
  if (own === null) return null;
  const shapes = own.map((candidate) => ({
    locations: new Set(candidate.transitions.map((t) => context.net.transitions[t]!.from)),
    modifies: modifies(candidate),
  }));
  const key = cycleKey(cycle.transitions);
  const self = own.findIndex((candidate) => cycleKey(candidate.transitions) === key);
  const found = localDependency(shapes, self, strategy).map((index) => own[index]!);
  if (local) return found;
  for (const netClass of new Set([...modifiers].map((t) => context.net.transitions[t]!.class))) {
    if (netClass === cycle.class) continue;
    const others = cyclesAround(facts, netClass);
    if (others === null) return null;
    found.push(...others.filter(modifies));
  }
  return found;
}

/** Everything that can be said about one cycle, by each of the strategies. */
export function dependenciesOf(
  facts: Facts,
  solver: Solver,
  cycle: NetCycle,
  strategies: readonly Strategy[],
): Dependency[] {
  const found: Dependency[] = [];
  const terminations = terminationsOf(facts, solver, cycle);
  const numbered = cyclicDependencies(facts, cycle, strategies, terminations);
  for (const termination of terminations) {
    const { test } = termination;
    // A number is better than none.
    if (
      numbered.some(
        ({ at }) => termination.iterations === null && at.transition === cycle.transitions[test.step],
      )
    )
      continue;
    for (const strategy of strategies) {
      if (strategy === 'SC' || strategy === 'FC') continue;
      // Neighbours say nothing about a condition that others can change.
      if (strategy === 'N' && !termination.local) continue;
      const modifiers = strategy === 'IS' ? modifiersOf(facts, termination) : writersOf(facts, termination);
      const on = dependentOn(facts, termination, strategy === 'IS' ? 'PC' : strategy, modifiers);
      if (on === null) continue;
      found.push({
        cycle,
        kind: termination.local ? 'local' : 'global',
        strategy,
        on,
        iterations: termination.iterations,
        claim: termination.claim,
        variables: [...termination.variables],
        at: { transition: cycle.transitions[termination.test.step]! },
      });
    }
  }
  found.push(...numbered);
  for (const strategy of strategies)
    if (strategy === 'SC' || strategy === 'FC') found.push(...messageDependencies(facts, cycle, strategy));
  return found;
}

/** Of tests on variables that may wrap: what each round needs, over the whole range of the type. */
function cyclicDependencies(
  facts: Facts,
  cycle: NetCycle,
  strategies: readonly Strategy[],
  terminations: readonly Termination[],
): Dependency[] {
  const { context } = facts;
  const found: Dependency[] = [];
  const done = new Set<number>();
  for (const claim of cyclicClaims(context, cycle)) {
    const transition = cycle.transitions[claim.test.step]!;
    const row = isNumbered(terminations, claim) || done.has(transition) ? null : cyclicRow(facts, claim);
    const own = row && cyclesAround(facts, cycle.class);
    if (row === null || own === null) continue;
    done.add(transition);
    const by = stepOfLoop(context, claim)!;
    const variables = new Set([variableOf(context, claim)!]);
    const costs = own.map(({ transitions }) =>
      transitions.reduce((sum, number) => sum + (row.coefficients.get(number) ?? 0n), 0n),
    );
    const most = greatest([0n, ...costs]);
    const raising = new Set([...row.coefficients].flatMap(([number, cost]) => (cost > 0n ? [number] : [])));
    for (const strategy of strategies) {
      if (strategy === 'SC' || strategy === 'FC') continue;
      const modifiers = strategy === 'IS' ? raising : writersOf(facts, { variables, cycle });
      const on = dependentOn(facts, { cycle, local: true }, strategy === 'IS' ? 'PC' : strategy, modifiers);
      if (on === null) continue;
      const iterations = Number((most + by - 1n) / by);
      const at = { transition };
      found.push({ cycle, kind: 'local', strategy, on, iterations, claim, variables: [...variables], at });
    }
  }
  return found;
}

function messageDependencies(facts: Facts, cycle: NetCycle, strategy: 'SC' | 'FC'): Dependency[] {
  const { context } = facts;
  const conditions = strategy === 'FC' ? messageConditions(context, cycle) : [];
  return cycle.transitions.flatMap((transition): Dependency[] => {
    const received = context.net.transitions[transition]!.effect.filter(
      ({ place, change }) => change < 0 && context.net.places[place]!.kind === 'message',
    );
    return received.flatMap(({ place }): Dependency[] => {
      const determined = conditions.filter(
        ({ claim }) => claim.place === place && claim.cycle[0] === transition,
      );
      const fits = (way: readonly number[]): boolean =>
        determined.every((one) => maySatisfy(facts, one.cycle, one.claim, way));
      const senders = sendersOf(context, place).map((sender) => sender.transition);
      const sending = cyclesWith(facts, new Set(senders));
      if (sending === null) return [];
      const on = sending.filter((other) =>
        senders.some(
          (sender) => other.transitions.includes(sender) && fits(wayWithin(context, other, sender)),
        ),
      );
      const key = cycleKey(cycle.transitions);
      const others = on.filter((other) => cycleKey(other.transitions) !== key);
      const claim = determined.at(-1)?.claim ?? null;
      const base = { cycle, kind: 'message', strategy, on: others, iterations: null, variables: [] } as const;
      return [{ ...base, claim, at: { transition } }];
    });
  });
}

/** What the cycle does for certain before it sends: a cycle comes to the way over one entrance of its own. */
function wayWithin(context: CodeContext, cycle: NetCycle, sender: number): readonly number[] {
  const way = wayToSend(context, sender);
  const { length } = cycle.transitions;
  const first = cycle.transitions.indexOf(sender) - way.transitions.length + 1;
  const entrance = cycle.transitions.at((first - 1) % length)!;
  return way.entrances.includes(entrance) ? wayOver(context, way, entrance) : way.transitions;
}

function cyclesWith(facts: Facts, transitions: ReadonlySet<number>): NetCycle[] | null {
  const found: NetCycle[] = [];
  for (const netClass of new Set([...transitions].map((t) => facts.context.net.transitions[t]!.class))) {
    if (facts.context.growing.has(netClass)) return null;
    const cycles = cyclesAround(facts, netClass);
    if (cycles === null) return null;
    found.push(...cycles.filter((cycle) => cycle.transitions.some((t) => transitions.has(t))));
  }
  return found;
}
