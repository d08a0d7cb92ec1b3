// How loops lie in each other: the locations in an order in which what belongs to a loop stands together, its head first (a weak topological order: Bourdoncle,
// "Efficient chaotic iteration strategies with widenings", 1993). Edges lead forward in it, or to the head of a loop that they lie in.

import { components } from '../../graph/components.ts';
import { digraph } from '../../graph/digraph.ts';
import type { Edge } from '../program/program.ts';
import { forwards } from '../program/sweep.ts';

export interface Nesting {
  /** The heads of the loops that a location lies in, the outermost first; a head lies in its own loop. */
  readonly heads: readonly (readonly number[])[];
  readonly rank: readonly number[];
}

export function nestingOf(entry: number, outgoing: readonly (readonly Edge[])[]): Nesting {
  const first = forwards(entry, outgoing);
  const place: number[] = [];
  first.forEach((location, i) => {
    place[location] = i;
  });
  const heads: number[][] = outgoing.map(() => []);
  const rank: number[] = outgoing.map(() => -1);
  let next = 0;
  /** Parts of the graph that are still to be put in order; `head`: edges to it do not count. */
  const stack: { readonly members: readonly number[]; readonly head: number | null }[] = [
    { members: first, head: null },
  ];
  for (let top = stack.pop(); top !== undefined; top = stack.pop()) {
    const { members, head } = top;
    if (members.length === 1) {
      rank[members[0]!] = next++;
      continue;
    }
    const number = new Map(members.map((location, i) => [location, i] as const));
    const arcs = members.flatMap((location, from) =>
      outgoing[location]!.flatMap((edge) => {
        const to = edge.to === head ? undefined : number.get(edge.to);
        return to === undefined ? [] : [{ from, to }];
      }),
    );
    const parts = components(digraph(members.length, arcs)).members;
    // Numbers are in reverse topological order, which a stack puts right.
    for (const part of parts) {
      const inside = part.map((i) => members[i]!);
      const loops = part.length > 1 || arcs.some(({ from, to }) => from === part[0] && to === part[0]);
      if (!loops) stack.push({ members: inside, head: null });
      else {
        const start = inside.reduce((a, b) => (place[a]! <= place[b]! ? a : b));
        for (const location of inside) heads[location]!.push(start);
        stack.push({ members: inside, head: start });
      }
    }
  }
  return { heads, rank };
}
