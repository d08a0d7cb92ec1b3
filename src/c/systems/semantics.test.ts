// What a run of a system is, in its corners: threads that wait for ever, assumptions that fail, how many steps lie between events.

import { expect, test } from 'vitest';
import { type Budget, SILENT, UNLIMITED } from '../../base/budget.ts';
import { checkC } from '../../check/testing.ts';
import type { ModelReport, PropertyResult } from '../../verdict/verdict.ts';

const DECLARATIONS =
  'extern void a(void), c(void), d(void), e(void); extern int __VERIFIER_nondet_int(void); extern void __VERIFIER_assume(int);\n';

const verdicts = async (code: string, spec: string): Promise<string[]> =>
  (await results(code, spec)).map(({ verdict }) => verdict);

const codes = async (code: string, spec: string): Promise<string[]> =>
  (await report(code, spec)).diagnostics.map((diagnostic) => diagnostic.code);

async function results(code: string, spec: string): Promise<readonly PropertyResult[]> {
  const { properties, diagnostics } = await report(code, spec);
  expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
  return properties;
}

async function report(code: string, spec: string, budget: Budget = UNLIMITED): Promise<ModelReport> {
  const files: Record<string, string> = { 'm.c': DECLARATIONS + code, 'm.spec': `use "m.c"; ${spec}` };
  return checkC({
    path: 'm.spec',
    files: { read: (path) => files[path] ?? null },
    defines: [],
    includes: [],
    properties: [],
    monolithic: false,
    strategy: undefined,
    budget,
    observer: SILENT,
  });
}

const ZERO = 'int z = __VERIFIER_nondet_int(); __VERIFIER_assume(z == 0);';

test('a thread that waits for ever is there, whatever would follow', async () => {
  const t = `void t(void) { ${ZERO} if (__VERIFIER_nondet_int()) { a(); e(); __VERIFIER_assume(z); } for (;;) d(); }`;
  const u = `void u(void) { ${ZERO} a(); for (;;) { c(); if (z) e(); } }`;
  const spec = 'event a, c, d, e; thread T = t(); thread U = u(); track T: z == 0; ltl f { G !a }';
  expect(await verdicts(t + u, spec)).toEqual(['refuted']);
});

test('a deadlock before an assumption that fails is a deadlock', async () => {
  const t = `void t(void) { ${ZERO} if (__VERIFIER_nondet_int()) { a(); e(); __VERIFIER_assume(z); c(); } for (;;) d(); }`;
  const u = 'void u(void) { a(); c(); e(); }';
  const spec = 'event a, c, d, e; thread T = t(); thread U = u(); track T: z == 0; deadlock-free;';
  expect(await verdicts(t + u, spec)).toEqual(['refuted']);
});

test('an assumption that fails is no deadlock, and ends runs, but not before others have failed', async () => {
  const t = `void t(void) { ${ZERO} a(); __VERIFIER_assume(z); c(); }`;
  const u = 'void u(void) { a(); c(); }';
  const w = 'void w(void) { for (;;) d(); }';
  const stuck = 'event a, c; thread T = t(); thread U = u(); deadlock-free; ltl f { F c }';
  expect(await verdicts(t + u, stuck)).toEqual(['proved', 'proved']);
  const others =
    'event a, c, d; thread T = t(); thread U = u(); thread W = w(); track T: z == 0; ltl f { G (a -> F c) }';
  expect(await verdicts(t + u + w, others)).toEqual(['proved']);
  const failing = 'extern void reach_error(void); void v(void) { a(); reach_error(); }';
  const error = 'event a, c; thread T = t(); thread V = v(); track T: z == 0; assertions;';
  expect(await verdicts(t + failing, error)).toEqual(['refuted']);
});

test('no infinite run rests on a thread that cannot go on', async () => {
  const t = `int x; void t(void) { ${ZERO} x = 1; if (__VERIFIER_nondet_int()) z = 0; __VERIFIER_assume(z); a(); x = 0; }`;
  const w = 'void w(void) { for (;;) d(); }';
  const spec = 'event a, d; thread T = t(); thread W = w(); predicate one in T: x == 1; ltl f { G !one }';
  expect(await verdicts(t + w, spec)).toEqual(['proved']);
});

test('where a formula can count steps, steps are what the text says, not what the abstraction leaves', async () => {
  const straight =
    'int x, y; void t(void) { x = 1; y = 2; L: e(); if (__VERIFIER_nondet_int()) goto L; for (;;) e(); }';
  const branching =
    'int x, y; void t(void) { x = 1; if (__VERIFIER_nondet_int()) y = 2; else y = 3; L: e(); if (__VERIFIER_nondet_int()) goto L; for (;;) e(); }';
  const spec = 'event e; thread T = t(); predicate q in T: x == 1; ltl f { !q U e } ltl g { G (q -> F e) }';
  expect(await verdicts(straight, spec)).toEqual(['refuted', 'proved']);
  expect(await verdicts(branching, spec)).toEqual(['refuted', 'proved']);
});

test('a routine that stops for ever is waited for, an assumption that is plainly false is not', async () => {
  const f = 'extern int f(void);';
  const dead =
    'event a; procedure f { Wait = ( a -> Dead | c -> Fine ). Dead = STOP. Fine {return} = STOP. }';
  const t = `${f} void t(void) { f(); for (;;) a(); } void u(void) { for (;;) a(); }`;
  const system = 'thread T = t(); thread U = u(); deadlock-free;';
  expect(await verdicts(t, `${dead} ${system}`)).toEqual(['refuted']);
  const plain = 'void t(void) { a(); __VERIFIER_assume(0); }';
  expect(await verdicts(plain, 'event a; thread T = t(); deadlock-free; ltl f { F false }')).toEqual([
    'proved',
    'proved',
  ]);
});

test('what a process of the specification can do by itself is not the doing of the thread', async () => {
  const t = 'void t(void) { for (;;) a(); }';
  const loose = 'component Loose { S = ( a -> S | c -> T ). T = ( d -> S ). }';
  expect(await verdicts(t, `event a; ${loose} thread T = t(); conforms T to Loose;`)).toEqual(['proved']);
  const two = `${loose} component Strict { S = ( a -> T ). T = ( d -> S ). }`;
  const both = `event a; ${two} thread T = t(); conforms T to Loose; conforms T to Strict;`;
  expect(await verdicts(t, both)).toEqual(['proved', 'refuted']);
});

test('the events of a formula are the same ones after a refinement', async () => {
  const nil = (y: string) => `unsigned char ${y} = __VERIFIER_nondet_int(); __VERIFIER_assume(${y} == 0);`;
  const t = `void t(void) { int x = __VERIFIER_nondet_int(); __VERIFIER_assume(x == 0); ${nil('y')} for (;;) a(); }`;
  const u = `void u(void) { int x = __VERIFIER_nondet_int(); __VERIFIER_assume(x == 0); ${nil('y')} for (;;) { } }`;
  const turn = 'component Turn { Free = ( a -> Held ). Held = ( e -> Free ). }';
  const spec = `event a, e; thread T = t(); thread U = u(); ${turn} predicate two in U: x == 2; ltl f { F G !a || G F (e || two) }`;
  expect(await verdicts(t + u, spec)).toEqual(['proved']);
});

test('a proof where runs get stuck says whether those are harmless', async () => {
  const t = 'void t(void) { if (__VERIFIER_nondet_int()) { a(); c(); } for (;;) d(); }';
  const u = 'void u(void) { for (;;) { if (__VERIFIER_nondet_int()) a(); else d(); } }';
  const blocked = 'component Never { allow unreachable; S = ( d -> S ). Q = ( c -> S ). }';
  const spec = (formula: string) =>
    `event a, c, d; ${blocked} thread T = t(); thread U = u(); ltl f { ${formula} }`;
  const [early] = await results(t + u, spec('G !a'));
  expect(early!.verdict).toBe('proved');
  expect(early!.notes?.map(({ severity, message }) => [severity, message])).toEqual([
    [
      'warning',
      'this is shown for infinite runs only. The system can deadlock, and a run that gets stuck may violate the formula',
    ],
  ]);
  const [harmless] = await results(t + u, spec('G !c'));
  expect([harmless!.verdict, harmless!.notes?.map(({ severity }) => severity)]).toEqual(['proved', ['hint']]);
  const loop = 'void t(void) { for (;;) d(); } void u(void) { for (;;) d(); }';
  const [free] = await results(loop, 'event d; thread T = t(); thread U = u(); ltl f { G F d }');
  expect([free!.verdict, free!.notes ?? []]).toEqual(['proved', []]);
});

test('who can do something else than wait is not stuck, even if it goes wrong later', async () => {
  const t = `extern int f(void); void t(void) { ${ZERO} f(); __VERIFIER_assume(z); c(); } void u(void) { for (;;) d(); c(); a(); }`;
  const f = 'procedure f { W {return} = ( a -> V ). V {return} = STOP. }';
  const never = 'component Never { allow unreachable; S = ( e -> S ). Q = ( a -> S | d -> S ). }';
  const none = 'component None { allow unreachable; S = STOP. Q = ( e -> S ). }';
  for (const track of ['', 'track T: z == 0;']) {
    const spec = `event a, c, d, e; ${f} ${never} ${none} thread T = t(); thread U = u(); ${track} deadlock-free;`;
    expect(await verdicts(t, spec)).toEqual(['proved']);
  }
});

test('a predicate never looks at memory that is not followed', async () => {
  const t =
    'int big[1000], small[3], *p; void t(void) { for (;;) { e(); big[5] = 1; small[1] = 1; p = __VERIFIER_nondet_int() ? small + 1 : big + 5; } }';
  const spec = (test: string) => `event e; thread T = t(); predicate q in T: ${test}; ltl f { G !q }`;
  expect(await verdicts(t, spec('small[small[0] + 1] == 1'))).toEqual(['refuted']);
  for (const test of ['big[5] == 1', 'big[small[1] + 4] == 1', '*p == 1'])
    expect(await codes(t, spec(test))).toEqual(['SPW5104']);
});

test('a predicate names one variable', async () => {
  const t =
    'int i; void t(void) { for (int k = 0; k < 3; k++) e(); for (;;) { int i = 1; for (int k = 5; k < 7; k++) e(); } }';
  const spec = (test: string) => `event e; thread T = t(); predicate q in T: ${test}; ltl f { G !q }`;
  for (const test of ['k == 6', 't::k == 6']) expect(await codes(t, spec(test))).toEqual(['SPW5104']);
  expect(await verdicts(t, spec('i == 1'))).toEqual(['refuted']);
});

test('memory that threads share is not modelled: what hangs on it is unknown, what does not is answered', async () => {
  const code = `int x; void assert(int);
    void t(void) { x = 1; a(); } void u(void) { a(); assert(x == 0); } void v(void) { d(); }`;
  const threads = 'event a, d; thread T = t(); thread U = u(); thread V = v();';
  expect(await verdicts(code, `${threads} assertions; deadlock-free;`)).toEqual(['unknown', 'unknown']);
  expect(await codes(code, `${threads} assertions;`)).toEqual(['SPW5107']);
  expect(await verdicts(code, `event a, d; thread T = t(); thread V = v(); deadlock-free;`)).toEqual([
    'proved',
  ]);
});

test('an error that a thread would reach by itself is one of the system only when the others let it', async () => {
  const t = 'extern void reach_error(void); void t(void) { a(); reach_error(); }';
  const u = (isAllowed: number) =>
    `void u(void) { int z = __VERIFIER_nondet_int(); __VERIFIER_assume(z == ${isAllowed}); for (;;) { d(); if (z) a(); } }`;
  // Threads beside, so many that the product of all is not looked at first.
  const w = `extern void tick(int); void w(int me) { for (;;) { ${'tick(me); '.repeat(8)} } }`;
  const spec =
    'event a, d, tick(1..6); thread T = t(); thread U = u(); for i in 1..6: thread W(i) = w(i); assertions;';
  expect(await verdicts(t + u(0) + w, spec)).toEqual(['proved']);
  expect(await verdicts(t + u(1) + w, spec)).toEqual(['refuted']);
});

test('constants of the specification are known in its predicates', async () => {
  const t = 'void t(void) { int x = 0; for (;;) { a(); x = x == N ? 0 : x + 1; } }';
  const spec = 'const N = 3; const M = -1; event a; thread T = t(); predicate p in T: x > N || x <= M;';
  expect(await verdicts(t, `${spec} ltl f { G !p }`)).toEqual(['proved']);
  expect(await verdicts(t, `${spec} predicate q in T: x == N; ltl f { G !q }`)).toEqual(['refuted']);
});

test('static variables inside of functions are shared, too', async () => {
  const next = 'extern void reach_error(void); int next(void) { static int n; return ++n; }';
  const t = 'void t(void) { a(); if (next() != 1) reach_error(); }';
  const spec = 'event a; thread T = t(); thread U = u(); assertions;';
  expect(await verdicts(`${next} ${t} void u(void) { next(); a(); }`, spec)).toEqual(['unknown']);
  expect(await verdicts(`${next} ${t} void u(void) { a(); }`, spec)).toEqual(['proved']);
});

test('an event with a value that its argument cannot have does not happen', async () => {
  const t = 'extern void k(unsigned char); extern void reach_error(void);';
  const never = 'component Never { allow unreachable; S = ( c -> S ). Q = ( k[0] -> S | k[255] -> S ). }';
  const spec = `event c, k(-1..300); ${never} thread T = t(); assertions;`;
  expect(await verdicts(`${t} void t(void) { k(0); reach_error(); }`, spec)).toEqual(['proved']);
  expect(await verdicts(`${t} void t(void) { k(255); reach_error(); }`, spec)).toEqual(['proved']);
  expect(await verdicts(`${t} void t(void) { k(1); reach_error(); }`, spec)).toEqual(['refuted']);
});

test('predicates look through pointers, but not at addresses as numbers', async () => {
  const t =
    'struct n { struct n *next; int v; } one, two, *h; long *q; void t(void) { q = (long *)&h; one.next = &two; two.v = 7; for (;;) { h = &one; a(); h = &two; a(); } }';
  const spec = (test: string) => `event a; thread T = t(); predicate p in T: ${test}; ltl f { G !p }`;
  expect(await verdicts(t, spec('h->next->v == 7'))).toEqual(['refuted']);
  expect(await verdicts(t, spec('h->next->v == 8'))).toEqual(['proved']);
  expect(await codes(t, spec('*q == 4096'))).toEqual(['SPW5104']);
});

test('a formula over events of threads that were not read in time is no mistake of the specification', async () => {
  const over = { ...UNLIMITED, timeLeft: () => false, remaining: () => 0 };
  const spec = 'event a; thread T = t(); predicate p in T: x == 1; ltl f { G (a -> !p) }';
  const t = `int x; void t(void) { ${'x++; '.repeat(2000)} for (;;) a(); }`;
  const { properties, diagnostics } = await report(t, spec, over);
  expect(diagnostics).toEqual([]);
  expect(properties.map(({ verdict, reasonCode }) => [verdict, reasonCode])).toEqual([
    ['unknown', 'time-limit'],
  ]);
  const { diagnostics: others } = await report(t, `${spec} conforms T to Nobody;`, over);
  expect(others.map(({ message }) => message)).toEqual(["there is no component 'Nobody'"]);
});
