// Small random programs with threads, and all that they can do, computed from their description: a judge that shares nothing with the front end, the
// machine or the search. Expressions are read from left to right, each read and each write is a step.

import type { Random } from '../../base/random.ts';

type Statement =
  | {
      readonly kind: 'set';
      readonly to: number;
      readonly from: readonly number[];
      readonly plus: number;
    }
  /** `__atomic_fetch_add`. */
  | { readonly kind: 'add'; readonly to: number; readonly plus: number }
  /** An assignment that nobody comes between. */
  | { readonly kind: 'section'; readonly to: number; readonly from: number; readonly plus: number }
  | { readonly kind: 'lock'; readonly mutex: number }
  | { readonly kind: 'unlock'; readonly mutex: number }
  | { readonly kind: 'unless'; readonly variable: number; readonly is: number; readonly skip: number };

export interface SmallThreads {
  readonly threads: readonly (readonly Statement[])[];
  readonly variables: number;
  readonly mutexes: number;
  /** Main waits for the others; else it ends at once, and everything with it. */
  readonly joins: boolean;
}

export function smallThreads(random: Random): SmallThreads {
  const variables = 1 + random.below(2);
  const mutexes = random.below(3);
  const threads = Array.from({ length: 2 + (random.below(4) === 0 ? 1 : 0) }, () =>
    body(random, variables, mutexes),
  );
  return { threads, variables, mutexes, joins: random.below(4) > 0 };
}

function body(random: Random, variables: number, mutexes: number): Statement[] {
  const statements: Statement[] = [];
  const length = 1 + random.below(3);
  const held: number[] = [];
  for (let i = 0; i < length; i++) {
    const mutex = random.below(Math.max(1, mutexes));
    if (mutexes > 0 && random.below(2) === 0 && !held.includes(mutex)) {
      held.push(mutex);
      statements.push({ kind: 'lock', mutex });
    }
    if (random.below(4) === 0)
      statements.push({ kind: 'unless', variable: random.below(variables), is: random.below(3), skip: 1 });
    statements.push(change(random, variables));
    if (held.length > 0 && random.below(2) === 0)
      statements.push({ kind: 'unlock', mutex: held.splice(random.below(held.length), 1)[0]! });
  }
  for (const mutex of held) statements.push({ kind: 'unlock', mutex });
  return statements;
}

function change(random: Random, variables: number): Statement {
  const to = random.below(variables);
  const plus = random.below(3);
  const kind = random.below(8);
  if (kind === 0) return { kind: 'add', to, plus: 1 + plus };
  if (kind === 1) return { kind: 'section', to, from: random.below(variables), plus };
  const from = Array.from({ length: random.below(3) }, () => random.below(variables));
  return { kind: 'set', to, from, plus };
}

/** No compiler knows these. */
export const hasSections = ({ threads }: SmallThreads): boolean =>
  threads.some((statements) => statements.some(({ kind }) => kind === 'section'));

const NAMES = ['x', 'y', 'z'];

/** The program, with what main does when all threads have ended. */
export function textOf({ threads, variables, mutexes, joins: waits }: SmallThreads, last: string): string {
  const globals = Array.from({ length: variables }, (_, i) => `int ${NAMES[i]};`);
  const locks = Array.from(
    { length: mutexes },
    (_, i) => `pthread_mutex_t m${i} = PTHREAD_MUTEX_INITIALIZER;`,
  );
  const functions = threads.map(
    (statements, i) =>
      `void *t${i}(void *arg) {\n${statements.map((one) => `  ${lineOf(one)}\n`).join('')}  return 0;\n}`,
  );
  const starts = threads.map((_, i) => `  pthread_create(&id[${i}], 0, t${i}, 0);`);
  const joins = waits ? threads.map((_, i) => `  pthread_join(id[${i}], 0);`) : [];
  const main = [
    'int main(void) {',
    `  pthread_t id[${threads.length}];`,
    ...starts,
    ...joins,
    `  ${last}`,
    '  return 0;',
    '}',
  ];
  const headers = [
    'extern void __VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void);',
    '#include <assert.h>',
    '#include <pthread.h>',
    '#include <stdio.h>',
  ];
  return [...headers, ...globals, ...locks, ...functions, ...main, ''].join('\n');
}

function lineOf(statement: Statement): string {
  if (statement.kind === 'lock' || statement.kind === 'unlock')
    return `pthread_mutex_${statement.kind}(&m${statement.mutex});`;
  if (statement.kind === 'add')
    return `__atomic_fetch_add(&${NAMES[statement.to]}, ${statement.plus}, __ATOMIC_SEQ_CST);`;
  if (statement.kind === 'section') {
    const inside = `${NAMES[statement.to]} = ${NAMES[statement.from]} + ${statement.plus};`;
    return `{ __VERIFIER_atomic_begin(); ${inside} __VERIFIER_atomic_end(); }`;
  }
  if (statement.kind === 'unless') return `if (${NAMES[statement.variable]} != ${statement.is})`;
  const terms = [...statement.from.map((variable) => NAMES[variable]), String(statement.plus)];
  return `${NAMES[statement.to]} = ${terms.join(' + ')};`;
}

export const outcomeTest = (values: readonly number[]): string =>
  values.map((value, i) => `${NAMES[i]} == ${value}`).join(' && ');

export interface Behaviour {
  /** Values of the variables when all threads have ended. */
  readonly outcomes: ReadonlySet<string>;
  readonly deadlock: boolean;
  readonly race: boolean;
}

/** What one thread does next: a read or write of a variable, a lock, a decision that nobody sees. */
type Micro =
  | { readonly kind: 'read' | 'write'; readonly variable: number }
  | { readonly kind: 'add'; readonly variable: number }
  | { readonly kind: 'section'; readonly variable: number; readonly from: number }
  | { readonly kind: 'lock' | 'unlock'; readonly mutex: number };

interface State {
  readonly values: readonly number[];
  readonly owners: readonly number[];
  /** Of each thread: its statement, the step within it, the sum so far. */
  readonly at: readonly (readonly [number, number, number])[];
}

export function behaviourOf({ threads, variables, mutexes }: SmallThreads): Behaviour {
  const outcomes = new Set<string>();
  let deadlock = false;
  let race = false;
  const start: State = {
    values: Array.from({ length: variables }, () => 0),
    owners: Array.from({ length: mutexes }, () => -1),
    at: threads.map(() => [0, 0, 0] as const),
  };
  const seen = new Map([[JSON.stringify(start), start]]);
  for (const state of seen.values()) {
    const next = threads.map((statements, thread) => microOf(statements, state.at[thread]!));
    next.forEach((a, i) => {
      next.forEach((b, j) => {
        if (i < j && a !== null && b !== null && isRace(a, b)) race = true;
      });
    });
    if (next.every((micro) => micro === null)) {
      outcomes.add(state.values.join());
      continue;
    }
    let moved = false;
    next.forEach((micro, thread) => {
      if (micro === null) return;
      if (micro.kind === 'lock' && state.owners[micro.mutex] !== -1) return;
      moved = true;
      const after = taken(threads[thread]!, state, thread, micro);
      const key = JSON.stringify(after);
      if (!seen.has(key)) seen.set(key, after);
    });
    if (!moved) deadlock = true;
  }
  return { outcomes, deadlock, race };
}

function isRace(a: Micro, b: Micro): boolean {
  if (a.kind === b.kind && (a.kind === 'add' || a.kind === 'section')) return false;
  const one = accessesOf(a);
  return accessesOf(b).some(([variable, writes]) =>
    one.some(([other, too]) => other === variable && (writes || too)),
  );
}

function accessesOf(micro: Micro): (readonly [variable: number, writes: boolean])[] {
  switch (micro.kind) {
    case 'read':
      return [[micro.variable, false]];
    case 'write':
    case 'add':
      return [[micro.variable, true]];
    case 'section':
      return [
        [micro.from, false],
        [micro.variable, true],
      ];
    default:
      return [];
  }
}

function microOf(statements: readonly Statement[], [index, step]: State['at'][0]): Micro | null {
  const statement = statements[index];
  if (statement === undefined) return null;
  if (statement.kind === 'lock' || statement.kind === 'unlock')
    return { kind: statement.kind, mutex: statement.mutex };
  if (statement.kind === 'unless') return { kind: 'read', variable: statement.variable };
  if (statement.kind === 'add') return { kind: 'add', variable: statement.to };
  if (statement.kind === 'section') return { kind: 'section', variable: statement.to, from: statement.from };
  return step < statement.from.length
    ? { kind: 'read', variable: statement.from[step]! }
    : { kind: 'write', variable: statement.to };
}

function taken(statements: readonly Statement[], state: State, thread: number, micro: Micro): State {
  const [index, step, sum] = state.at[thread]!;
  const statement = statements[index]!;
  const moved = (place: State['at'][0], more: Partial<State> = {}): State => ({
    ...state,
    ...more,
    at: state.at.map((old, i) => (i === thread ? place : old)),
  });
  if (statement.kind === 'lock' || statement.kind === 'unlock') {
    const owner = statement.kind === 'lock' ? thread : -1;
    return moved([index + 1, 0, 0], {
      owners: state.owners.map((old, i) => (i === statement.mutex ? owner : old)),
    });
  }
  if (statement.kind === 'unless')
    return moved([
      index + (state.values[statement.variable] !== statement.is ? 1 : 1 + statement.skip),
      0,
      0,
    ]);
  if (statement.kind === 'add' || statement.kind === 'section') {
    const base = state.values[statement.kind === 'add' ? statement.to : statement.from]!;
    return moved([index + 1, 0, 0], {
      values: state.values.map((old, i) => (i === statement.to ? base + statement.plus : old)),
    });
  }
  if (micro.kind === 'read') {
    return moved([index, step + 1, sum + state.values[micro.variable]!]);
  }
  return moved([index + 1, 0, 0], {
    values: state.values.map((old, i) => (i === statement.to ? sum + statement.plus : old)),
  });
}
