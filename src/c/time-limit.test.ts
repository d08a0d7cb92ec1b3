// When the time is over everything ends soon. No clock: the budget is over after so many looks at it, and what is done afterwards is
// counted in looks and in expressions that are made or looked up. Between two looks little may happen, too, or a real clock would be passed unseen.

import { readFileSync } from 'node:fs';
import { afterAll, expect, test, vi } from 'vitest';
import { type Budget, SILENT, TimeOver, watchOf } from '../base/budget.ts';
import { Formulas } from './audit/formula.ts';
import { answerC } from './check-c.ts';
import { loadC } from './load-c.ts';
import { InputValues } from './probe/values.ts';
import { Pool } from './program/expr.ts';
import { Interpreter } from './program/interpreter.ts';
import type { Program } from './program/program.ts';
import { ALL_C_PROPERTIES, C_PROPERTIES, isErrorLocation } from './properties.ts';
import { blockGraph } from './reach/blocks.ts';
import { liveCells } from './reach/liveness.ts';
import { loadSpec } from './spec/load.ts';
import { answerSpec } from './systems/check.ts';
import { answerThreads } from './threads/answer.ts';

const files = {
  read: (path: string): string | null => {
    try {
      return readFileSync(`corpus/c/${path}`, 'utf8');
    } catch {
      return null;
    }
  },
};

/** Expressions of the analysis and formulas of the audit, made or looked up. */
let work = 0;
function countCalls(prototype: { node: (...args: never) => unknown }): void {
  const { node } = prototype;
  afterAll(() => {
    prototype.node = node;
  });
  prototype.node = function (this: unknown, ...args: never) {
    work++;
    return node.apply(this, args);
  };
}
countCalls(Pool.prototype as never);
countCalls(Formulas.prototype as never);

/** A budget that is over after some looks, and what was done between two looks, and after the last. */
function countedBudget(looks: number) {
  const seen = { looks: 0, after: 0, longest: 0, last: work };
  const look = (): boolean => {
    seen.longest = Math.max(seen.longest, work - seen.last);
    seen.last = work;
    if (seen.looks++ >= looks) seen.after++;
    return seen.looks <= looks;
  };
  const budget: Budget = {
    timeLeft: look,
    remaining: () => (look() ? 60_000 : 0),
    maxStates: 1e6,
    maxMemory: 1e9,
  };
  return { budget, seen };
}

const MOST_BETWEEN_LOOKS = 600;
const MOST_LOOKS_AFTER = 40;
const LOOKS = process.env['SPILLWAY_FUZZ'] === undefined ? [60, 3000] : [1, 7, 60, 400, 3000];

test.each(LOOKS)('programs end soon after %i looks', async (looks) => {
  for (const path of ['small/driver.c', 'small/locks.c', 'machine.c'])
    for (const property of C_PROPERTIES) {
      const request = { path, files, defines: [], includes: [] };
      const { loaded } = await loadC(request);
      const { budget, seen } = countedBudget(looks);
      await answerC(loaded!, property, { ...request, budget, observer: SILENT });
      expect(seen.longest, `${path} ${property}`).toBeLessThan(MOST_BETWEEN_LOOKS);
      expect(seen.after, `${path} ${property}`).toBeLessThan(MOST_LOOKS_AFTER);
    }
});

test.each([0, 1, 20])('a program that is not read after %i looks is unknown', async (looks) => {
  const path = 'fib.c';
  const text = `extern void reach_error(void);
int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
int main(void) { int s = 0; ${'s += fib(9); '.repeat(40)} if (s == 1) reach_error(); return 0; }`;
  const alone = { read: (name: string) => (name === path ? text : null) };
  const request = { path, files: alone, defines: [], includes: [] };
  const { budget, seen } = countedBudget(looks);
  const { loaded } = await loadC({ ...request, budget });
  expect(seen.longest).toBeLessThan(MOST_BETWEEN_LOOKS);
  expect(seen.after).toBeLessThan(MOST_LOOKS_AFTER);
  for (const property of ALL_C_PROPERTIES) {
    const { answer } = await answerC(loaded!, property, { ...request, budget, observer: SILENT });
    expect(answer.verdict).toBe('unknown');
  }
});

/** A straight line: what is worked out for all of it before anything is asked must look at the clock, too. */
const LONG = `extern int __VERIFIER_nondet_int(void); extern void reach_error(void);
int main(void) { int s = 0, v; ${'v = __VERIFIER_nondet_int(); if (v > s) s += v; '.repeat(300)} if (s == 1) reach_error(); return 0; }`;

test.each<readonly [string, (program: Program) => unknown]>([
  ['blocks', (program) => blockGraph(program, () => false)],
  ['cells that matter', (program) => liveCells(program, [])],
  ['values of inputs', (program) => new InputValues(program)],
])('a long program: %s end when the time is over', async (_, work) => {
  const alone = { read: (name: string) => (name === 'long.c' ? LONG : null) };
  const { loaded } = await loadC({ path: 'long.c', files: alone, defines: [], includes: [] });
  const { program } = loaded!;
  const { budget } = countedBudget(0);
  expect(() => program.pool.underWatch(watchOf(budget), () => work(program))).toThrow(TimeOver);
});

/** Looked at for every 256th token: by the lexer, then by the preprocessor, then by the parser. */
test.each([0, 50, 90])('a long text is not read to its end after %i looks', async (looks) => {
  const text = `int t[] = {${'1, '.repeat(5000)}}; int main(void) { return t[0] - 1; }`;
  const alone = { read: (name: string) => (name === 'table.c' ? text : null) };
  const request = { path: 'table.c', files: alone, defines: [], includes: [] };
  const { budget, seen } = countedBudget(looks);
  const { loaded } = await loadC({ ...request, budget });
  expect(loaded!.unit.isUnread).toBe(true);
  expect(seen.looks).toBe(looks + 1);
  const { answer } = await answerC(loaded!, 'assertions', { ...request, budget, observer: SILENT });
  expect(answer.verdict).toBe('unknown');
});

test('a large memory is not gone through byte by byte', async () => {
  const text = `extern int __VERIFIER_nondet_int(void); extern void reach_error(void);
int a[100000000] = {1}; struct { char c; int i; } b[10000000];
int main(void) { int i = __VERIFIER_nondet_int(); b[i].i = 1; if (a[b[i].i] == 2) reach_error(); return 0; }`;
  const alone = { read: (name: string) => (name === 'large.c' ? text : null) };
  const request = { path: 'large.c', files: alone, defines: [], includes: [] };
  const { loaded } = await loadC(request);
  const bytes = [...loaded!.program.initialBytes.values()].reduce((sum, { length }) => sum + length, 0);
  expect(bytes).toBeLessThan(100);
  const copies = vi.spyOn(Interpreter.prototype, 'snapshot');
  const { budget } = countedBudget(400);
  await answerC(loaded!, 'assertions', { ...request, budget, observer: SILENT });
  expect(copies).not.toHaveBeenCalled();
  copies.mockRestore();
});

test.each(LOOKS)('systems end soon after %i looks', async (looks) => {
  const path = 'ipc.spec';
  const { loaded } = await loadSpec({ path, files, defines: [], includes: [] });
  const { budget, seen } = countedBudget(looks);
  const request = { path, files, defines: [], includes: [], properties: [], monolithic: false };
  await answerSpec(loaded!, { ...request, strategy: undefined, budget, observer: SILENT }, () => {});
  expect(seen.longest).toBeLessThan(MOST_BETWEEN_LOOKS);
  expect(seen.after).toBeLessThan(MOST_LOOKS_AFTER);
});

test.each([0, 1, 5])('a system that is not read after %i looks is unknown', async (looks) => {
  const path = 'ipc.spec';
  const { budget, seen } = countedBudget(looks);
  const request = { path, files, defines: [], includes: [], budget };
  const { loaded, diagnostics } = await loadSpec(request);
  expect(diagnostics).toEqual([]);
  expect(seen.longest).toBeLessThan(MOST_BETWEEN_LOOKS);
  const answers: string[] = [];
  await answerSpec(
    loaded!,
    { ...request, properties: [], monolithic: false, strategy: undefined, observer: SILENT },
    ({ answer }) => void answers.push(answer.verdict),
  );
  expect(new Set(answers)).toEqual(new Set(['unknown']));
});

test.each([1, 7, 60])('the search through interleavings ends soon after %i looks', async (looks) => {
  const path = 'threads/philosophers.c';
  const { loaded } = await loadC({ path, files, defines: ['ORDERED', 'N=5'], includes: [] });
  const { budget, seen } = countedBudget(looks);
  const answers = answerThreads(
    loaded!.program,
    isErrorLocation,
    { properties: ['assertions', 'deadlock-free'], takesTurns: false },
    budget,
    SILENT,
  );
  expect(answers.map(({ answer }) => answer.verdict)).toEqual(['unknown', 'unknown']);
  expect(seen.after).toBeLessThan(MOST_LOOKS_AFTER);
});
