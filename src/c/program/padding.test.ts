import { expect, test } from 'vitest';
import { loadC } from '../load-c.ts';
import { paddingOf } from './padding.ts';

async function marks(text: string): Promise<string | null> {
  const files = { read: (path: string) => (path === 'p.c' ? text : null) };
  const { loaded } = await loadC({ path: 'p.c', files, defines: [], includes: [] });
  const object = loaded!.program.objects.find(({ name }) => name === 'v')!;
  return paddingOf(object)?.join('') ?? null;
}

const USED = 'int main(void) { return *(char *)&v; }';

test.each<readonly [string, string | null]>([
  ['int v[3];', null],
  ['struct { char c; short s; } v;', '0100'],
  ['struct { char c; short s; } v[3];', '010001000100'],
  ['struct { char c; struct { short s; char d; } p[2]; } v[2];', `${'0100010001'}${'0100010001'}`],
  ['struct { int a, b; } v[1000];', null],
  ['long double v[2];', `${'0'.repeat(10)}${'2'.repeat(6)}`.repeat(2)],
])('%s', async (text, expected) => {
  expect(await marks(`${text} ${USED}`)).toBe(expected);
});

test('an array of more parts than are counted', async () => {
  const found = await marks(`struct { char c; short s[600]; } v[2000]; ${USED}`);
  expect(found).toBe(`01${'0'.repeat(1200)}`.repeat(2000));
});
