// An automaton that watches the steps of a composition and accepts what violates a formula, with conditions in place of letters: a hundred propositions
// are no more edges than the formula has ways to be met. It is made of the ways to unfold the negated formula; its states are the formulas owed, with the untils
// that the last step put off.

import type { Syntax } from '../../ltl/syntax.ts';
import type { Literal, Node, Unfolding } from './unfold.ts';
import { normal, unfoldWithin } from './unfold.ts';

/** An automaton over the steps of the system, with its acceptance on states: a run counts when it visits each of the sets of `fair` infinitely often. */
export interface Watcher {
  readonly states: number;
  readonly initial: number;
  readonly edges: readonly WatcherEdge[];
  readonly fair: readonly ReadonlySet<number>[];
}

export interface WatcherEdge {
  readonly from: number;
  readonly to: number;
  /** The one event it is taken with; null: every event but those of `except`. */
  readonly event: number | null;
  readonly except: ReadonlySet<number>;
  /** What must be true, and what false, where the step begins. */
  readonly literals: readonly WatcherLiteral[];
}

export interface WatcherLiteral {
  readonly proposition: number;
  readonly positive: boolean;
}

const MOST_TRIES = 20_000;
const MOST_EDGES = 20_000;

/** Accepts the infinite paths that violate the formula; null when it would be too large. */
export function watcherOf(formula: Syntax): Watcher | null {
  const root = normal(formula, false);
  const untils = untilsIn(root);
  const values = new Values();
  const edges: WatcherEdge[] = [];
  values.number([root], new Set());
  const unfolded = new Map<string, readonly Unfolding[]>();
  for (let from = 0; from < values.all.length; from++) {
    const { owed } = values.all[from]!;
    const key = owed.map((node) => node.key).join(';');
    const ways = unfolded.get(key) ?? easiest(unfoldWithin(owed, () => undefined, MOST_TRIES));
    if (ways === null || edges.length > MOST_EDGES) return null;
    unfolded.set(key, ways);
    for (const { owed: next, putOff, assumed } of ways) {
      const condition = conditionOf(assumed);
      if (condition !== null) edges.push({ from, to: values.number(next, putOff), ...condition });
    }
  }
  return {
    states: values.all.length,
    initial: 0,
    edges,
    fair: untils.map((until) => {
      const visited = values.all.flatMap(({ putOff }, value) => (putOff.has(until) ? [] : [value]));
      return new Set(visited);
    }),
  };
}

/**
 * Without the ways that another makes superfluous: one that assumes no more, puts off no more and owes no more. Who takes, of the ways that a path allows, one that puts
 * an until off only while it is not met, can take the easier one instead: what it owes is true of the path as well, and it puts off only what the other did.
 */
function easiest(ways: readonly Unfolding[] | null): readonly Unfolding[] | null {
  if (ways === null || ways.length > MOST_COMPARED) return ways;
  const sets = ways.map(({ assumed, putOff, owed }) => ({
    assumed: new Set(assumed.map(({ key }) => key)),
    putOff,
    owed: new Set(owed.map(({ key }) => key)),
  }));
  const within = (a: ReadonlySet<string>, b: ReadonlySet<string>): boolean =>
    a.size <= b.size && [...a].every((key) => b.has(key));
  const kept: number[] = [];
  // No two ways are equal, so that of two neither of which is easier than the other both stay.
  for (const i of [...ways.keys()].sort((a, b) => sizeOf(ways[a]!) - sizeOf(ways[b]!)))
    if (
      !kept.some(
        (j) =>
          within(sets[j]!.assumed, sets[i]!.assumed) &&
          within(sets[j]!.putOff, sets[i]!.putOff) &&
          within(sets[j]!.owed, sets[i]!.owed),
      )
    )
      kept.push(i);
  return kept.sort((a, b) => a - b).map((i) => ways[i]!);
}

const MOST_COMPARED = 2_000;

const sizeOf = ({ assumed, putOff, owed }: Unfolding): number => assumed.length + putOff.size + owed.length;

/** Sets of formulas owed, with what the step before put off, numbered as they are met. */
class Values {
  readonly all: { readonly owed: readonly Node[]; readonly putOff: ReadonlySet<string> }[] = [];
  private readonly ids = new Map<string, number>();

  number(owed: readonly Node[], putOff: ReadonlySet<string>): number {
    const key = `${owed.map((node) => node.key).join(';')}|${[...putOff].sort().join(';')}`;
    let id = this.ids.get(key);
    if (id === undefined) {
      id = this.all.push({ owed, putOff }) - 1;
      this.ids.set(key, id);
    }
    return id;
  }
}

/** Null: a step bears one event, not two. */
export function conditionOf(
  assumed: readonly Literal[],
): Pick<WatcherEdge, 'event' | 'except' | 'literals'> | null {
  const events = assumed.filter(({ kind, positive }) => kind === 'event' && positive);
  if (events.length > 1) return null;
  const event = events[0]?.id ?? null;
  const except = assumed.filter(({ kind, positive }) => kind === 'event' && !positive).map(({ id }) => id);
  if (event !== null && except.includes(event)) return null;
  const literals = assumed
    .filter(({ kind }) => kind === 'proposition')
    .map(({ id, positive }) => ({ proposition: id, positive }))
    .sort((a, b) => a.proposition - b.proposition);
  return { event, except: new Set(event === null ? except : []), literals };
}

function untilsIn(root: Node): readonly string[] {
  const found = new Set<string>();
  const open = [root];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (node.kind === 'until') found.add(node.key);
    if (node.kind === 'next') open.push(node.arg);
    else if ('left' in node) open.push(node.left, node.right);
  }
  return [...found].sort();
}
