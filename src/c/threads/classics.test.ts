// The programs of corpus/c/threads, in their right and wrong versions, and what is said where something is not modelled.

import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { checkModel } from '../../check/check.ts';
import { THREAD_PROPERTIES } from './search.ts';

const FOLDER = new URL('../../../corpus/c/threads/', import.meta.url).pathname;

async function report(text: string, defines: readonly string[] = []) {
  const files = { read: (path: string) => (path === 't.c' ? text : null) };
  return checkModel({ paths: ['t.c'], files, options: { defines } });
}

const CLASSICS: readonly (readonly [file: string, defines: readonly string[], refuted: readonly string[]])[] =
  [
    ['counter.c', [], ['assertions', 'race-free']],
    ['counter.c', ['LOCKED'], []],
    ['counter.c', ['ATOMIC'], []],
    ['buffer.c', [], []],
    ['buffer.c', ['BUG_IF'], ['assertions']],
    ['buffer.c', ['BUG_LOST'], ['deadlock-free']],
    ['peterson.c', [], ['race-free']],
    ['peterson.c', ['ATOMIC'], []],
    ['peterson.c', ['BUG_ORDER'], ['assertions', 'race-free']],
    ['philosophers.c', [], ['deadlock-free']],
    ['philosophers.c', ['ORDERED'], []],
    ['meeting.c', [], []],
    ['meeting.c', ['BUG_BARRIER'], ['deadlock-free']],
  ];

test.each(CLASSICS)('%s %j', async (file, defines, refuted) => {
  const { properties, diagnostics } = await report(readFileSync(FOLDER + file, 'utf8'), defines);
  expect(diagnostics).toEqual([]);
  const found = Object.fromEntries(properties.map(({ id, verdict }) => [id, verdict]));
  // Of a program that races nothing is proved.
  const otherwise = refuted.includes('race-free') ? 'unknown' : 'proved';
  const expected = THREAD_PROPERTIES.map((id) => [id, refuted.includes(id) ? 'refuted' : otherwise]);
  expect(found).toEqual(Object.fromEntries(expected));
});

const TWO = (body: string, globals: string, last = '') => `#include <assert.h>
#include <pthread.h>
extern int __VERIFIER_nondet_int(void); extern void __VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void);
${globals}
void *t(void *arg) { ${body} return 0; }
int main(void) { pthread_t a, b; pthread_create(&a, 0, t, 0); pthread_create(&b, 0, t, 0); pthread_join(a, 0); pthread_join(b, 0); ${last} return 0; }`;

const verdictOf = async (text: string, property: string) => {
  const { properties } = await report(text);
  const { verdict, reason } = properties.find(({ id }) => id === property)!;
  return reason === undefined ? verdict : `${verdict}: ${reason}`;
};

test('sections that nobody comes between', async () => {
  const sum = 'int old = x; x = old + 1;';
  const globals = 'int x; void __VERIFIER_atomic_add(void) { int old = x; x = old + 1; }';
  expect(await verdictOf(TWO(sum, globals, 'assert(x == 2);'), 'assertions')).toBe('refuted');
  const section = `__VERIFIER_atomic_begin(); ${sum} __VERIFIER_atomic_end();`;
  expect(await verdictOf(TWO(section, globals, 'assert(x == 2);'), 'assertions')).toBe('proved');
  expect(await verdictOf(TWO('__VERIFIER_atomic_add();', globals, 'assert(x == 2);'), 'assertions')).toBe(
    'proved',
  );
});

test('inputs: all values where comparisons tell, else not a proof', async () => {
  const globals = 'pthread_mutex_t m; int x;';
  const locked = (body: string) => `pthread_mutex_lock(&m); ${body} pthread_mutex_unlock(&m);`;
  const compared = TWO(
    locked('int n = __VERIFIER_nondet_int(); if (n == 7) x++;'),
    globals,
    'assert(x <= 2);',
  );
  expect(await verdictOf(compared, 'assertions')).toBe('proved');
  expect(await verdictOf(compared.replace('x <= 2', 'x <= 1'), 'assertions')).toBe('refuted');
  const computed = TWO(
    locked('int n = __VERIFIER_nondet_int(); x = n * n - n;'),
    globals,
    'assert(x != 12345);',
  );
  expect(await verdictOf(computed, 'assertions')).toContain(
    'not every value of __VERIFIER_nondet_int() was tried',
  );
});

test('what is not modelled is said, with where to go', async () => {
  const text = TWO('static pthread_key_t k; pthread_key_create(&k, 0);', '');
  expect(await verdictOf(text, 'deadlock-free')).toContain('.spec');
  const uninitialised = TWO('int n; if (n) x = 1;', 'int x;');
  expect(await verdictOf(uninitialised, 'assertions')).toContain('read before anything is written');
  const { diagnostics } = await report(TWO('n++;', '__thread int n;'));
  expect(diagnostics.map(({ code }) => code)).toEqual(['SPW5012']);
});

test('reads whose value does not matter race, too', async () => {
  expect(await verdictOf(TWO('y = y + 0;', 'int y;'), 'race-free')).toBe('refuted');
  expect(await verdictOf(TWO('int n = arg ? 1 : x * 0; x = n;', 'int x;'), 'race-free')).toBe('refuted');
  expect(await verdictOf(TWO('int n = x; n++;', 'int x = 3;'), 'race-free')).toBe('proved');
});

test('a process that ends with main', async () => {
  const text = TWO('x = 1;', 'int x;').replace(/pthread_join\(\w, 0\);/g, '');
  expect(await verdictOf(text, 'race-free')).toBe('refuted');
  expect(await verdictOf(text, 'deadlock-free')).toMatch(/^unknown: .*at the same time/);
});

test('a mutex of another thread, a lock taken twice', async () => {
  expect(await verdictOf(TWO('pthread_mutex_unlock(&m);', 'pthread_mutex_t m;'), 'no-undefined')).toBe(
    'refuted',
  );
  const twice = TWO('pthread_mutex_lock(&m); pthread_mutex_lock(&m);', 'pthread_mutex_t m;');
  expect(await verdictOf(twice, 'deadlock-free')).toBe('refuted');
});

test('variables of functions that stay are one for all calls, however deep', async () => {
  const text =
    '#include <assert.h>\nint f(int n) { static int calls; calls++; if (n > 0) f(n - 1); return calls; }';
  const main = 'int main(void) { int result = f(3); assert(result == 4); return 0; }';
  expect(await verdictOf(`${text}\n${main}`, 'assertions')).toBe('proved');
});
