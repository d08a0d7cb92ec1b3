// Which steps can be taken again and again by a path that stays in a set for ever? Each component, looked at alone, walks through its own graph, and only steps inside a
// strongly connected part of it recur. A step of one component that ends takes the events with it that need it, and so on through all components: where the
// number of rounds of trimming would grow with the longest run, this takes a few. (A set is looked at only once; what it leaves possible is the start.)

import { components } from '../../graph/components.ts';
import { digraph } from '../../graph/digraph.ts';
import type { Diagrams } from './diagram.ts';
import { EMPTY, END } from './diagram.ts';
import { ABSENT, Memo } from './memo.ts';
import type { Local, Move } from './moves.ts';

/** The moves with what can recur of their relations; the very same array when all can. */
export function recurringMoves(diagrams: Diagrams, moves: readonly Move[], set: number): readonly Move[] {
  const nodes = nodesOf(diagrams, set);
  const current = new Set<Recurring>();
  const byLevel = Array.from({ length: diagrams.levels }, (): Recurring[] => []);
  for (const move of moves) {
    const happening = happeningOf(diagrams, move, nodes[move.top]!);
    if (happening.local.some((own) => own?.size === 0)) continue;
    current.add(happening);
    happening.local.forEach((own, level) => {
      if (own !== null) byLevel[level]!.push(happening);
    });
  }
  // A level is looked at again when a move is gone that moved it.
  const open = new Set(byLevel.keys());
  for (const level of open) {
    open.delete(level);
    const own = byLevel[level]!.filter((move) => current.has(move));
    for (const move of keepInside(own, level)) {
      current.delete(move);
      move.local.forEach((relation, other) => {
        if (relation !== null) open.add(other);
      });
    }
  }
  const result = [...current];
  return sizeOf(result) === sizeOf(moves) ? moves : result.map((move, index) => ({ ...move, index }));
}

type Recurring = Move & { readonly local: (Local | null)[] };

function sizeOf(moves: readonly Move[]): number {
  let size = 0;
  for (const { local } of moves)
    for (const own of local) if (own !== null) for (const targets of own.values()) size += targets.length;
  return size;
}

/** Drops what leads from one strongly connected part of the level's graph to another; the moves that are left without a step there. */
function keepInside(moves: readonly Recurring[], level: number): readonly Recurring[] {
  const arcs = moves.flatMap(({ local }) =>
    [...local[level]!].flatMap(([from, targets]) => targets.map((to) => ({ from, to }))),
  );
  const values = arcs.reduce((most, { from, to }) => Math.max(most, from + 1, to + 1), 0);
  const part = components(digraph(values, arcs)).of;
  for (const { local } of moves) local[level] = inside(local[level]!, part);
  return moves.filter(({ local }) => local[level]!.size === 0);
}

function inside(local: Local, part: Int32Array): Local {
  const result = new Map<number, readonly number[]>();
  for (const [from, targets] of local) {
    const kept = targets.filter((to) => part[to] === part[from]);
    if (kept.length > 0) result.set(from, kept);
  }
  return result;
}

/** For each level the nodes of the set: above its first level a move changes nothing, so it leads from such a node to the same one. */
function nodesOf(diagrams: Diagrams, set: number): readonly ReadonlySet<number>[] {
  const nodes = [new Set([set])];
  while (nodes.length < diagrams.levels) {
    const next = new Set<number>();
    for (const node of nodes.at(-1)!)
      for (let at = diagrams.begin(node); at < diagrams.end(node); at += 2) next.add(diagrams.below(at));
    nodes.push(next);
  }
  return nodes;
}

/** The move with what of its relations happens from a member of the set to a member; `nodes` are those of its first level. */
function happeningOf(diagrams: Diagrams, move: Move, nodes: ReadonlySet<number>): Recurring {
  const local = move.local.map((own) => own && new Map<number, number[]>());
  const known = new Memo();
  const go = (from: number, into: number, level: number): boolean => {
    if (from === EMPTY || into === EMPTY) return false;
    if (from === END) return true;
    const before = known.get(from, into, 0);
    if (before !== ABSENT) return before === 1;
    let result = false;
    const own = move.local[level]!;
    for (let at = diagrams.begin(from); at < diagrams.end(from); at += 2) {
      const value = diagrams.value(at);
      for (const to of own === null ? [value] : (own.get(value) ?? [])) {
        if (!go(diagrams.below(at), diagrams.child(into, to), level + 1)) continue;
        result = true;
        if (own !== null) note(local[level]!, value, to);
      }
    }
    known.set(from, into, 0, result ? 1 : 0);
    return result;
  };
  for (const node of nodes) go(node, node, move.top);
  return { ...move, local };
}

function note(local: Map<number, number[]>, from: number, to: number): void {
  const targets = local.get(from);
  if (targets === undefined) local.set(from, [to]);
  else if (!targets.includes(to)) targets.push(to);
}
