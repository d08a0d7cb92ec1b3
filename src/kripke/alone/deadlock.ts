// Deadlocks of one structure by itself: its states without edges, breadth first over the packed edges, so that the run is a shortest one.

import type { Budget } from '../../base/budget.ts';
import { IntStack } from '../../base/int-stack.ts';
import type { Path } from '../path.ts';
import type { SearchResult } from '../search.ts';
import type { Kripke } from '../structure.ts';
import { stateCount } from '../structure.ts';

const STATES_BETWEEN_LOOKS = 8192;

/** `report` hears of the number of states from time to time. */
export function aloneDeadlock(
  structure: Kripke,
  budget: Budget,
  report: (states: number) => void,
): SearchResult {
  const { first, target } = structure.edges;
  /** One more than the place in `met`; 0: not met. */
  const place = new Int32Array(stateCount(structure));
  const met = new IntStack();
  const cameBy = new IntStack();
  const meet = (state: number, edge: number): void => {
    met.push(state);
    cameBy.push(edge);
    place[state] = met.size;
  };
  let edges = 0;
  const counts = () => ({ states: met.size, edges });
  for (const state of structure.initial) meet(state, -1);
  for (let i = 0; i < met.size; i++) {
    const state = met.at(i);
    const end = first[state + 1]!;
    if (first[state] === end)
      return { kind: 'found', path: pathTo(structure, state, place, cameBy), ...counts() };
    for (let edge = first[state]!; edge < end; edge++)
      if (place[target[edge]!] === 0) meet(target[edge]!, edge);
    edges += end - first[state]!;
    if (met.size > budget.maxStates) return { kind: 'limit', limit: 'states', ...counts() };
    if (i % STATES_BETWEEN_LOOKS === 0) {
      report(met.size);
      if (!budget.timeLeft()) return { kind: 'limit', limit: 'time', ...counts() };
      if (4 * place.length + met.bytes + cameBy.bytes > budget.maxMemory)
        return { kind: 'limit', limit: 'memory', ...counts() };
    }
  }
  return { kind: 'none', ...counts() };
}

function pathTo({ edges }: Kripke, end: number, place: Int32Array, cameBy: IntStack): Path {
  const states = [Int32Array.of(end)];
  const events: number[] = [];
  for (let edge = cameBy.at(place[end]! - 1); edge >= 0; ) {
    const source = sourceOf(edges.first, edge);
    states.push(Int32Array.of(source));
    events.push(edges.event[edge]!);
    edge = cameBy.at(place[source]! - 1);
  }
  return { states: states.reverse(), events: events.reverse(), loopStart: null };
}

/** The state whose edges hold this index. */
function sourceOf(first: Int32Array, edge: number): number {
  let low = 0;
  let high = first.length - 1;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (first[middle]! <= edge) low = middle;
    else high = middle;
  }
  return low;
}
