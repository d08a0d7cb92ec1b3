// Lazy abstraction by itself, without the guesses that would come before it.

import { expect, test } from 'vitest';
import { type Budget, UNLIMITED } from '../../base/budget.ts';
import { auditProgram } from '../audit/audit.ts';
import { INVARIANTS_KIND } from '../audit/invariants.ts';
import type { Expr } from '../program/expr.ts';
import { symbolNumber } from '../program/expr.ts';
import { isErrorLocation, programOf } from '../testing.ts';
import { InvariantSearch } from './invariants.ts';
import { byLazyAbstraction } from './lazy.ts';
import { liveCells } from './liveness.ts';
import { Oracle } from './oracle.ts';
import { regionsOf } from './regions.ts';

const input = 'extern int __VERIFIER_nondet_int(void);\n';
const main = (body: string) => `${input} int main(void) { ${body} return 0; ERROR: return 1; }`;

/** Is there a proof, and what does the audit say of it? */
async function proved(text: string, budget: Budget = UNLIMITED): Promise<string> {
  const program = await programOf(text);
  const isError = (location: number) => isErrorLocation(program, location);
  const oracle = new Oracle(budget);
  try {
    const search = new InvariantSearch(program, isError, liveCells(program, []), oracle, budget);
    const proof = await search.lazily(budget);
    if (proof === null) return 'none';
    return (await auditProgram(program, isError, { kind: INVARIANTS_KIND, ...proof }, budget)).kind;
  } finally {
    oracle.dispose();
  }
}

/** The variables that are spoken of at each head of a loop, in the order of the program; null without a proof. */
async function saidAtHeads(text: string, most?: number): Promise<readonly string[] | null> {
  const program = await programOf(text);
  const oracle = new Oracle(UNLIMITED);
  try {
    const regions = regionsOf(program, (location) => isErrorLocation(program, location), UNLIMITED)!;
    const live = liveCells(program, []);
    const found = await byLazyAbstraction(regions, live, new Map(), oracle, UNLIMITED, most);
    const namesIn = ({ symbols }: Expr) => symbols.map((symbol) => program.cells[symbolNumber(symbol)]!.name);
    return (
      found &&
      [...found].sort(([a], [b]) => a - b).map(([, tests]) => [...new Set(tests.flatMap(namesIn))].join(' '))
    );
  } finally {
    oracle.dispose();
  }
}

const MACHINE = (wrong: boolean) => `int s = 0, c = 0, n = __VERIFIER_nondet_int();
  while (1) {
    if (s == 0) { s = 1; c = n; }
    else if (s == 1) { if (c > 10) s = 2; else s = 3; }
    else if (s == 2) { if (c <= ${wrong ? 11 : 10}) goto ERROR; s = 0; }
    else { if (c > 10) goto ERROR; break; }
  }`;

test('what a machine remembers in one state holds in that state', { timeout: 0 }, async () => {
  expect(await proved(main(MACHINE(false)))).toBe('accepted');
});

test('a way that can be taken is no proof', { timeout: 0 }, async () => {
  expect(await proved(main(MACHINE(true)))).toBe('none');
});

test('a lock, and whether somebody else was there', { timeout: 0 }, async () => {
  const text = (check: string) =>
    main(`int lock = 0, old, fresh = __VERIFIER_nondet_int();
      do {
        if (lock != 0) goto ERROR;
        lock = 1; old = fresh;
        if (__VERIFIER_nondet_int()) { lock = 0; fresh++; }
      } while (${check});
      if (lock != 1) goto ERROR;`);
  expect(await proved(text('fresh != old'))).toBe('accepted');
  expect(await proved(text('fresh == old + 2'))).toBe('none');
});

test('each head has predicates of its own', { timeout: 0 }, async () => {
  const text = main(`int a = 0, b = 0;
    while (__VERIFIER_nondet_int()) { if (a > 5) goto ERROR; a = 5; }
    b = 3;
    while (__VERIFIER_nondet_int()) { if (b > 7) goto ERROR; b = 7; a++; }`);
  expect(await saidAtHeads(text)).toEqual(['a', 'b']);
});

test('loops in loops, and one behind the other', { timeout: 0 }, async () => {
  const text = (most: number) =>
    main(`int busy = 0, held = 0;
      while (__VERIFIER_nondet_int()) {
        if (busy) goto ERROR;
        busy = 1;
        while (__VERIFIER_nondet_int()) { if (!busy || held > ${most}) goto ERROR; held = 1 - held; }
        if (held) held = 0;
        busy = 0;
      }
      while (held == 0 && __VERIFIER_nondet_int()) if (busy) goto ERROR;`);
  expect(await proved(text(1))).toBe('accepted');
  expect(await proved(text(0))).toBe('none');
});

test('more combinations than are told apart: what holds of each predicate is left', {
  timeout: 0,
}, async () => {
  const bounds = main(`int a = 0, b = 0;
    while (__VERIFIER_nondet_int()) { if (a > 5 || b > 6) goto ERROR; if (a < 2) a = 5; else b = 6 - a; }`);
  expect(await saidAtHeads(bounds, 0)).not.toBeNull();
  expect(await saidAtHeads(main(MACHINE(false)), 0)).toBeNull();
});

test('it ends with its time', { timeout: 0 }, async () => {
  let looks = 0;
  const budget: Budget = { ...UNLIMITED, timeLeft: () => ++looks < 5 };
  // Each way needs another predicate.
  const text = main('int x = 0; while (__VERIFIER_nondet_int()) x += 3; if (x == 1000) goto ERROR;');
  expect(await proved(text, budget)).toBe('none');
});
