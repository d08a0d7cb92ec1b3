// Cycles and dependencies in the user's words: for the verbs `cycles` and `deps`, and for hints.

import type { Solver } from '../lp/solver.ts';
import { type NetCycle, netCycles } from '../net/cycles.ts';
import { showExpression, showStatement } from '../process/show.ts';
import type { Position } from '../source/source.ts';
import type { Note } from '../verdict/verdict.ts';
import { cycleKey } from './components.ts';
import { settled } from './contents-smt.ts';
import { type Dependency, dependenciesOf, type Strategy } from './dependencies.ts';
import type { Facts } from './rows.ts';
import { isNeighbour } from './strategies.ts';

export interface DescribedCycle {
  /** C1, C2, … over the whole model. */
  readonly name: string;
  readonly process: string;
  readonly steps: readonly { readonly text: string; readonly at: Position | null }[];
  /** Message type or token → change per round. */
  readonly effect: Readonly<Record<string, number>>;
  readonly progress: boolean;
  readonly neighbours: readonly string[];
  /** Locations shared with neighbours. */
  readonly exitStates: readonly string[];
  readonly conditions: readonly string[];
  readonly assignments: readonly string[];
  readonly messages: readonly string[];
}

export interface NamedCycles {
  readonly cycles: readonly NetCycle[];
  readonly complete: boolean;
  nameOf(cycle: NetCycle): string;
}

export function nameCycles(
  { context }: Facts,
  maxCycles: number,
  goOn: () => boolean = () => true,
): NamedCycles {
  const { cycles, complete } = netCycles(context.net, { maxCycles, goOn }, () => true, context.graphs);
  const names = new Map(cycles.map((cycle, index) => [cycleKey(cycle.transitions), `C${index + 1}`]));
  return { cycles, complete, nameOf: (cycle) => names.get(cycleKey(cycle.transitions)) ?? '?' };
}

export function describeCycle(facts: Facts, named: NamedCycles, cycle: NetCycle): DescribedCycle {
  const { context } = facts;
  const { net, program } = context;
  const shape = (one: NetCycle) => ({
    locations: new Set(one.transitions.map((transition) => net.transitions[transition]!.from)),
    modifies: false,
  });
  const own = shape(cycle);
  const neighbours = named.cycles.filter(
    (other) => other !== cycle && other.class === cycle.class && isNeighbour(own, shape(other)),
  );
  const shared = new Set(neighbours.flatMap((other) => [...shape(other).locations]));
  const operations = cycle.transitions.flatMap((transition) => context.operations[transition]!);
  const tests = operations.flatMap((operation) =>
    operation.kind === 'test'
      ? [
          operation.truth
            ? showExpression(program, operation.expression)
            : `!(${showExpression(program, operation.expression)})`,
        ]
      : [],
  );
  const statements = (kinds: readonly string[]): string[] =>
    operations.flatMap(({ kind, edge }) =>
      kinds.includes(kind) ? [showStatement(program, edge.statement)] : [],
    );
  return {
    name: named.nameOf(cycle),
    process: net.classes[cycle.class]!.name,
    steps: cycle.transitions.map((transition) => {
      const { text, at } = net.transitions[transition]!;
      return { text, at };
    }),
    effect: Object.fromEntries([...cycle.effect].map(([place, change]) => [net.places[place]!.name, change])),
    progress: cycle.progress,
    neighbours: neighbours.map(named.nameOf),
    exitStates: [...own.locations]
      .filter((location) => shared.has(location))
      .map((location) => net.classes[cycle.class]!.locations[location]!.name),
    conditions: [...new Set(tests)],
    assignments: [...new Set(statements(['assign']))],
    messages: [...new Set(statements(['send', 'receive']))],
  };
}

export interface DescribedDependency {
  readonly cycle: string;
  readonly kind: Dependency['kind'];
  readonly strategy: Strategy;
  readonly on: readonly string[];
  readonly iterations: number | null;
  readonly reason: string;
  readonly at: Position | null;
}

export function describeDependency(
  facts: Facts,
  named: NamedCycles,
  dependency: Dependency,
): DescribedDependency {
  const { context } = facts;
  const { text, at } = context.net.transitions[dependency.at.transition]!;
  const variables = dependency.variables.map((id) => context.program.variables[id]!.name).join(', ');
  const rounds =
    dependency.iterations === null ? 'only finitely often' : `at most ${times(dependency.iterations)}`;
  const reason = (): string => {
    if (dependency.kind === 'message')
      return `'${text}' needs a message each time${dependency.claim === null ? '' : ', and its contents are tested'}`;
    if (dependency.claim?.kind === 'cyclic')
      return `'${text}' is true ${times(dependency.iterations ?? 0)}, all in all, for each time that ${variables} is changed from elsewhere, though ${variables} may wrap`;
    return `'${text}' stays executable ${rounds} unless ${variables} is changed from elsewhere`;
  };
  return {
    cycle: named.nameOf(dependency.cycle),
    kind: dependency.kind,
    strategy: dependency.strategy,
    on: dependency.on.map(named.nameOf),
    iterations: dependency.iterations,
    reason: reason(),
    at,
  };
}

const times = (count: number): string => (count === 1 ? 'once' : `${count} times`);

/** Loops that need something which nothing gives ([CycleDeps] section 1): true whatever the verdict, and often a slip. */
export const hints = (facts: Facts, solver: Solver, maxCycles = 200): Promise<Note[]> =>
  settled(facts, () => findHints(facts, solver, maxCycles));

function findHints(facts: Facts, solver: Solver, maxCycles: number): Note[] {
  const named = nameCycles(facts, maxCycles);
  if (!named.complete) return [];
  const notes: Note[] = [];
  const said = new Set<string>();
  for (const cycle of named.cycles) {
    // A loop that only counts (starting processes, filling an array) is meant to end; one that passes messages is not.
    if (cycle.effect.size === 0) continue;
    for (const dependency of dependenciesOf(facts, solver, cycle, ['IS', 'FC'])) {
      if (dependency.on.length > 0) continue;
      const { text, at } = facts.context.net.transitions[dependency.at.transition]!;
      const process = facts.context.net.classes[cycle.class]!.name;
      const message = `the loop of ${process} through '${text}' cannot go on for ever, and no other loop can make it`;
      if (said.has(message)) continue;
      said.add(message);
      notes.push({ severity: 'hint', message, ...(at === null ? {} : { at }) });
    }
  }
  return notes;
}
