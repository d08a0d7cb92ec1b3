// Certificates about nets as JSON, and back. Each kind is checked by a checker of its own against the net; nothing in the document is trusted.
//
//   coverability      ω-markings whose downward closure holds everything reachable: bounds of places and sums, and what is never covered
//   backward          a basis of what must not be reached, and potentials
//   marking-equation  a tree of case splits over the marking equation with traps
//
// ω is written as "w", integers beyond a double's as strings.

import { BROKEN_SEAL, digestText, sealed } from '../base/digest.ts';
import { err, ok, type Result } from '../base/result.ts';
import type { CertificateDocument } from '../verdict/verdict.ts';
import { type BackwardProof, checkBackwardProof } from './backward-check.ts';
import { greatestSum, isCoveredBy, isInvariant } from './cover-check.ts';
import { checkLinearProof, type Leaf, type LinearProof, type ProofNode } from './linear-check.ts';
import { type Marking, OMEGA, type PetriNet } from './net.ts';
import type { Question } from './question.ts';

/** Everything a proof can depend on: counts, arcs and names of places. */
function digestPetri({ places, transitions }: PetriNet): string {
  const arcs = (list: PetriNet['transitions'][number]['take']): string =>
    list.map(({ place, weight }) => `${place}:${weight}`).join(' ');
  return digestText(
    [
      ...places.map(({ name, initial }) => `place ${name} ${initial}`),
      ...transitions.map(({ take, put, arrival }) => `step ${arcs(take)} / ${arcs(put)} ${arrival === true}`),
    ].join('\n'),
  );
}

interface Heading {
  readonly property: string;
  /** What the maker of the net needs to build it again from the model. */
  readonly abstraction?: unknown;
}

const document = (net: PetriNet, { property, abstraction = null }: Heading, kind: string, content: object) =>
  sealed({
    format: 'spillway-certificate',
    version: 1,
    property,
    kind,
    net: digestPetri(net),
    abstraction,
    ...content,
  }) as CertificateDocument;

/** What is counted: a place, or the places of a queue together. */
export interface Sum {
  readonly name: string;
  readonly places: readonly number[];
}

/** `sums` with an upper limit are claimed to be bounded by it. */
export const coverabilityDocument = (
  net: PetriNet,
  heading: Heading,
  markings: readonly Marking[],
  sums: readonly Sum[],
): CertificateDocument =>
  document(net, heading, 'coverability', {
    markings: markings.map((marking) => marking.map((count) => (count === OMEGA ? 'w' : count))),
    bounds: sums.flatMap(({ name, places }) => {
      const bound = greatestSum(markings, places);
      return bound === OMEGA ? [] : [{ name, bound }];
    }),
  });

export const backwardDocument = (net: PetriNet, heading: Heading, { basis, potentials }: BackwardProof) =>
  document(net, heading, 'backward', { basis, potentials: potentials.map((weights) => weights.map(String)) });

export const linearDocument = (net: PetriNet, heading: Heading, proof: LinearProof) =>
  document(net, heading, 'marking-equation', {
    traps: proof.traps,
    potentials: proof.potentials.map(pairsOut),
    relaxations: proof.relaxations.map(({ clause, bounds }) => [
      clause,
      bounds.map((index) => (index < 0 ? null : index)),
    ]),
    tree: nodeOut(proof.tree),
  });

const pairsOut = (list: Leaf['places']): unknown =>
  list.map(([which, multiplier]) => [which, String(multiplier)]);

function nodeOut({ steps, leaf }: ProofNode): object {
  return {
    steps: steps.map(({ clause, cases }) => [
      clause,
      cases.map((one) => (one === null ? null : nodeOut(one))),
    ]),
    leaf:
      leaf === null
        ? null
        : {
            places: pairsOut(leaf.places),
            traps: pairsOut(leaf.traps),
            relaxations: pairsOut(leaf.relaxations),
            atoms: pairsOut(leaf.atoms),
          },
  };
}

/** What the audit knows of the property from the model alone. */
export type Claim =
  | { readonly kind: 'bounds'; readonly sums: readonly Sum[] }
  | { readonly kind: 'never'; readonly question: Question; readonly targets: readonly Marking[] };

/** What the document proves: bounds of sums (none where the claim is that something never happens); or why it proves nothing. */
export function auditPetri(
  given: unknown,
  net: PetriNet,
  claim: Claim,
): Result<readonly { readonly name: string; readonly bound: number }[], string> {
  if (!isObject(given) || given['format'] !== 'spillway-certificate')
    return err('this is no Spillway certificate');
  if (given['version'] !== 1) return err('the certificate has a version this program does not know');
  if (given['seal'] !== sealed(given).seal) return err(BROKEN_SEAL);
  if (given['net'] !== digestPetri(net))
    return err('the certificate belongs to another model, or to another version of it');
  try {
    return auditKind(given, net, claim);
  } catch (problem) {
    if (problem instanceof Malformed) return err('the certificate is malformed');
    throw problem;
  }
}

function auditKind(given: Fields, net: PetriNet, claim: Claim): ReturnType<typeof auditPetri> {
  const never = (proved: boolean) => (proved ? ok([]) : err('the certificate does not prove what it claims'));
  switch (given['kind']) {
    case 'coverability': {
      const markings = list(given['markings']).map((marking) => list(marking).map(countIn));
      if (!isInvariant(net, markings)) return err('some step leads out of the markings of the certificate');
      return claim.kind === 'bounds'
        ? auditBounds(given, markings, claim.sums)
        : never(claim.targets.length > 0 && claim.targets.every((target) => !isCoveredBy(markings, target)));
    }
    case 'backward': {
      const basis = list(given['basis']).map((marking) => list(marking).map(countIn));
      const potentials = list(given['potentials']).map((weights) => list(weights).map(integerIn));
      if (claim.kind !== 'never' || claim.targets.length === 0) break;
      return never(checkBackwardProof(net, claim.targets, { basis, potentials }));
    }
    case 'marking-equation': {
      const traps = list(given['traps']).map((trap) => list(trap).map(countIn));
      const potentials = list(given['potentials']).map(pairsIn);
      const relaxations = list(given['relaxations']).map((entry) => {
        const [clause, bounds] = list(entry);
        return {
          clause: countIn(clause),
          bounds: list(bounds).map((index) => (index === null ? -1 : countIn(index))),
        };
      });
      const tree = nodeIn(given['tree'], 0);
      if (claim.kind !== 'never') break;
      return never(checkLinearProof(net, claim.question, { traps, potentials, relaxations, tree }));
    }
  }
  return err(`there is no certificate of kind '${String(given['kind'])}' for '${String(given['property'])}'`);
}

function auditBounds(
  given: Fields,
  markings: readonly Marking[],
  sums: readonly Sum[],
): ReturnType<typeof auditPetri> {
  const audited: { name: string; bound: number }[] = [];
  const known = new Map(sums.map((sum) => [sum.name, sum]));
  for (const entry of list(given['bounds'])) {
    if (!isObject(entry)) throw new Malformed();
    const name = String(entry['name']);
    const sum = known.get(name);
    if (sum === undefined) return err(`the model has nothing named '${name}'`);
    const bound = greatestSum(markings, sum.places);
    if (bound !== entry['bound'] || bound === OMEGA)
      return err(`${name}: the markings do not give the bound ${String(entry['bound'])}`);
    audited.push({ name, bound });
  }
  return ok(audited);
}

type Fields = { readonly [key: string]: unknown };
class Malformed extends Error {}

const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function list(value: unknown): readonly unknown[] {
  if (!Array.isArray(value)) throw new Malformed();
  return value;
}

function countIn(value: unknown): number {
  if (value === 'w') return OMEGA;
  if (!Number.isSafeInteger(value) || (value as number) < 0) throw new Malformed();
  return value as number;
}

function integerIn(value: unknown): bigint {
  if (typeof value !== 'string' || !/^-?\d{1,4000}$/.test(value)) throw new Malformed();
  return BigInt(value);
}

const pairsIn = (given: unknown): (readonly [number, bigint])[] =>
  list(given).map((pair) => {
    const [which, multiplier] = list(pair);
    return [countIn(which), integerIn(multiplier)];
  });

const DEEPEST = 2000;

function nodeIn(value: unknown, depth: number): ProofNode {
  if (!isObject(value) || depth > DEEPEST) throw new Malformed();
  const { leaf } = value;
  if (leaf !== null && !isObject(leaf)) throw new Malformed();
  return {
    steps: list(value['steps']).map((step) => {
      const [clause, cases] = list(step);
      return {
        clause: countIn(clause),
        cases: list(cases).map((one) => (one === null ? null : nodeIn(one, depth + 1))),
      };
    }),
    leaf:
      leaf === null
        ? null
        : {
            places: pairsIn(leaf['places']),
            traps: pairsIn(leaf['traps']),
            relaxations: pairsIn(leaf['relaxations']),
            atoms: pairsIn(leaf['atoms']),
          },
  };
}
