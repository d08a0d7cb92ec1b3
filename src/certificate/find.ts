// Potentials from the duals of linear programs. Nothing here is trusted: every potential goes through check.ts before a verdict
// rests on it.

import type { ExactVector } from '../lp/problem.ts';
import { classGraphs, growingClasses } from '../net/cycles.ts';
import type { CycleEncoding } from '../net/encode-cycles.ts';
import type { NetIndex } from '../net/encode-flow.ts';
import type { BoundProof, Potential, Weight } from './proof.ts';

/** Keeps the non-zero entries. */
export function sparse(values: readonly bigint[]): Weight[] {
  const weights: Weight[] = [];
  values.forEach((weight, at) => {
    if (weight !== 0n) weights.push({ at, weight });
  });
  return weights;
}

/** The multipliers of the flow system's rows, with something added on some places, are a potential (scaled to integers). */
export function potentialFromFlow(
  index: NetIndex,
  dual: ExactVector,
  added: ReadonlyMap<number, bigint>,
): Potential {
  const places = index.net.places.map(
    (_, place) => dual.values[index.locations + place]! + (added.get(place) ?? 0n),
  );
  return { places: sparse(places), locations: sparse(dual.values.slice(0, index.locations)) };
}

const tables = new WeakMap<Potential, ReadonlyMap<number, bigint>>();

/** By place; kept, because many queues may ask the same potential. */
function weightsOf(potential: Potential): ReadonlyMap<number, bigint> {
  let known = tables.get(potential);
  if (known === undefined) {
    known = new Map(potential.places.map(({ at, weight }) => [at, weight]));
    tables.set(potential, known);
  }
  return known;
}

/** The simplest proof: one potential, as many times the queue's messages as its smallest weight among them. */
export function plainProof(potential: Potential, queue: ReadonlySet<number>): BoundProof | null {
  const weights = weightsOf(potential);
  let divisor: bigint | null = null;
  for (const place of queue) {
    const weight = weights.get(place) ?? 0n;
    if (divisor === null || weight < divisor) divisor = weight;
  }
  if (divisor === null || divisor <= 0n) return null;
  return { kind: 'potential', potential, counts: [], divisor };
}

/**
 * A potential from weights of places under which no elementary cycle gains: a location's weight is the most that a path from it can
 * still gain. With `loss`, every transition that is not progress must lose that much (a ranking).
 * Null when some cycle gains after all.
 */
export function potentialFromCycles(
  index: NetIndex,
  encoding: CycleEncoding,
  dual: ExactVector,
  added: ReadonlyMap<number, bigint>,
  options: { readonly loss: bigint; readonly skipProgress: boolean } = { loss: 0n, skipProgress: false },
): Potential | null {
  const { net, offsets } = index;
  const places = net.places.map(
    (_, place) => dual.values[encoding.placeRow(place)]! + (added.get(place) ?? 0n),
  );
  const locations: bigint[] = new Array(index.locations).fill(0n);
  for (const [location, row] of encoding.locationRow) locations[location] = dual.values[row]!;
  for (const netClass of startOrder(index)) {
    if (encoding.growing.has(netClass)) continue;
    const offset = offsets[netClass]!;
    const { graph, transitions } = classGraphs(net)[netClass]!;
    const gains = transitions.map((number) => {
      const transition = net.transitions[number]!;
      let gain = options.loss;
      for (const { place, change } of transition.effect) gain += places[place]! * BigInt(change);
      for (const spawn of transition.spawns)
        gain += locations[offsets[spawn.class]! + net.classes[spawn.class]!.initial]! * BigInt(spawn.count);
      return gain;
    });
    const used = transitions.map((number) => !(options.skipProgress && net.transitions[number]!.progress));
    let changed = true;
    for (let round = 0; changed; round++) {
      if (round > graph.nodeCount) return null;
      changed = false;
      graph.arcs.forEach((arc, number) => {
        if (!used[number]) return;
        const best = gains[number]! + locations[offset + arc.to]!;
        if (best > locations[offset + arc.from]!) {
          locations[offset + arc.from] = best;
          changed = true;
        }
      });
    }
  }
  return { places: sparse(places), locations: sparse(locations) };
}

/** Classes after the ones they start. */
function startOrder({ net }: NetIndex): number[] {
  const growing = growingClasses(net);
  const starts: Set<number>[] = net.classes.map(() => new Set());
  for (const transition of net.transitions)
    for (const spawn of transition.spawns) starts[transition.class]!.add(spawn.class);
  const order: number[] = [];
  const seen = new Set<number>(growing);
  const visit = (netClass: number): void => {
    if (seen.has(netClass)) return;
    seen.add(netClass);
    for (const other of starts[netClass]!) visit(other);
    order.push(netClass);
  };
  net.classes.forEach((_, netClass) => {
    visit(netClass);
  });
  return order;
}
