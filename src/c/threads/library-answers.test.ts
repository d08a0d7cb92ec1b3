// What calls of the thread library answer where they can do nothing, and locks of the kinds that glibc's headers have.

import { expect, test } from 'vitest';
import { checkModel } from '../../check/check.ts';

async function verdict(text: string, property: string): Promise<string> {
  const files = { read: (path: string) => (path === 't.c' ? text : null) };
  const { properties } = await checkModel({ paths: ['t.c'], files, properties: [property] });
  return properties[0]!.verdict;
}

const HEAD = '#include <assert.h>\n#include <pthread.h>\n#include <semaphore.h>\n';
const START = 'pthread_t t; pthread_create(&t, 0, f, 0);';

const THREADS = 'void *f(void *arg) { return 0; }\n';

const FREE = 'pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;';
const LOCK = 'pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;';

test.each<readonly [what: string, made: string, call: string, answer: number]>([
  ['a barrier for nobody', 'pthread_barrier_t b;', 'pthread_barrier_init(&b, 0, 0)', 22],
  ['a barrier for too many', 'pthread_barrier_t b;', 'pthread_barrier_init(&b, 0, 0x80000000)', 22],
  ['a barrier for one', 'pthread_barrier_t b;', 'pthread_barrier_init(&b, 0, 1)', 0],
  ['a semaphore that begins too high', 'sem_t s;', 'sem_init(&s, 0, -1)', -1],
  ['a semaphore that begins as high as it may', 'sem_t s;', 'sem_init(&s, 0, 2147483647)', 0],
  ['a full semaphore', 'sem_t s; sem_init(&s, 0, 2147483647);', 'sem_post(&s)', -1],
  ['a semaphore that is not yet full', 'sem_t s; sem_init(&s, 0, 2147483646);', 'sem_post(&s)', 0],
  ['no state', 'pthread_attr_t a; pthread_attr_init(&a);', 'pthread_attr_setdetachstate(&a, 2)', 22],
  ['a state', 'pthread_attr_t a; pthread_attr_init(&a);', 'pthread_attr_setdetachstate(&a, 1)', 0],
  [
    'a semaphore that nobody gives for a while',
    'sem_t s; sem_init(&s, 0, 0); struct timespec u = { 1 };',
    'sem_timedwait(&s, &u)',
    -1,
  ],
  [
    'a semaphore that is given',
    'sem_t s; sem_init(&s, 0, 1); struct timespec u = { 1 };',
    'sem_timedwait(&s, &u)',
    0,
  ],
  [
    'what a semaphore counts',
    'sem_t s; sem_init(&s, 0, 3); sem_wait(&s); int v; sem_getvalue(&s, &v);',
    'v',
    2,
  ],
  [
    'a mutex that is held for a while',
    `${FREE} pthread_mutex_lock(&m); struct timespec u = { 1 };`,
    'pthread_mutex_timedlock(&m, &u)',
    110,
  ],
  ['a mutex that is free', `${FREE} struct timespec u = { 1 };`, 'pthread_mutex_timedlock(&m, &u)', 0],
  ['a lock that is written', `${LOCK} pthread_rwlock_wrlock(&l);`, 'pthread_rwlock_tryrdlock(&l)', 16],
  ['a lock that is read', `${LOCK} pthread_rwlock_rdlock(&l);`, 'pthread_rwlock_tryrdlock(&l)', 0],
  ['… and not to be written', `${LOCK} pthread_rwlock_tryrdlock(&l);`, 'pthread_rwlock_trywrlock(&l)', 16],
  [
    'a lock that is written no more',
    `${LOCK} pthread_rwlock_trywrlock(&l); pthread_rwlock_unlock(&l);`,
    'pthread_rwlock_trywrlock(&l)',
    0,
  ],
])('%s', async (_, made, call, answer) => {
  const text = `${HEAD}${THREADS}int main(void) { ${START} ${made} int k = ${call}; assert(k == ${answer}); return 0; }\n`;
  expect(await verdict(text, 'assertions')).toBe('proved');
});

test('a barrier is initialised like other objects: nobody may use it meanwhile', async () => {
  const text = (first: string, second: string) =>
    `${HEAD}pthread_barrier_t b; void *f(void *arg) { pthread_barrier_wait(&b); return 0; }
int main(void) { ${first} pthread_t t; pthread_create(&t, 0, f, 0); ${second} pthread_join(t, 0); return 0; }\n`;
  const init = 'pthread_barrier_init(&b, 0, 1);';
  expect(await verdict(text(init, ''), 'race-free')).toBe('proved');
  expect(await verdict(text('', init), 'race-free')).toBe('refuted');
});

test('who comes out of a barrier first may destroy it, and use its memory for something else', async () => {
  const text = (destroy: string, then: string) =>
    `${HEAD}#include <stdlib.h>\npthread_barrier_t *b; void *f(void *arg) { pthread_barrier_wait(b); return 0; }
int main(void) { b = malloc(sizeof *b); pthread_barrier_init(b, 0, 2); ${START} pthread_barrier_wait(b); ${destroy} ${then} pthread_join(t, 0); return 0; }\n`;
  const destroy = 'pthread_barrier_destroy(b);';
  const again = 'pthread_barrier_init(b, 0, 2);';
  expect(await verdict(text(destroy, 'free(b);'), 'no-undefined')).toBe('proved');
  expect(await verdict(text('', 'free(b);'), 'no-undefined')).toBe('refuted');
  expect(await verdict(text(destroy, again), 'deadlock-free')).toBe('proved');
  expect(await verdict(text(destroy, again), 'race-free')).toBe('proved');
  expect(await verdict(text('', again), 'race-free')).toBe('refuted');
});

/** As the headers of glibc have it, which programs that went through a preprocessor contain. */
const GLIBC = `typedef unsigned long pthread_t;
typedef union { struct { int __lock; unsigned __count; int __owner; unsigned __nusers; int __kind; long rest[2]; } __data; char __size[40]; } pthread_mutex_t;
typedef union { struct { unsigned __readers, more[11]; unsigned __flags; } __data; char __size[56]; } pthread_rwlock_t;
int pthread_create(pthread_t *, void *, void *(*)(void *), void *), pthread_join(pthread_t, void **);
int pthread_mutex_init(pthread_mutex_t *, void *), pthread_mutex_lock(pthread_mutex_t *), pthread_mutex_trylock(pthread_mutex_t *), pthread_mutex_unlock(pthread_mutex_t *);
typedef union { char __size[48]; long long __align; } pthread_cond_t;
int pthread_cond_wait(pthread_cond_t *, pthread_mutex_t *);
int pthread_rwlock_rdlock(pthread_rwlock_t *), pthread_rwlock_wrlock(pthread_rwlock_t *), pthread_rwlock_unlock(pthread_rwlock_t *);
`;
const MUTEX = (kind: number) => `pthread_mutex_t l = { { 0, 0, 0, 0, ${kind} } };`;
const READ_WRITE = (flags: number) => `pthread_rwlock_t l = { { 0, { 0 }, ${flags} } };`;
const TWICE = 'pthread_mutex_lock(&l); pthread_mutex_lock(&l);';
const WAITS = 'pthread_cond_t c; pthread_cond_wait(&c, &l);';
const READ_TWICE = 'pthread_rwlock_rdlock(&l); pthread_rwlock_rdlock(&l);';
const TRY_TWICE = 'pthread_mutex_trylock(&l); if (pthread_mutex_trylock(&l) != 0) for (;;);';

test.each<readonly [what: string, lock: string, body: string, property: string, expected: string]>([
  ['the default kind, twice', MUTEX(0), TWICE, 'deadlock-free', 'refuted'],
  ['a recursive one, twice', MUTEX(1), TWICE, 'deadlock-free', 'unknown'],
  ['a recursive one, tried twice', MUTEX(1), TRY_TWICE, 'assertions', 'unknown'],
  ['one that checks, released', MUTEX(2), 'pthread_mutex_unlock(&l);', 'no-undefined', 'unknown'],
  ['the default kind, waited for without it', MUTEX(0), WAITS, 'no-undefined', 'refuted'],
  ['one that checks, waited for without it', MUTEX(2), WAITS, 'no-undefined', 'unknown'],
  [
    'one that is made by a call',
    'pthread_mutex_t l;',
    'pthread_mutex_t l; pthread_mutex_init(&l, 0); pthread_mutex_lock(&l);',
    'deadlock-free',
    'proved',
  ],
  ['read twice', READ_WRITE(0), READ_TWICE, 'deadlock-free', 'proved'],
  ['read twice, where writers go first', READ_WRITE(2), READ_TWICE, 'deadlock-free', 'unknown'],
])('kinds: %s', async (_, lock, body, property, expected) => {
  const text = `${GLIBC}${lock} void *f(void *arg) { ${body} return 0; }\nint main(void) { ${START} pthread_join(t, 0); return 0; }\n`;
  expect(await verdict(text, property)).toBe(expected);
});
