// Small random programs whose threads use shared memory in all kinds of ways: plain, atomic, locked, as bit-fields, through the library, by joining.
// threads/happens-before.fuzz.ts says what they can do.

import type { Random } from '../../base/random.ts';

/** Memory by cells; those of one location (C11 3.14) race with each other. */
export interface Cell {
  readonly name: string;
  readonly location: number;
  readonly kind: 'plain' | 'atomic' | 'bits' | 'byte' | 'result';
}

const FIELDS = ['s.a', 's.b', 's.c'] as const;
export const CELLS: readonly Cell[] = [
  { name: 'x', location: 0, kind: 'plain' },
  { name: 'y', location: 1, kind: 'plain' },
  { name: 'u', location: 2, kind: 'atomic' },
  // Two in one byte, one in another unit, one beyond a field of width 0.
  ...FIELDS.map((name): Cell => ({ name, location: 3, kind: 'bits' })),
  { name: 's.d', location: 4, kind: 'bits' },
  ...[0, 1, 2].map((i): Cell => ({ name: `text[${i}]`, location: 5 + i, kind: 'byte' })),
  { name: 'result', location: 8, kind: 'result' },
];
const RESULT = CELLS.length - 1;
export const FIRST_BYTE = CELLS.findIndex(({ kind }) => kind === 'byte');

/** What a statement does, step by step; `sum` is the thread's own. */
export type Step =
  | { readonly do: 'read'; readonly cell: number; readonly atomic: boolean }
  /** The sum and a number more. */
  | { readonly do: 'write'; readonly cell: number; readonly plus: number; readonly atomic: boolean }
  /** In one piece: the sum becomes what was there. */
  | { readonly do: 'change'; readonly cell: number; readonly by: (old: number, sum: number) => number | null }
  /** Bytes of the text, one by one: so many, or up to the first 0. */
  | { readonly do: 'scan'; readonly bytes: number | null }
  | { readonly do: 'lock' | 'unlock'; readonly mutex: number }
  /** Main waits for a thread. */
  | { readonly do: 'join'; readonly thread: number }
  /** The sum is kept where main finds it at last. */
  | { readonly do: 'keep' }
  /** Without the next statement where the sum is another one. */
  | { readonly do: 'only-if'; readonly is: number };

export interface Statement {
  readonly text: string;
  readonly steps: readonly Step[];
}

export interface SharedMemory {
  /** Main's last: what it does while the others run, and its joins. */
  readonly threads: readonly (readonly Statement[])[];
}

export function sharedMemory(random: Random): SharedMemory {
  const cells = someCells(random);
  const started = 1 + (random.below(3) === 0 ? 1 : 0);
  const most = started === 1 ? 4 : 2;
  const threads = Array.from({ length: started }, (_, i) => body(random, cells, `r${i}`, most));
  const main = body(random, cells, `r${started}`, most);
  const joins = threads.map((_, thread) => join(thread, random.below(6)));
  return { threads: [...threads, [...main, ...joins]] };
}

/** Few, so that threads meet. */
function someCells(random: Random): readonly number[] {
  const kinds = ['plain', 'atomic', 'bits', 'byte', 'result'] as const;
  const wanted = new Set([kinds[random.below(2)]!, kinds[random.below(kinds.length)]!]);
  const found = CELLS.flatMap(({ kind }, i) => (wanted.has(kind) ? [i] : []));
  while (found.length > 3) found.splice(random.below(found.length), 1);
  return found;
}

function body(random: Random, cells: readonly number[], kept: string, most: number): Statement[] {
  const statements: Statement[] = [];
  const held: number[] = [];
  for (let left = 1 + random.below(most); left > 0; left--) {
    const mutex = random.below(2);
    if (random.below(2) === 0 && !held.includes(mutex)) {
      held.push(mutex);
      statements.push({ text: `pthread_mutex_lock(&m${mutex});`, steps: [{ do: 'lock', mutex }] });
    }
    if (random.below(3) === 0) statements.push(guard(random, cells));
    statements.push(access(random, cells, kept));
    if (held.length > 0 && random.below(3) === 0) statements.push(unlock(held.pop()!));
  }
  return [...statements, ...held.reverse().map(unlock)];
}

const unlock = (mutex: number): Statement => ({
  text: `pthread_mutex_unlock(&m${mutex});`,
  steps: [{ do: 'unlock', mutex }],
});

/** Some keep the result; some say by a variable that they do not want it. */
const join = (thread: number, way: number): Statement => ({
  text: `pthread_join(id[${thread}], ${way < 2 ? '(void **)&result' : way === 2 ? 'nowhere' : '0'});`,
  steps: [
    { do: 'join', thread },
    ...(way < 2 ? [{ do: 'write', cell: RESULT, plus: thread + 1, atomic: false } as const] : []),
  ],
});

const pick = <T>(random: Random, list: readonly T[]): T => list[random.below(list.length)]!;
const of = (kinds: readonly Cell['kind'][], cells: readonly number[]) =>
  cells.filter((cell) => kinds.includes(CELLS[cell]!.kind));

/** How a cell is read: plainly, or in one of the atomic ways. */
function reading(random: Random, cell: number): { readonly text: string; readonly step: Step } {
  const { name, kind } = CELLS[cell]!;
  const atomic = kind === 'atomic' || (kind === 'plain' && random.below(2) === 0);
  const text = atomic && kind === 'plain' ? `__atomic_load_n(&${name}, __ATOMIC_SEQ_CST)` : name;
  return { text, step: { do: 'read', cell, atomic } };
}

function guard(random: Random, cells: readonly number[]): Statement {
  const { text, step } = reading(random, pick(random, cells));
  const is = random.below(2);
  return { text: `if (${text} == ${is})`, steps: [step, { do: 'only-if', is }] };
}

function access(random: Random, cells: readonly number[], kept: string): Statement {
  const cell = pick(random, cells);
  const { name, kind } = CELLS[cell]!;
  const k = 1 + random.below(2);
  if (kind === 'byte' && random.below(2) === 0) return scan(random);
  if (kind === 'result' || random.below(3) === 0) {
    const { text, step } = reading(random, cell);
    return { text: `${kept} = ${text};`, steps: [step, { do: 'keep' }] };
  }
  if (kind === 'plain' && random.below(3) > 0) return builtin(random, cell, kept);
  if (kind === 'atomic' && random.below(3) > 0) return compound(random, cell, cells);
  const source = of(['plain', 'bits'], cells);
  const other = source.length > 0 && random.below(3) === 0 ? reading(random, pick(random, source)) : null;
  const text = kind === 'bits' || kind === 'byte' || other === null ? String(k) : `${other.text} + ${k}`;
  const steps: Step[] = [{ do: 'write', cell, plus: k, atomic: kind === 'atomic' }];
  if (text.includes('+')) steps.unshift(other!.step);
  return { text: `${name} = ${text};`, steps };
}

function scan(random: Random): Statement {
  const bytes = 1 + random.below(3);
  const ways: readonly Statement[] = [
    { text: 'strlen(text);', steps: [{ do: 'scan', bytes: null }] },
    { text: 'printf("%d %s", 1, text);', steps: [{ do: 'scan', bytes: null }] },
    { text: `memcmp("abc", text, ${bytes});`, steps: [{ do: 'scan', bytes }] },
  ];
  return pick(random, ways);
}

function builtin(random: Random, cell: number, kept: string): Statement {
  const { name } = CELLS[cell]!;
  const [k, n] = [random.below(3), 1 + random.below(2)];
  const change = (text: string, by: (old: number) => number | null): Statement => ({
    text: `${text};`,
    steps: [{ do: 'change', cell, by }],
  });
  const keeping = (text: string, by: (old: number) => number | null): Statement => ({
    text: `${kept} = ${text};`,
    steps: [{ do: 'change', cell, by }, { do: 'keep' }],
  });
  const store: Step = { do: 'write', cell, plus: n, atomic: true };
  return pick(random, [
    { text: `__atomic_store_n(&${name}, ${n}, __ATOMIC_SEQ_CST);`, steps: [store] },
    change(`__atomic_fetch_add(&${name}, ${n}, __ATOMIC_SEQ_CST)`, (old) => old + n),
    keeping(`__sync_fetch_and_add(&${name}, ${n})`, (old) => old + n),
    keeping(`__atomic_exchange_n(&${name}, ${n}, __ATOMIC_SEQ_CST)`, () => n),
    change(`__sync_bool_compare_and_swap(&${name}, ${k}, ${n})`, (old) => (old === k ? n : null)),
    keeping(`__sync_val_compare_and_swap(&${name}, ${k}, ${n})`, (old) => (old === k ? n : null)),
  ]);
}

function compound(random: Random, cell: number, cells: readonly number[]): Statement {
  const { name } = CELLS[cell]!;
  const k = 1 + random.below(2);
  const source = of(['plain', 'bits'], cells);
  if (source.length > 0 && random.below(2) === 0) {
    const { text, step } = reading(random, pick(random, source));
    return {
      text: `${name} += ${text};`,
      steps: [step, { do: 'change', cell, by: (old, sum) => old + sum }],
    };
  }
  return pick(random, [
    { text: `${name}++;`, steps: [{ do: 'change', cell, by: (old) => old + 1 }] },
    { text: `${name} -= ${k};`, steps: [{ do: 'change', cell, by: (old) => old - k }] },
  ]);
}

/** The program, with what main does at last. */
export function textOf({ threads }: SharedMemory, last: string): string {
  const started = threads.slice(0, -1);
  const lines = (statements: readonly Statement[]) => statements.map(({ text }) => `  ${text}\n`).join('');
  return [
    '#include <assert.h>',
    '#include <pthread.h>',
    '#include <stdio.h>',
    '#include <string.h>',
    'int x, y; _Atomic int u; char text[4]; unsigned long result; void **nowhere; pthread_attr_t *usual;',
    'struct { unsigned a : 4, b : 4, c : 30; unsigned : 0; unsigned d : 8; } s;',
    `int ${threads.map((_, i) => `r${i}`).join(', ')};`,
    'pthread_mutex_t m0 = PTHREAD_MUTEX_INITIALIZER, m1 = PTHREAD_MUTEX_INITIALIZER;',
    ...started.map((body, i) => `void *t${i}(void *arg) {\n${lines(body)}  return (void *)${i + 1};\n}`),
    'int main(void) {',
    `  pthread_t id[${started.length}];`,
    ...started.map((_, i) => `  pthread_create(&id[${i}], ${i === 0 ? 'usual' : '0'}, t${i}, 0);`),
    `${lines(threads.at(-1)!)}  ${last}`,
    '  return 0;',
    '}',
    '',
  ].join('\n');
}

/** What was kept, and what is in some cells, as main finds it at last. */
export const outcomeTest = (kept: readonly number[], cells: ReadonlyMap<number, number>): string =>
  [
    ...kept.map((value, i) => `r${i} == ${value}`),
    ...[...cells].map(([cell, value]) => `${CELLS[cell]!.name} == ${value}`),
  ].join(' && ');
