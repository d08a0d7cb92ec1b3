// Single programs that gcc compiles: its word on them, and our machine's.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { runProgram } from '../testing/run-program.ts';
import { hasGcc } from './gcc-comparison.fuzz.ts';
import { HARNESS_LINE } from './report/harness.ts';
import { programOf, runWith } from './testing.ts';

if (!hasGcc) console.log('skipped: comparison with gcc (no gcc on PATH)');

const HEADERS = '#include <assert.h>\n#include <stdlib.h>\n#include <string.h>\n#include <stdio.h>\n';

/** The program's assertions hold when gcc compiles it, and in our machine. */
export async function expectAgreement(body: string): Promise<void> {
  const text = HEADERS + body;
  if (hasGcc) gccAgrees(text);
  const run = runWith(await programOf(text), []);
  const last = run.edges.at(-1);
  expect([run.outcome, run.why, last && text.slice(last.span.start, last.span.end)]).toEqual([
    'end',
    'the end',
    expect.anything(),
  ]);
}

function gccAgrees(text: string): void {
  const folder = mkdtempSync(join(tmpdir(), 'spillway-c-'));
  try {
    writeFileSync(join(folder, 'a.c'), text);
    const compiled = runProgram('gcc', ['-w', '-fwrapv', '-o', join(folder, 'a'), join(folder, 'a.c')]);
    expect(compiled.stderr).toBe('');
    expect(runProgram(join(folder, 'a'), []).status).toBe(0);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Does what repeats a refutation show it, when gcc compiles it? */
export function failureShown(harness: string): boolean {
  const folder = mkdtempSync(join(tmpdir(), 'spillway-c-'));
  try {
    writeFileSync(join(folder, 'h.c'), harness);
    const compiled = runProgram('gcc', ['-w', '-fwrapv', '-o', join(folder, 'h'), join(folder, 'h.c')]);
    if (compiled.status !== 0) throw new Error(compiled.stderr);
    const run = runProgram(join(folder, 'h'), []);
    return run.signal === 'SIGABRT' || run.stdout.includes(HARNESS_LINE);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
