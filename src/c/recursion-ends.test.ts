// Functions that call themselves: those whose calls end, whatever inputs say, and those whose do not; and random ones, judged by following all their calls.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { SILENT, UNLIMITED } from '../base/budget.ts';
import { sealed } from '../base/digest.ts';
import { countedBudget } from '../testing/counted-budget.ts';
import { auditDocument } from './audit-document.ts';
import { answerC } from './check-c.ts';
import { loadC } from './load-c.ts';
import { entryOf } from './lower/entry.ts';
import { lowerWithContracts } from './lower/lower.ts';
import { endlessCall } from './probe/call-stack.ts';
import { callsMet } from './reach/calls-met.ts';
import { TERMINATES } from './termination.ts';

const HEAD = `extern int __VERIFIER_nondet_int(void); extern unsigned __VERIFIER_nondet_uint(void);
extern unsigned char __VERIFIER_nondet_uchar(void);\n`;
const FUZZ = Number(process.env['SPILLWAY_FUZZ'] ?? 0);

async function loadedFrom(text: string) {
  const files = { read: (path: string) => (path === 't.c' ? text : null) };
  const request = { path: 't.c', files, defines: [], includes: [] };
  const { loaded, diagnostics } = await loadC(request);
  if (loaded === null) throw new Error(diagnostics.map(({ message }) => message).join());
  return { loaded, request };
}

async function answerTo(text: string) {
  const { loaded, request } = await loadedFrom(text);
  const budget = countedBudget(100_000);
  const { answer } = await answerC(loaded, TERMINATES, { ...request, budget, observer: SILENT });
  return { answer, request };
}

const main = (functions: string, body: string) => `${HEAD}${functions}\nint main(void) { ${body} return 0; }`;
const I = '__VERIFIER_nondet_int()';
const U = '__VERIFIER_nondet_uint()';

const ENDING: readonly (readonly [what: string, text: string])[] = [
  ['factorial', main('unsigned f(unsigned n) { return n == 0 ? 1 : n * f(n - 1); }', `f(${U});`)],
  ['below zero and round', main('int f(int n) { if (n == 0) return 1; return n * f(n - 1); }', `f(${I});`)],
  ['Fibonacci', main('int f(int n) { if (n < 2) return n; return f(n - 1) + f(n - 2); }', `f(${I});`)],
  [
    'Ackermann',
    main(
      'int a(int m, int n) { if (m == 0) return n + 1; if (n == 0) return a(m - 1, 1); return a(m - 1, a(m, n - 1)); }',
      `int m = ${I}, n = ${I}; if (m < 0 || n < 0) return 0; a(m, n);`,
    ),
  ],
  ['McCarthy 91', main('int f(int n) { return n > 100 ? n - 10 : f(f(n + 11)); }', `f(${I});`)],
  [
    'Euclid by remainders',
    main('unsigned g(unsigned a, unsigned b) { return b == 0 ? a : g(b, a % b); }', `g(${U}, ${U});`),
  ],
  [
    'even and odd',
    main(
      'int odd(unsigned n); int even(unsigned n) { return n == 0 ? 1 : odd(n - 1); } int odd(unsigned n) { return n == 0 ? 0 : even(n - 1); }',
      `even(${U});`,
    ),
  ],
  [
    'Hanoi',
    main(
      'int moves; void h(int n, int a, int b, int c) { if (n <= 0) return; h(n - 1, a, c, b); moves++; h(n - 1, c, b, a); }',
      `h(${I}, 1, 2, 3);`,
    ),
  ],
  [
    'a variable that all calls share',
    main(
      'int left; int f(int x) { if (left <= 0) return x; left--; return f(x + 1) + f(x + 2); }',
      `left = ${I}; f(0);`,
    ),
  ],
  [
    'a variable that is put back',
    main('int d; void f(void) { if (d >= 100) return; d++; f(); f(); d--; }', 'f();'),
  ],
  [
    'a variable that stays',
    main(
      'int f(int x) { static int left = 1000; if (left <= 0) return x; left--; return f(x + 1); }',
      `f(${I});`,
    ),
  ],
  [
    'calls in a loop',
    main('int f(int n) { int s = 0; for (int i = 0; i < n; i++) s += f(i); return s; }', `f(${I});`),
  ],
  [
    'what the inner call gives',
    main('int f(int n) { if (n <= 0) return 0; return f(f(n - 1)); }', `f(${I});`),
  ],
  [
    'a loop that goes on with results',
    main(
      'int before(int n) { return n <= 1 ? 0 : 1 + before(n - 1); }',
      `int x = ${I}; while (x > 0) x = before(x);`,
    ),
  ],
  [
    'through a pointer',
    main('void f(int *p) { if (*p > 0) { *p = *p - 1; f(p); } }', `int x = ${I}; f(&x);`),
  ],
  [
    'what nobody defines',
    main(
      'int get(void); int f(int n) { if (n <= 0) return 0; if (get()) return 1; return f(n - 1); }',
      `f(${I});`,
    ),
  ],
];

/** What calls inside have written counts when they have returned, also at an open index. */
const CHANGED_BY_CALLS: readonly (readonly [what: string, text: string])[] = [
  [
    'an element of an array that a call inside has set',
    main(
      'int a[4]; void f(unsigned k, int d) { if (a[k & 3]) return; if (d == 0) { a[k & 3] = 1; return; } f(k, 0); f(k, d); }',
      `f(${U}, ${I});`,
    ),
  ],
  [
    'an element with a name, set by its index',
    main(
      'int a[2]; void f(unsigned k, int d) { if (a[1]) return; if (d == 0) { a[k & 1] = a[~k & 1] = 1; return; } f(k, 0); f(k, d); }',
      `f(${U}, ${I});`,
    ),
  ],
];

const ENDLESS: readonly (readonly [what: string, text: string])[] = [
  ['the same again', main('int f(int n) { return n > 10 ? 0 : f(n); }', `f(${I});`)],
  ['to and fro', main('int f(int a, int b) { return a == b ? 0 : 1 + f(b, a); }', `f(${I}, ${I});`)],
  [
    'one calls the other',
    main(
      'int b(int n); int a(int n) { return n <= 0 ? 0 : b(n); } int b(int n) { return n <= 0 ? 0 : a(n); }',
      `a(${I});`,
    ),
  ],
  ['odd numbers by two', main('int f(unsigned n) { return n == 0 ? 0 : f(n - 2); }', `f(${U});`)],
  [
    'after a call that has returned',
    main(
      'void f(unsigned n, int a, int b) { if (n == 0) return; f(n - 1, a, b); f(n, b, a); }',
      `f(${U}, 1, 2);`,
    ),
  ],
  ['as long as somebody wants', main(`int f(int n) { return ${I} ? 0 : f(n); }`, `f(${I});`)],
  [
    'with the address of a variable of main',
    main('int f(int *p) { return *p ? f(p) : 0; }', `int x = ${I}; f(&x);`),
  ],
  [
    'a list that comes back',
    main(
      'struct list { struct list *next; }; int length(struct list *l) { return l ? 1 + length(l->next) : 0; }',
      `struct list a = { 0 }, b = { &a }; if (${I}) a.next = &b; length(&b);`,
    ),
  ],
  [
    'a loop in a function that calls itself',
    main('int f(int n) { while (n == 3) ; return n < 0 ? 0 : f(n - 1); }', 'f(5);'),
  ],
];

/** Not proved, and not refuted either: what is said about one variable would be said about one of each activation. */
const OPEN: readonly (readonly [what: string, text: string])[] = [
  [
    'addresses of variables, compared',
    main('void f(int *p) { int x; if (p == &x) return; f(&x); }', 'int y; f(&y);'),
  ],
  [
    'behind a variable',
    main('void f(long p) { int x; if (p == (long)(&x + 1)) return; f((long)(&x + 1)); }', 'f(0);'),
  ],
  [
    'through the address of a variable of the call before',
    main('void f(int *p) { int x = 5; *p = 3; if (x == 3) return; f(&x); }', 'int y; f(&y);'),
  ],
  [
    'a variable that calls inside change back',
    main('int v; void f(int n) { if (n <= 0) { v = 1; return; } f(n - 1); if (v) f(n); }', `f(${I});`),
  ],
];

/** Long ones, and ones of which others of their kind are tried. */
const LONG = [
  'a variable that is put back',
  'Euclid by remainders',
  'a variable that calls inside change back',
  'Hanoi',
  'calls in a loop',
];
const asked = (programs: readonly (readonly [what: string, text: string])[]) =>
  programs.filter(([what]) => FUZZ > 0 || !LONG.includes(what));
if (FUZZ === 0) console.log(`left out: ${LONG.join('; ')}; SPILLWAY_FUZZ=1 asks them`);
/** Of these wrong certificates are tried, too. */
const CHANGED = ['factorial', 'McCarthy 91', 'a variable that stays', 'through a pointer'];

test.each(asked(ENDING))('ends: %s', async (what, text) => {
  const { answer, request } = await answerTo(text);
  expect(answer.verdict).toBe('proved');
  if (answer.verdict !== 'proved' || answer.evidence.kind !== 'certificate') return;
  const document = answer.evidence.certificate as unknown as Record<string, unknown>;
  expect(document['kind']).toBe('c-contracts');
  const accepts = async (changed: Record<string, unknown>) => {
    const { digest: _, ...rest } = { ...document, ...changed };
    const audit = await auditDocument({ ...request, document: sealed(rest), budget: UNLIMITED });
    return audit.kind === 'audited' && audit.result.kind === 'accepted';
  };
  expect(await accepts({})).toBe(true);
  if (!CHANGED.includes(what)) return;
  const { digest: _, ...proof } = document['proof'] as { digest: string; ranks: [number, string[]][] };
  const still = proof.ranks.map(([location, measures]) => [location, measures.map(() => '0:128')]);
  expect(await accepts({ proof: sealed({ ...proof, ranks: still }) })).toBe(false);
  // What no body gives may not be ensured.
  const impossible = { function: 'f', requires: [], ensures: ['(eq 0:32 1:32)'] };
  expect(await accepts({ contracts: [impossible] })).toBe(false);
});

test.each(CHANGED_BY_CALLS)('is not said to go on for ever: %s', async (_, text) => {
  const { units } = (await loadedFrom(text)).loaded;
  const how = { calling: 'apart', mayUseAddresses: true } as const;
  const open = lowerWithContracts(units, entryOf(), null, UNLIMITED, how)!;
  expect(endlessCall(open, () => true)).toBeNull();
});

test.each(ENDLESS)('does not end: %s', async (_, text) => {
  const { answer } = await answerTo(text);
  expect(answer.verdict).toBe('refuted');
  expect(answer.evidence?.kind === 'run' && answer.evidence.run.loopStart).not.toBeNull();
});

test.each(asked(OPEN))('is not settled: %s', async (_, text) => {
  expect((await answerTo(text)).answer.verdict).toBe('unknown');
});

test('calls are followed on a stack', async () => {
  const text = main(
    'int v; int f(int n) { int m = n; if (n <= 0) { v = 7; return 1; } v = f(n - 1); return m + v; }',
    `f(${I});`,
  );
  const { loaded } = await loadedFrom(text);
  const { met: calls } = callsMet(lowerWithContracts(loaded.units, entryOf(), null)!, () => true).get('f')!;
  // The argument, the variable before; the result, and the variable after.
  const sum = (n: bigint): bigint => (n <= 0n ? 1n : n + sum(n - 1n));
  expect(calls.length).toBeGreaterThan(50);
  for (const [n, , result, after] of calls) {
    expect(result).toBe(sum(n!));
    expect(after).toBe(n! <= 0n ? 7n : sum(n! - 1n));
  }
});

/** Random functions over four bits, and what they do: calls are followed until one is made inside of itself, with the same values. */
type Values = { x: number; y: number; v: number };
interface Term {
  readonly text: string;
  readonly value: (values: Values) => number;
}

const TERMS: readonly Term[] = [
  ...[0, 1, 3, 7].map((n) => ({ text: `${n}`, value: () => n })),
  { text: 'x', value: ({ x }) => x },
  { text: 'y', value: ({ y }) => y },
  { text: 'v', value: ({ v }) => v },
  { text: '(x - 1)', value: ({ x }) => x - 1 },
  { text: '(x + 1)', value: ({ x }) => x + 1 },
  { text: '(y - 1)', value: ({ y }) => y - 1 },
  { text: '(x / 2)', value: ({ x }) => x >> 1 },
  { text: '(x - y)', value: ({ x, y }) => x - y },
  { text: '(x & y)', value: ({ x, y }) => x & y },
  { text: '(y + 2)', value: ({ y }) => y + 2 },
];
const term = fc.constantFrom(...TERMS);
const comparison = fc
  .tuple(term, fc.constantFrom('<', '==', '>', '<='), fc.constantFrom(...TERMS.slice(0, 7)))
  .map(([a, op, b]) => ({
    text: `${a.text} ${op} ${b.text}`,
    holds: (values: Values) => {
      const [p, q] = [a.value(values), b.value(values)];
      return op === '<' ? p < q : op === '>' ? p > q : op === '==' ? p === q : p <= q;
    },
  }));
const call = fc.record({ callee: fc.constantFrom('f', 'h'), a: term, b: term });
const body = fc.record({
  ends: comparison,
  result: term,
  change: fc.option(term),
  branch: comparison,
  first: call,
  second: call,
  isNested: fc.boolean(),
});
type Body = typeof body extends fc.Arbitrary<infer T> ? T : never;

function textOf(name: string, { ends, result, change, branch, first, second, isNested }: Body): string {
  const made = ({ callee, a, b }: Body['first'], inner = a.text) =>
    `${callee}((${inner}) & 15, ${b.text} & 15)`;
  const other = isNested ? made(second, made(first)) : made(second);
  return `unsigned char ${name}(unsigned char x, unsigned char y) {
  if (${ends.text}) return (${result.text}) & 15;
  ${change === null ? '' : `v = (${change.text}) & 7;`}
  if (${branch.text}) return ${made(first)};
  return ${other};
}`;
}

/** Null where some call never ends. */
function follow(
  bodies: Readonly<Record<string, Body>>,
  name: string,
  given: Values,
): { result: number; v: number } | null {
  const running = new Set<string>();
  const done = new Map<string, { result: number; v: number } | null>();
  const run = (callee: string, start: Values): { result: number; v: number } | null => {
    const key = `${callee} ${start.x} ${start.y} ${start.v}`;
    if (running.has(key)) return null;
    const known = done.get(key);
    if (known !== undefined) return known;
    running.add(key);
    const outcome = within(bodies[callee]!, { ...start });
    running.delete(key);
    done.set(key, outcome);
    return outcome;
  };
  const within = ({ ends, result, change, branch, first, second, isNested }: Body, values: Values) => {
    if (ends.holds(values)) return { result: result.value(values) & 15, v: values.v };
    if (change !== null) values.v = change.value(values) & 7;
    const made = ({ callee, a, b }: Body['first'], inner?: number) =>
      run(callee, { x: (inner ?? a.value(values)) & 15, y: b.value(values) & 15, v: values.v });
    if (branch.holds(values)) return made(first);
    if (!isNested) return made(second);
    const inner = made(first);
    if (inner === null) return null;
    values.v = inner.v;
    return made(second, inner.result);
  };
  return run(name, given);
}

test('random functions that call each other', { timeout: 0 }, async () => {
  const verdicts = { proved: 0, refuted: 0, unknown: 0 };
  const wrong: string[] = [];
  await fc.assert(
    fc.asyncProperty(body, body, async (f, h) => {
      const text = `${HEAD}unsigned char v; unsigned char h(unsigned char, unsigned char);
${textOf('f', f)}\n${textOf('h', h)}
int main(void) { f(__VERIFIER_nondet_uchar() & 3, __VERIFIER_nondet_uchar() & 3); return 0; }`;
      let ends = true;
      for (let n = 0; n < 16 && ends; n++)
        ends = follow({ f, h }, 'f', { x: n & 3, y: n >> 2, v: 0 }) !== null;
      const { answer } = await answerTo(text);
      verdicts[answer.verdict]++;
      if (answer.verdict !== 'unknown' && answer.verdict !== (ends ? 'proved' : 'refuted'))
        wrong.push(`${answer.verdict}:\n${text}`);
    }),
    { numRuns: FUZZ > 0 ? FUZZ : 12, seed: Number(process.env['SPILLWAY_SEED'] ?? 4) },
  );
  console.log(`random functions that call each other: ${JSON.stringify(verdicts)}`);
  expect(wrong).toEqual([]);
  expect(verdicts.proved).toBeGreaterThan(1);
  expect(verdicts.refuted).toBeGreaterThan(1);
});
