// Corners of POSIX threads and of C11's atomics, each with what the standards say of it.

import { expect, test } from 'vitest';
import { checkModel } from '../../check/check.ts';
import type { CheckOptions } from '../../engine/options.ts';

/** What gcc's <stdatomic.h> makes of these. */
const HEAD = `#include <assert.h>
#include <pthread.h>
typedef _Atomic int atomic_int; typedef _Atomic struct { unsigned char __val; } atomic_flag;
#define atomic_store_explicit(to, value, order) ({ int value_ = value; __atomic_store(to, &value_, order); })
#define atomic_load_explicit(from, order) ({ int value_; __atomic_load(from, &value_, order); value_; })
#define exchange(at, expected, value, weak) ({ int value_ = value; __atomic_compare_exchange(at, expected, &value_, weak, 5, 5); })
#define atomic_flag_test_and_set(flag) __atomic_test_and_set(flag, 5)
#define atomic_flag_clear(flag) __atomic_clear(flag, 5)
`;
const START = 'pthread_t a, b; pthread_create(&a, 0, f, 0); pthread_create(&b, 0, g, 0);';
const thread = (name: string, body: string) => `void *${name}(void *arg) { ${body} return 0; }\n`;
const two = (globals: string, f: string, g: string, last = '') =>
  `${HEAD}${globals}\n${thread('f', f)}${thread('g', g)}int main(void) { ${START} pthread_join(a, 0); pthread_join(b, 0); ${last} return 0; }\n`;
const one = (f: string, main: string) => `${HEAD}${thread('f', f)}int main(void) { ${main} return 0; }\n`;

async function verdict(text: string, property: string, dataModel?: 'ILP32'): Promise<string> {
  const files = { read: (path: string) => (path === 't.c' ? text : null) };
  const options = dataModel === undefined ? {} : { dataModel };
  const { properties, diagnostics } = await checkModel({ paths: ['t.c'], files, options });
  const found = properties.find(({ id }) => id === property);
  return found?.verdict ?? diagnostics.map(({ code }) => code).join();
}

const weak = (order: string) => {
  const side = (mine: string, theirs: string, result: string) =>
    `atomic_store_explicit(&${mine}, 1, ${order}); ${result} = atomic_load_explicit(&${theirs}, ${order});`;
  return two('atomic_int x, y; int r, s;', side('x', 'y', 'r'), side('y', 'x', 's'), 'assert(r || s);');
};
/** In main: functions that are started have several instances, each with the section. */
const SECTION = (body: string) =>
  `${HEAD}#define END __VERIFIER_atomic_end();
void __VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void); _Atomic int x;
${thread('f', 'x = 0;')}int main(void) { pthread_t a; pthread_create(&a, 0, f, 0); __VERIFIER_atomic_begin(); ${body} END return 0; }
`;
const SWAP = 'exchange(&x, &e, 1, 0);';
const CREATE = 'pthread_t a; pthread_create(&a, 0, f, 0);';
const DETACHED =
  'pthread_attr_t d; pthread_attr_init(&d); pthread_attr_setdetachstate(&d, PTHREAD_CREATE_DETACHED);';
const FLAG = 'while (atomic_flag_test_and_set(&l)); x++; atomic_flag_clear(&l);';
const FIRST = (lock: string) => `pthread_${lock}(&l);`;
const [READ, RELEASE] = [FIRST('rwlock_rdlock'), FIRST('rwlock_unlock')];

test.each<readonly [what: string, text: string, property: string, expected: string]>([
  ['a section of one thread only', SECTION('x = 1; assert(x == 1); x = 0;'), 'assertions', 'proved'],
  ['outside of a section', SECTION('x = 1; END assert(x == 1);'), 'assertions', 'refuted'],
  ['both buffers, in the strongest order', weak('__ATOMIC_SEQ_CST'), 'assertions', 'proved'],
  ['both buffers, without order', weak('__ATOMIC_RELAXED'), 'assertions', 'unknown'],
  ['both buffers, released', weak('__ATOMIC_RELEASE'), 'race-free', 'unknown'],
  ['what is expected is plain memory', two('_Atomic int x; int e;', 'e = 0;', SWAP), 'race-free', 'refuted'],
  ['a flag', two('atomic_flag l; int x;', FLAG, FLAG, 'assert(x == 2);'), 'assertions', 'proved'],
  ['a flag orders', two('atomic_flag l; int x;', FLAG, FLAG), 'race-free', 'proved'],
  [
    'a thread that returns nothing, and nobody asks',
    `${HEAD}int n; int one(void) { n++; } void *f(void *arg) { one(); } int main(void) { ${CREATE} pthread_join(a, 0); one(); assert(n == 2); return 0; }`,
    'assertions',
    'proved',
  ],
  [
    '… and somebody asks',
    `${HEAD}int n; void *f(void *arg) { if (n) return arg; } int main(void) { ${CREATE} void *r; pthread_join(a, &r); assert(r == 0); return 0; }`,
    'assertions',
    'unknown',
  ],
  [
    'who joins may ask for no result by a variable',
    `${HEAD}${thread('f', '')}void *r = &r; void **kept[2] = {0, &r}; int main(void) { for (int i = 0; i < 2; i++) { ${CREATE} pthread_join(a, kept[i]); } assert(r == 0); return 0; }`,
    'no-undefined',
    'proved',
  ],
  [
    '… and gets one where the variable names a place',
    `${HEAD}${thread('f', '')}void *r = &r; void **kept[2] = {0, &r}; int main(void) { for (int i = 0; i < 2; i++) { ${CREATE} pthread_join(a, kept[i]); assert((r == 0) == i); } return 0; }`,
    'assertions',
    'proved',
  ],
  [
    'no attributes, by a variable',
    one(
      '',
      `${DETACHED} pthread_attr_t *no[2] = {&d, 0}; for (int i = 1; i < 2; i++) { pthread_t a; pthread_create(&a, no[i], f, 0); pthread_join(a, 0); }`,
    ),
    'no-undefined',
    'proved',
  ],
  [
    '… and some, by the same',
    one(
      '',
      `${DETACHED} pthread_attr_t *no[2] = {&d, 0}; for (int i = 1; i >= 0; i--) { pthread_t a; pthread_create(&a, no[i], f, 0); pthread_join(a, 0); }`,
    ),
    'no-undefined',
    'refuted',
  ],
  [
    'a weak exchange may fail',
    two('_Atomic int x;', 'int e = 0; assert(exchange(&x, &e, 1, 1));', ''),
    'assertions',
    'refuted',
  ],
  [
    'an atomic struct',
    two('struct S { int a, b; }; _Atomic struct S s, t;', 's = t;', 't = s;'),
    'assertions',
    'SPW5012',
  ],
  ['joined twice', one('', `${CREATE} pthread_join(a, 0); pthread_join(a, 0);`), 'no-undefined', 'refuted'],
  [
    'joined though detached',
    one('', `${CREATE} pthread_detach(a); pthread_join(a, 0);`),
    'no-undefined',
    'refuted',
  ],
  ['detached, itself', one('pthread_detach(pthread_self());', CREATE), 'no-undefined', 'proved'],
  [
    'started detached',
    one('', `${DETACHED} pthread_t a; pthread_create(&a, &d, f, 0); pthread_join(a, 0);`),
    'no-undefined',
    'refuted',
  ],
  [
    'a held mutex is destroyed',
    two('pthread_mutex_t l;', FIRST('mutex_lock'), FIRST('mutex_destroy')),
    'no-undefined',
    'refuted',
  ],
  [
    "a writer's lock is released by another thread",
    two('pthread_rwlock_t l;', FIRST('rwlock_wrlock'), `${FIRST('rwlock_unlock')}`),
    'no-undefined',
    'refuted',
  ],
  [
    "a reader's lock is released by another thread",
    two('pthread_rwlock_t l;', FIRST('rwlock_rdlock'), FIRST('rwlock_unlock')),
    'no-undefined',
    'refuted',
  ],
  [
    'a reader that holds the lock twice releases it twice',
    two('pthread_rwlock_t l;', `${READ}${READ}${RELEASE}${RELEASE}`, `${READ}${RELEASE}`),
    'no-undefined',
    'proved',
  ],
  [
    'a reader that holds the lock once releases it twice',
    two('pthread_rwlock_t l;', `${READ}${RELEASE}${RELEASE}`, READ),
    'no-undefined',
    'refuted',
  ],
  [
    'a lock that was initialised is held by nobody',
    one('', `pthread_rwlock_t l; pthread_rwlock_init(&l, 0); ${CREATE} ${READ}${RELEASE}`),
    'no-undefined',
    'proved',
  ],
  [
    'functions that are called at the end, while threads run',
    one('x = 1;', `atexit(h); ${CREATE}`).replace(
      'void *f',
      'int x; void h(void) { assert(x == 0); } void *f',
    ),
    'assertions',
    'refuted',
  ],
  [
    'functions that are called at the end, when threads have ended',
    one('x = 1;', `atexit(h); ${CREATE} pthread_join(a, 0);`).replace(
      'void *f',
      'int x; void h(void) { assert(x == 1); } void *f',
    ),
    'assertions',
    'proved',
  ],
  [
    'a thread ends the program',
    one('atexit(h); x = 1; exit(0);', `${CREATE} pthread_join(a, 0);`).replace(
      'void *f',
      'void exit(int); int x; void h(void) { assert(x != 1); } void *f',
    ),
    'assertions',
    'refuted',
  ],
  [
    'main ends before the others, with functions that are called at the end',
    one('x = 1;', `atexit(h); ${CREATE} pthread_exit(0);`).replace(
      'void *f',
      'int x; void h(void) { assert(x == 0); } void *f',
    ),
    'assertions',
    'unknown',
  ],
  [
    'an assumption in a section waits for nobody',
    two(
      'extern void __VERIFIER_assume(int); int m, x; void __VERIFIER_atomic_take(void) { __VERIFIER_assume(m == 0); m = 1; } void __VERIFIER_atomic_give(void) { m = 0; }',
      '__VERIFIER_atomic_take(); x++; assert(x == 1); x--; __VERIFIER_atomic_give();',
      '__VERIFIER_atomic_take(); x++; assert(x == 1); x--; __VERIFIER_atomic_give();',
    ),
    'assertions',
    'proved',
  ],
  [
    'a function that nobody defines is no race',
    two('int x; void other(int *);', 'other(&x);', 'other(&x);'),
    'race-free',
    'unknown',
  ],
])('%s', async (_, text, property, expected) => {
  expect(await verdict(text, property)).toBe(expected);
});

test('where long has 32 bits a thread has a name of that width', async () => {
  const text = two('int x;', 'x++;', 'x++;', 'assert(x == 2);');
  expect(await verdict(text, 'assertions', 'ILP32')).toBe('refuted');
  expect(await verdict(text, 'no-undefined', 'ILP32')).toBe('unknown');
  expect(await verdict(one('', `${CREATE} assert(a != pthread_self());`), 'assertions', 'ILP32')).toBe(
    'proved',
  );
});

test('where C does not promise that threads take turns it can be assumed', async () => {
  const peterson = (check: string) =>
    two(
      'int a, b, turn, in;',
      `a = 1; turn = 2; while (b && turn == 2); in++; assert(in == ${check}); in--; a = 0;`,
      'b = 1; turn = 1; while (a && turn == 1); in++; in--; b = 0;',
    );
  const asked = async (text: string, options: CheckOptions) => {
    const files = { read: (path: string) => (path === 't.c' ? text : null) };
    const properties = ['assertions', 'race-free'];
    const report = await checkModel({ paths: ['t.c'], files, properties, options });
    return report.properties.map(({ verdict, notes = [] }) => [
      verdict,
      notes.some(({ message }) => message.includes('take turns')),
    ]);
  };
  const sequential = { memoryModel: 'sequential' } as const;
  expect(await asked(peterson('1'), {})).toEqual([
    ['unknown', false],
    ['refuted', false],
  ]);
  expect(await asked(peterson('1'), sequential)).toEqual([
    ['proved', true],
    ['refuted', false],
  ]);
  expect((await asked(peterson('0'), sequential))[0]![0]).toBe('refuted');
  expect(await asked(weak('__ATOMIC_RELAXED'), sequential)).toEqual([
    ['proved', true],
    ['proved', false],
  ]);
});
