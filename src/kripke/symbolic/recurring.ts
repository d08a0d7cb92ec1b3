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
  const happening = moves.map((move) => happeningOf(diagrams, move, set));
  let current = happening.filter(isPossible);
  for (let size = -1; size !== sizeOf(current); ) {
    size = sizeOf(current);
    current = withoutPassing(diagrams.levels, current).filter(isPossible);
  }
  return sizeOf(current) === sizeOf(moves) ? moves : current.map((move, index) => ({ ...move, index }));
}

const isPossible = ({ local }: Move): boolean => local.every((own) => own === null || own.size > 0);

function sizeOf(moves: readonly Move[]): number {
  let size = 0;
  for (const { local } of moves)
    for (const own of local) if (own !== null) for (const targets of own.values()) size += targets.length;
  return size;
}

/** Drops what leads from one strongly connected part of a level's graph to another. */
function withoutPassing(levels: number, moves: readonly Move[]): readonly Move[] {
  const partOf = Array.from({ length: levels }, (_, level) => {
    const arcs = moves.flatMap(({ local }) =>
      [...(local[level] ?? [])].flatMap(([from, targets]) => targets.map((to) => ({ from, to }))),
    );
    const values = arcs.reduce((most, { from, to }) => Math.max(most, from + 1, to + 1), 0);
    return components(digraph(values, arcs)).of;
  });
  return moves.map((move) => ({
    ...move,
    local: move.local.map((own, level) => own && inside(own, partOf[level]!)),
  }));
}

function inside(local: Local, part: Int32Array): Local {
  const result = new Map<number, readonly number[]>();
  for (const [from, targets] of local) {
    const kept = targets.filter((to) => part[to] === part[from]);
    if (kept.length > 0) result.set(from, kept);
  }
  return result;
}

/** The move with what of its relations happens from a member of the set to a member. */
function happeningOf(diagrams: Diagrams, move: Move, set: number): Move {
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
  go(set, set, 0);
  return { ...move, local };
}

function note(local: Map<number, number[]>, from: number, to: number): void {
  const targets = local.get(from);
  if (targets === undefined) local.set(from, [to]);
  else if (!targets.includes(to)) targets.push(to);
}
