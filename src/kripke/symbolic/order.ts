// The order of the levels decides how large the diagrams become: components that share events should stand close together. Of three orders the one with the
// smallest sum of the events' spans is taken: as the file has it, that order improved by FORCE (Aloul, Markov and Sakallah 2003), and a walk from neighbour to neighbour.

import type { System } from '../system.ts';

export function levelOrder(system: System): readonly number[] {
  const file = [...system.components.keys()];
  const shared = system.participants.filter((members) => members.length > 1);
  const candidates = [file, force(file, shared), walk(file, shared)];
  const spans = candidates.map((order) => spanSum(order, shared));
  return candidates[spans.indexOf(Math.min(...spans))]!;
}

function placesOf(order: readonly number[]): Int32Array {
  const places = new Int32Array(order.length);
  order.forEach((component, place) => {
    places[component] = place;
  });
  return places;
}

function spanSum(order: readonly number[], shared: readonly (readonly number[])[]): number {
  const places = placesOf(order);
  let sum = 0;
  for (const members of shared) {
    let low = order.length;
    let high = 0;
    for (const member of members) {
      low = Math.min(low, places[member]!);
      high = Math.max(high, places[member]!);
    }
    sum += high - low;
  }
  return sum;
}

const ROUNDS = 50;

/** Each component moves to the mean of the centres of its events, again and again; the best order met. */
function force(start: readonly number[], shared: readonly (readonly number[])[]): readonly number[] {
  let order = start;
  let best = start;
  let bestSpan = spanSum(start, shared);
  for (let round = 0; round < ROUNDS; round++) {
    const places = placesOf(order);
    const sums = new Float64Array(order.length);
    const counts = new Float64Array(order.length);
    for (const members of shared) {
      const centre = members.reduce((sum, member) => sum + places[member]!, 0) / members.length;
      for (const member of members) {
        sums[member]! += centre;
        counts[member]!++;
      }
    }
    const target = (component: number): number =>
      counts[component] === 0 ? places[component]! : sums[component]! / counts[component]!;
    order = [...order].sort((a, b) => target(a) - target(b) || places[a]! - places[b]!);
    const span = spanSum(order, shared);
    if (span >= bestSpan) break;
    best = order;
    bestSpan = span;
  }
  return best;
}

/** From the component with the fewest neighbours on, always the one with the most ties to what is already placed. */
function walk(file: readonly number[], shared: readonly (readonly number[])[]): readonly number[] {
  const eventsOf = file.map((): number[] => []);
  shared.forEach((members, event) => {
    for (const member of members) eventsOf[member]!.push(event);
  });
  const ties = new Float64Array(file.length);
  const left = new Set(file);
  const order: number[] = [];
  const touched = new Uint8Array(shared.length);
  while (left.size > 0) {
    let next = -1;
    for (const component of left)
      if (
        next < 0 ||
        ties[component]! > ties[next]! ||
        (ties[component] === ties[next] && eventsOf[component]!.length < eventsOf[next]!.length)
      )
        next = component;
    left.delete(next);
    order.push(next);
    for (const event of eventsOf[next]!) {
      if (touched[event] === 1) continue;
      touched[event] = 1;
      for (const member of shared[event]!) ties[member]! += 1 / shared[event]!.length;
    }
  }
  return order;
}
