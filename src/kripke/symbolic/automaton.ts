// The automaton of a negated formula, as the ltl room translates it, in the form that decision diagrams watch with: guards as conjunctions of literals, marks moved from
// the edges to the states they lead to.

import type { Automaton } from '../../ltl/automaton.ts';
import type { Cube } from '../../ltl/cubes.ts';
import { cubesOf } from '../../ltl/cubes.ts';
import type { Watcher, WatcherEdge, WatcherLiteral } from '../audit/watcher.ts';

/** Null when it would be too large. */
export function watcherFrom(automaton: Automaton): Watcher | null {
  const values: { readonly state: number; readonly marks: number }[] = [];
  const ids = new Map<string, number>();
  const number = (state: number, marks: number): number => {
    const key = `${state} ${marks}`;
    let id = ids.get(key);
    if (id === undefined) {
      id = values.push({ state, marks }) - 1;
      ids.set(key, id);
    }
    return id;
  };
  number(automaton.initial, 0);
  const edges: WatcherEdge[] = [];
  const { guards, letters } = automaton;
  // Letters with two events do not exist: a condition may cover them.
  const cubes = (guard: number): Cube[] => cubesOf(guards, guard, guards.or(guard, guards.not(letters)));
  const conditions = new Map<number, readonly Condition[]>();
  for (let from = 0; from < values.length; from++) {
    for (const { guard, target, marks } of automaton.edges[values[from]!.state]!) {
      const known = conditions.get(guard) ?? cubes(guard).flatMap(conditionOf(automaton));
      conditions.set(guard, known);
      const to = number(target, marks);
      for (const condition of known) edges.push({ from, to, ...condition });
      if (edges.length > MOST_EDGES) return null;
    }
  }
  const fair = Array.from({ length: automaton.marks }, (_, mark) => {
    const visited = values.flatMap(({ marks }, value) => ((marks & (2 ** mark)) !== 0 ? [value] : []));
    return new Set(visited);
  });
  return { states: values.length, initial: 0, edges, fair };
}

const MOST_EDGES = 20_000;

type Condition = Pick<WatcherEdge, 'event' | 'except' | 'literals'>;

const conditionOf =
  ({ atoms }: Automaton) =>
  (cube: Cube): readonly Condition[] => {
    let event: number | null = null;
    const except = new Set<number>();
    const literals: WatcherLiteral[] = [];
    for (const { variable, positive } of cube) {
      const { kind, id } = atoms[variable]!;
      if (kind === 'proposition') literals.push({ proposition: id, positive });
      else if (!positive) except.add(id);
      else if (event === null) event = id;
      else return [];
    }
    if (event !== null && except.has(event)) return [];
    return [{ event, except: event === null ? except : new Set(), literals }];
  };
