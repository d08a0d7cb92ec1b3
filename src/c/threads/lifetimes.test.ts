// The lives of objects that threads share.

import { expect, test } from 'vitest';
import { checkModel } from '../../check/check.ts';

const HEAD =
  '#include <pthread.h>\n#include <stdlib.h>\nint *p; pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\n';
const NEW = 'p = malloc(sizeof(int)); *p = 1;';
const RUN = 'pthread_t a; pthread_create(&a, 0, f, 0);';
const JOIN = 'pthread_join(a, 0);';

async function verdict(text: string): Promise<string> {
  const files = { read: (path: string) => (path === 't.c' ? text : null) };
  const { properties } = await checkModel({ paths: ['t.c'], files });
  const { verdict, evidence } = properties.find(({ id }) => id === 'no-undefined')!;
  return evidence?.kind === 'run' ? evidence.run.title : verdict;
}

test.each<readonly [what: string, f: string, globals: string, main: string, expected: string]>([
  [
    'freed by another',
    'free(p);',
    '',
    `${NEW} ${RUN} ${JOIN} return *p;`,
    'a read of memory that was freed is undefined',
  ],
  ['freed by both', 'free(p);', '', `${NEW} ${RUN} ${JOIN} free(p);`, 'what is freed was freed before'],
  ['freed by one of them', 'if (*p) free(p);', '', `${NEW} ${RUN} ${JOIN}`, 'proved'],
  [
    'freed behind a lock, used before',
    'pthread_mutex_lock(&m); if (p) *p = 2; pthread_mutex_unlock(&m);',
    '',
    `${NEW} ${RUN} pthread_mutex_lock(&m); free(p); p = 0; pthread_mutex_unlock(&m); ${JOIN}`,
    'proved',
  ],
  [
    'freed behind a lock, used after',
    'pthread_mutex_lock(&m); *p = 2; pthread_mutex_unlock(&m);',
    '',
    `${NEW} ${RUN} pthread_mutex_lock(&m); free(p); pthread_mutex_unlock(&m); ${JOIN}`,
    'a write to memory that was freed is undefined',
  ],
  [
    'a lock in what is freed',
    'struct s *s = (void *)p; pthread_mutex_lock(&s->m); s->n++; pthread_mutex_unlock(&s->m);',
    'struct s { pthread_mutex_t m; int n; };',
    `struct s *s = malloc(sizeof *s); pthread_mutex_init(&s->m, 0); s->n = 0; p = (void *)s; ${RUN} ${JOIN} free(s);`,
    'proved',
  ],
  [
    'a variable of a thread that has ended',
    'int x = 1; p = &x;',
    '',
    `${RUN} ${JOIN} return *p;`,
    "a read of 'x' after its end is undefined",
  ],
  [
    'a variable of a call that has returned',
    '*p = 2;',
    'pthread_t a; void *f(void *); void start(void) { int x; p = &x; pthread_create(&a, 0, f, 0); }',
    'start(); pthread_join(a, 0);',
    "a write to 'x' after its end is undefined",
  ],
  [
    '… that waits',
    '*p = 2;',
    'void *f(void *); void start(void) { int x; p = &x; pthread_t a; pthread_create(&a, 0, f, 0); pthread_join(a, 0); }',
    'start(); start();',
    'proved',
  ],
  [
    'a condition in what is freed is told of afterwards',
    'pthread_mutex_lock(&m); s->n = 1; pthread_mutex_unlock(&m); pthread_cond_signal(&s->c);',
    'struct s { pthread_cond_t c; int n; } *s;',
    `s = malloc(sizeof *s); pthread_cond_init(&s->c, 0); s->n = 0; ${RUN} pthread_mutex_lock(&m); int k = s->n; pthread_mutex_unlock(&m); if (k) free(s); ${JOIN}`,
    'a read of memory that was freed is undefined',
  ],
  ...['cond_broadcast', 'cond_destroy', 'barrier_destroy', 'spin_destroy', 'attr_destroy'].map(
    (call) =>
      [
        `${call} of nothing`,
        `pthread_${call}((void *)p);`,
        '',
        `${RUN} ${JOIN}`,
        'an invalid pointer is used',
      ] as const,
  ),
  [
    'a wait until a time that was freed',
    'pthread_mutex_lock(&m); pthread_cond_timedwait(&c, &m, s); pthread_mutex_unlock(&m);',
    'pthread_cond_t c; struct timespec *s;',
    `s = malloc(sizeof *s); s->tv_sec = s->tv_nsec = 0; free(s); ${RUN} ${JOIN}`,
    'a read of memory that was freed is undefined',
  ],
  [
    'a text without an end',
    'k = strlen(b);',
    '#include <string.h>\nchar b[3] = "abc"; int k;',
    `${RUN} ${JOIN}`,
    "an access outside of 'b'",
  ],
  [
    'more bytes than there are, perhaps',
    'k = memcmp(b, "abcd", 4);',
    '#include <string.h>\nchar b[3] = "abc"; int k;',
    `${RUN} ${JOIN}`,
    'unknown',
  ],
])('%s', async (_, f, globals, main, expected) => {
  const text = `${HEAD}${globals}\nvoid *f(void *arg) { ${f} return 0; }\nint main(void) { ${main} return 0; }\n`;
  expect(await verdict(text)).toBe(expected);
});
