// SPIN is the judge of the semantics: on its own example models and on random ones the plain state graph must have exactly the same numbers
// of states and transitions and as many errors.

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { SILENT, UNLIMITED } from '../base/budget.ts';
import { loadPromela } from '../promela/load.ts';
import { runPan } from '../testing/pan.ts';
import { hasProgram } from '../testing/programs.ts';
import { randomModels } from '../testing/random-models.ts';
import { randomSemanticsModel, seededPick } from '../testing/random-semantics.ts';
import { compileModel } from './compile.ts';
import { faultText } from './faults.ts';
import type { SearchOutcome } from './search.ts';
import { search } from './search.ts';

const EXAMPLES = '/usr/share/doc/spin/examples/Examples';
const ready = hasProgram('spin') && hasProgram('gcc') && existsSync(EXAMPLES);
const more = Number(process.env['SPILLWAY_FUZZ'] ?? 0);
const SEED = Number(process.env['SPILLWAY_SEED'] ?? 0);

/** Larger models are compared only with SPILLWAY_FUZZ (docs/semantics.md has the results). */
const largest = more > 0 ? 10_000_000 : 20_000;

/** No comparison possible, with the reason. */
const OTHERWISE = new Map([
  ['life.pml', 'some ten million states'],
  ['Book_1991/App.F.pftp.pml', 'too large for SPIN without reductions'],
  ['Book_1991/p108.pml', 'too large for SPIN without reductions'],
  ['Exercises/ex_6.pml', 'too large for SPIN without reductions'],
  ['priorities.pml', 'infinitely many states in practice: five int counters without end'],
]);

function explore(
  text: string,
  path: string,
  files: ReadonlyMap<string, string>,
  maxStates: number,
): SearchOutcome | string {
  const read = (name: string) =>
    name === path ? text : (files.get(name.slice(name.lastIndexOf('/') + 1)) ?? null);
  const { program, diagnostics } = loadPromela(path, { read });
  if (program === null) return diagnostics.map((diagnostic) => diagnostic.message).join('; ');
  const model = compileModel(program);
  if (!model.ok) return model.error.reason;
  const goals = { endStates: true, assertions: true, all: true };
  return search(model.value, goals, { ...UNLIMITED, maxStates }, SILENT);
}

function* examples(folder = EXAMPLES): Generator<string> {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (entry.isDirectory()) yield* examples(join(folder, entry.name));
    else if (entry.name.endsWith('.pml')) yield join(folder, entry.name);
  }
}

function includes(path: string): Map<string, string> {
  const folder = dirname(path);
  const headers = readdirSync(folder).filter((name) => name.endsWith('.h'));
  return new Map(headers.map((name) => [name, readFileSync(join(folder, name), 'utf8')]));
}

describe.skipIf(!ready)('SPIN’s examples: the same state graph', () => {
  let compared = 0;
  for (const path of ready ? [...examples()].sort() : []) {
    const name = path.slice(EXAMPLES.length + 1);
    if (OTHERWISE.has(name)) continue;
    test(name, () => {
      const text = readFileSync(path, 'utf8');
      const files = includes(path);
      const ours = explore(text, path, files, largest);
      if (typeof ours !== 'string' && ours.limit !== null && more === 0) return;
      let reason = '';
      const judge = runPan(text, { files, seconds: 3600, small: more === 0 }, (why) => {
        reason = why;
      });
      if (judge === null) {
        console.warn(`${name}: SPIN gives no answer: ${reason.split('\n')[0]}`);
        return;
      }
      if (typeof ours === 'string') throw new Error(ours);
      if (ours.cutBy !== null) {
        // SPIN's verifier stops at such runtime errors: only their existence can be compared.
        expect(`${judge.errors > 0} ${faultText(ours.cutBy)}`).toBe(`true ${faultText(ours.cutBy)}`);
        return;
      }
      expect(ours.limit).toBe(null);
      compared++;
      expect({ states: ours.states, transitions: ours.transitions, errors: ours.violationCount }).toEqual({
        states: judge.states,
        transitions: judge.transitions,
        errors: judge.errors,
      });
    });
  }

  test('enough of them', () => {
    expect(compared).toBeGreaterThanOrEqual(40);
  });
});

describe.skipIf(!ready)('random models: the same state graph', () => {
  const SMALL = 20_000;
  test(`${Math.max(10, more)} models`, { timeout: 3_600_000 }, () => {
    let compared = 0;
    const wild = fc.sample(randomModels({ wild: true }), { numRuns: 2 * Math.max(10, more), seed: SEED });
    for (let seed = SEED; compared < Math.max(10, more); seed++) {
      // Every second one from the generator that the abstraction is tested with, as long as there are any.
      const text = (seed % 2 === 0 ? wild.pop() : undefined) ?? randomSemanticsModel(seededPick(seed));
      const ours = explore(text, 'random.pml', new Map(), SMALL);
      if (typeof ours === 'string' || ours.limit !== null) continue;
      if (ours.cutBy !== null) continue;
      const judge = runPan(text, { small: true });
      if (judge === null || !judge.complete) continue;
      compared++;
      expect(
        { states: ours.states, transitions: ours.transitions, errors: ours.violationCount },
        `seed ${seed}\n${text}`,
      ).toEqual({ states: judge.states, transitions: judge.transitions, errors: judge.errors });
    }
  });
});
