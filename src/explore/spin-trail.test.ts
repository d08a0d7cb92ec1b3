// Trails that SPIN's verifier writes, with its reduction and statement merging or without, are runs here, and end as SPIN says.

import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { loadPromela } from '../promela/load.ts';
import { exampleModels } from '../promela/testing/spin-automata.fuzz.ts';
import { runPan } from '../testing/pan.ts';
import { hasProgram } from '../testing/programs.ts';
import { randomConcurrentModel } from '../testing/random-concurrency.ts';
import { randomSemanticsModel, seededPick } from '../testing/random-semantics.ts';
import { compileModel, type Model } from './compile.ts';
import { modelOf } from './model-of.fuzz.ts';
import { parseTrail, replayTrail } from './spin-trail.ts';
import { TITLES } from './titles.ts';

const MORE = Number(process.env['SPILLWAY_FUZZ'] ?? 0);
const CASES = Math.max(5, MORE);
const available = hasProgram('spin') && (hasProgram('tcc') || hasProgram('gcc'));
if (!available) console.log('spin or a C compiler is not installed: no trails to follow');

test('what a trail says', () => {
  expect(parseTrail('-4:-4:-4\n1:0:3\n2:1:5\n')).toMatchObject({
    lines: [
      { line: 1, pid: 0, element: 3 },
      { line: 2, pid: 1, element: 5 },
    ],
    cycleAt: null,
  });
  expect(parseTrail('-2:2:-2\n-4:-4:-4\n1:0:9\n2:1:3\n-1:-1:-1\n3:2:4\n')).toMatchObject({
    lines: [
      { pid: 0, element: 3 },
      { pid: 1, element: 4 },
    ],
    cycleAt: 1,
  });
  expect(parseTrail('{"steps": []}')).toBeNull();
  expect(parseTrail('')).toBeNull();
});

test('a trail of another model is not followed', () => {
  const model = modelOf('byte x; active proctype P() { x = 1; x == 2; x = 3 }');
  expect(replayTrail(model, '1:0:0\n2:0:1\n')).toMatchObject({
    lost: "line 2: statement 1 (line 1) of 'P' is not possible then",
    run: { steps: [{ text: 'x = 1' }] },
  });
  expect(replayTrail(model, '1:3:0\n').lost).toBe('line 1: there is no process 3 then');
});

/** Null where SPIN finds nothing (or refuses). */
function follow(text: string, model: Model, options: Parameters<typeof runPan>[1], name: string): boolean {
  const answer = runPan(text, options);
  if (answer?.trail == null || answer.errors === 0) return false;
  const { lost, run, failedAt } = replayTrail(model, answer.trail);
  const expected = /pan:\d: (.*?) \(at depth/.exec(answer.output)?.[1] ?? '';
  const context = `${name}: ${expected}\n${text}\n${answer.trail}`;
  expect(lost, context).toBeUndefined();
  expect(failedAt, context).toBeNull();
  if (/^assertion violated/.test(expected) && !expected.includes('!('))
    expect(run.title, context).toBe(TITLES.assertion);
  if (/^invalid end state/.test(expected)) expect(run.title, context).toBe(TITLES.stuck);
  if (/cycle/.test(expected)) expect(run.title, context).toContain('repeats for ever');
  return true;
}

const WAYS = {
  'as it comes': { spin: [], compile: ['-DNOCLAIM', '-DSAFETY'] },
  'statements apart, nothing reduced': { spin: ['-o3'], compile: ['-DNOCLAIM', '-DSAFETY', '-DNOREDUCE'] },
};

describe.skipIf(!available)('random models', () => {
  for (const [way, options] of Object.entries(WAYS))
    test(way, { timeout: 7_200_000 }, () => {
      let followed = 0;
      for (let seed = 0; seed < CASES; seed++) {
        const generate = seed % 2 === 0 ? randomConcurrentModel : randomSemanticsModel;
        const text = generate(seededPick(seed));
        const { program } = loadPromela('m.pml', { read: (path) => (path === 'm.pml' ? text : null) });
        const model = program && compileModel(program);
        if (!model?.ok) continue;
        const run = {
          ...options,
          compile: [...options.compile, '-DMEMLIM=32'],
          run: ['-m10000', '-w16'],
          small: true,
        };
        if (follow(text, model.value, run, `${way}, seed ${seed}`)) followed++;
      }
      expect(followed).toBeGreaterThan(CASES / 5);
      if (MORE > 0) console.log(way, followed);
    });
});

const examples = available && MORE > 0 ? exampleModels() : [];
if (examples.length === 0)
  console.log("skipped: the trails of Debian's examples (SPILLWAY_FUZZ=1 follows them)");
test.skipIf(examples.length === 0)("Debian's examples", { timeout: 7_200_000 }, () => {
  const followed: string[] = [];
  for (const path of examples) {
    const text = readFileSync(path, 'utf8');
    const { program } = loadPromela('m.pml', { read: (name) => (name === 'm.pml' ? text : null) });
    const model = program && compileModel(program);
    if (!model?.ok) continue;
    const claims = program!.formulas.length + program!.claims.length > 0;
    const labels = program!.proctypes.some(({ locations }) => locations.some((one) => one.isAccept));
    const modes = claims || labels ? [['-a'], []] : [[]];
    for (const mode of modes) {
      const compile =
        claims && mode.length > 0 ? [] : ['-DNOCLAIM', ...(mode.length > 0 ? [] : ['-DSAFETY'])];
      const options = {
        spin: [],
        compile: [...compile, '-DMEMLIM=512'],
        run: [...mode, '-m100000', '-w20'],
        small: true,
      };
      if (follow(text, model.value, options, path)) followed.push(`${path} ${mode.join(' ')}`);
    }
  }
  console.log(followed.length, followed.join('\n'));
  expect(followed.length).toBeGreaterThan(10);
});
