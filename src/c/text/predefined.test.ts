// All macros that gcc predefines, and nothing else.

import { expect, test } from 'vitest';
import { runProgram } from '../../testing/run-program.ts';
import { hasGcc, hasGcc32 } from '../gcc-comparison.fuzz.ts';
import { type DataModel, PREDEFINED } from './predefined.ts';

const macros = (flags: readonly string[]): string[] =>
  runProgram('gcc', [...flags, '-dM', '-E', '-xc', '-'], { input: '' })
    .stdout.trim()
    .split('\n');

const isKnown =
  hasGcc &&
  macros([]).some((line) => line === '#define __VERSION__ "12.2.0"') &&
  macros([]).includes('#define __x86_64__ 1');
if (!isKnown) console.log('skipped: predefined macros against gcc 12.2 on x86-64');

const MODELS: readonly { model: DataModel; flags: readonly string[] }[] = [
  { model: 'LP64', flags: [] },
  ...(hasGcc32 ? [{ model: 'ILP32' as const, flags: ['-m32', '-msse2', '-mfpmath=sse'] }] : []),
];
/** Our own name, and the time of the compilation, which gcc does not list. */
const OURS = /^#define __(?:SPILLWAY|DATE|TIME|TIMESTAMP)__ /;

test.skipIf(!isKnown).each(MODELS)('predefined macros, $model', ({ model, flags }) => {
  const ours = PREDEFINED[model].trim().split('\n');
  expect(
    ours
      .filter((line) => !OURS.test(line))
      .map((line) => line.trim())
      .sort(),
  ).toEqual(
    macros(flags)
      .map((line) => line.trim())
      .sort(),
  );
});
