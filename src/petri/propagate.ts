// Clauses of which only one atom is possible, taken at once, without a linear program.
//
// A group is a set of places whose sum never changes, such as the locations of one process. When the places of a group but one are
// known to be empty, the last one holds the whole sum, and atoms that say otherwise are impossible: the refutation is written down, with
// weight −1 on the group's places.

import type { Leaf, ProofNode, ProofStep } from './linear-check.ts';
import { effectOf, type PetriNet } from './net.ts';
import type { Atom, Clause, Question } from './question.ts';

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
  private readonly groups: readonly (readonly number[])[];
  private readonly groupOf: ReadonlyMap<number, number>;

  constructor(net: PetriNet, question: Question, groups: readonly (readonly number[])[]) {
    this.net = net;
    this.question = question;
    this.groups = constantGroups(net, groups);
    this.groupOf = new Map(
      this.groups.flatMap((group, index) => group.map((place) => [place, index] as const)),
    );
  }

  run(assumed: readonly Atom[], taken: readonly number[]): Propagated {
    const state = new State(this.net, this.groups, this.groupOf, assumed);
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
  private readonly groups: readonly (readonly number[])[];
  private readonly groupOf: ReadonlyMap<number, number>;
  /** Place → the atom that says it is empty. */
  private readonly empty = new Map<number, number>();
  private readonly left: number[];

  constructor(
    net: PetriNet,
    groups: readonly (readonly number[])[],
    groupOf: ReadonlyMap<number, number>,
    assumed: readonly Atom[],
  ) {
    this.net = net;
    this.groups = groups;
    this.groupOf = groupOf;
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
      const group = this.groupOf.get(place);
      if (group !== undefined) this.left[group]!--;
    }
  }

  /** "At most so many in this place" while all others of its group are empty and the group holds more. */
  private impossible(atom: Atom): Leaf | null {
    const most = upperLimit(atom);
    if (most === null || most.places.length !== 1) return null;
    const place = most.places[0]!;
    const group = this.groupOf.get(place);
    if (group === undefined || this.left[group]! > (this.empty.has(place) ? 0 : 1)) return null;
    const places = this.groups[group]!;
    const sum = places.reduce((total, one) => total + this.net.places[one]!.initial, 0);
    if (most.limit >= sum) return null;
    const used = new Map<number, bigint>();
    const emptied = new Set([place]);
    for (const one of places) {
      if (emptied.has(one)) continue;
      const number = this.empty.get(one)!;
      used.set(number, 1n);
      for (const { place: other } of this.atoms[number]!.terms) emptied.add(other);
    }
    used.set(this.atoms.length, 1n);
    // An atom may speak of places outside the group: those hold at least 0.
    const outside = [...emptied].filter((one) => !places.includes(one));
    return { places: outside.map((one) => [one, 1n] as const), traps: [], atoms: [...used] };
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

/** Groups whose sum no transition changes, and that share no places. */
function constantGroups(net: PetriNet, groups: readonly (readonly number[])[]): (readonly number[])[] {
  const groupOf = new Map<number, number>();
  const bad = new Set<number>();
  for (const [index, group] of groups.entries()) {
    if (group.some((place) => groupOf.has(place))) bad.add(index);
    else for (const place of group) groupOf.set(place, index);
  }
  for (const transition of net.transitions) {
    const sums = new Map<number, number>();
    for (const [place, by] of effectOf(transition)) {
      const group = groupOf.get(place);
      if (group !== undefined) sums.set(group, (sums.get(group) ?? 0) + by);
    }
    for (const [group, sum] of sums) if (sum !== 0) bad.add(group);
  }
  return groups.filter((_, index) => !bad.has(index));
}
