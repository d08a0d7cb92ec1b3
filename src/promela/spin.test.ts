import { describe, expect, test } from 'vitest';
import { render } from '../source/diagnostic.ts';
import { loadPromela } from './load.ts';
import { CASES } from './testing/cases.ts';
import { difference } from './testing/compare.ts';
import { randomModel } from './testing/random-model.ts';
import {
  diskFiles,
  exampleModels,
  hasCompiler,
  hasSpin,
  spinAccepts,
  spinAcceptsFile,
  spinAutomata,
  spinAutomataOf,
} from './testing/spin-automata.fuzz.ts';
import { loadText } from './testing.ts';

const examples = exampleModels();
/** Every example is compiled: a busy machine needs its time. */
const LONG = 3_600_000;

describe.skipIf(!hasSpin)('accepts what SPIN accepts, rejects what SPIN rejects', () => {
  test.skipIf(examples.length === 0)(
    'the examples of the Debian package',
    () => {
      const disagreements = examples.filter((path) => {
        const { program } = loadPromela(path, diskFiles);
        return (program !== null) !== spinAcceptsFile(path);
      });
      expect(disagreements).toEqual([]);
      expect(examples.length).toBeGreaterThan(70);
    },
    LONG,
  );

  test.each(CASES)('$name', ({ text }) => {
    const { program, diagnostics } = loadText(text);
    expect(program !== null, diagnostics.map(render).join('\n')).toBe(spinAccepts(text));
  });
});

describe.skipIf(!hasCompiler)('builds the automata that SPIN builds', () => {
  const compare = (path: string) => {
    const { program } = loadPromela(path, diskFiles);
    const automata = program === null ? null : spinAutomata(path);
    return program === null || automata === null ? null : compareAll(program, automata);
  };
  const compareAll = (
    program: NonNullable<ReturnType<typeof loadPromela>['program']>,
    automata: NonNullable<ReturnType<typeof spinAutomata>>,
  ) =>
    [...program.proctypes, ...program.claims].map((proctype) => {
      const spin = automata.get(proctype.kind === 'init' ? 'init' : proctype.name);
      if (spin === undefined) return `${proctype.name}: SPIN has none`;
      const problem = difference(program, proctype, spin);
      return problem === null ? null : `${proctype.name}: ${problem}`;
    });

  test.skipIf(examples.length === 0)(
    'the examples of the Debian package',
    () => {
      let compared = 0;
      const problems = examples.flatMap((path) => {
        const result = compare(path) ?? [];
        compared += result.length;
        return result.filter((problem) => problem !== null).map((problem) => `${path}: ${problem}`);
      });
      expect(problems).toEqual([]);
      expect(compared).toBeGreaterThan(150);
    },
    LONG,
  );

  const accepted = CASES.filter(({ text }) => loadText(text).program !== null);
  test.each(accepted)('$name', ({ text }) => {
    const automata = spinAutomataOf(text);
    if (automata === null) return;
    const problems = compareAll(loadText(text).program!, automata);
    expect(problems.filter((problem) => problem !== null)).toEqual([]);
  });
});

// SPILLWAY_FUZZ=N compares N random models instead of a few.
describe.skipIf(!hasCompiler)('random bodies', () => {
  const count = Number(process.env['SPILLWAY_FUZZ'] ?? 4);
  test.each(Array.from({ length: count }, (_, i) => ({ seed: 1000 + i })))('seed $seed', ({ seed }) => {
    const text = randomModel(seed, 12);
    const { program, diagnostics } = loadText(text);
    expect(program !== null, diagnostics.map(render).join('\n')).toBe(true);
    const automata = spinAutomataOf(text);
    if (automata === null) return;
    const problems = program!.proctypes.map((proctype) =>
      difference(program!, proctype, automata.get(proctype.name)!),
    );
    expect(problems.filter((problem) => problem !== null)).toEqual([]);
  });
});
