// The machine-readable reports of real models, each kind of verdict in every language, against their schemas.

import { readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import { afterAll, describe, expect, test } from 'vitest';
import { scratchIo } from '../testing/memory-io.ts';
import { hasProgram } from '../testing/programs.ts';
import { codeScanningProblems, junitProblems, sarifProblems } from '../testing/schemas.ts';
import { runCli } from './run.ts';

const json = new Ajv({ allErrors: true, allowUnionTypes: true }).compile(
  JSON.parse(readFileSync(new URL('../../schema/report-1.schema.json', import.meta.url), 'utf8')),
);
const xmllint = hasProgram('xmllint');

const scratch = scratchIo();
afterAll(() => scratch.remove());
const write = (path: string, text: string): void => scratch.io.writeFile(path, text);

write('broken.pml', 'active proctype p() { x = }\n');
write('empty.pml', '');
write('bäd name #1.pml', 'chan q = [1] of { byte };\nactive proctype p() { do :: q!1 od }\n');
write(
  'crash.c',
  '#include <assert.h>\nint __VERIFIER_nondet_int(void);\nint main(void) { int x = __VERIFIER_nondet_int(); assert(x != 7); return 0; }\n',
);
write('fine.c', '#include <assert.h>\nint main(void) { int x = 3; assert(x != 7); return 0; }\n');
// What is outside of the program is not known: neither a proof nor a run.
write(
  'open.c',
  '#include <assert.h>\nint get(void);\nint main(void) { int x = get(); assert(x != 7); return 0; }\n',
);
write(
  'surprises/spillway.config.json',
  JSON.stringify({
    models: [
      { model: '../corpus/quickstart/flood.pml', expect: { bounded: 'refuted' } },
      { model: '../corpus/quickstart/ring.pml', expect: { bounded: 'refuted' } },
      { model: '../corpus/quickstart/flood.pml', expect: { bounded: 'proved' } },
    ],
  }),
);

const CASES: readonly (readonly [string, readonly string[]])[] = [
  ['Promela, refuted', ['corpus/quickstart/flood.pml']],
  ['Promela, proved', ['corpus/quickstart/ring.pml']],
  ['Promela, unknown', ['corpus/papers/iboc-fig8.pml', '--no-confirm', '--max-states', '300']],
  [
    'Promela, nothing explored',
    ['corpus/quickstart/ring.pml', '--property', 'deadlock-free', '--max-states', '2'],
  ],
  ['structures, refuted', ['corpus/kripke/dpd.lks']],
  ['structures, proved', ['corpus/kripke/dpn.lks']],
  ['machines, proved', ['corpus/ecfsm/alternating-bit.ecfsm']],
  ['machines, refuted', ['corpus/ecfsm/minor-sync-broken.ecfsm']],
  ['C, proved', ['fine.c']],
  ['C, refuted', ['crash.c']],
  ['C, unknown', ['open.c']],
  ['threads of C, refuted', ['corpus/c/dpd.spec', '-DN=2']],
  ['threads of C, proved', ['corpus/c/dpn.spec', '-DN=2']],
  ['several languages', ['corpus/quickstart/flood.pml', 'corpus/kripke/fig5.lks', 'crash.c']],
  ['a name that needs quoting', ['bäd name #1.pml']],
  ['a syntax error', ['broken.pml', 'corpus/quickstart/flood.pml']],
  ['an empty file', ['empty.pml']],
  ['no such file', ['missing.pml', 'what.xyz']],
  ['a configuration with surprises', ['--config', 'surprises/spillway.config.json']],
];

const seen = new Set<string>();

describe.each(CASES)('%s', (name, args) => {
  /** Checked once, written in all formats. */
  let made: Promise<Record<'json' | 'sarif' | 'junit', string>> | null = null;
  const check = async () => {
    const also = ['--report', 'sarif=out.sarif', '--report', 'junit=out.xml'];
    const code = await runCli(['check', ...args, '--format', 'json', ...also], scratch.io);
    expect([0, 1, 2, 3]).toContain(code);
    const written = (path: string): string => scratch.io.readFile(path)!;
    return { json: scratch.takeOutput(), sarif: written('out.sarif'), junit: written('out.xml') };
  };
  const report = async (format: 'json' | 'sarif' | 'junit'): Promise<string> => {
    made ??= check();
    return (await made)[format];
  };

  test('SARIF fits the published schema and what GitHub code scanning demands', async () => {
    const document = JSON.parse(await report('sarif'));
    expect(sarifProblems(document)).toEqual([]);
    expect(codeScanningProblems(document)).toEqual([]);
    for (const { verdict } of document.runs[0].properties.verdicts) seen.add(verdict);
    // The name of a case says what it is about.
    const [, wanted] = /, (proved|refuted|unknown)$/.exec(name) ?? [];
    const verdicts = document.runs[0].properties.verdicts.map((one: { verdict: string }) => one.verdict);
    if (wanted !== undefined) expect(verdicts).toContain(wanted);
  });

  test('JSON fits the published schema', async () => {
    json(JSON.parse(await report('json')));
    expect(json.errors).toBeNull();
  });

  test.skipIf(!xmllint)('JUnit fits the schema', async () => {
    expect(junitProblems(await report('junit'))).toBeNull();
  });
});

test('every verdict was among them', () => {
  expect([...seen].sort()).toEqual(['proved', 'refuted', 'unknown']);
});
