// Where deaths may be left out, or come first: one trap at a time. Random models are compared in reduction.test.ts, runs.test.ts and spin.test.ts.

import { describe, expect, test } from 'vitest';
import { SILENT, UNLIMITED } from '../../base/budget.ts';
import { loadText } from '../../promela/testing.ts';
import { randomNumbersModel } from '../../testing/random-numbers.ts';
import { seededPick } from '../../testing/random-semantics.ts';
import type { Choice } from '../choices.ts';
import { compileModel, type Model } from '../compile.ts';
import { describe as describeRun } from '../describe.ts';
import { claimOf, coreOf } from '../formula-claim.ts';
import { modelOf } from '../model-of.fuzz.ts';
import { search } from '../search.ts';
import { trailOf } from '../trail.ts';
import { dyingModel, immortalModel, withDeaths } from './immortal.ts';

const CASES = Number(process.env['SPILLWAY_FUZZ'] ?? 40);
const SEED = Number(process.env['SPILLWAY_SEED'] ?? 0);

function withFormula(text: string): Model {
  const { program } = loadText(text);
  const [formula] = program!.formulas;
  const claim = claimOf(program!, formula!, coreOf(formula!))!;
  const model = compileModel(program!, { claim, acceptLabels: 'claim' });
  if (!model.ok) throw new Error(model.error.reason);
  return model.value;
}

/** The first errors of the model without deaths, as runs of the model as it is. */
function runsOf(model: Model): { readonly title: string; readonly choices: readonly Choice[] }[] {
  const still = immortalModel(model);
  if (still === null) return [];
  const goals = { endStates: true, assertions: true, each: true, reduce: true };
  const { violations, space } = search(still, goals, { ...UNLIMITED, maxStates: 2000 }, SILENT);
  return violations.map((violation) => ({
    title: violation.kind,
    choices: withDeaths(model, trailOf(space, violation), violation.kind === 'invalid-end-state'),
  }));
}

describe('a run without deaths is a run', () => {
  test('timeouts wait for deaths, and who is started afterwards has another number', () => {
    const model = modelOf(`byte d; proctype A() { skip } proctype B() { d = 9; timeout; assert(d == 2) }
      init { run A(); timeout; run B() }`);
    const [run] = runsOf(model);
    expect(describeRun(model, run!.choices, run!).ok).toBe(true);
    expect(run!.choices.map(([process]) => process)).toEqual([0, 1, 1, 0, 0, 1, 1, 1]);
  });

  test('random models', () => {
    let count = 0;
    for (let seed = SEED; seed < SEED + CASES; seed++) {
      const text = randomNumbersModel(seededPick(seed));
      const model = modelOf(text);
      for (const { title, choices } of runsOf(model)) {
        count++;
        expect(describeRun(model, choices, { title }).ok, `seed ${seed}: ${title}\n${text}`).toBe(true);
      }
    }
    expect(count).toBeGreaterThan(CASES / 10);
  });
});

describe('the numbers that a death frees', () => {
  const P = (body: string): string =>
    `byte g, a[9]; chan o = [1] of { byte };
     proctype Q(byte i; chan d) { i == 0 }
     proctype P() { chan c = [1] of { byte }; chan e; ${body} }
     init { run P(); run P() }`;

  test.each([
    ['kept as a number', 'g = c'],
    ['kept inside a d_step', 'd_step { g = 1; g = c }'],
    ['compared with a number', 'c == 2'],
    ['calculated with', 'e = c; assert(e + 1 > 2)'],
    ['an index', 'a[c] = 1'],
    ['an index of what is printed', 'printf("%d", a[c])'],
    ['sent as a number', 'o!c'],
    ['a pattern', 'o?eval(c)'],
    ['a pattern of a poll', 'o?[eval(c)]'],
    ['an argument that is a number', 'run Q(c, c)'],
    ['less than another', 'c < e'],
    ['decides', 'g = (c -> 1 : 0)'],
    ['made of a number', 'g = 2; e = g; e!1'],
    ['an initial value', 'byte n = c; n == 1'],
  ])('a channel: %s', (_, body) => {
    expect(immortalModel(modelOf(P(body)))).toBeNull();
    expect(dyingModel(modelOf(P(body)))).toBeNull();
  });

  test.each([
    ['used', 'c!1; c?_; len(c) == 0'],
    ['handed on', 'run Q(0, c)'],
    ['held', 'e = c; e!1'],
    ['chosen', 'e = (g -> c : o)'],
    ['compared with another', 'e = c; e == c'],
    ['there at all', 'e != 0'],
    ['printed', 'printf("%d", c)'],
    ['of everybody', 'g = o; a[o] = 1'],
  ])('a channel is only itself: %s', (_, body) => {
    expect(immortalModel(modelOf(P(body)))).not.toBeNull();
    expect(dyingModel(modelOf(P(body)))).not.toBeNull();
  });

  test('a formula looks at the number of a process', () => {
    const text = (atom: string): string =>
      `byte p, k; proctype A() { skip } init { p = run A(); k = 1; p = run A(); k = 2 } ltl f { <> (${atom}) }`;
    expect(immortalModel(withFormula(text('p == 2')))).toBeNull();
    expect(immortalModel(withFormula(text('k == 2')))).not.toBeNull();
  });
});
