// What counts as an access to memory that threads share, and what may be done with the names of threads.

import { expect, test } from 'vitest';
import { checkModel } from '../../check/check.ts';

const HEAD = `#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
`;

/** A thread beside main; what main does before it starts the thread, meanwhile, and when it has ended. */
const beside = (globals: string, f: string, main: string, { before = '', after = '' } = {}) =>
  `${HEAD}${globals}
void *f(void *arg) { ${f} return 0; }
int main(void) { pthread_t t; ${before} pthread_create(&t, 0, f, 0); ${main} pthread_join(t, 0); ${after} return 0; }
`;
const main = (globals: string, body: string) =>
  `${HEAD}${globals}\nvoid *f(void *arg) { return 0; }\nint main(void) { ${body} return 0; }\n`;

async function verdict(text: string, property: string): Promise<string> {
  const files = { read: (path: string) => (path === 't.c' ? text : null) };
  const { properties, diagnostics } = await checkModel({ paths: ['t.c'], files });
  return properties.find(({ id }) => id === property)?.verdict ?? diagnostics.map(({ code }) => code).join();
}

const BYTES = 'char b[4]; int r;';
const HEAP = { before: 'p = malloc(4); *p = 0;' };
const LOCKED = (body: string) => `pthread_mutex_lock(&m); ${body} pthread_mutex_unlock(&m);`;
const TWO = 'pthread_t a, b; pthread_create(&a, 0, f, 0);';
const SECOND = 'pthread_create(&b, 0, f, 0);';

test.each<readonly [what: string, text: string, expected: string]>([
  // Atomic accesses in several steps, beside plain ones.
  ['fetch_add and a read', beside('int x, y;', '__atomic_fetch_add(&x, 1, 5);', 'y = x;'), 'refuted'],
  [
    'compare_and_swap and a read',
    beside('int x, y;', '__sync_bool_compare_and_swap(&x, 0, 1);', 'y = x;'),
    'refuted',
  ],
  [
    'a swap that fails, and a read',
    beside('int x, y;', '__sync_bool_compare_and_swap(&x, 7, 1);', 'y = x;'),
    'proved',
  ],
  ['exchange and a read', beside('int x, y;', '__atomic_exchange_n(&x, 7, 5);', 'y = x;'), 'refuted'],
  ['store_n and a read', beside('int x, y;', '__atomic_store_n(&x, 7, 5);', 'y = x;'), 'refuted'],
  ['store_n and a write', beside('int x;', '__atomic_store_n(&x, 7, 5);', 'x = 1;'), 'refuted'],
  ['load_n and a read', beside('int x, y;', '__atomic_load_n(&x, 5);', 'y = x;'), 'proved'],
  ['load_n and a write', beside('int x;', '__atomic_load_n(&x, 5);', 'x = 1;'), 'refuted'],
  // What an _Atomic is changed by, and where it lies, is plain memory.
  [
    '+= of what is written',
    beside('_Atomic int x; int y;', 'x += y;', '__atomic_store_n(&y, 1, 5);'),
    'refuted',
  ],
  ['+= through a pointer', beside('_Atomic int x, *p = &x;', '*p += 1;', 'p = 0;'), 'refuted'],
  [
    '++ of an element',
    beside('_Atomic int a[2]; int i;', 'a[i]++;', '__atomic_store_n(&i, 1, 5);'),
    'refuted',
  ],
  ['both atomic', beside('_Atomic int x;', 'x += 1;', 'x++; __atomic_fetch_add(&x, 1, 5);'), 'proved'],
  ['a large array', beside('_Atomic int a[99999];', 'a[77777] = 1;', 'a[77777]++;'), 'proved'],
  ['on the heap', beside('_Atomic int *p;', '*p = 1;', '*p = 2;', HEAP), 'proved'],
  [
    'on the heap, without a type',
    beside('_Atomic int *p;', '*p = 1;', '*p = 2;', { before: 'void *q = malloc(4); p = q; *p = 0;' }),
    'proved',
  ],
  ['as if it were not', beside('_Atomic int x;', 'x = 1;', '*(int *)&x = 2;'), 'refuted'],
  ['filled with bytes', beside('_Atomic int x;', 'x = 1;', 'memset((void *)&x, 0, sizeof x);'), 'refuted'],
  // Bit-fields of one memory location.
  ['fields in two units', beside('struct { int a : 20; int b : 20; } s;', 's.a = 1;', 's.b = 1;'), 'refuted'],
  [
    'fields in two bytes, one read',
    beside('struct { unsigned a : 8, b : 8; } s; int r;', 'r = s.a;', 's.b = 1;'),
    'refuted',
  ],
  [
    'fields far from each other',
    beside('struct { int a : 31; int b : 31; int c : 31; } s;', 's.a = 1;', 'int k = s.c;'),
    'refuted',
  ],
  ...['(void)s;', 's;', '*p;', 's, n++;', '(n ? s : *p);', '({ s; });', 'ext(s);'].map(
    (use) =>
      [
        `all of a struct is read: ${use}`,
        beside(`struct s { int a, b; } s, *p = &s; int n; void ext(struct s);`, 's.b = 1;', use),
        'refuted',
      ] as const,
  ),
  ['… but not another', beside('struct s { int a, b; } s, k;', 'k.b = 1;', 's;'), 'proved'],
  [
    '… one without bytes is not',
    beside('struct s {} s, *p = &s; int n;', 'n = 1;', '*p; (void)s;'),
    'proved',
  ],
  ['only read', beside('struct { int a : 8, b : 8; } s; int r, q;', 'r = s.a;', 'q = s.b;'), 'proved'],
  [
    'parted by width 0',
    beside('struct { int a : 8; int : 0; int b : 8; } s;', 's.a = 1;', 's.b = 2;'),
    'proved',
  ],
  [
    'parted by a member',
    beside('struct { int a : 8; char c; int b : 8; } s;', 's.a = 1;', 's.b = s.c;'),
    'proved',
  ],
  // Functions of the library.
  ['strlen', beside(BYTES, 'b[0] = 1;', 'r = strlen(b);'), 'refuted'],
  ['behind the end of the string', beside(BYTES, 'b[2] = 1;', 'r = strlen(b);'), 'proved'],
  ['memcmp', beside(`${BYTES} char c[4];`, 'b[3] = 1;', 'r = memcmp(c, b, 4);'), 'refuted'],
  [
    'behind what memcmp compares',
    beside(`${BYTES} char c[4];`, 'b[3] = 1;', 'r = memcmp(c, b, 3);'),
    'proved',
  ],
  ['strcmp', beside(BYTES, 'b[0] = 1;', 'r = strcmp("x", b);'), 'refuted'],
  ['puts', beside(BYTES, 'b[0] = 1;', 'puts(b);'), 'refuted'],
  ['a time to sleep', beside('struct timespec s;', 's.tv_nsec = 1;', 'nanosleep(&s, 0);'), 'refuted'],
  ['printf', beside(BYTES, 'b[0] = 1;', 'printf("%*d%s", 3, 4, b);'), 'refuted'],
  ['printf that does not look', beside(BYTES, 'b[0] = 1;', 'printf("%p", b);'), 'proved'],
  ['printf of a part', beside(BYTES, 'b[0] = 1;', 'printf("%.2s", b);'), 'unknown'],
  ['sscanf', beside(BYTES, 'b[0] = 1;', 'int k; sscanf(b, "%d", &k);'), 'unknown'],
  ['free', beside('int *p;', '*p = 1;', 'free(p);', HEAP), 'unknown'],
  ['free at last', beside('int *p;', '*p = 1;', '', { ...HEAP, after: 'free(p);' }), 'proved'],
  [
    'strlen, one after the other',
    beside(`${BYTES} pthread_mutex_t m;`, LOCKED('b[0] = 1;'), LOCKED('strlen(b);')),
    'proved',
  ],
  // Values that nobody uses.
  ['a value alone', beside('int x;', 'x = 1;', 'x;'), 'refuted'],
  ['a value before a comma', beside('int x, r;', 'x = 1;', 'r = (x, 3);'), 'refuted'],
  ['a value that is cast away', beside('int x;', 'x = 1;', '(void)x;'), 'refuted'],
  ['a value that is printed', beside('int x;', 'x = 1;', 'printf("%d", x);'), 'refuted'],
  ['a value that is asked', beside('int x;', 'x = 1;', '__builtin_expect(x, 1);'), 'refuted'],
  ['a value that is given to exit', beside('int x;', 'x = 1;', 'exit(x);'), 'refuted'],
  // Functions of the thread library write to plain memory, too.
  [
    'two joins to one place',
    beside(
      'void *r; pthread_t u, v; void *g(void *a) { return 0; }',
      'pthread_join(u, &r);',
      'pthread_join(v, &r);',
      {
        before: 'pthread_create(&u, 0, g, 0); pthread_create(&v, 0, g, 0);',
      },
    ),
    'refuted',
  ],
  [
    'where a thread is named',
    beside('pthread_t u, q; void *g(void *a) { return 0; }', 'q = u;', 'pthread_create(&u, 0, g, 0);'),
    'refuted',
  ],
  [
    'a mutex is initialised while it is used',
    beside('pthread_mutex_t m;', LOCKED(''), 'pthread_mutex_init(&m, 0);'),
    'refuted',
  ],
  ['a mutex is read', beside('pthread_mutex_t m, n;', LOCKED(''), 'n = m;'), 'refuted'],
])('race-free: %s', async (_, text, expected) => {
  expect(await verdict(text, 'race-free')).toBe(expected);
});

test.each<readonly [what: string, text: string, property: string, expected: string]>([
  ['small', main('', `${TWO} assert(a < 100);`), 'assertions', 'unknown'],
  ['in order', main('', `${TWO} ${SECOND} assert(a < b);`), 'assertions', 'unknown'],
  ['as other types', main('', `${TWO} assert((int)a != 5);`), 'assertions', 'unknown'],
  ['half of one', main('', `${TWO} assert(*(int *)&a != 5);`), 'assertions', 'unknown'],
  [
    'a byte of one',
    main(
      'union { pthread_t t; char c[8]; } u;',
      'pthread_create(&u.t, 0, f, 0); char c = u.c[7]; assert(c >= 0);',
    ),
    'assertions',
    'unknown',
  ],
  ['not 0', main('', `${TWO} assert(a != 0);`), 'assertions', 'proved'],
  ['not equal', main('', `${TWO} ${SECOND} assert(!pthread_equal(a, b) && a != b);`), 'assertions', 'proved'],
  ['equal', main('', `${TWO} b = a; assert(a == b);`), 'assertions', 'proved'],
  [
    'used again, perhaps',
    main('', `${TWO} pthread_join(a, 0); ${SECOND} assert(a != b);`),
    'assertions',
    'unknown',
  ],
  [
    'joined again',
    main('', `${TWO} pthread_join(a, 0); ${SECOND} pthread_join(a, 0);`),
    'no-undefined',
    'refuted',
  ],
  [
    'joined again, much later',
    main(
      '',
      `${TWO} pthread_join(a, 0); for (int i = 0; i < 9; i++) { ${SECOND} pthread_join(b, 0); } pthread_join(a, 0);`,
    ),
    'no-undefined',
    'unknown',
  ],
  [
    'one after the other',
    main(
      '',
      `pthread_t t; for (int i = 0; i < 20; i++) { pthread_create(&t, 0, f, 0); pthread_join(t, 0); }`,
    ),
    'no-undefined',
    'proved',
  ],
])('the names of threads: %s', async (_, text, property, expected) => {
  expect(await verdict(text, property)).toBe(expected);
});

test.each<readonly [what: string, text: string, expected: string]>([
  [
    'a table',
    main(
      'void *g(void *arg) { assert(0); return 0; } void *(*table[2])(void *) = { f, g };',
      'pthread_t t; for (int i = 0; i < 2; i++) pthread_create(&t, 0, table[i], 0);',
    ).replace('void *g', 'void *f(void *); void *g'),
    'refuted',
  ],
  [
    'a parameter',
    main(
      'int x; void *g(void *arg) { x = 1; return 0; } void start(pthread_t *t, void *(*h)(void *)) { pthread_create(t, 0, h, 0); }',
      'pthread_t t; start(&t, g); pthread_join(t, 0); start(&t, f); assert(x == 1);',
    ),
    'proved',
  ],
])('a thread whose function comes from %s', async (_, text, expected) => {
  expect(await verdict(text, 'assertions')).toBe(expected);
});

// Another thread writes x, then y: who reads x first may find 0 and 1.
test.each([
  ['a choice', 'r = 2 * x + (y ? 1 : 0);'],
  ['a test', 'r = 2 * x + (y && 1);'],
  ['a choice without a middle', 'r = 2 * x + (y ?: 0);'],
  ['a choice that is an argument', 'r = g(x, y || 0);'],
  ['a choice that is an index', 'r = p[y ? 1 : 0];', 'p = two; '],
])('operands are read from left to right: %s', async (_, body, first = 'x = 1; ') => {
  const globals = `_Atomic int x, y; int one[2] = {0, 1}, two[2], *_Atomic p = one, r;
int g(int a, int b) { return 2 * a + b; }`;
  const text = (last: string) => beside(globals, `${first}y = 1;`, body, { after: last });
  expect(await verdict(text('assert(r != 1);'), 'assertions')).toBe('refuted');
  expect(await verdict(text('assert(r <= 3);'), 'assertions')).toBe('proved');
});
