import { expect, test } from 'vitest';
import { runProgram } from '../../../testing/run-program.ts';
import { hasGcc } from '../../gcc-comparison.fuzz.ts';
import { SYSTEM_HEADERS } from './headers.ts';
import { libraryFunction } from './results.ts';

const NAMES = [...SYSTEM_HEADERS.values()].flatMap((text) =>
  [...text.matchAll(/(\w+)\([^()]*(?:\([^()]*\)[^()]*)*\);$/gm)].map((match) => match[1]!),
);

const inGcc = (names: readonly string[]): Set<string> => {
  const input = names.map((name) => `#if __has_builtin(${name})\n${name}\n#endif\n`).join('');
  return new Set(runProgram('gcc', ['-E', '-P', '-xc', '-'], { input }).stdout.split('\n'));
};

test.skipIf(!hasGcc)('of which functions gcc knows the type by itself', () => {
  const builtIn = inGcc(NAMES);
  const other = NAMES.filter((name) => !/^(?:int|void)$/.test(libraryFunction(name)?.result ?? 'int'));
  expect(other.length).toBeGreaterThan(300);
  expect(other.filter((name) => libraryFunction(name)!.builtIn !== builtIn.has(name))).toEqual([]);
});
