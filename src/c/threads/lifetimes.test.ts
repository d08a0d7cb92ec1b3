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

test.each([
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
])('%s', async (_, f, globals, main, expected) => {
  const text = `${HEAD}${globals}\nvoid *f(void *arg) { ${f} return 0; }\nint main(void) { ${main} return 0; }\n`;
  expect(await verdict(text)).toBe(expected);
});
