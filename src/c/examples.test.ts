// The examples of corpus/c in their correct and broken versions. Every refutation's harness is compiled and shows the failure.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { checkModel } from '../check/check.ts';
import { runProgram } from '../testing/run-program.ts';
import { HARNESS_LINE } from './report/harness.ts';

const FOLDER = new URL('../../corpus/c/', import.meta.url).pathname;
const hasGcc = runProgram('gcc', ['--version']).status === 0;
if (!hasGcc) console.log('skipped: harnesses are not compiled (no gcc on PATH)');

function read(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}

function showsTheFailure(harness: string): void {
  const folder = mkdtempSync(join(tmpdir(), 'spillway-c-'));
  try {
    writeFileSync(join(folder, 'h.c'), harness);
    const compiled = runProgram('gcc', [
      '-w',
      '-fwrapv',
      '-I',
      FOLDER,
      '-o',
      join(folder, 'h'),
      join(folder, 'h.c'),
    ]);
    expect(compiled.stderr).toBe('');
    const run = runProgram(join(folder, 'h'), []);
    expect(run.signal === 'SIGABRT' || run.stdout.includes(HARNESS_LINE)).toBe(true);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

interface Example {
  readonly file: string;
  readonly defines: readonly string[];
  /** Everything else that the file states is proved. */
  readonly refuted: readonly string[];
  /** Only these properties; all without it. */
  readonly only?: readonly string[];
  /** Takes so long that only long runs check it. */
  readonly long?: boolean;
}

/** With SPILLWAY_FUZZ everything that the files state; else what can be settled in seconds. */
const part = (...only: string[]): { only?: readonly string[] } =>
  process.env['SPILLWAY_FUZZ'] === undefined ? { only } : {};
if (process.env['SPILLWAY_FUZZ'] === undefined)
  console.log(
    'left out: machine.c; kernel.spec, ssl.spec, ipc.spec as they should be; some broken versions; SPILLWAY_FUZZ=1 checks them (minutes)',
  );

const EXAMPLES: readonly Example[] = [
  { file: 'machine.c', defines: [], refuted: [], ...part('assertions'), long: true },
  ...['BUG_RESUME', 'BUG_EMERGENCY', 'BUG_RENEW'].map((bug) => ({
    file: 'machine.c',
    defines: [bug],
    refuted: ['assertions'],
    ...part('assertions'),
    long: true,
  })),
  { file: 'rw.spec', defines: [], refuted: [] },
  { file: 'rw.spec', defines: ['BROKEN'], refuted: ['ltl:exclusion', 'ltl:alone'] },
  { file: 'dpn.spec', defines: [], refuted: [] },
  { file: 'dpd.spec', defines: [], refuted: ['deadlock-free'] },
  { file: 'ucosn.spec', defines: ['N=3'], refuted: [] },
  { file: 'ucosd.spec', defines: [], refuted: ['deadlock-free'] },
  { file: 'pc.spec', defines: ['N=6'], refuted: [], long: true },
  { file: 'pc.spec', defines: ['N=3', 'BUG_FULL'], refuted: ['assertions', 'ltl:bounded'] },
  { file: 'kernel.spec', defines: [], refuted: [], long: true },
  {
    file: 'kernel.spec',
    defines: ['BUG_MUTEX'],
    refuted: ['conforms:Task', 'ltl:released'],
    ...part('ltl:released'),
  },
  {
    file: 'kernel.spec',
    defines: ['BUG_RESUME'],
    refuted: ['conforms:Task'],
    only: ['conforms:Task'],
    long: true,
  },
  {
    file: 'kernel.spec',
    defines: ['BUG_TIMEOUT'],
    refuted: ['conforms:Task'],
    only: ['conforms:Task'],
    long: true,
  },
  {
    file: 'kernel.spec',
    defines: ['BUG_SPIN'],
    refuted: ['ltl:released'],
    ...part('ltl:released'),
  },
  { file: 'ssl.spec', defines: [], refuted: [], long: true },
  {
    file: 'ssl.spec',
    defines: ['BUG_RESUME'],
    refuted: ['deadlock-free'],
    only: ['deadlock-free'],
    long: true,
  },
  {
    file: 'ssl.spec',
    defines: ['BUG_REKEY'],
    refuted: ['ltl:srvr_3_ss', 'ltl:srvr_3_se'],
    only: ['ltl:srvr_3_ss', 'ltl:srvr_3_se'],
    long: true,
  },
  {
    file: 'ssl.spec',
    defines: ['BUG_CERT'],
    refuted: ['ltl:srvr_4_ss', 'ltl:srvr_4_se'],
    only: ['ltl:srvr_4_ss', 'ltl:srvr_4_se'],
    long: true,
  },
  { file: 'ssl.spec', defines: ['BUG_SILENT'], refuted: ['ltl:srvr_2_se'], only: ['ltl:srvr_2_se'] },
  { file: 'ipc.spec', defines: [], refuted: [], long: true },
  { file: 'ipc.spec', defines: ['BUG_ORDER'], refuted: ['deadlock-free', 'conforms:Janitor'], long: true },
  { file: 'ipc.spec', defines: ['BUG_RELEASE'], refuted: ['deadlock-free'], only: ['deadlock-free'] },
  { file: 'ipc.spec', defines: ['BUG_CANCEL'], refuted: ['deadlock-free', 'conforms:Client(1)'], long: true },
];

const isLong = process.env['SPILLWAY_FUZZ'] !== undefined;

test.each(EXAMPLES.filter(({ long }) => isLong || !long))(
  '$file $defines',
  { timeout: 0 },
  async ({ file, defines, refuted, only }) => {
    const report = await checkModel({
      paths: [FOLDER + file],
      files: { read },
      options: { defines },
      properties: only ?? [],
    });
    expect(report.diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
    expect(report.properties.length).toBeGreaterThan(0);
    const verdicts = report.properties.map(({ id, verdict, reason }) =>
      `${id}: ${verdict} ${reason ?? ''}`.trim(),
    );
    expect(verdicts).toEqual(
      report.properties.map(({ id }) => `${id}: ${refuted.includes(id) ? 'refuted' : 'proved'}`),
    );
    for (const { evidence } of report.properties) {
      if (evidence?.kind !== 'run') continue;
      expect(evidence.run.steps.length).toBeGreaterThan(0);
      if (hasGcc) showsTheFailure(evidence.harness!);
    }
  },
);

const MODULE =
  'extern void a(void); extern void b(int); int g; void p(int n) { int x = n; for (;;) { a(); b(x); g++; L: x = 1; } }';

test.each([
  ['C that does not parse', 'SPW5001', 'int main( {', ''],
  [
    'an unknown name in C',
    'SPW5010',
    'void p(int n) { y = n; }',
    'use "m.c"; thread T = p(1); deadlock-free;',
  ],
  [
    'an include that is not there',
    'SPW5003',
    '#include "no.h"\nvoid p(int n) {}',
    'use "m.c"; thread T = p(1); deadlock-free;',
  ],
  ['a C file that is not there', 'SPW5105', MODULE, 'use "none.c"; thread T = p(1); deadlock-free;'],
  [
    'a procedure that does not exist',
    'SPW5102',
    MODULE,
    'use "m.c"; event a, b; thread T = q(1); deadlock-free;',
  ],
  ['an event nobody offers', 'SPW5103', MODULE, 'use "m.c"; event a, b, c; thread T = p(1); deadlock-free;'],
  [
    'a predicate over an unknown variable',
    'SPW5104',
    MODULE,
    'use "m.c"; event a, b; thread T = p(1); predicate q in T: zz == 1; deadlock-free;',
  ],
  [
    'a formula over an unknown name',
    'SPW3205',
    MODULE,
    'use "m.c"; event a, b; thread T = p(1); ltl f { G (a -> F zz) }',
  ],
  [
    'a label that is not there',
    'SPW5106',
    MODULE,
    'use "m.c"; event a, b; thread T = p(1); unreachable M in T;',
  ],
  [
    'a thread that is not there',
    'SPW5102',
    MODULE,
    'use "m.c"; event a, b; thread T = p(1); unreachable L in S;',
  ],
  ['a statement that is none', 'SPW5101', MODULE, 'use "m.c"; evnt a; thread T = p(1);'],
  [
    'two of the same name',
    'SPW5108',
    MODULE,
    'use "m.c"; event a, b; thread T = p(1); thread T = p(2); deadlock-free;',
  ],
])('bad input: %s', async (_, code, c, spec) => {
  const files: Record<string, string> = { 'm.c': c, 's.spec': spec };
  const report = await checkModel({
    paths: [spec === '' ? 'm.c' : 's.spec'],
    files: { read: (path) => files[path] ?? null },
  });
  const errors = report.diagnostics.filter(({ severity }) => severity === 'error');
  expect(errors.map((diagnostic) => diagnostic.code)).toContain(code);
  expect(errors.every(({ at }) => at !== null)).toBe(true);
  expect(report.properties).toEqual([]);
});

test('what a verdict rests on is named', async () => {
  const files: Record<string, string> = {
    'm.c':
      'extern int get(void); int main(void) { double d = 1.5; int x = get(); if (x == 3 && d > 1.0) reach_error(); }',
    // Memory behind an address: no contract speaks of it.
    'r.c':
      'int f(int n, int *p) { return n <= 0 ? *p : 1 + f(n - 1, p); } int main(void) { int z = 0; if (f(4000, &z) != 4000) reach_error(); }',
    's.c':
      'int f(int n) { return n <= 0 ? 0 : 1 + f(n - 1); } int main(void) { if (f(30) != 30) reach_error(); }',
  };
  const check = async (path: string) =>
    (await checkModel({ paths: [path], files: { read: (p) => files[p] ?? null } })).properties[0]!;
  const external = await check('m.c');
  expect(external.verdict).toBe('unknown');
  expect(external.notes?.some(({ message }) => message.includes("'get' has no definition"))).toBe(true);
  const deep = await check('r.c');
  expect([deep.verdict, deep.reasonCode]).toEqual(['unknown', 'unsupported-construct']);
  expect((await check('s.c')).verdict).toBe('proved');
});
