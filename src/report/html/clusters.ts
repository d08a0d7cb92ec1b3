// A graph too large to read, drawn by its parts: neighbouring stretches of the source become one node each, the steps between two
// stretches one edge that says how many they are. Locations without a place go with the location they are first reached from.

import type { ControlGraph } from '../../verdict/verdict.ts';
import { plural } from '../table.ts';

type Edge = ControlGraph['edges'][number];

const MOST_PARTS = 40;

/** At most `MOST_PARTS` nodes, in the order of the source. */
export function clustered(graph: ControlGraph): ControlGraph {
  const lines = lineOf(graph);
  const sorted = graph.locations.toSorted((a, b) => lines.get(a.id)! - lines.get(b.id)! || a.id - b.id);
  const size = Math.ceil(sorted.length / MOST_PARTS);
  const part = new Map(sorted.map(({ id }, index) => [id, Math.floor(index / size)]));
  const members = grouped(sorted, ({ id }) => part.get(id)!);
  return {
    name: graph.name,
    ...(graph.property === undefined ? {} : { property: graph.property }),
    initial: [...new Set(graph.initial.map((id) => part.get(id)!))],
    locations: [...members].map(([id, inside]) => ({ id, label: partLabel(inside, lines) })),
    edges: [...grouped(graph.edges, ({ from, to }) => `${part.get(from)} ${part.get(to)}`).values()].flatMap(
      (edges) => mergedEdge(edges, part.get(edges[0]!.from)!, part.get(edges[0]!.to)!),
    ),
  };
}

/** Steps inside a part are seen only where a run takes them. */
function mergedEdge(edges: readonly Edge[], from: number, to: number): Edge[] {
  const onPath = edges.some((edge) => edge.onPath);
  if (from === to && !onPath) return [];
  const [first] = edges;
  if (edges.length === 1) return [{ ...first!, from, to }];
  return [{ from, to, label: plural(edges.length, 'step'), ...(onPath ? { onPath } : {}) }];
}

function partLabel(inside: ControlGraph['locations'], lines: ReadonlyMap<number, number>): string {
  const numbers = inside.map(({ id }) => lines.get(id)!).filter((line) => line > 0);
  const named = inside
    .map(({ label, id }) => (label === String(id) ? '' : label))
    .find((label) => label !== '');
  const [low, high] = [Math.min(...numbers), Math.max(...numbers)];
  const where = numbers.length === 0 ? '' : low === high ? `line ${low}` : `lines ${low}–${high}`;
  return [where, ...(named === undefined ? [] : [named]), plural(inside.length, 'location')]
    .filter((text) => text !== '')
    .join('\n');
}

/** The line of each location: its own, that of a step that leaves it, or that of its predecessor. */
function lineOf({ locations, edges, initial }: ControlGraph): Map<number, number> {
  const lines = new Map<number, number>();
  for (const { id, at } of locations) if (at !== undefined) lines.set(id, at.line);
  for (const { from, at } of edges) if (at !== undefined && !lines.has(from)) lines.set(from, at.line);
  const successors = grouped(edges, ({ from }) => from);
  const work = [...initial];
  const seen = new Set(work);
  for (const id of work) {
    for (const { to } of successors.get(id) ?? []) {
      if (!lines.has(to)) lines.set(to, lines.get(id) ?? 0);
      if (seen.has(to)) continue;
      seen.add(to);
      work.push(to);
    }
  }
  for (const { id } of locations) if (!lines.has(id)) lines.set(id, 0);
  return lines;
}

function grouped<Item, Key>(items: readonly Item[], keyOf: (item: Item) => Key): Map<Key, Item[]> {
  const groups = new Map<Key, Item[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  return groups;
}
