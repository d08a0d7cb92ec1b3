// Certificates as JSON, and the audit: read a document, check every claim in it against a net, trust nothing.
//
// Integers are JSON numbers while a double holds them, decimal strings beyond. Potentials stand in a table, because many queues often
// share one. `abstraction` is whatever the maker of the net needs to build the same net again from the model.

import { BROKEN_SEAL, sealed } from '../base/digest.ts';
import type { Result } from '../base/result.ts';
import { err, ok } from '../base/result.ts';
import type { Net } from '../net/net.ts';
import type { CertificateDocument } from '../verdict/verdict.ts';
import { checker, checkRanking } from './check.ts';
import { digestNet } from './digest.ts';
import type { BoundProof, Potential, Quantity, Weight } from './proof.ts';

export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };
type Fields = { readonly [key: string]: unknown };

export interface QueueClaim {
  readonly queue: number;
  readonly bound: bigint;
  readonly proof: BoundProof;
}

export function boundDocument(
  net: Net,
  claims: readonly QueueClaim[],
  abstraction: Json = null,
): CertificateDocument {
  const table = new PotentialTable();
  const queues = claims.map(({ queue, bound, proof }) => ({
    queue,
    name: net.queues[queue]!.name,
    bound: integerToJson(bound),
    proof: table.proof(proof),
  }));
  return seal({
    format: 'spillway-certificate',
    version: 1,
    property: 'bounded',
    kind: 'potentials',
    net: digestNet(net),
    abstraction,
    potentials: table.entries,
    queues,
  });
}

export function rankingDocument(
  net: Net,
  potential: Potential,
  abstraction: Json = null,
): CertificateDocument {
  return seal({
    format: 'spillway-certificate',
    version: 1,
    property: 'livelock-free',
    kind: 'ranking',
    net: digestNet(net),
    abstraction,
    potential: potentialToJson(potential),
  });
}

/** Adds the fingerprint of everything else in the document. */
export const seal = (document: Omit<CertificateDocument, 'seal'>): CertificateDocument =>
  sealed(document as CertificateDocument);

export type Audited =
  | {
      readonly property: 'bounded';
      readonly queues: readonly { readonly name: string; readonly bound: bigint }[];
    }
  | { readonly property: 'livelock-free' };

/** The fields of a document that is intact and belongs to the net. */
export function unsealed(document: unknown, net: Net): Result<Fields, string> {
  if (!isObject(document) || document['format'] !== 'spillway-certificate')
    return err('this is no Spillway certificate');
  if (document['version'] !== 1) return err('the certificate has a version this program does not know');
  if (document['seal'] !== seal(document as unknown as CertificateDocument)['seal']) return err(BROKEN_SEAL);
  if (document['net'] !== digestNet(net))
    return err('the certificate belongs to another model, or to another version of it');
  return ok(document);
}

/** What the document proves about the net; or why it proves nothing. */
export function audit(sealed: unknown, net: Net): Result<Audited, string> {
  const opened = unsealed(sealed, net);
  if (!opened.ok) return opened;
  const document = opened.value;
  try {
    if (document['property'] === 'bounded' && document['kind'] === 'potentials')
      return auditBounds(document, net);
    if (document['property'] === 'livelock-free' && document['kind'] === 'ranking') {
      const checked = checkRanking(net, potentialFromJson(document['potential']));
      return checked.ok ? ok({ property: 'livelock-free' }) : checked;
    }
  } catch (problem) {
    if (problem instanceof Malformed) return err(problem.message);
    throw problem;
  }
  return err(
    `there is no certificate of kind '${String(document['kind'])}' for '${String(document['property'])}'`,
  );
}

function auditBounds(document: Fields, net: Net): Result<Audited, string> {
  const potentials = list(document['potentials']).map(potentialFromJson);
  const audited: { name: string; bound: bigint }[] = [];
  const check = checker(net);
  for (const entry of list(document['queues'])) {
    const fields = object(entry);
    const name = String(fields['name']);
    // By number: channels local to a proctype share a name when several classes have them.
    const queue = Number(integerFromJson(fields['queue']));
    if (net.queues[queue]?.name !== name) return err(`queue ${queue} of the model is not '${name}'`);
    const bound = check.bound(queue, proofFromJson(fields['proof'], potentials));
    if (!bound.ok) return err(`queue ${name}: ${bound.error}`);
    if (bound.value !== integerFromJson(fields['bound']))
      return err(
        `queue ${name}: the proof shows ${bound.value}, the certificate claims ${String(fields['bound'])}`,
      );
    audited.push({ name, bound: bound.value });
  }
  return ok({ property: 'bounded', queues: audited });
}

/** Thrown and caught within this file only: the document is not what it should be. */
class Malformed extends Error {}

const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export function object(value: unknown): Fields {
  if (!isObject(value)) throw new Malformed('the certificate is malformed: an object is missing');
  return value;
}

export function list(value: unknown): readonly unknown[] {
  if (!Array.isArray(value)) throw new Malformed('the certificate is malformed: a list is missing');
  return value;
}

export const integerToJson = (value: bigint): number | string =>
  value >= BigInt(Number.MIN_SAFE_INTEGER) && value <= BigInt(Number.MAX_SAFE_INTEGER)
    ? Number(value)
    : `${value}`;

export function integerFromJson(value: unknown): bigint {
  if (typeof value === 'number' && Number.isSafeInteger(value)) return BigInt(value);
  if (typeof value === 'string' && /^-?\d{1,10000}$/.test(value)) return BigInt(value);
  throw new Malformed(`the certificate is malformed: '${String(value)}' is no integer`);
}

export const weightsToJson = (weights: readonly Weight[]): Json =>
  weights.map(({ at, weight }) => [at, integerToJson(weight)]);

export const weightsFromJson = (value: unknown): Weight[] =>
  list(value).map((entry) => {
    const [at, weight, ...more] = list(entry);
    if (typeof at !== 'number' || more.length > 0)
      throw new Malformed('the certificate is malformed: a weight');
    return { at, weight: integerFromJson(weight) };
  });

export const potentialToJson = (potential: Potential): Json => ({
  places: weightsToJson(potential.places),
  locations: weightsToJson(potential.locations),
});

export function potentialFromJson(value: unknown): Potential {
  const fields = object(value);
  return { places: weightsFromJson(fields['places']), locations: weightsFromJson(fields['locations']) };
}

export class PotentialTable {
  readonly entries: Json[] = [];
  private readonly known = new Map<Potential, number>();

  proof(proof: BoundProof): Json {
    if (proof.kind === 'split') {
      const { on, most, low, high } = proof;
      return { on: on.kind, at: on.at, most, low: this.proof(low), high: this.proof(high) };
    }
    const potential = this.number(proof.potential);
    const counts = proof.counts.length === 0 ? {} : { counts: weightsToJson(proof.counts) };
    if (proof.kind === 'empty') return { empty: potential, ...counts };
    return { potential, divisor: integerToJson(proof.divisor), ...counts };
  }

  private number(potential: Potential): number {
    const known = this.known.get(potential);
    if (known !== undefined) return known;
    this.entries.push(potentialToJson(potential));
    this.known.set(potential, this.entries.length - 1);
    return this.entries.length - 1;
  }
}

const MAX_DEPTH = 500;

export function proofFromJson(value: unknown, potentials: readonly Potential[], depth = 0): BoundProof {
  if (depth > MAX_DEPTH) throw new Malformed('the certificate is malformed: its cases are nested too deeply');
  const fields = object(value);
  const potential = (key: string): Potential => {
    const found = potentials[fields[key] as number];
    if (found === undefined) throw new Malformed('the certificate is malformed: a potential is missing');
    return found;
  };
  const counts = fields['counts'] === undefined ? [] : weightsFromJson(fields['counts']);
  if ('potential' in fields)
    return {
      kind: 'potential',
      potential: potential('potential'),
      counts,
      divisor: integerFromJson(fields['divisor']),
    };
  if ('empty' in fields) return { kind: 'empty', potential: potential('empty'), counts, divisor: 0n };
  const kind = fields['on'];
  if (kind !== 'location' && kind !== 'place' && kind !== 'transition')
    throw new Malformed('the certificate is malformed: a case split on nothing known');
  const on: Quantity = { kind, at: Number(integerFromJson(fields['at'])) };
  return {
    kind: 'split',
    on,
    most: Number(integerFromJson(fields['most'])),
    low: proofFromJson(fields['low'], potentials, depth + 1),
    high: proofFromJson(fields['high'], potentials, depth + 1),
  };
}
