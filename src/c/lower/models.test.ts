// Functions of the library that are written in C: what is proved and refuted by them where objects are found through pointers.

import { expect, test } from 'vitest';
import { SILENT, UNLIMITED } from '../../base/budget.ts';
import { checkC } from '../../check/testing.ts';

async function verdict(
  body: string,
  property = 'assertions',
  outside = '',
  dataModel: 'LP64' | 'ILP32' = 'LP64',
): Promise<string> {
  const text = `#include <assert.h>
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
extern int __VERIFIER_nondet_int(void); ${outside}
int main(void) { int k = __VERIFIER_nondet_int(); const char *p = k ? "abc" : "hello you"; ${body} return 0; }`;
  const files = { read: (path: string) => (path === 'x.c' ? text : null) };
  const request = { path: 'x.c', files, properties: [property], dataModel };
  const { properties, diagnostics } = await checkC({ ...request, budget: UNLIMITED, observer: SILENT });
  return properties[0]?.verdict ?? diagnostics[0]!.message;
}

test.each([
  ['a length', 'assert(strlen(p) == (k ? 3 : 9));', 'proved'],
  ['a length that is wrong', 'assert(strlen(p) == 3);', 'refuted'],
  [
    'a copy',
    'char b[12]; char *to = k ? b : b + 1; strcpy(to, p); assert(to[2] == (k ? 99 : 108) && strlen(to) >= 3);',
    'proved',
  ],
  ['order', 'assert((strcmp(p, "abd") < 0) == !!k);', 'proved'],
  ['what order is more than a sign', 'assert(strcmp(p, "abd") != 1);', 'refuted'],
  ['a character', 'assert(strchr(p, 99) == (k ? p + 2 : 0));', 'proved'],
  ['a part', 'assert(strstr(p, "lo y") == (k ? 0 : p + 3));', 'proved'],
  [
    'kinds of characters',
    'if (isdigit(k)) assert(k >= 48 && k <= 57); else assert(toupper(97) == 65);',
    'proved',
  ],
  ['which number says yes is left open', 'if (isdigit(55) != 1) assert(0);', 'refuted'],
  [
    'numbers',
    'char *e; assert(atoi(" -42x") == -42 && strtol("0x1fz", &e, 0) == 31 && *e == 122);',
    'proved',
  ],
  ['a number of a text that is not known', 'extern char *q; assert(atoi(q) == 3);', 'unknown'],
  [
    'forms that test sizes',
    'char b[4]; __builtin___strcpy_chk(b, "abc", 4); assert(__builtin___memset_chk(b, 7, 2, 4) == b && b[1] == 7 && b[2] == 99);',
    'proved',
  ],
])('%s', async (_, body, expected) => {
  expect(await verdict(body)).toBe(expected);
});

test('on i386 too', async () => {
  const body = 'assert(strlen(p) == (k ? 3 : 9) && strtoul("4294967296", 0, 10) == 4294967295u);';
  expect(await verdict(body, 'assertions', '', 'ILP32')).toBe('proved');
});

test.each([
  ['beyond the end of a text', 'char b[2] = { 1, 2 }, *q = k ? b : b + 1; strlen(q);', 'refuted'],
  ['beyond the end of a target', 'char b[4], *q = k ? b : b + 1; strcpy(q, p);', 'refuted'],
  ['a text onto itself', 'char b[8] = "abc", *q = k ? b : b + 1; strcpy(b + 1, q);', 'refuted'],
  ['inside', 'char b[11], *q = k ? b : b + 1; strcpy(q, p);', 'proved'],
])('no-undefined: %s', async (_, body, expected) => {
  expect(await verdict(body, 'no-undefined')).toBe(expected);
});

test.each([
  [
    'snprintf writes its target alone',
    'char b[4]; int x = 3; snprintf(b, 4, "%d", k); assert(x == 3 && g == 1);',
    'proved',
  ],
  ['what does not depend on it is refuted', 'char b[4]; snprintf(b, 4, "%d", k); assert(k != 7);', 'refuted'],
  [
    'a target that is not known',
    'char b[4], *q = k ? b : b + 1; snprintf(q, 3, "%d", k); assert(q[2] == 0);',
    'unknown',
  ],
  ['what it writes is not known', 'char b[4]; snprintf(b, 4, "%d", 7); assert(b[0] == 55);', 'unknown'],
  ['%n writes more', 'char b[4]; int n = 5; snprintf(b, 4, "%d%n", 7, &n); assert(n == 5);', 'unknown'],
  [
    'the time',
    'long t = time(0); sleep(1); fputs("x", stdout); assert(g == 1 && clock() >= 0 - 1L - 9223372036854775807L);',
    'proved',
  ],
  ['… written somewhere', 'time(&g); assert(g == 1);', 'unknown'],
])('%s', async (_, body, expected) => {
  const outside = '#include <stdio.h>\n#include <time.h>\nextern unsigned sleep(unsigned);\nlong g = 1;';
  expect(await verdict(body, 'assertions', `\n${outside}\n`)).toBe(expected);
});

const LOCKED = `
#include <pthread.h>
struct device { int uses; pthread_mutex_t lock; } device = { 0, PTHREAD_MUTEX_INITIALIZER };
int total;
static void use(struct device *one) { pthread_mutex_lock(&one->lock); one->uses++; total++; pthread_mutex_unlock(&one->lock); }`;

test.each([
  ['change nothing but the lock', 'use(&device); use(&device); assert(total == 2);', 'assertions', 'proved'],
  [
    'in what is found through a pointer',
    'struct device own = { 0 }; pthread_mutex_init(&own.lock, 0); use(k ? &own : &device); assert(total == 1 && own.uses == !!k);',
    'assertions',
    'proved',
  ],
  ['what comes after them is refuted', 'use(&device); assert(k != 7);', 'assertions', 'refuted'],
  [
    'locked again it may wait for ever, or not',
    'pthread_mutex_lock(&device.lock); use(&device); assert(0);',
    'assertions',
    'unknown',
  ],
  ['… also for its end', 'pthread_mutex_lock(&device.lock); use(&device);', 'terminates', 'unknown'],
  ['what is not held may be released', 'pthread_mutex_unlock(&device.lock);', 'no-undefined', 'unknown'],
  [
    'what is held is',
    'use(&device); assert(pthread_mutex_trylock(&device.lock) == 0); pthread_mutex_unlock(&device.lock);',
    'no-undefined',
    'proved',
  ],
  [
    'one that counts is still held',
    'pthread_mutex_t m; pthread_mutexattr_t kind; pthread_mutexattr_init(&kind); pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_RECURSIVE); pthread_mutex_init(&m, &kind); pthread_mutex_lock(&m); pthread_mutex_lock(&m); pthread_mutex_unlock(&m); assert(pthread_mutex_destroy(&m) == 0);',
    'assertions',
    'unknown',
  ],
  [
    'one that counts is still held after another try',
    'pthread_mutex_t m; pthread_mutexattr_t kind; pthread_mutexattr_init(&kind); pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_RECURSIVE); pthread_mutex_init(&m, &kind); pthread_mutex_lock(&m); if (pthread_mutex_trylock(&m)) return 0; pthread_mutex_unlock(&m); assert(pthread_mutex_destroy(&m) == 0);',
    'assertions',
    'unknown',
  ],
  [
    'what is destroyed gives errors',
    'pthread_mutex_t m; pthread_mutex_init(&m, 0); pthread_mutex_destroy(&m); assert(pthread_mutex_lock(&m) == 0);',
    'assertions',
    'unknown',
  ],
  [
    'what is destroyed is not used',
    'pthread_mutex_t m; pthread_mutex_init(&m, 0); pthread_mutex_destroy(&m); pthread_mutex_lock(&m);',
    'no-undefined',
    'unknown',
  ],
  [
    'destroyed and made anew',
    'pthread_mutex_t m; pthread_mutex_init(&m, 0); pthread_mutex_destroy(&m); pthread_mutex_init(&m, 0); assert(pthread_mutex_lock(&m) == 0 && pthread_mutex_unlock(&m) == 0 && pthread_mutex_destroy(&m) == 0);',
    'assertions',
    'proved',
  ],
  ['a lock that is not there', 'pthread_mutex_lock(0);', 'no-undefined', 'refuted'],
  [
    'conditions',
    'pthread_cond_t c; pthread_cond_init(&c, 0); pthread_cond_signal(&c); total = 4; pthread_cond_broadcast(&c); assert(total == 4);',
    'assertions',
    'proved',
  ],
])('locks of one thread: %s', async (_, body, property, expected) => {
  expect(await verdict(body, property, LOCKED)).toBe(expected);
});

test('bytes in the order of the network', async () => {
  const body =
    'unsigned short s = k; assert(ntohs(s) == (unsigned short)(s << 8 | s >> 8) && htonl(0x12345678) == 0x78563412);';
  const declared = 'extern unsigned short ntohs(unsigned short); extern unsigned htonl(unsigned);';
  expect(await verdict(body, 'assertions', declared)).toBe('proved');
});

// As the macros of glibc's header are in .i files.
const TABLES =
  'extern const unsigned short **__ctype_b_loc(void); extern const int **__ctype_toupper_loc(void);';

test.each([
  [
    'assertions',
    'unsigned char c = k; if ((*__ctype_b_loc())[(int)c] & 2048) assert(c >= 48 && c <= 57); assert((*__ctype_toupper_loc())[97] == 65);',
    'proved',
  ],
  ['assertions', 'unsigned char c = k; assert(!((*__ctype_b_loc())[(int)c] & 4096) || c < 102);', 'refuted'],
  ['no-undefined', 'signed char c = k; (*__ctype_b_loc())[(int)c];', 'proved'],
  ['no-undefined', '(*__ctype_b_loc())[k];', 'refuted'],
])('tables of kinds of characters: %s of %s', async (property, body, expected) => {
  expect(await verdict(body, property, TABLES)).toBe(expected);
});

test('a loop over a text ends', async () => {
  expect(await verdict('extern char *q; k = strlen(q);', 'terminates')).toBe('proved');
});

test('what the library computes does not overflow', async () => {
  expect(
    await verdict(
      'k = atoi("99999999999") + 0; k = strtol("-99999999999999999999", 0, 10) < 0;',
      'no-overflow',
    ),
  ).toBe('proved');
});

test('a function that the program defines itself is its own', async () => {
  const own = 'unsigned long strlen(const char *s) { return 77; } int isdigit(int c) { return 5; }';
  expect(await verdict('assert(strlen(p) == 77 && isdigit(3) == 5);', 'assertions', own)).toBe('proved');
});

test('a locale that the program sets is not known', async () => {
  expect(
    await verdict(
      'setlocale(0, ""); assert(isalpha(97));',
      'assertions',
      'char *setlocale(int, const char *);',
    ),
  ).toBe('unknown');
});
