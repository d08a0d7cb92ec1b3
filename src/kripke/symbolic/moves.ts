// The steps of a composition in the form that decision diagrams want: an event moves each of its participants by a relation of its own and leaves the others alone,
// so its effect on a set of configurations is a product of local relations, level by level (Kronecker form). An automaton that watches adds a level at the
// bottom: it moves with every event, under conditions on the propositions of some components.

import type { Watcher, WatcherLiteral } from '../audit/watcher.ts';
import type { Kripke } from '../structure.ts';
import { edgesWith, stateCount } from '../structure.ts';
import type { System } from '../system.ts';
import { propositionPlaces } from '../vocabulary.ts';

/** For each value of a level, where it may go. */
export type Local = ReadonlyMap<number, readonly number[]>;

export interface Move {
  readonly index: number;
  /** The event of the system. */
  readonly event: number;
  /** The first and the last level with a relation. */
  readonly top: number;
  readonly bottom: number;
  /** For each level its relation; null: the value stays. */
  readonly local: readonly (Local | null)[];
}

export function movesOf(system: System, order: readonly number[], watcher: Watcher | null): readonly Move[] {
  const levelOf = new Int32Array(order.length);
  order.forEach((component, level) => {
    levelOf[component] = level;
  });
  const moves: Move[] = [];
  const add = (event: number, local: readonly (Local | null)[]): void => {
    if (local.some((relation) => relation?.size === 0)) return;
    const top = local.findIndex((relation) => relation !== null);
    const bottom = local.findLastIndex((relation) => relation !== null);
    moves.push({ index: moves.length, event, top, bottom, local });
  };
  const guards = watcher === null ? null : new Guards(system, levelOf, watcher);
  for (const event of system.events.keys()) {
    const local: (Local | null)[] = new Array(order.length + (watcher === null ? 0 : 1)).fill(null);
    system.participants[event]!.forEach((component, i) => {
      local[levelOf[component]!] = relationOf(system.components[component]!, system.localIds[event]![i]!);
    });
    if (guards === null) add(event, local);
    else for (const guarded of guards.with(event, local)) add(event, guarded);
  }
  return moves;
}

/** The same steps backwards. */
export const backwards = (moves: readonly Move[]): readonly Move[] =>
  moves.map((move) => ({ ...move, local: move.local.map((local) => local && transposed(local)) }));

function transposed(local: Local): Local {
  const result = new Map<number, number[]>();
  for (const [from, targets] of local)
    for (const to of targets) {
      const known = result.get(to);
      if (known === undefined) result.set(to, [from]);
      else known.push(from);
    }
  return result;
}

function relationOf(structure: Kripke, event: number): Local {
  const result = new Map<number, readonly number[]>();
  for (let state = 0; state < stateCount(structure); state++) {
    const [from, to] = edgesWith(structure, state, event);
    if (to > from) result.set(state, [...structure.edges.target.subarray(from, to)]);
  }
  return result;
}

class Guards {
  private readonly watcher: Watcher;
  /** For each proposition its level and the values with it, and without. */
  private readonly levelOf: (proposition: number) => number;
  private readonly values: (literal: WatcherLiteral) => ReadonlySet<number>;

  constructor(system: System, levelOf: Int32Array, watcher: Watcher) {
    this.watcher = watcher;
    const places = propositionPlaces(system);
    this.levelOf = (proposition) => levelOf[places[proposition]!.component]!;
    const known = new Map<string, ReadonlySet<number>>();
    this.values = ({ proposition, positive }) => {
      const key = `${proposition} ${positive}`;
      let values = known.get(key);
      if (values === undefined) {
        const { component, local } = places[proposition]!;
        const found = new Set<number>();
        system.components[component]!.labels.forEach((label, state) => {
          if (label.includes(local) === positive) found.add(state);
        });
        values = found;
        known.set(key, values);
      }
      return values;
    };
  }

  /** One move for each condition under which the watcher moves along. */
  with(event: number, local: readonly (Local | null)[]): (readonly (Local | null)[])[] {
    const groups = new Map<
      string,
      { literals: readonly WatcherLiteral[]; relation: Map<number, number[]> }
    >();
    for (const edge of this.watcher.edges) {
      if (edge.event === null ? edge.except.has(event) : edge.event !== event) continue;
      const key = edge.literals.map(({ proposition, positive }) => `${proposition} ${positive}`).join();
      const group = groups.get(key) ?? { literals: edge.literals, relation: new Map<number, number[]>() };
      groups.set(key, group);
      const targets = group.relation.get(edge.from);
      if (targets === undefined) group.relation.set(edge.from, [edge.to]);
      else if (!targets.includes(edge.to)) targets.push(edge.to);
    }
    return [...groups.values()].map(({ literals, relation }) => {
      const guarded = [...local];
      for (const literal of literals) {
        const level = this.levelOf(literal.proposition);
        guarded[level] = restricted(guarded[level]!, this.values(literal));
      }
      guarded[local.length - 1] = this.isIdentity(relation) ? null : relation;
      return guarded;
    });
  }

  private isIdentity(relation: Local): boolean {
    return (
      relation.size === this.watcher.states &&
      [...relation].every(([from, targets]) => targets.length === 1 && targets[0] === from)
    );
  }
}

/** Only from these values; without a relation they stay. */
function restricted(local: Local | null, values: ReadonlySet<number>): Local {
  if (local === null) return new Map([...values].map((value) => [value, [value]]));
  return new Map([...local].filter(([value]) => values.has(value)));
}
