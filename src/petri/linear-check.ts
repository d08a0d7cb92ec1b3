// The checker of linear proofs: a few lines of BigInt that share nothing with the solver.
//
// The claim: no reachable marking satisfies every clause of the question. A proof is a list of traps that are marked at the start, and a
// tree. A node takes clauses of the question one by one; some atom of each must hold, so each atom but one is refuted by a subtree
// of its own and the last one is assumed from there on (or every atom is refuted, and the node is done). A leaf gives weights to
// what is assumed: to "place p holds at least 0", to "trap Q holds at least 1", and to the assumed atoms. If no transition can raise the
// weighted sum of tokens, it is at most its value at the start; if what is assumed adds up to more than that, nothing satisfies it
// (Farkas).

import { initialMarking, type PetriNet } from './net.ts';
import type { Atom, Question } from './question.ts';
import { isTrap } from './traps.ts';

export interface LinearProof {
  readonly traps: readonly (readonly number[])[];
  readonly tree: ProofNode;
}

export interface ProofNode {
  readonly steps: readonly ProofStep[];
  /** Null when the last step refuted every atom. */
  readonly leaf: Leaf | null;
}

export interface ProofStep {
  readonly clause: number;
  /** For each atom of the clause its refutation; null for the one that is assumed from here on. */
  readonly cases: readonly (ProofNode | null)[];
}

/** Multipliers > 0. */
export interface Leaf {
  readonly places: readonly (readonly [place: number, multiplier: bigint])[];
  readonly traps: readonly (readonly [trap: number, multiplier: bigint])[];
  /** By their number among the atoms assumed so far, outermost first. */
  readonly atoms: readonly (readonly [atom: number, multiplier: bigint])[];
}

export function checkLinearProof(net: PetriNet, question: Question, { traps, tree }: LinearProof): boolean {
  const marking = initialMarking(net);
  const areTraps = traps.every(
    (trap) =>
      trap.every((place) => place in net.places) &&
      isTrap(net, new Set(trap)) &&
      trap.some((place) => marking[place]! > 0),
  );
  return areTraps && refutes(net, question, traps, tree, []);
}

function refutes(
  net: PetriNet,
  question: Question,
  traps: LinearProof['traps'],
  { steps, leaf }: ProofNode,
  outer: readonly Atom[],
): boolean {
  const assumed = [...outer];
  for (const { clause, cases } of steps) {
    const atoms = question[clause];
    if (atoms === undefined || cases.length !== atoms.length) return false;
    const open = atoms.filter((_, index) => cases[index] === null);
    if (open.length > 1) return false;
    for (const [index, atom] of atoms.entries()) {
      const refutation = cases[index];
      if (refutation !== null && !refutes(net, question, traps, refutation!, [...assumed, atom]))
        return false;
    }
    if (open.length === 0) return true;
    assumed.push(open[0]!);
  }
  return leaf !== null && contradicts(net, traps, assumed, leaf);
}

function contradicts(
  net: PetriNet,
  traps: LinearProof['traps'],
  assumed: readonly Atom[],
  leaf: Leaf,
): boolean {
  const weights = new Map<number, bigint>();
  let least = 0n;
  const add = (atom: Atom | undefined, multiplier: bigint): boolean => {
    if (atom === undefined || multiplier <= 0n) return false;
    for (const { place, weight } of atom.terms)
      weights.set(place, (weights.get(place) ?? 0n) + multiplier * BigInt(weight));
    least += multiplier * BigInt(atom.least);
    return true;
  };
  const marked = (places: readonly number[], count: number): Atom => ({
    terms: places.map((place) => ({ place, weight: 1 })),
    least: count,
  });
  const known =
    leaf.places.every(([place, multiplier]) =>
      add(place in net.places ? marked([place], 0) : undefined, multiplier),
    ) &&
    leaf.traps.every(([trap, multiplier]) => add(traps[trap] && marked(traps[trap], 1), multiplier)) &&
    leaf.atoms.every(([atom, multiplier]) => add(assumed[atom], multiplier));
  if (!known) return false;
  const start = net.places.reduce(
    (sum, { initial }, place) => sum + (weights.get(place) ?? 0n) * BigInt(initial),
    0n,
  );
  const neverRises = net.transitions.every(({ take, put }) => {
    let change = 0n;
    for (const { place, weight } of put) change += (weights.get(place) ?? 0n) * BigInt(weight);
    for (const { place, weight } of take) change -= (weights.get(place) ?? 0n) * BigInt(weight);
    return change <= 0n;
  });
  return neverRises && least > start;
}
