// The solver's process: how it is started.

import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openNative } from './native.ts';

/** Says what it was started with. */
const ECHO = '#!/bin/sh\nread question\nread marker\necho "$@"\necho done-1\n';

test.each([
  [5000, '-in -smt2 -T:35\n'],
  [-100_000, '-in -smt2 -T:30\n'],
  [Number.POSITIVE_INFINITY, '-in -smt2\n'],
])('a solver that is needed for %d ms ends by itself, whatever becomes of us', async (milliseconds, args) => {
  const folder = mkdtempSync(join(tmpdir(), 'spillway-solver-'));
  const program = join(folder, 'solver');
  writeFileSync(program, ECHO);
  chmodSync(program, 0o755);
  const backend = await openNative(milliseconds, program);
  expect(await backend!.run('(check-sat)', Number.POSITIVE_INFINITY)).toBe(args);
  backend!.dispose();
  rmSync(folder, { recursive: true });
});
