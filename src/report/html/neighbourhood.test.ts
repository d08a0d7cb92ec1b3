import { expect, test } from 'vitest';
import type { ControlGraph } from '../../verdict/verdict.ts';
import { neighbourhood } from './neighbourhood.ts';

const edge = (from: number, to: number, onPath = false) => ({ from, to, label: `${from}-${to}`, onPath });

function graph(edges: ControlGraph['edges']): ControlGraph {
  const ids = [...new Set(edges.flatMap(({ from, to }) => [from, to]))];
  return { name: 'g', initial: [0], locations: ids.map((id) => ({ id, label: '' })), edges };
}

test('the path stays, one step aside is shown, many are counted, the rest is gone', () => {
  const cut = neighbourhood(
    graph([
      edge(0, 1, true),
      edge(1, 2, true),
      edge(1, 0),
      edge(2, 3),
      edge(3, 4),
      ...[10, 11, 12, 13, 14].map((to) => edge(0, to)),
    ]),
  )!;
  expect(cut.edges.map(({ label }) => label)).toEqual(['0-1', '1-2', '1-0', '5 other ways', '2-3']);
  expect(cut.locations.map(({ id, label }) => label || id)).toEqual([0, 1, 2, '…', '…']);
  const known = new Set(cut.locations.map(({ id }) => id));
  expect(cut.edges.every(({ from, to }) => known.has(from) && known.has(to))).toBe(true);
});

test('without a path there is no neighbourhood', () => {
  expect(neighbourhood(graph([edge(0, 1)]))).toBeNull();
});
