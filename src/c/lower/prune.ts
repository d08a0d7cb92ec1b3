// Drops what cannot be reached from the entry, and numbers the rest anew.

import type { Edge, Program } from '../program/program.ts';

export function prune(program: Program): Program {
  const outgoing = new Map<number, Edge[]>();
  const { watch } = program.pool;
  for (const edge of program.edges) {
    watch();
    const list = outgoing.get(edge.from);
    if (list === undefined) outgoing.set(edge.from, [edge]);
    else list.push(edge);
  }
  const order = [...new Set([program.entry, ...(program.threads ?? []).map(({ entry }) => entry)])];
  const number = new Map(order.map((location, id) => [location, id]));
  for (const location of order) {
    watch();
    for (const { to } of outgoing.get(location) ?? [])
      if (!number.has(to)) {
        number.set(to, number.size);
        order.push(to);
      }
  }
  const edges = program.edges
    .filter((edge) => number.has(edge.from))
    .map((edge, id) => ({ ...edge, id, from: number.get(edge.from)!, to: number.get(edge.to)! }));
  const locations = order.map((old, id) => ({ ...program.locations[old]!, id }));
  const threads = program.threads?.map((thread) => ({ ...thread, entry: number.get(thread.entry)! }));
  return { ...program, entry: 0, edges, locations, ...(threads === undefined ? {} : { threads }) };
}
