import { expect, test } from 'vitest';
import { loadC } from '../load-c.ts';
import { controlGraphOf } from './graph.ts';

async function graphOf(text: string, path: readonly number[] = []) {
  const files = { read: (name: string) => (name === 'a.c' ? text : null) };
  const { loaded, diagnostics } = await loadC({ path: 'a.c', files, defines: [], includes: [] });
  if (loaded === null) throw new Error(JSON.stringify(diagnostics));
  return controlGraphOf('main', loaded.program, new Set(path));
}

test('a straight stretch is one edge, branches and loops are drawn, ends are named', async () => {
  const graph = await graphOf(`void reach_error(void);
int main(void) {
  int x = 0;
  int y = 1;
  while (x < 3) {
    x = x + 1;
    y = y + x;
  }
  if (y == 7) reach_error();
  return 0;
}`);
  const name = (id: number) => graph.locations.find((location) => location.id === id)!.label;
  expect(graph.edges.map(({ from, to, label }) => [name(from), label, name(to)]).sort()).toEqual([
    ['5', '[!(x < 3)]', '9'],
    ['5', '[x < 3]\nx = x + 1\ny = y + x', '5'],
    ['9', '[!(y == 7)]', 'end'],
    ['9', '[y == 7]', 'error'],
    ['start', 'x = 0\ny = 1', '5'],
  ]);
  expect(graph.edges.every(({ onPath }) => onPath === false)).toBe(true);
});

test('a program that does nothing for ever, and one that does nothing at all, have a graph', async () => {
  expect((await graphOf('int main(void) { for (;;); }')).locations).toHaveLength(1);
  expect((await graphOf('int main(void) { L: goto L; }')).locations.length).toBeGreaterThan(0);
  expect((await graphOf('int main(void) { return 0; }')).locations.map(({ label }) => label)).toContain(
    'start',
  );
});
