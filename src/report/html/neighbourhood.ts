// A graph too large to read, cut down to the steps a run takes and the first steps aside; what lies beyond is a location named `…`.

import type { ControlGraph } from '../../verdict/verdict.ts';

type Edge = ControlGraph['edges'][number];

/** More steps aside at one place are counted, not drawn. */
const MOST_ASIDE = 3;

/** Null when no run goes through the graph. */
export function neighbourhood(graph: ControlGraph): ControlGraph | null {
  const path = graph.edges.filter((edge) => edge.onPath);
  if (path.length === 0) return null;
  const near = new Set(path.flatMap(({ from, to }) => [from, to]));
  const beyond = Math.max(...graph.locations.map(({ id }) => id)) + 1;
  const between = graph.edges.filter(({ from, to, onPath }) => near.has(from) && near.has(to) && !onPath);
  const aside = [...near]
    .flatMap((from) => shortened(graph.edges.filter((edge) => edge.from === from && !near.has(edge.to))))
    .map((edge, index) => ({ ...edge, to: beyond + index }));
  return {
    name: graph.name,
    initial: graph.initial.filter((id) => near.has(id)),
    locations: [
      ...graph.locations.filter(({ id }) => near.has(id)),
      ...aside.map(({ to }) => ({ id: to, label: '…' })),
    ],
    edges: [...path, ...between, ...aside],
  };
}

function shortened(edges: readonly Edge[]): readonly Edge[] {
  if (edges.length <= MOST_ASIDE) return edges;
  const { from, to } = edges[0]!;
  return [{ from, to, label: `${edges.length} other ways`, onPath: false }];
}
