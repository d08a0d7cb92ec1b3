// The state/event product of a structure and an automaton: [MAGIC] section 4, M ⊗ B, Theorem 3.
//
// A letter is a state's propositions together with the one event of the step that leaves it. So the structure is not enlarged
// by events: a product node is a state with an automaton state, and the event is looked at where the step is taken.
// Departure: guards stand on the automaton's edges, not on its states, which is the same up to when a letter is read.

import type { Automaton } from './automaton.ts';
import type { MarkedEdge, MarkedGraph } from './emptiness.ts';
import type { EventStructure } from './structure.ts';

export interface ProductEdge extends MarkedEdge {
  readonly event: number;
}

interface Move {
  readonly target: number;
  readonly marks: number;
}

/** "None of the events that the formula names." */
const OTHER = -1;

export class Product implements MarkedGraph<ProductEdge> {
  readonly marks: number;
  edgesSeen = 0;
  private readonly structure: EventStructure;
  private readonly automaton: Automaton;
  private readonly states: number[] = [];
  private readonly automatonStates: number[] = [];
  private readonly numbers = new Map<number, number>();
  /** The structure's numbers of events → atoms. */
  private readonly eventAtoms = new Map<number, number>();
  private readonly propositionAtoms: readonly { readonly atom: number; readonly id: number }[];
  private readonly letters = new Map<number | string, number>();
  /** Per letter: which atoms are true. */
  private readonly values: ReadonlyMap<number, boolean>[] = [];
  /** Per letter, event atom + 1 and automaton state. */
  private readonly moves: Move[][][][] = [];

  constructor(structure: EventStructure, automaton: Automaton) {
    this.structure = structure;
    this.automaton = automaton;
    this.marks = automaton.marks;
    const propositions: { atom: number; id: number }[] = [];
    for (const [atom, { kind, id }] of automaton.atoms.entries()) {
      if (kind === 'event') this.eventAtoms.set(id, atom);
      else propositions.push({ atom, id });
    }
    this.propositionAtoms = propositions;
  }

  get size(): number {
    return this.states.length;
  }

  bytes(): number {
    return this.states.length * 64;
  }

  stateOf(node: number): number {
    return this.states[node]!;
  }

  initial(): readonly number[] {
    return this.structure.initialStates().map((state) => this.node(state, this.automaton.initial));
  }

  successors(node: number): readonly ProductEdge[] {
    const state = this.states[node]!;
    const here = this.automatonStates[node]!;
    const letter = this.letterOf(state);
    const result: ProductEdge[] = [];
    this.structure.eachSuccessor(state, (event, target) => {
      for (const move of this.movesOf(letter, this.eventAtoms.get(event) ?? OTHER, here)) {
        result.push({ target: this.node(target, move.target), marks: move.marks, event });
      }
    });
    this.edgesSeen += result.length;
    return result;
  }

  arcs(node: number): number[] {
    const state = this.states[node]!;
    const here = this.automatonStates[node]!;
    const letter = this.letterOf(state);
    const result: number[] = [];
    this.structure.eachSuccessor(state, (event, target) => {
      for (const move of this.movesOf(letter, this.eventAtoms.get(event) ?? OTHER, here))
        result.push(this.node(target, move.target), move.marks);
    });
    this.edgesSeen += result.length / 2;
    return result;
  }

  private node(state: number, automatonState: number): number {
    const key = state * this.automaton.edges.length + automatonState;
    let node = this.numbers.get(key);
    if (node === undefined) {
      node = this.states.push(state) - 1;
      this.automatonStates.push(automatonState);
      this.numbers.set(key, node);
    }
    return node;
  }

  /** States with the same propositions (as far as the formula names them) have the same letter. */
  private letterOf(state: number): number {
    const { structure, propositionAtoms } = this;
    let key: number | string;
    if (propositionAtoms.length <= 50) {
      key = 0;
      for (const { id } of propositionAtoms) key = key * 2 + (structure.holds(state, id) ? 1 : 0);
    } else {
      key = propositionAtoms.map(({ id }) => (structure.holds(state, id) ? '1' : '0')).join('');
    }
    let letter = this.letters.get(key);
    if (letter === undefined) {
      letter = this.letters.size;
      this.letters.set(key, letter);
      const values = new Map(propositionAtoms.map(({ atom, id }) => [atom, structure.holds(state, id)]));
      this.moves[letter] = [];
      this.values[letter] = values;
    }
    return letter;
  }

  private movesOf(letter: number, eventAtom: number, automatonState: number): readonly Move[] {
    const perEvent = (this.moves[letter]![eventAtom + 1] ??= []);
    return (perEvent[automatonState] ??= this.findMoves(this.values[letter]!, eventAtom, automatonState));
  }

  private findMoves(
    propositions: ReadonlyMap<number, boolean>,
    eventAtom: number,
    automatonState: number,
  ): Move[] {
    const { automaton } = this;
    return automaton.edges[automatonState]!.filter((edge) =>
      automaton.guards.evaluate(edge.guard, (atom) => propositions.get(atom) ?? atom === eventAtom),
    );
  }
}
