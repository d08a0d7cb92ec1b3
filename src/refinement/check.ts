// The checker of refined proofs: derives every row again from the code, enumerates the cycles of the linked components by itself, and adds up in
// BigInt. No solver takes part.

import type { Result } from '../base/result.ts';
import { err, ok } from '../base/result.ts';
import { indexNet, type NetIndex, stepOf } from '../net/encode-flow.ts';
import { componentOf, cycleKey } from './components.ts';
import type { CodeContext } from './context.ts';
import { supplementaryCycles } from './dependencies.ts';
import type { LivelockProof, RefinedPotential } from './proof.ts';
import { deriveRow, deriveTermination, type Facts, type RayRow } from './rows.ts';

const MAX_CYCLES = 20_000;

/** What adding everything up gives each column. */
interface Sums {
  readonly index: NetIndex;
  readonly transitions: readonly bigint[];
  /** By cycle key; all elementary cycles of the linked components. */
  readonly cycles: ReadonlyMap<string, { readonly sum: bigint; readonly transitions: readonly number[] }>;
  readonly rows: readonly { readonly row: RayRow; readonly multiplier: bigint }[];
  readonly links: readonly bigint[];
  readonly weights: readonly bigint[];
}

function sumsOf(facts: Facts, proof: RefinedPotential): Result<Sums, string> {
  const { context } = facts;
  const { net } = context;
  const index = indexNet(net);
  const weights: bigint[] = new Array(index.locations + net.places.length).fill(0n);
  for (const { at, weight } of proof.potential.locations) {
    if (!(at >= 0 && at < index.locations) || weight < 0n) return err(`location ${at} has a wrong weight`);
    weights[at] = weight;
  }
  for (const { at, weight } of proof.potential.places) {
    const place = net.places[at];
    if (place === undefined || (weight < 0n && place.kind !== 'rendezvous'))
      return err(`place ${at} has a wrong weight`);
    weights[index.locations + at] = weight;
  }
  const rows: { row: RayRow; multiplier: bigint }[] = [];
  for (const { claim, multiplier } of proof.rows) {
    const row = deriveRow(facts, claim);
    if (row === null) return err(`a claim of kind '${claim.kind}' does not follow from the code`);
    if (multiplier < 0n) return err('a derived row has a negative multiplier');
    rows.push({ row, multiplier });
  }
  const linked = linkedTransitions(context, proof);
  if (linked === null) return err('a linked component is none, or its class grows');
  const links: bigint[] = net.transitions.map(() => 0n);
  for (const { at, weight } of proof.links) {
    if (!linked.has(at)) return err(`transition ${at} is not linked`);
    links[at] = weight;
  }
  const transitions = net.transitions.map((_, number) => {
    let sum = links[number]!;
    for (const { column, coefficient } of stepOf(index, number))
      sum += weights[column]! * BigInt(coefficient);
    for (const { row, multiplier } of rows) sum += multiplier * (row.coefficients.get(number) ?? 0n);
    return sum;
  });
  const cycles = new Map<string, { sum: bigint; transitions: readonly number[] }>();
  for (const cycle of allCycles(context, linked)) {
    if (cycles.size >= MAX_CYCLES) return err('the linked components have too many cycles to go through');
    cycles.set(cycleKey(cycle), {
      sum: cycle.reduce((sum, transition) => sum - links[transition]!, 0n),
      transitions: cycle,
    });
  }
  for (const { row, multiplier } of rows) {
    if (row.cycle === null) continue;
    const key = cycleKey(row.cycle.cycle.transitions);
    const known = cycles.get(key);
    if (known === undefined) return err('a derived row speaks of a cycle outside the linked components');
    cycles.set(key, { ...known, sum: known.sum + multiplier * row.cycle.coefficient });
  }
  return ok({ index, transitions, cycles, rows, links, weights });
}

function linkedTransitions(context: CodeContext, proof: RefinedPotential): ReadonlySet<number> | null {
  const linked = new Set<number>();
  for (const { class: netClass, location } of proof.components) {
    if (context.net.classes[netClass]?.locations[location] === undefined || context.growing.has(netClass))
      return null;
    for (const transition of componentOf(context, netClass, location).transitions) linked.add(transition);
  }
  return linked;
}

/** Every elementary cycle over the transitions, by plain backtracking from its smallest location. */
function* allCycles({ net }: CodeContext, allowed: ReadonlySet<number>): Generator<number[]> {
  const leaving = new Map<string, number[]>();
  const keyOf = (netClass: number, location: number): string => `${netClass}:${location}`;
  for (const number of allowed) {
    const { class: netClass, from } = net.transitions[number]!;
    const key = keyOf(netClass, from);
    leaving.set(key, [...(leaving.get(key) ?? []), number]);
  }
  function* extend(root: number, path: number[], onPath: Set<number>): Generator<number[]> {
    const last = net.transitions[path[path.length - 1]!]!;
    if (last.to === root) {
      yield [...path];
      return;
    }
    if (last.to < root || onPath.has(last.to)) return;
    onPath.add(last.to);
    for (const next of leaving.get(keyOf(last.class, last.to)) ?? []) {
      path.push(next);
      yield* extend(root, path, onPath);
      path.pop();
    }
    onPath.delete(last.to);
  }
  for (const number of allowed) {
    const { from } = net.transitions[number]!;
    yield* extend(from, [number], new Set([from]));
  }
}

/**
 * The bound that the proof gives the queue. Besides Φ at the start it pays for what may be unfinished at the end of a run: a piece of path in each
 * linked component per instance, and the constant of each derived row.
 */
export function checkRefinedBound(
  facts: Facts,
  queue: number,
  proof: RefinedPotential,
): Result<bigint, string> {
  const { net, instances } = facts.context;
  const places = net.queues[queue]?.places;
  if (places === undefined) return err(`there is no queue ${queue}`);
  if (places.length === 0) return ok(0n);
  const sums = sumsOf(facts, proof);
  if (!sums.ok) return sums;
  const { index, transitions, cycles, weights, links, rows } = sums.value;
  const rising = transitions.findIndex((sum) => sum > 0n);
  if (rising >= 0) return err(`transition ${rising} adds ${transitions[rising]}`);
  for (const { sum } of cycles.values()) if (sum > 0n) return err(`a cycle adds ${sum}`);
  const divisor = places.reduce<bigint | null>((least, place) => {
    const weight = weights[index.locations + place]!;
    return least === null || weight < least ? weight : least;
  }, null)!;
  if (divisor <= 0n) return err('some message of the queue has no weight');
  let value = 0n;
  net.places.forEach((place, at) => {
    value += weights[index.locations + at]! * BigInt(place.initial);
  });
  index.initialInstances.forEach((count, location) => {
    value += weights[location]! * BigInt(count);
  });
  for (const [transition, link] of links.entries()) {
    if (link < 0n) value -= link * BigInt(instances[net.transitions[transition]!.class]!);
  }
  for (const { row, multiplier } of rows) value += multiplier * row.constant;
  return ok(value / divisor);
}

/** Does the proof show that nothing can go on for ever without progress? */
export function checkLivelockProof(facts: Facts, proof: LivelockProof): Result<true, string> {
  return checkCase(facts, proof, new Set(), []);
}

function checkCase(
  facts: Facts,
  proof: LivelockProof,
  never: ReadonlySet<string>,
  required: readonly ReadonlySet<string>[],
): Result<true, string> {
  if (proof.kind === 'leaf') return checkLeaf(facts, proof, never, required);
  const termination = deriveTermination(facts, proof.on.claim);
  if (termination === null) return err('a case split rests on a claim that does not follow from the code');
  const others = supplementaryCycles(facts, termination);
  if (others === null) return err('a case split rests on cycles that are too many to go through');
  const cycle = cycleKey(termination.cycle.transitions);
  const without = checkCase(facts, proof.never, new Set([...never, cycle]), [...required, new Set()]);
  if (!without.ok) return without;
  const keys = new Set(others.map((other) => cycleKey(other.transitions)));
  return checkCase(facts, proof.both, never, [...required, keys]);
}

function checkLeaf(
  facts: Facts,
  { proof, goal }: Extract<LivelockProof, { kind: 'leaf' }>,
  never: ReadonlySet<string>,
  required: readonly ReadonlySet<string>[],
): Result<true, string> {
  const { net } = facts.context;
  const sums = sumsOf(facts, proof);
  if (!sums.ok) return sums;
  const wanted = goal === 'steps' ? null : required[goal];
  if (wanted === undefined) return err('a case has no such goal');
  for (const [number, { progress }] of net.transitions.entries()) {
    if (progress) continue;
    if (sums.value.transitions[number]! > (goal === 'steps' ? -1n : 0n))
      return err(`transition ${number} adds ${sums.value.transitions[number]}`);
  }
  for (const [key, { sum, transitions }] of sums.value.cycles) {
    if (never.has(key) || transitions.some((transition) => net.transitions[transition]!.progress)) continue;
    if (sum > (wanted?.has(key) ? -1n : 0n)) return err(`a cycle adds ${sum}`);
  }
  if (wanted !== null && ![...wanted].every((key) => sums.value.cycles.has(key) || isElsewhere(facts, key)))
    return err('a case requires a cycle that is not in a linked component');
  return ok(true);
}

/** A cycle that makes progress is never part of a ray without progress, linked or not. */
function isElsewhere({ context }: Facts, key: string): boolean {
  return key.split(',').some((number) => context.net.transitions[Number(number)]!.progress);
}
