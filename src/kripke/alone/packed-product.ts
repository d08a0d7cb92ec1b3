// One structure by itself and an automaton ([MAGIC] section 4, M ⊗ B), as numbers in flat arrays: a node is state · |Q| + q, so that a table over all nodes
// needs no hashing, and an arc is an edge of the structure with a move of the automaton. Nothing is copied: the edges are those of the structure.
//
// What the automaton does at an edge depends on the propositions of the state that it names (its letter), the event as far as it names it, and its own state. All
// moves are written down at the beginning; `PackedProduct.of` gives null where that, or a table over all nodes, would be large.

import type { Automaton } from '../../ltl/automaton.ts';
import type { Edges } from '../structure.ts';

/** Where formulas and structure meet: whether a proposition of the formula holds in a state, and the formula's number of an event. */
export interface Reading {
  readonly holds: (proposition: number, state: number) => boolean;
  /** Local event → the number that atoms use. */
  readonly eventIds: ArrayLike<number>;
}

/** A structure as far as it matters here. */
export interface PackedGraph {
  readonly edges: Edges;
  readonly initial: readonly number[];
  /** Events are numbered below this. */
  readonly eventCount: number;
}

const statesOf = ({ edges }: PackedGraph): number => edges.first.length - 1;

const MOST_NODES = 40_000_000;
const MOST_MOVES = 1_000_000;

export class PackedProduct {
  readonly edges: Edges;
  readonly initial: readonly number[];
  /** States of the automaton. */
  readonly width: number;
  /** Nodes are below this. */
  readonly limit: number;
  readonly marks: number;
  /** Move i goes to automaton state moveTarget[i] and sees moveMarks[i]. */
  readonly moveTarget: Int32Array;
  readonly moveMarks: Int32Array;
  /** The moves at an edge are those from firstMove[k] up to firstMove[k + 1] with k = row[state] + column[event] + q. */
  readonly firstMove: Int32Array;
  readonly row: Int32Array;
  readonly column: Int32Array;

  private constructor(structure: PackedGraph, automaton: Automaton, letters: Letters, reading: Reading) {
    this.edges = structure.edges;
    this.width = automaton.edges.length;
    this.limit = statesOf(structure) * this.width;
    this.marks = automaton.marks;
    this.initial = structure.initial.map((state) => state * this.width + automaton.initial);
    const named = namedEvents(automaton);
    const columns = named.length + 1;
    const indexOf = new Map(named.map(({ id }, index) => [id, index + 1]));
    this.row = letters.of.map((letter) => letter * columns * this.width);
    this.column = Int32Array.from(
      { length: structure.eventCount },
      (_, event) => (indexOf.get(reading.eventIds[event]!) ?? 0) * this.width,
    );
    const firstMove = [0];
    const targets: number[] = [];
    const marks: number[] = [];
    for (const truth of letters.truths)
      for (let event = 0; event < columns; event++)
        for (const edges of automaton.edges) {
          const atom = event === 0 ? -1 : named[event - 1]!.atom;
          for (const { guard, target, marks: own } of edges) {
            if (!automaton.guards.evaluate(guard, (one) => truth.get(one) ?? one === atom)) continue;
            targets.push(target);
            marks.push(own);
          }
          firstMove.push(targets.length);
        }
    this.firstMove = Int32Array.from(firstMove);
    this.moveTarget = Int32Array.from(targets);
    this.moveMarks = Int32Array.from(marks);
  }

  /** Null where this would take much memory for nothing. */
  static of(structure: PackedGraph, automaton: Automaton, reading: Reading): PackedProduct | null {
    const width = automaton.edges.length;
    if (statesOf(structure) * width > MOST_NODES) return null;
    const letters = lettersOf(structure, automaton, reading);
    if (letters.truths.length * (namedEvents(automaton).length + 1) * width > MOST_MOVES) return null;
    return new PackedProduct(structure, automaton, letters, reading);
  }
}

const namedEvents = (automaton: Automaton): { readonly atom: number; readonly id: number }[] =>
  automaton.atoms.flatMap(({ kind, id }, atom) => (kind === 'event' ? [{ atom, id }] : []));

interface Letters {
  /** Per state. */
  readonly of: Int32Array;
  /** Per letter: which atoms are true. */
  readonly truths: readonly ReadonlyMap<number, boolean>[];
}

/** States with the same propositions, as far as the automaton names them, have the same letter. */
function lettersOf(structure: PackedGraph, automaton: Automaton, { holds }: Reading): Letters {
  const of = new Int32Array(statesOf(structure));
  const named = automaton.atoms.flatMap(({ kind, id }, atom) =>
    kind === 'proposition' ? [{ atom, id }] : [],
  );
  if (named.length === 0) return { of, truths: [new Map()] };
  const ids = new Map<string, number>();
  const truths: ReadonlyMap<number, boolean>[] = [];
  for (let state = 0; state < of.length; state++) {
    const key = named.map(({ id }) => (holds(id, state) ? '1' : '0')).join('');
    let letter = ids.get(key);
    if (letter === undefined) {
      letter = truths.push(new Map(named.map(({ atom, id }) => [atom, holds(id, state)]))) - 1;
      ids.set(key, letter);
    }
    of[state] = letter;
  }
  return { of, truths };
}
