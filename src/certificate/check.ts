// The checker: re-computes in BigInt everything a proof claims, from the net alone. It imports only types, shares nothing with
// the code that found the proof, and says why it rejects.
//
// Soundness duty: accepts nothing that is not a proof. Rejecting a correct proof is allowed, accepting a wrong one never.

import type { Result } from '../base/result.ts';
import { err, ok } from '../base/result.ts';
import type { Net } from '../net/net.ts';
import type { BoundProof, Potential, Quantity, Weight } from './proof.ts';

/** Checks several proofs over one net; potentials they share are gone through once. */
export interface Checker {
  /** The bound that the proof establishes for the queue: a function of the proof and nothing else. */
  readonly bound: (queue: number, proof: BoundProof) => Result<bigint, string>;
}

export function checker(net: Net): Checker {
  const known = new Map<Potential, Result<DenseWeights, string>>();
  const verified = (potential: Potential, counts: readonly Weight[]): Result<DenseWeights, string> => {
    if (counts.length > 0) return neverIncreases(net, potential, counts);
    const earlier = known.get(potential);
    if (earlier !== undefined) return earlier;
    const result = neverIncreases(net, potential, counts);
    known.set(potential, result);
    return result;
  };
  const start = initialCase(net);
  return {
    bound: (queue, proof) => {
      const messages = net.queues[queue];
      if (messages === undefined) return err(`there is no queue ${queue}`);
      if (messages.places.length === 0) return ok(0n);
      const bound = boundOf({ net, start, queue: new Set(messages.places), verified }, proof, start);
      if (!bound.ok) return bound;
      return bound.value === null ? err('the proof says that the system has no run at all') : ok(bound.value);
    },
  };
}

export const checkBound = (net: Net, queue: number, proof: BoundProof): Result<bigint, string> =>
  checker(net).bound(queue, proof);

/** Does the potential fall with every transition that is not progress? */
export function checkRanking(net: Net, potential: Potential): Result<true, string> {
  const dense = densify(net, potential, []);
  if (!dense.ok) return dense;
  const { places, locations } = dense.value;
  for (const [at, weight] of locations.entries())
    if (weight < 0n) return err(`location ${at} has a negative weight`);
  for (const [at, weight] of places.entries())
    if (weight < 0n && net.places[at]!.kind !== 'rendezvous')
      return err(`place ${net.places[at]!.name} has a negative weight`);
  for (const index of net.transitions.keys()) {
    if (net.transitions[index]!.progress) continue;
    const change = changeOf(net, dense.value, index);
    if (change > -1n) return err(`transition ${index} changes the potential by ${change}, not by −1 or less`);
  }
  return ok(true);
}

interface Interval {
  readonly least: bigint;
  /** Null: no limit. */
  readonly most: bigint | null;
}

/** What the cases so far say about quantities, by key. */
type Case = ReadonlyMap<string, Interval>;

const keyOf = (quantity: Quantity): string => `${quantity.kind} ${quantity.at}`;
const NATURAL: Interval = { least: 0n, most: null };

/** Rendezvous places are always empty. */
function initialCase(net: Net): Case {
  const intervals = new Map<string, Interval>();
  net.places.forEach((place, at) => {
    if (place.kind === 'rendezvous') intervals.set(keyOf({ kind: 'place', at }), { least: 0n, most: 0n });
  });
  return intervals;
}

interface Question {
  readonly net: Net;
  readonly start: Case;
  readonly queue: ReadonlySet<number>;
  readonly verified: (potential: Potential, counts: readonly Weight[]) => Result<DenseWeights, string>;
}

/** Dense weights of a potential that no transition increases. */
function neverIncreases(
  net: Net,
  potential: Potential,
  counts: readonly Weight[],
): Result<DenseWeights, string> {
  const dense = densify(net, potential, counts);
  if (!dense.ok) return dense;
  for (const index of net.transitions.keys()) {
    const change = changeOf(net, dense.value, index) + dense.value.counts[index]!;
    if (change > 0n) return err(`transition ${index} increases the potential by ${change}`);
  }
  return dense;
}

/** Null: no run belongs to the case. */
function boundOf(question: Question, proof: BoundProof, cases: Case): Result<bigint | null, string> {
  if (proof.kind === 'split') return splitBound(question, proof, cases);
  const { net, queue } = question;
  const dense = question.verified(proof.potential, proof.counts);
  if (!dense.ok) return dense;
  if (cases === question.start && proof.counts.length === 0) return plainBound(question, proof, dense.value);
  let rest = dense.value.initial;
  const least = (quantity: Quantity, weight: bigint): boolean => {
    if (weight === 0n) return true;
    const interval = cases.get(keyOf(quantity)) ?? NATURAL;
    if (weight < 0n && interval.most === null) return false;
    rest -= weight * (weight > 0n ? interval.least : interval.most!);
    return true;
  };
  const share = proof.kind === 'potential' ? proof.divisor : 0n;
  for (const at of queue) {
    if (!least({ kind: 'place', at }, dense.value.places[at]! - share))
      return err(`the weight of place ${net.places[at]!.name} is too small`);
  }
  for (const { at, weight } of proof.potential.places) {
    if (!queue.has(at) && !least({ kind: 'place', at }, weight))
      return err(`place ${net.places[at]!.name} has a negative weight`);
  }
  for (const { at, weight } of proof.potential.locations)
    if (!least({ kind: 'location', at }, weight)) return err(`location ${at} has a negative weight`);
  for (const { at, weight } of proof.counts)
    if (!least({ kind: 'transition', at }, weight)) return err(`transition ${at} has a negative weight`);
  if (proof.kind === 'empty')
    return rest < 0n ? ok(null) : err('the case is said to be empty, and the sum does not show it');
  if (proof.divisor <= 0n) return err('the divisor is not positive');
  return rest < 0n ? ok(null) : ok(rest / proof.divisor);
}

/** Without cases: every count is at least zero, so weights that are not negative contribute nothing less. */
function plainBound(
  { queue }: Question,
  proof: Exclude<BoundProof, { kind: 'split' }>,
  { places, initial, negative }: DenseWeights,
): Result<bigint | null, string> {
  if (negative !== null) return err(`${negative} has a negative weight`);
  if (proof.kind === 'empty')
    return initial < 0n ? ok(null) : err('the case is said to be empty, and is not');
  if (proof.divisor <= 0n) return err('the divisor is not positive');
  for (const at of queue)
    if (places[at]! < proof.divisor) return err(`the weight of place ${at}, of the queue, is too small`);
  return initial < 0n ? ok(null) : ok(initial / proof.divisor);
}

function splitBound(
  question: Question,
  proof: Extract<BoundProof, { kind: 'split' }>,
  cases: Case,
): Result<bigint | null, string> {
  if (!Number.isSafeInteger(proof.most) || proof.most < 0) return err('a case is split at no natural number');
  if (!exists(question.net, proof.on)) return err(`there is no ${proof.on.kind} ${proof.on.at}`);
  const key = keyOf(proof.on);
  const now = cases.get(key) ?? NATURAL;
  const most = BigInt(proof.most);
  const below = now.most === null || most < now.most ? most : now.most;
  const above = larger(most + 1n, now.least);
  const low = boundOf(question, proof.low, new Map(cases).set(key, { least: now.least, most: below }));
  if (!low.ok) return low;
  const high = boundOf(question, proof.high, new Map(cases).set(key, { least: above, most: now.most }));
  if (!high.ok) return high;
  if (low.value === null || high.value === null) return ok(low.value ?? high.value);
  return ok(larger(low.value, high.value));
}

/** Math.max takes no BigInt. */
function larger(a: bigint, b: bigint): bigint {
  if (a > b) return a;
  return b;
}

function exists(net: Net, { kind, at }: Quantity): boolean {
  if (!Number.isSafeInteger(at) || at < 0) return false;
  if (kind === 'place') return at < net.places.length;
  return at < (kind === 'location' ? locationCount(net) : net.transitions.length);
}

const locationCount = (net: Net): number => net.classes.reduce((sum, p) => sum + p.locations.length, 0);

interface DenseWeights {
  readonly places: readonly bigint[];
  readonly locations: readonly bigint[];
  readonly counts: readonly bigint[];
  /** The flat number of each class's first location. */
  readonly offsets: readonly number[];
  /** Φ at the start. */
  readonly initial: bigint;
  /** What has a negative weight and is not always empty; null when nothing has. */
  readonly negative: string | null;
}

function densify(net: Net, potential: Potential, counts: readonly Weight[]): Result<DenseWeights, string> {
  const offsets: number[] = [];
  let total = 0;
  for (const netClass of net.classes) {
    offsets.push(total);
    total += netClass.locations.length;
  }
  const places = spread(potential.places, net.places.length);
  const locations = spread(potential.locations, total);
  const taken = spread(counts, net.transitions.length);
  if (places === null || locations === null || taken === null)
    return err('a weight stands twice, or where nothing is');
  return ok({
    places,
    locations,
    counts: taken,
    offsets,
    initial: initialValue(net, places, locations, offsets),
    negative: negativeIn(net, places, locations),
  });
}

function negativeIn(net: Net, places: readonly bigint[], locations: readonly bigint[]): string | null {
  const location = locations.findIndex((weight) => weight < 0n);
  if (location >= 0) return `location ${location}`;
  const place = places.findIndex((weight, at) => weight < 0n && net.places[at]!.kind !== 'rendezvous');
  return place < 0 ? null : `place ${net.places[place]!.name}`;
}

function spread(weights: readonly Weight[], length: number): bigint[] | null {
  const dense: bigint[] = new Array(length).fill(0n);
  const seen = new Set<number>();
  for (const { at, weight } of weights) {
    if (!Number.isSafeInteger(at) || at < 0 || at >= length || seen.has(at)) return null;
    seen.add(at);
    dense[at] = weight;
  }
  return dense;
}

function changeOf(net: Net, { places, locations, offsets }: DenseWeights, index: number): bigint {
  const transition = net.transitions[index]!;
  const offset = offsets[transition.class]!;
  let change = locations[offset + transition.to]! - locations[offset + transition.from]!;
  for (const effect of transition.effect) {
    const weight = places[effect.place]!;
    if (weight !== 0n) change += weight * BigInt(effect.change);
  }
  for (const spawn of transition.spawns) {
    const weight = locations[offsets[spawn.class]! + net.classes[spawn.class]!.initial]!;
    change += weight * BigInt(spawn.count);
  }
  return change;
}

function initialValue(
  net: Net,
  places: readonly bigint[],
  locations: readonly bigint[],
  offsets: readonly number[],
): bigint {
  let value = 0n;
  net.places.forEach((place, at) => {
    value += places[at]! * BigInt(place.initial);
  });
  net.classes.forEach((netClass, index) => {
    value += locations[offsets[index]! + netClass.initial]! * BigInt(netClass.instances);
  });
  return value;
}
