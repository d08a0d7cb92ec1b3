// How threads end and what they are started with, sections that nobody may come between, and what waits and tries give.

import { expect, test } from 'vitest';
import { checkModel } from '../../check/check.ts';

const HEAD = `#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
void __VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void);
pthread_t t, u; void *r;
#define GO(f) pthread_create(&t, 0, f, 0);
#define JOIN pthread_join(t, 0);
`;
const thread = (body: string) => `void *f(void *arg) { ${body} return 0; }\n`;
const main = (body: string) => `int main(void) { ${body} }\n`;
const started = (f: string, more: string) =>
  `${f} ${main(`pthread_create(&t, 0, (void *(*)(void *))f, 0); ${more} return 0;`)}`;
/** Two of it, then the test. */
const twice = (globals: string, body: string, assertion: string) =>
  `${globals} ${thread(body)}${main(`GO(f) pthread_create(&u, 0, f, 0); JOIN pthread_join(u, 0); assert(${assertion}); return 0;`)}`;
const timed = (test: string) =>
  `pthread_mutex_t m; pthread_cond_t c; int ready; struct timespec ts;
   ${thread(`pthread_mutex_lock(&m); if (!ready) { int late = pthread_cond_timedwait(&c, &m, &ts); assert(${test}); } pthread_mutex_unlock(&m);`)}
   ${main('GO(f) pthread_mutex_lock(&m); ready = 1; pthread_cond_signal(&c); pthread_mutex_unlock(&m); JOIN return 0;')}`;

test.each<readonly [what: string, text: string, property: string, expected: string]>([
  [
    'the end of main can be waited for',
    `pthread_t m; ${thread('pthread_join(m, &r); assert(r != (void *)9L);')}${main('m = pthread_self(); GO(f) pthread_exit((void *)9L);')}`,
    'assertions',
    'refuted',
  ],
  [
    '… and comes',
    `pthread_t m; ${thread('pthread_join(m, 0);')}${main('m = pthread_self(); GO(f) pthread_exit(0);')}`,
    'deadlock-free',
    'proved',
  ],
  [
    '… and so does that of its variables',
    `int *p; ${thread('*p = 1;')}${main('int x = 0; p = &x; GO(f) pthread_exit(0);')}`,
    'no-undefined',
    'refuted',
  ],
  [
    'a thread that waits for its own end',
    `${thread('pthread_join(pthread_self(), 0);')}${main('GO(f) JOIN return 0;')}`,
    'no-undefined',
    'refuted',
  ],
  [
    'a thread that ends in what is called once',
    `pthread_once_t o; void init(void) { pthread_exit(0); } ${thread('pthread_once(&o, init);')}${main('GO(f) JOIN pthread_once(&o, init); return 0;')}`,
    'deadlock-free',
    'unknown',
  ],
  [
    'a function of any number of arguments',
    started('void *f(void *a, ...) { return 0; }', 'JOIN'),
    'no-undefined',
    'refuted',
  ],
  [
    'a function that returns a struct',
    started('struct s { long a, b, c; }; struct s f(void *a) { struct s s = {1}; return s; }', 'JOIN'),
    'no-undefined',
    'refuted',
  ],
  [
    'what a function without a result returns',
    started('void f(void) {}', 'pthread_join(t, &r); assert(r == 0);'),
    'assertions',
    'unknown',
  ],
  [
    '… nobody asks',
    started('int x; void f(void) { x = 1; }', 'JOIN assert(x == 1);'),
    'assertions',
    'proved',
  ],
  [
    'an argument is read before the section',
    twice(
      '_Atomic int n; void __VERIFIER_atomic_set(int v) { n = v; }',
      '__VERIFIER_atomic_set(n + 1);',
      'n == 2',
    ),
    'assertions',
    'refuted',
  ],
  [
    'a section in a section',
    twice(
      'int n; void __VERIFIER_atomic_inc(void) { n++; } void __VERIFIER_atomic_two(void) { __VERIFIER_atomic_inc(); int k = n; n = k; }',
      '__VERIFIER_atomic_two();',
      'n == 2',
    ),
    'assertions',
    'proved',
  ],
  [
    '… of the other kind is none',
    twice(
      'int n; void __VERIFIER_atomic_inc(void) { n++; }',
      '__VERIFIER_atomic_begin(); __VERIFIER_atomic_inc(); int k = n; n = k; __VERIFIER_atomic_end();',
      'n == 2',
    ),
    'assertions',
    'unknown',
  ],
  [
    'a section that is called through a pointer',
    twice(
      'int n; void __VERIFIER_atomic_inc(void) { n++; } void (*p)(void) = __VERIFIER_atomic_inc;',
      'p();',
      'n == 2',
    ),
    'assertions',
    'proved',
  ],
  [
    'a thread that is a section',
    twice('int n;', 'n++;', 'n == 2').replaceAll(/\bf\b/g, '__VERIFIER_atomic_f'),
    'assertions',
    'proved',
  ],
  [
    'a thread that ends in a section',
    `int n; ${thread('__VERIFIER_atomic_begin(); n = 1;')}${main('GO(f) JOIN assert(n == 0); return 0;')}`,
    'assertions',
    'unknown',
  ],
  ['a wait with a limit may end for no reason, too', timed('late || ready'), 'assertions', 'refuted'],
  ['… or be late', timed('!late'), 'assertions', 'refuted'],
  [
    'a semaphore that nobody can take says so',
    `sem_t s; ${thread('')}${main('sem_init(&s, 0, 0); GO(f) errno = 0; int k = sem_trywait(&s); assert(k == -1 && errno == EAGAIN); JOIN return 0;')}`,
    'assertions',
    'proved',
  ],
])('%s', async (_, text, property, expected) => {
  const files = { read: (path: string) => (path === 't.c' ? HEAD + text : null) };
  const { properties, diagnostics } = await checkModel({ paths: ['t.c'], files });
  expect(diagnostics.map(({ code }) => code)).toEqual([]);
  expect(properties.find(({ id }) => id === property)?.verdict).toBe(expected);
});

test('functions of one name in two files are two', async () => {
  const start = 'pthread_create(&t, 0, f, 0);';
  const f = (by: number) => `static void *f(void *arg) { __atomic_fetch_add(&n, ${by}, 5); return 0; }`;
  const texts: Record<string, string> = {
    't.yml': "format_version: '2.0'\ninput_files: ['a.c', 'b.c']\n",
    'a.c': `#include <assert.h>\n#include <pthread.h>\nextern int n; extern pthread_t u; extern void other(void); ${f(1)}
      int main(void) { pthread_t t; ${start} other(); pthread_join(t, 0); pthread_join(u, 0); assert(n == 11); return 0; }`,
    'b.c': `#include <pthread.h>\nint n; pthread_t u; ${f(10)} void other(void) { ${start.replace('&t', '&u')} }`,
  };
  const { properties } = await checkModel({
    paths: ['t.yml'],
    files: { read: (path) => texts[path] ?? null },
    properties: ['assertions'],
  });
  expect(properties.map(({ verdict }) => verdict)).toEqual(['proved']);
});
