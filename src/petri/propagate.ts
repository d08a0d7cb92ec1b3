// Clauses of which only one atom is possible, taken at once, without a linear program.
//
// A group is a set of places whose weighted sum never changes, such as the locations of one process. When the places of a group but one
// are known to be empty, the last one holds the whole sum, and atoms that say otherwise are impossible: the refutation is written down,
// with the group's weights, negated.

import type { Leaf, ProofNode, ProofStep } from './linear-check.ts';
import { effectOf, type PetriNet } from './net.ts';
import type { Atom, Clause, Question } from './question.ts';

/** Weights > 0. */
export type Group = readonly (readonly [place: number, weight: number])[];

export interface Propagated {
  readonly steps: readonly ProofStep[];
  /** What was assumed, and what follows. */
  readonly atoms: readonly Atom[];
  /** The clauses that are dealt with. */
  readonly clauses: ReadonlySet<number>;
  /** The last step refuted every atom of its clause. */
  readonly closed: boolean;
}

export class Propagation {
  private readonly net: PetriNet;
  private readonly question: Question;
  private readonly groups: readonly Group[];
  private readonly groupsOf: ReadonlyMap<number, readonly number[]>;

  /** `groups`: constant ones, see below. */
  constructor(net: PetriNet, question: Question, groups: readonly Group[]) {
    this.net = net;
    this.question = question;
    this.groups = groups;
    const groupsOf = new Map<number, number[]>();
    for (const [index, group] of groups.entries())
      for (const [place] of group) groupsOf.set(place, [...(groupsOf.get(place) ?? []), index]);
    this.groupsOf = groupsOf;
  }

  run(assumed: readonly Atom[], taken: readonly number[]): Propagated {
    const state = new State(this.net, this.groups, this.groupsOf, assumed);
    const clauses = new Set(taken);
    const steps: ProofStep[] = [];
    for (let before = -1; before !== clauses.size; ) {
      before = clauses.size;
      for (const [index, clause] of this.question.entries()) {
        if (clauses.has(index)) continue;
        const step = state.take(clause, index);
        if (step === null) continue;
        clauses.add(index);
        steps.push(step);
        if (step.cases.every((one) => one !== null))
          return { steps, atoms: state.atoms, clauses, closed: true };
      }
    }
    return { steps, atoms: state.atoms, clauses, closed: false };
  }
}

class State {
  readonly atoms: Atom[] = [];
  private readonly net: PetriNet;
  private readonly groups: readonly Group[];
  private readonly groupsOf: ReadonlyMap<number, readonly number[]>;
  /** Place → the atom that says it is empty. */
  private readonly empty = new Map<number, number>();
  private readonly left: number[];

  constructor(
    net: PetriNet,
    groups: readonly Group[],
    groupsOf: ReadonlyMap<number, readonly number[]>,
    assumed: readonly Atom[],
  ) {
    this.net = net;
    this.groups = groups;
    this.groupsOf = groupsOf;
    this.left = groups.map(({ length }) => length);
    for (const atom of assumed) this.assume(atom);
  }

  /** The step that takes the clause, if at most one of its atoms is possible. */
  take(clause: Clause, index: number): ProofStep | null {
    let open = -1;
    const cases: (ProofNode | null)[] = [];
    for (const [number, atom] of clause.entries()) {
      const leaf = this.impossible(atom);
      cases.push(leaf === null ? null : { steps: [], leaf });
      if (leaf !== null) continue;
      if (open >= 0) return null;
      open = number;
    }
    if (open >= 0) this.assume(clause[open]!);
    return { clause: index, cases };
  }

  private assume(atom: Atom): void {
    const number = this.atoms.push(atom) - 1;
    const most = upperLimit(atom);
    if (most === null || most.limit > 0) return;
    for (const place of most.places) {
      if (this.empty.has(place)) continue;
      this.empty.set(place, number);
      for (const group of this.groupsOf.get(place) ?? []) this.left[group]!--;
    }
  }

  /** "At most so many in this place" while all others of its group are empty and the group holds more. */
  private impossible(atom: Atom): Leaf | null {
    const most = upperLimit(atom);
    if (most === null || most.places.length !== 1) return null;
    const place = most.places[0]!;
    const others = this.empty.has(place) ? 0 : 1;
    for (const group of this.groupsOf.get(place) ?? []) {
      const leaf = this.left[group]! > others ? null : this.onlyOne(group, place, most.limit);
      if (leaf !== null) return leaf;
    }
    return null;
  }

  private onlyOne(group: number, place: number, limit: number): Leaf | null {
    const weights = new Map(this.groups[group]!);
    let sum = 0;
    for (const [one, weight] of weights) sum += weight * this.net.places[one]!.initial;
    if (limit * weights.get(place)! >= sum) return null;
    const used = new Map([[this.atoms.length, BigInt(weights.get(place)!)]]);
    for (const [one, weight] of weights) {
      if (one === place) continue;
      const number = this.empty.get(one)!;
      const before = used.get(number) ?? 0n;
      used.set(number, before > BigInt(weight) ? before : BigInt(weight));
    }
    return { places: this.balance(weights, used, place), traps: [], relaxations: [], atoms: [...used] };
  }

  /** An atom may speak of several places, and of some outside the group: those hold at least 0. */
  private balance(
    weights: ReadonlyMap<number, number>,
    used: ReadonlyMap<number, bigint>,
    place: number,
  ): Leaf['places'] {
    const extra = new Map<number, bigint>();
    for (const [number, multiplier] of used)
      for (const { place: one } of this.atoms[number]?.terms ?? [{ place }])
        extra.set(one, (extra.get(one) ?? 0n) + multiplier);
    return [...extra]
      .map(([one, given]) => [one, given - BigInt(weights.get(one) ?? 0)] as const)
      .filter(([, left]) => left > 0n);
  }
}

/** "At most so many in these places together", if the atom says that. */
function upperLimit({
  terms,
  least,
}: Atom): { readonly places: readonly number[]; readonly limit: number } | null {
  return terms.every(({ weight }) => weight === -1)
    ? { places: terms.map(({ place }) => place), limit: -least }
    : null;
}

/** The groups whose sum no transition changes. */
export function constantGroups(net: PetriNet, groups: readonly Group[]): Group[] {
  const touching: number[][] = net.places.map(() => []);
  for (const [number, transition] of net.transitions.entries())
    for (const [place] of effectOf(transition)) touching[place]!.push(number);
  return groups.filter((group) => {
    const weights = new Map(group);
    const numbers = new Set(group.flatMap(([place]) => touching[place]!));
    for (const number of numbers) {
      let sum = 0;
      for (const [place, by] of effectOf(net.transitions[number]!)) sum += by * (weights.get(place) ?? 0);
      if (sum !== 0) return false;
    }
    return true;
  });
}
