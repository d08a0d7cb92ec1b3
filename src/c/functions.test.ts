// Questions about a function other than main.

import { expect, test } from 'vitest';
import { SILENT, UNLIMITED } from '../base/budget.ts';
import { c } from '../check/c.ts';
import { checkModel } from '../check/check.ts';
import { failureShown } from './agreement.fuzz.ts';
import { hasGcc } from './gcc-comparison.fuzz.ts';

const TEXT = `#include <assert.h>
int limit = 5;
static int even(unsigned n);
static int odd(unsigned n) { return n == 0 ? 0 : even(n - 1); }
static int even(unsigned n) { return n == 0 ? 1 : odd(n - 1); }
int clamp(int value, int low, int high) { if (value < low) value = low; if (value > high) value = high; assert(value >= low); return value; }
int ordered(int value, short low, short high) { if (low > high) return 0; if (value < low) value = low; if (value > high) value = high; assert(value >= low); return value; }
void initial(void) { assert(limit == 5); limit++; }
void parity(unsigned n) { assert(even(n) == (n % 2 == 0)); }
void numbers(unsigned char a, long long b, double x, float y) { if (a == 200 && b < -5000000000 && x > 3.5 && y < -0.25f) assert(0); }
void between(char *name, long double x, int *of, __int128 n, void (*then)(void)) { if (x == 3.25L && n >> 70 == 5) assert(0); }
static int own(signed char n) { if (n < -100) assert(n != -128); return n > 0 ? own(n - 1) : 0; }
void follow(int *p) { assert(*p != 7); }
void wait(int n) { while (n != 0) ; }
int main(void) { return clamp(1, 2, 3); }
`;
const files = { read: (path: string) => (path === 'x.c' ? TEXT : null) };
const asked = async (name: string | undefined, property = 'assertions') => {
  const options = name === undefined ? {} : { function: name };
  return checkModel({ paths: ['x.c'], files, properties: [property], options });
};

test.each([
  ['ordered', 'proved'],
  ['initial', 'proved'],
  ['parity', 'proved'],
  ['follow', 'unknown'],
  [undefined, 'proved'],
])('%s: %s', async (name, expected) => {
  const report = await asked(name);
  expect(report.properties[0]!.verdict).toBe(expected);
});

test.each(['clamp', 'numbers', 'between', 'own'])('%s is refuted, and gcc agrees', async (name) => {
  const [property] = (await asked(name)).properties;
  expect(property!.verdict).toBe('refuted');
  const { evidence } = property!;
  if (evidence?.kind !== 'run') throw new Error('no run');
  expect(evidence.run.actors).toEqual([name]);
  if (hasGcc) expect(failureShown(evidence.harness!)).toBe(true);
});

test('terminates, too', async () => {
  expect((await asked('wait', 'terminates')).properties[0]!.verdict).toBe('refuted');
  expect((await asked('own', 'terminates')).properties[0]!.verdict).toBe('proved');
  expect((await asked('main', 'terminates')).properties[0]!.verdict).toBe('proved');
});

test('a static function that two files have', async () => {
  const text: Record<string, string> = {
    'a.c':
      'static int f(int n) { return n; } static int one(int n) { return n; } int g(int n) { return f(n); }',
    'b.c': 'static int f(int n) { return n + 1; } int main(void) { return f(1); }',
    'x.yml': 'format_version: "2.0"\ninput_files:\n  - a.c\n  - b.c\n',
  };
  const among = { read: (path: string) => text[path] ?? null };
  const about = async (name: string) =>
    checkModel({ paths: ['x.yml'], files: among, properties: ['assertions'], options: { function: name } });
  expect((await about('f')).diagnostics[0]!.message).toBe("several files have a function 'f' of their own");
  expect((await about('one')).properties[0]!.verdict).toBe('proved');
});

test('a function that is not there', async () => {
  expect((await asked('clam')).diagnostics[0]!.message).toContain("did you mean 'clamp'");
  const only = { read: (path: string) => (path === 'x.c' ? 'int f(void) { return 1; }' : null) };
  const { diagnostics } = await checkModel({ paths: ['x.c'], files: only });
  expect(diagnostics[0]!.help).toContain('--function NAME asks about another one: f');
});

test('a certificate is one of the function that was asked', async () => {
  const [property] = (await asked('ordered')).properties;
  const { evidence } = property!;
  if (evidence === undefined || !('certificate' in evidence)) throw new Error('no certificate');
  const audited = (options: object) =>
    c.audit!(evidence.certificate!, { paths: ['x.c'], files, options, budget: UNLIMITED, observer: SILENT });
  expect((await audited({ function: 'ordered' })).kind).toBe('accepted');
  expect((await audited({ function: 'clamp' })).kind).toBe('rejected');
});
