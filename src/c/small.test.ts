// Small programs in the conventions of the software-verification community, each with the answer it expects in its first line. A refutation's
// harness is compiled and shows the failure.

import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { checkModel } from '../check/check.ts';
import { runProgram } from '../testing/run-program.ts';
import { failureShown } from './agreement.fuzz.ts';

const FOLDER = new URL('../../corpus/c/small/', import.meta.url).pathname;
const hasGcc = runProgram('gcc', ['--version']).status === 0;
if (!hasGcc) console.log('skipped: harnesses are not compiled (no gcc on PATH)');

/** Without a limit on time the first looks at these ask the solver for minutes. */
const LONG = ['driver.c', 'euclid.c', 'gnu.c', 'list.c', 'middle.c'];
const isLong = process.env['SPILLWAY_FUZZ'] !== undefined;
if (!isLong) console.log(`left out: ${LONG.join(', ')}; SPILLWAY_FUZZ=1 checks them (minutes)`);

const FILES = readdirSync(FOLDER)
  .filter((name) => (hasGcc || name !== 'system.c') && (isLong || !LONG.includes(name)))
  .map((name) => {
    const text = readFileSync(FOLDER + name, 'utf8');
    return { name, text, expected: /^\/\/ Expected: (\w+)\./.exec(text)?.[1] ?? 'no answer' };
  });

test('there are programs of both kinds', () => {
  expect(new Set(FILES.map(({ expected }) => expected))).toEqual(new Set(['proved', 'refuted']));
});

test.each(FILES)('$name: $expected', { timeout: 0 }, async ({ name, text, expected }) => {
  const report = await checkModel({
    paths: [name],
    properties: ['assertions'],
    files: { read: (path) => (path === name ? text : null), systemHeader },
  });
  expect(report.diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
  const [property] = report.properties;
  expect(`${property!.verdict} ${property!.reason ?? ''}`.trim()).toBe(expected);
  if (property!.evidence?.kind === 'run' && hasGcc)
    expect(failureShown(property!.evidence.harness!)).toBe(true);
});

/** As the command line does it: what the compiler's preprocessor makes of a header. */
function systemHeader(name: string): string | null {
  const result = runProgram('gcc', ['-E', '-dD', '-x', 'c', '-'], { input: `#include <${name}>\n` });
  return result.status === 0 ? result.stdout : null;
}
