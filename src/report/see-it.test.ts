import { expect, test } from 'vitest';
import { seeIt } from './see-it.ts';
import { FLOODING_RUN, REFUTED } from './testing/fixtures.ts';

const property = (path: string, asked: string, options: readonly string[]) => ({
  ...REFUTED.properties[0]!,
  id: 'ltl:a b',
  reproduce: { verb: 'check', paths: [path], property: asked, options } as const,
});

test('a run is replayed with the definitions of the check', () => {
  const shown = seeIt(
    property('a b.pml', 'bounded', ['-DN=3', '-DX="y"']),
    { kind: 'run', run: FLOODING_RUN },
    ['a b.pml'],
  );
  expect(shown).toContain("spillway replay run.json 'a b.pml' -DN=3 '-DX=\"y\"'");
});

test('a run of C is a harness to compile', () => {
  const shown = seeIt(
    property('src/a.c', 'assertions', ['-Iinclude']),
    { kind: 'run', run: FLOODING_RUN, harness: 'int main(void);' },
    ['src/a.c'],
  );
  expect(shown).toBe(
    'spillway check src/a.c --property assertions -Iinclude --certificates runs; gcc -w -fwrapv -Iinclude -Isrc -o run runs/a.ltl_a_b.harness.c && ./run',
  );
});
