// Small random programs whose threads wait for each other in all the ways that POSIX has, and use memory that one of them frees; and all that they can do, computed from their
// description, step by step. Variables are atomic, so that nothing races but what is freed.

import type { Random } from '../../base/random.ts';

/** One step, by what it does; `by`: how many steps further it goes on otherwise. */
export type Op =
  | { readonly do: 'read' | 'count' | 'signal' | 'broadcast' | 'wake'; readonly of: number }
  | { readonly do: 'write' | 'add' | 'put'; readonly of: number; readonly plus: number }
  | { readonly do: 'keep' | 'get' | 'free' | 'begin' | 'first' | 'last' | 'arrive' | 'leave' }
  /** A variable of a block begins, and its address is shown to all; it ends; what was shown last is looked at. */
  | { readonly do: 'show'; readonly of: number; readonly plus: number }
  | { readonly do: 'hide'; readonly of: number }
  | { readonly do: 'find' | 'look' }
  | { readonly do: 'kept'; readonly plus: number }
  | {
      readonly do: 'lock' | 'unlock' | 'read-lock' | 'write-lock' | 'release' | 'take' | 'give';
      readonly of: number;
    }
  | {
      readonly do: 'try-lock' | 'try-take' | 'try-read' | 'try-write';
      readonly of: number;
      readonly by: number;
    }
  | { readonly do: 'unless'; readonly of: number; readonly is: number; readonly by: number }
  | { readonly do: 'wait'; readonly of: number; readonly mutex: number; readonly timed: boolean }
  | { readonly do: 'pass'; readonly by: number }
  | { readonly do: 'join'; readonly of: number };

interface Statement {
  readonly text: string;
  readonly ops: readonly Op[];
}

export interface Waiting {
  /** Main's last. */
  readonly threads: readonly (readonly Statement[])[];
  /** How main ends: it joins the others, or not. */
  readonly end: 'joins' | 'returns' | 'exits';
}

const pick = <T>(random: Random, list: readonly T[]): T => list[random.below(list.length)]!;
const NAMES = ['x', 'y'];

export function waiting(random: Random): Waiting {
  const started = 1 + (random.below(2) === 0 ? 1 : 0);
  const kinds = new Set(Array.from({ length: 1 + random.below(3) }, () => random.below(KINDS.length)));
  const bodies = Array.from({ length: started + 1 }, (_, i) => body(random, [...kinds], i));
  const end = pick(random, ['joins', 'joins', 'joins', 'returns', 'exits'] as const);
  const joins = Array.from(
    { length: started },
    (_, of): Statement => ({
      text: `pthread_join(id[${of}], 0);`,
      ops: [{ do: 'join', of }],
    }),
  );
  return { threads: [...bodies.slice(0, -1), [...bodies.at(-1)!, ...(end === 'joins' ? joins : [])]], end };
}

function body(random: Random, kinds: readonly number[], thread: number): Statement[] {
  const length = 1 + random.below(3);
  return Array.from({ length }, () =>
    random.below(3) === 0 ? access(random, thread) : KINDS[pick(random, kinds)]!(random, thread),
  );
}

const one = (text: string, ...ops: Op[]): Statement => ({ text, ops });
const textsOf = (list: readonly Statement[]) => list.map(({ text }) => text).join(' ');
const opsOf = (list: readonly Statement[]) => list.flatMap(({ ops }) => ops);

function access(random: Random, thread: number): Statement {
  const [of, other, plus] = [random.below(2), random.below(2), random.below(3)];
  const [name, from] = [NAMES[of]!, NAMES[other]!];
  return pick(random, [
    one(`${name} = ${from} + ${plus};`, { do: 'read', of: other }, { do: 'write', of, plus }),
    one(`${name} = ${plus};`, { do: 'write', of, plus }),
    one(`${name} += ${plus};`, { do: 'add', of, plus }),
    one(`r${thread} = ${name};`, { do: 'read', of }, { do: 'keep' }),
  ]);
}

const guarded = (random: Random, thread: number): Statement => {
  const [of, is] = [random.below(2), random.below(2)];
  const inner = access(random, thread);
  return one(
    `if (${NAMES[of]} == ${is}) { ${inner.text} }`,
    { do: 'unless', of, is, by: inner.ops.length + 1 },
    ...inner.ops,
  );
};

const some = (random: Random, thread: number): Statement =>
  random.below(3) === 0 ? guarded(random, thread) : access(random, thread);

const kept = (thread: number, plus: number) => `r${thread} += ${plus};`;
/** Another way, behind what is done otherwise. */
const either = (yes: readonly Op[], no: readonly Op[]): readonly Op[] => [
  ...yes,
  { do: 'pass', by: no.length + 1 },
  ...no,
];

const lock = (of: number) => one(`pthread_mutex_lock(&m${of});`, { do: 'lock', of });
const unlock = (of: number) => one(`pthread_mutex_unlock(&m${of});`, { do: 'unlock', of });
const together = (...list: Statement[]): Statement => one(textsOf(list), ...opsOf(list));

const KINDS: readonly ((random: Random, thread: number) => Statement)[] = [
  // Mutexes, in any order; sometimes one too many.
  (random, thread) => {
    const of = random.below(2);
    const inner = [some(random, thread)];
    if (random.below(3) === 0) inner.push(lock(1 - of), access(random, thread), unlock(1 - of));
    return together(lock(of), ...inner, ...(random.below(12) === 0 ? [] : [unlock(of)]));
  },
  (random, thread) => {
    const of = random.below(2);
    const inner = together(some(random, thread), unlock(of));
    const call = pick(random, [`trylock(&m${of})`, `timedlock(&m${of}, &ts)`]);
    return one(
      `if (pthread_mutex_${call} == 0) { ${inner.text} } else ${kept(thread, 10)}`,
      { do: 'try-lock', of, by: inner.ops.length + 2 },
      ...either(inner.ops, [{ do: 'kept', plus: 10 }]),
    );
  },
  // Read-write locks.
  (random, thread) => {
    const reads = random.below(2) === 0;
    const inner = some(random, thread);
    return together(
      one(`pthread_rwlock_${reads ? 'rd' : 'wr'}lock(&l);`, {
        do: reads ? 'read-lock' : 'write-lock',
        of: 0,
      }),
      ...(random.below(6) === 0 ? [KINDS[2]!(random, thread)] : [inner]),
      one('pthread_rwlock_unlock(&l);', { do: 'release', of: 0 }),
    );
  },
  // Semaphores: 0 and 1 at first.
  (random, thread) => {
    const of = random.below(2);
    return pick(random, [
      one(`sem_wait(&s${of});`, { do: 'take', of }),
      one(`sem_post(&s${of});`, { do: 'give', of }),
      one(`sem_getvalue(&s${of}, &r${thread});`, { do: 'count', of }, { do: 'keep' }),
    ]);
  },
  (random, thread) => {
    const of = random.below(2);
    const inner = some(random, thread);
    const call = pick(random, [`trywait(&s${of})`, `timedwait(&s${of}, &ts)`]);
    return one(
      `if (sem_${call} == 0) { ${inner.text} } else ${kept(thread, 20)}`,
      { do: 'try-take', of, by: inner.ops.length + 2 },
      ...either(inner.ops, [{ do: 'kept', plus: 20 }]),
    );
  },
  // Conditions.
  (random, thread) => {
    const [of, variable] = [random.below(2), random.below(2)];
    const timed = random.below(4) === 0;
    const call = timed ? `timedwait(&c${of}, &m0, &ts)` : `wait(&c${of}, &m0)`;
    const wait: Op[] = [
      { do: 'wait', of, mutex: 0, timed },
      { do: 'wake', of: 0 },
    ];
    const text = timed ? `if (pthread_cond_${call}) ${kept(thread, 100)}` : `pthread_cond_${call};`;
    const loop = random.below(2) === 0;
    const waits = loop
      ? one(
          `while (${NAMES[variable]} == 0) { ${text} }`,
          { do: 'unless', of: variable, is: 0, by: wait.length + 2 },
          ...wait,
          { do: 'pass', by: -wait.length - 1 },
        )
      : one(text, ...wait);
    const list = [lock(0), waits, some(random, thread), unlock(0)];
    return together(...(random.below(15) === 0 ? list.slice(1) : list));
  },
  (random, thread) => {
    const of = random.below(2);
    const all = random.below(2) === 0;
    const tell = one(`pthread_cond_${all ? 'broadcast' : 'signal'}(&c${of});`, {
      do: all ? 'broadcast' : 'signal',
      of,
    });
    const list = [access(random, thread), tell];
    return random.below(2) === 0 ? together(lock(0), ...list, unlock(0)) : together(...list);
  },
  // A barrier for two.
  (_, thread) =>
    one(`if (pthread_barrier_wait(&b)) ${kept(thread, 1000)}`, { do: 'arrive' }, { do: 'begin' }),
  () => one('pthread_once(&o, init);', { do: 'first' }, { do: 'add', of: 0, plus: 1 }, { do: 'last' }),
  // Memory that is freed.
  (random, thread) => {
    const plus = random.below(3);
    const use = pick(random, [
      one(`h->v = ${plus};`, { do: 'put', of: 0, plus }),
      one(`r${thread} = h->v;`, { do: 'get' }, { do: 'keep' }),
      one('free(h);', { do: 'free' }),
      one(
        'if (x == 0) { x = 1; free(h); }',
        { do: 'unless', of: 0, is: 0, by: 3 },
        { do: 'write', of: 0, plus: 1 },
        { do: 'free' },
      ),
    ]);
    return random.below(2) === 0 ? use : together(lock(1), use, unlock(1));
  },
  // Variables that end, and threads that do.
  (random, thread) => {
    const [of, plus] = [1 + random.below(1e6), 1 + random.below(2)];
    const inner = random.below(2) === 0 ? some(random, thread) : KINDS[3]!(random, thread);
    return one(
      `{ _Atomic int k${of} = ${plus}; p = &k${of}; ${inner.text} }`,
      { do: 'show', of, plus },
      ...inner.ops,
      { do: 'hide', of },
    );
  },
  (_, thread) => one(`{ _Atomic int *q = p; if (q) r${thread} = *q; }`, { do: 'find' }, { do: 'look' }),
  (random) => {
    const [of, is] = [random.below(2), random.below(3)];
    return one(
      `if (${NAMES[of]} == ${is}) pthread_exit(0);`,
      { do: 'unless', of, is, by: 2 },
      { do: 'leave' },
    );
  },
  (random, thread) => {
    const reads = random.below(2) === 0;
    const inner = together(some(random, thread), one('pthread_rwlock_unlock(&l);', { do: 'release', of: 0 }));
    return one(
      `if (pthread_rwlock_try${reads ? 'rd' : 'wr'}lock(&l) == 0) { ${inner.text} } else ${kept(thread, 40)}`,
      { do: reads ? 'try-read' : 'try-write', of: 0, by: inner.ops.length + 2 },
      ...either(inner.ops, [{ do: 'kept', plus: 40 }]),
    );
  },
];

/** The program, with what main does at last. */
export function textOf({ threads, end }: Waiting, last: string): string {
  const started = threads.slice(0, -1);
  const lines = (statements: readonly Statement[]) => statements.map(({ text }) => `  ${text}\n`).join('');
  return [
    '#include <assert.h>',
    '#include <pthread.h>',
    '#include <semaphore.h>',
    '#include <stdlib.h>',
    '_Atomic int x, y, *_Atomic p; struct { _Atomic int v; } *h; struct timespec ts;',
    `int ${threads.map((_, i) => `r${i}`).join(', ')};`,
    'pthread_mutex_t m0, m1; pthread_cond_t c0, c1; pthread_rwlock_t l; sem_t s0, s1; pthread_barrier_t b; pthread_once_t o;',
    'void init(void) { x += 1; }',
    ...started.map((body, i) => `void *t${i}(void *arg) {\n${lines(body)}  return 0;\n}`),
    'int main(void) {',
    `  pthread_t id[${started.length}];`,
    '  sem_init(&s1, 0, 1); pthread_barrier_init(&b, 0, 2); h = malloc(sizeof *h); h->v = 0;',
    ...started.map((_, i) => `  pthread_create(&id[${i}], 0, t${i}, 0);`),
    `${lines(threads.at(-1)!)}  ${end === 'exits' ? 'pthread_exit(0);' : last}`,
    '  return 0;',
    '}',
    '',
  ].join('\n');
}
