// A process that is blocked for ever while others go on: a warning where nobody asked, a refutation where `stuck-free` was.

import { expect, test } from 'vitest';
import { runPan } from '../../testing/pan.ts';
import { hasProgram } from '../../testing/programs.ts';
import { checkModel } from '../check.ts';

/** The case of SPIN's issue 79: the second message finds the channel full, and nobody takes one; the clock goes on. */
const FULL = (label = ''): string => `chan reports = [1] of { byte };
byte ticks;
active proctype Worker() { byte job; ${label} do :: reports!job; job = 1 - job od }
active proctype Clock() { do :: ticks = (ticks + 1) % 60 od }`;

const check = (text: string, properties: readonly string[] = []) =>
  checkModel({
    paths: ['model.pml'],
    files: { read: (path) => (path === 'model.pml' ? text : null) },
    properties,
  });

test('a channel that stays full: no deadlock, a warning at the statement', async () => {
  const { properties, diagnostics } = await check(FULL(), ['deadlock-free', 'assertions']);
  expect(properties.map(({ verdict }) => verdict)).toEqual(['proved', 'proved']);
  expect(diagnostics).toMatchObject([
    {
      code: 'SPW1393',
      severity: 'warning',
      message:
        "'Worker' can be blocked for ever here while others go on: it waits for room in reports, which is full (1 of 1)",
      at: { line: 3 },
    },
  ]);
});

test('asked for, it is refuted with the process and the statement', async () => {
  const { properties, diagnostics } = await check(FULL(), ['deadlock-free', 'stuck-free']);
  expect(diagnostics).toEqual([]);
  expect(properties[1]).toMatchObject({
    verdict: 'refuted',
    evidence: {
      run: {
        blocked: {
          processes: [{ process: 'Worker', statement: 'reports!job', waitsFor: [{ kind: 'room' }] }],
        },
      },
    },
  });
});

test('nothing is said where an end label allows it, where somebody helps, and of deadlocks', async () => {
  const quiet = [
    FULL('end:'),
    FULL().replace('do :: ticks', 'do :: reports?_ :: ticks'),
    FULL().replace('do :: ticks = (ticks + 1) % 60 od', 'ticks = 1'),
  ];
  for (const text of quiet) expect((await check(text, ['deadlock-free'])).diagnostics).toEqual([]);
});

if (!hasProgram('spin')) console.log('spin is not installed: that it does not see this is not shown');
test.skipIf(!hasProgram('spin'))('SPIN sees nothing wrong', () => {
  expect(runPan(FULL(), { small: true })).toMatchObject({ errors: 0, complete: true });
});
