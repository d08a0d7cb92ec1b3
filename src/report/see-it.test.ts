import { expect, test } from 'vitest';
import { FLOODING_RUN, REFUTED } from './fixtures.ts';
import { seeIt } from './see-it.ts';

const property = (reproduce: string) => ({ ...REFUTED.properties[0]!, id: 'ltl:a b', reproduce });

test('a run is replayed with the definitions of the check', () => {
  const shown = seeIt(
    property("spillway check 'a b.pml' --property bounded -DN=3 -D'X=\"y\"'"),
    { kind: 'run', run: FLOODING_RUN },
    ['a b.pml'],
  );
  expect(shown).toContain("spillway replay run.json 'a b.pml' -DN=3 -D'X=\"y\"'");
});

test('a run of C is a harness to compile', () => {
  const shown = seeIt(
    property('spillway check src/a.c --property assertions -Iinclude'),
    { kind: 'run', run: FLOODING_RUN, harness: 'int main(void);' },
    ['src/a.c'],
  );
  expect(shown).toBe(
    'spillway check src/a.c --property assertions -Iinclude --certificates runs; gcc -w -fwrapv -Iinclude -Isrc -o run runs/a.ltl_a_b.harness.c && ./run',
  );
});
