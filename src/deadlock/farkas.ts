// Does a combination of the rows of encode.ts exclude every non-negative point? Checked column by column, in BigInt.

import type { RowKey } from './encode.ts';
import type { CheckedBlock, Graph } from './proof-graph.ts';

/**
 * Farkas: the multipliers of equations are free, those of `≥ 1` are not negative; their combination has no positive coefficient on any
 * column, yet its right-hand side is positive. No non-negative point satisfies that.
 */
export function contradicts(
  graph: Graph,
  blocks: readonly CheckedBlock[],
  ends: readonly ReadonlySet<number>[],
  rows: readonly (readonly [RowKey, bigint])[],
): boolean {
  const flow = new Table();
  const start = new Table();
  const sync = new Table();
  const refusal = new Table();
  const mix = new Table();
  for (const [[kind, ...place], value] of rows) {
    if (kind === 'refusal' && value < 0n) return false;
    const table = { flow, start, sync, refusal, mix }[kind];
    if (table === undefined || typeof value !== 'bigint') return false;
    // Rows with a right-hand side must exist; an invented one of the others is never looked at.
    if (kind === 'start' && !((graph.components[place[0]!]?.initial.length ?? 0) > 1)) return false;
    if (kind === 'refusal' && graph.participants[place[0]!] === undefined) return false;
    table.set(place, value);
  }
  const right =
    refusal.sum() +
    start.sum() -
    graph.components.reduce(
      (sum, { initial }, index) => sum + (initial.length === 1 ? flow.get([index, initial[0]!]) : 0n),
      0n,
    );
  return (
    right > 0n &&
    edgesFit(graph, flow, sync) &&
    startsFit(graph, flow, start) &&
    endsFit(graph, blocks, ends, flow, refusal, mix) &&
    blocks.every(({ members, joint }, block) =>
      joint
        .filter((states) => members.every((member, i) => ends[member]!.has(states[i]!)))
        .every(
          (states) =>
            members.reduce((sum, member, i) => sum + mix.get([block, member, states[i]!]), 0n) <= 0n,
        ),
    )
  );
}

class Table {
  private readonly values = new Map<string, bigint>();
  set(place: readonly number[], value: bigint): void {
    this.values.set(place.join(), value);
  }
  get(place: readonly number[]): bigint {
    return this.values.get(place.join()) ?? 0n;
  }
  sum(): bigint {
    return [...this.values.values()].reduce((sum, value) => sum + value, 0n);
  }
}

/** x: +flow at the target, −flow at the source; the first participant counts for every sync row of the event, the others against theirs. */
function edgesFit(graph: Graph, flow: Table, sync: Table): boolean {
  return graph.components.every(({ out }, index) => {
    const levels = out.map((_, state) => flow.get([index, state]));
    return out.every((edges, state) =>
      edges.every(({ event, target }) => {
        const [first, ...others] = graph.participants[event]!;
        const counted =
          index === first
            ? others.reduce((sum, other) => sum + sync.get([event, other]), 0n)
            : -sync.get([event, index]);
        return levels[target]! - levels[state]! + counted <= 0n;
      }),
    );
  });
}

function startsFit(graph: Graph, flow: Table, start: Table): boolean {
  return graph.components.every(
    ({ initial }, index) =>
      initial.length === 1 || initial.every((state) => start.get([index]) + flow.get([index, state]) <= 0n),
  );
}

/** z: −flow, +refusal of every event that the state refuses, −mix in each of its blocks. */
function endsFit(
  graph: Graph,
  blocks: readonly CheckedBlock[],
  ends: readonly ReadonlySet<number>[],
  flow: Table,
  refusal: Table,
  mix: Table,
): boolean {
  const eventsOf: number[][] = graph.components.map(() => []);
  graph.participants.forEach((participants, event) => {
    if (refusal.get([event]) !== 0n) for (const index of participants) eventsOf[index]!.push(event);
  });
  const blocksOf: number[][] = graph.components.map(() => []);
  blocks.forEach(({ members }, block) => {
    for (const member of members) blocksOf[member]!.push(block);
  });
  return ends.every((states, index) =>
    [...states].every((state) => {
      const offered = new Set(graph.components[index]!.out[state]!.map(({ event }) => event));
      let sum = -flow.get([index, state]);
      for (const event of eventsOf[index]!) if (!offered.has(event)) sum += refusal.get([event]);
      for (const block of blocksOf[index]!) sum -= mix.get([block, index, state]);
      return sum <= 0n;
    }),
  );
}
