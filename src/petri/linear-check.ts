// The checker of linear proofs: a few lines of BigInt that share nothing with the solver.
//
// The claim: no reachable marking satisfies every clause of the question. A proof is a list of traps that are marked at the start, and a
// tree. A node takes clauses of the question one by one; some atom of each must hold, so each atom but one is refuted by a subtree
// of its own and the last one is assumed from there on (or every atom is refuted, and the node is done). A leaf gives weights to
// what is assumed: to "place p holds at least 0", to "trap Q holds at least 1", to relaxed clauses, and to the assumed atoms. If no transition can raise the
// weighted sum of tokens, it is at most its value at the start; if what is assumed adds up to more than that, nothing satisfies it
// (Farkas).

import type { PetriNet } from './net.ts';
import type { Atom, Clause, Question } from './question.ts';
import { isTrap } from './traps.ts';

export interface LinearProof {
  readonly traps: readonly (readonly number[])[];
  /** Weights ≥ 0 of places whose weighted sum no transition raises: they bound places. */
  readonly potentials: readonly (readonly (readonly [place: number, weight: bigint])[])[];
  /** Clauses as rows: for each atom that says "at most" the potential that bounds its places, −1 for the others. */
  readonly relaxations: readonly { readonly clause: number; readonly bounds: readonly number[] }[];
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
  readonly relaxations: readonly (readonly [relaxation: number, multiplier: bigint])[];
  /** By their number among the atoms assumed so far, outermost first. */
  readonly atoms: readonly (readonly [atom: number, multiplier: bigint])[];
}

export function checkLinearProof(net: PetriNet, question: Question, proof: LinearProof): boolean {
  const { traps, potentials, tree } = proof;
  const areTraps = traps.every(
    (trap) =>
      trap.every((place) => place in net.places) &&
      isTrap(net, new Set(trap)) &&
      trap.some((place) => net.places[place]!.initial > 0),
  );
  if (!areTraps || !potentials.every((weights) => isPotential(net, weights))) return false;
  const rows = proof.relaxations.map(({ clause, bounds }) =>
    relaxed(
      net,
      question[clause] ?? [],
      bounds.map((index) => potentials[index] ?? []),
    ),
  );
  return refutes({ net, question, traps, rows }, tree, []);
}

interface Known {
  readonly net: PetriNet;
  readonly question: Question;
  readonly traps: LinearProof['traps'];
  readonly rows: readonly (Atom | null)[];
}

type Weights = LinearProof['potentials'][number];

const isPotential = (net: PetriNet, weights: Weights): boolean =>
  weights.every(([place, weight]) => place in net.places && weight > 0n) &&
  new Set(weights.map(([place]) => place)).size === weights.length &&
  neverRises(net, new Map(weights));

/**
 * One row for a clause. To each atom belongs a number that is at most 1, and at most 0 when the atom holds: (sum − m) / (B − m) for "sum
 * is at most m" where B bounds the sum, (k − sum) / k for "sum is at least k". Some atom holds, so these numbers add up to at most the
 * number of atoms less one. Null where a bound is missing or useless.
 */
export function relaxed(net: PetriNet, clause: Clause, potentials: readonly Weights[]): Atom | null {
  const parts: { readonly atom: Atom; readonly scale: number }[] = [];
  for (const [index, atom] of clause.entries()) {
    const { terms, least } = atom;
    if (least > 0 && terms.every(({ weight }) => weight === 1)) parts.push({ atom, scale: least });
    else if (terms.every(({ weight }) => weight === -1)) {
      const bound = boundOf(net, atom, potentials[index] ?? []);
      if (bound === null || bound <= -least || bound > MOST) return null;
      parts.push({ atom, scale: bound + least });
    } else return null;
  }
  const common = parts.reduce((product, { scale }) => product * scale, 1);
  if (clause.length === 0 || common > MOST) return null;
  return {
    terms: parts.flatMap(({ atom, scale }) =>
      atom.terms.map(({ place, weight }) => ({ place, weight: weight * (common / scale) })),
    ),
    least:
      parts.reduce((sum, { atom, scale }) => sum + atom.least * (common / scale), 0) -
      common * (clause.length - 1),
  };
}

const MOST = 1_000_000;

/** The greatest sum of the atom's places that the potential allows. */
function boundOf(net: PetriNet, { terms }: Atom, potential: Weights): number | null {
  const weights = new Map(potential);
  const start = potential.reduce(
    (sum, [place, weight]) => sum + weight * BigInt(net.places[place]?.initial ?? 0),
    0n,
  );
  let least: bigint | null = null;
  for (const { place } of terms) {
    const weight = weights.get(place) ?? 0n;
    if (least === null || weight < least) least = weight;
  }
  return least === null || least <= 0n ? null : Number(start / least);
}

function refutes(known: Known, { steps, leaf }: ProofNode, outer: readonly Atom[]): boolean {
  const assumed = [...outer];
  for (const { clause, cases } of steps) {
    const atoms = known.question[clause];
    if (atoms === undefined || cases.length !== atoms.length) return false;
    const open = atoms.filter((_, index) => cases[index] === null);
    if (open.length > 1) return false;
    for (const [index, atom] of atoms.entries()) {
      const refutation = cases[index]!;
      if (refutation !== null && !refutes(known, refutation, [...assumed, atom])) return false;
    }
    if (open.length === 0) return true;
    assumed.push(open[0]!);
  }
  return leaf !== null && contradicts(known, assumed, leaf);
}

function contradicts({ net, traps, rows }: Known, assumed: readonly Atom[], leaf: Leaf): boolean {
  const weights = new Map<number, bigint>();
  let least = 0n;
  const add = (atom: Atom | null | undefined, multiplier: bigint): boolean => {
    if (atom === undefined || atom === null || multiplier <= 0n) return false;
    for (const { place, weight } of atom.terms)
      weights.set(place, (weights.get(place) ?? 0n) + multiplier * BigInt(weight));
    least += multiplier * BigInt(atom.least);
    return true;
  };
  const holds = (places: readonly number[] | undefined, count: number): Atom | undefined =>
    places && { terms: places.map((place) => ({ place, weight: 1 })), least: count };
  const isKnown =
    leaf.places.every(([place, multiplier]) =>
      add(place in net.places ? holds([place], 0) : null, multiplier),
    ) &&
    leaf.traps.every(([trap, multiplier]) => add(holds(traps[trap], 1), multiplier)) &&
    leaf.relaxations.every(([row, multiplier]) => add(rows[row], multiplier)) &&
    leaf.atoms.every(([atom, multiplier]) => add(assumed[atom], multiplier));
  if (!isKnown) return false;
  let start = 0n;
  for (const [place, weight] of weights) start += weight * BigInt(net.places[place]!.initial);
  return neverRises(net, weights) && least > start;
}

function neverRises(net: PetriNet, weights: ReadonlyMap<number, bigint>): boolean {
  const touching = transitionsOf(net);
  const looked = new Set<number>();
  for (const place of weights.keys())
    for (const number of touching[place]!) {
      if (looked.has(number)) continue;
      looked.add(number);
      const { take, put } = net.transitions[number]!;
      let change = 0n;
      for (const { place: one, weight } of put) change += (weights.get(one) ?? 0n) * BigInt(weight);
      for (const { place: one, weight } of take) change -= (weights.get(one) ?? 0n) * BigInt(weight);
      if (change > 0n) return false;
    }
  return true;
}

const transitionsByPlace = new WeakMap<PetriNet, number[][]>();

/** Per place the transitions that touch it: no others can change a sum over it. */
function transitionsOf(net: PetriNet): readonly (readonly number[])[] {
  const known = transitionsByPlace.get(net);
  if (known !== undefined) return known;
  const touching: number[][] = net.places.map(() => []);
  for (const [number, { take, put }] of net.transitions.entries())
    for (const place of new Set([...take, ...put].map((arc) => arc.place))) touching[place]!.push(number);
  transitionsByPlace.set(net, touching);
  return touching;
}
