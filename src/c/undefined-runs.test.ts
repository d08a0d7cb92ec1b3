// A proof is none where a run does something undefined; the compiler shows why: what such a program does depends on it.

import { expect, test } from 'vitest';
import { SILENT, UNLIMITED } from '../base/budget.ts';
import type { Answer } from '../verdict/answer.ts';
import { answerC } from './check-c.ts';
import { loadC } from './load-c.ts';
import { unlessUndefined } from './undefined-runs.ts';

async function answer(text: string, property: string) {
  const files = { read: (path: string) => (path === 'x.c' ? text : null) };
  const request = { path: 'x.c', files, defines: [], includes: [], budget: UNLIMITED, observer: SILENT };
  const { loaded } = await loadC(request);
  return (await answerC(loaded!, property, request)).answer;
}

const main = (body: string): string =>
  `extern void reach_error(void); extern int __VERIFIER_nondet_int(void); int a[4], b; int main(void) { int i = __VERIFIER_nondet_int(); ${body} return 0; }`;

test.each([
  ['an index behind the end', 'if (i > 4 || i < 0) return 0; a[i] = 1; if (b > 1) reach_error();', 'line 1'],
  ['a division', 'int q = 7 / i; if (i == 0) reach_error();', 'a division by zero is undefined'],
  [
    'behind a loop',
    'int s = 0; for (int k = 0; k <= 4; k++) s += a[k]; if (s != 0) reach_error();',
    'outside of',
  ],
  ['a null pointer', 'int *p = i ? &b : 0; *p = 1; if (!i) reach_error();', "outside of 'b'"],
])('%s: not proved, and the run is shown', async (_, body, why) => {
  const given = await answer(main(body), 'assertions');
  expect(given).toMatchObject({ verdict: 'unknown', reasonCode: 'undefined-behaviour' });
  expect(given.reason).toContain(why);
  expect((given as { evidence?: { kind: string } }).evidence?.kind).toBe('path');
});

test.each([
  ['inside', 'if (i > 3 || i < 0) return 0; a[i] = 1; if (b > 1) reach_error();'],
  ['never zero', 'if (i == 0) return 0; int q = 7 / i; if (i == 0) reach_error();'],
])('%s: proved', async (_, body) => {
  expect((await answer(main(body), 'assertions')).verdict).toBe('proved');
});

test('a violation that a defined run reaches is one all the same', async () => {
  const given = await answer(main('if (i == 3) reach_error(); a[i] = 1;'), 'assertions');
  expect(given.verdict).toBe('refuted');
});

test('an endless loop that an undefined step would end is not proved to end', async () => {
  expect((await answer(main('while (1) b = 7 / (i - i);'), 'terminates')).verdict).toBe('unknown');
});

test('a first look that has no time to look for one is not the last word', async () => {
  const text = main('if (i > 4 || i < 0) return 0; a[i] = 1; if (b > 1) reach_error();');
  const files = { read: (path: string) => (path === 'x.c' ? text : null) };
  const { loaded } = await loadC({ path: 'x.c', files, defines: [], includes: [] });
  const proof = { verdict: 'proved', notes: [], stats: {} } as unknown as Answer;
  const after = (remaining: number) =>
    unlessUndefined(proof, loaded!.program, 'main', {
      ...UNLIMITED,
      remaining: () => remaining,
      timeLeft: () => false,
    });
  expect(await after(100)).toMatchObject({ verdict: 'unknown', reasonCode: 'time-limit' });
  expect((await after(10_000)).verdict).toBe('proved');
});

test('the look takes as long as the proof took, where that is more than its share', async () => {
  const text = main('if (i > 4 || i < 0) return 0; a[i] = 1; if (b > 1) reach_error();');
  const files = { read: (path: string) => (path === 'x.c' ? text : null) };
  const { loaded } = await loadC({ path: 'x.c', files, defines: [], includes: [] });
  const proof = { verdict: 'proved', notes: [], stats: {} } as unknown as Answer;
  // Every look at the clock takes 100 milliseconds; its share would be ten of seventy.
  const after = (took: number) => {
    let left = 7000;
    const remaining = () => Math.max(0, (left -= 100));
    return unlessUndefined(
      proof,
      loaded!.program,
      'main',
      { ...UNLIMITED, remaining, timeLeft: () => left > 0 },
      took,
    );
  };
  expect((await after(0)).verdict).toBe('proved');
  expect((await after(100_000)).verdict).toBe('unknown');
});
