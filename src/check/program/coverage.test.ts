// `--coverage` beside the lists of SPIN's verifier: one statement a line, so that lines can be compared.

import { describe, expect, test } from 'vitest';
import { countedBudget } from '../../testing/counted-budget.ts';
import { runPan } from '../../testing/pan.ts';
import { hasProgram } from '../../testing/programs.ts';
import { checkModel } from '../check.ts';
import { uselessOptions } from '../options.ts';

const MODELS: Readonly<Record<string, string>> = {
  'dead branches': `byte x;
active proctype P() {
  x = 1;
  if
  :: x == 2 ->
     x = 3
  :: else ->
     x = 4
  fi;
  do
  :: x == 9 ->
     break
  :: x < 9 ->
     x = 5
  od;
  x = 6
}`,
  'atomic sequences and processes that never start': `chan q = [1] of { byte };
byte y;
proctype Never() {
  y = 7
}
proctype Once(byte n) {
  atomic {
    q ! n;
    y = n;
    y == 200;
    y = 0
  }
}
init {
  atomic {
    run Once(1);
    run Once(2);
    y = 3
  };
  if
  :: y == 100 ->
     run Never()
  :: y < 100
  fi
}`,
  'rendezvous, and a handshake inside an atomic sequence that began the partner': `chan h = [0] of { byte };
byte z;
proctype Partner() {
  byte got;
  h ? got;
  z = got;
  got == 4;
  z = 9
}
active proctype Main() {
  atomic {
    run Partner();
    h ! 3;
    z = z + 1
  };
  h ! 4;
  assert(z == 3)
}`,
};

async function hintsOf(text: string, budget = countedBudget(100_000, 100_000)) {
  const { diagnostics } = await checkModel({
    paths: ['model.pml'],
    files: { read: (path) => (path === 'model.pml' ? text : null) },
    properties: ['deadlock-free'],
    options: { coverage: true },
    budget,
  });
  return diagnostics.filter(({ severity }) => severity === 'hint');
}

/** The lines that pan lists under `unreached in proctype`. */
function unreachedBySpin(text: string): readonly number[] {
  const answer = runPan(text, {
    compile: ['-DSAFETY', '-DNOREDUCE'],
    run: ['-c0', '-m50000', '-w16'],
    small: true,
  })!;
  const lines = [...answer.output.matchAll(/^\s*model\.pml:(\d+), state \d+, /gm)].map(([, line]) =>
    Number(line),
  );
  return [...new Set(lines)].sort((a, b) => a - b);
}

describe.skipIf(!hasProgram('spin') || !hasProgram('gcc'))(
  'SPIN lists the same (spin and gcc needed)',
  () => {
    test.each(Object.entries(MODELS))('%s', { timeout: 0 }, async (_, text) => {
      const unreached = (await hintsOf(text)).filter(({ message }) => !message.startsWith('never executed'));
      const lines = [...new Set(unreached.map(({ at }) => at!.line))].sort((a, b) => a - b);
      expect(lines).toEqual(unreachedBySpin(text));
      expect(lines.length).toBeGreaterThan(0);
    });
  },
);

test('guards that are never true are named, too', async () => {
  const hints = await hintsOf(MODELS['dead branches']!);
  expect(hints.map(({ at, message }) => `${at!.line} ${message}`)).toMatchInlineSnapshot(`
    [
      "5 never executed: 'x == 2' in 'P' is reached, but never executable",
      "6 unreached: no run comes to 'x = 3' in 'P'",
      "11 never executed: 'x == 9' in 'P' is reached, but never executable",
      "16 unreached: no run comes to 'x = 6' in 'P'",
      "17 'P' never ends",
    ]
  `);
});

test('a search that was cut short says nothing about statements', async () => {
  const endless = 'int x; active proctype P() { do :: x++ od; x = 0 }';
  const hints = await hintsOf(endless, countedBudget(200, 50));
  expect(hints.map(({ code }) => code)).toEqual(['SPW1392']);
  const failing = 'byte a[2], i; active proctype P() { i = 3; a[i] = 1; i = 0 }';
  expect((await hintsOf(failing)).map(({ code }) => code)).toEqual(['SPW1392']);
});

test('it is asked for: no hints without it, and no warning with it', async () => {
  const report = await checkModel({
    paths: ['model.pml'],
    files: { read: () => MODELS['dead branches']! },
    properties: ['deadlock-free'],
  });
  expect(report.diagnostics).toEqual([]);
  expect(uselessOptions([{ paths: ['a.pml'], options: { coverage: true } }])).toEqual([[]]);
});
