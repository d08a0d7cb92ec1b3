// SPIN's order: what its depth-first search comes to first is expanded first here, too.

import { expect, test } from 'vitest';
import { SILENT, UNLIMITED } from '../base/budget.ts';
import { runPan } from '../testing/pan.ts';
import { hasProgram } from '../testing/programs.ts';
import { modelOf } from './model-of.fuzz.ts';
import { Pending } from './pending.ts';
import { searchSafety } from './safety.ts';
import { search } from './search.ts';

/** Wide at every step, with an error at the end of one long way: the one that the youngest process takes alone, by its first options. */
const DEEP = (length: number): string => `int n;
  active [3] proctype Wide() { byte x; do :: x++ :: x = x + 3 :: x = 0 od }
  active proctype Long() { do :: n < ${length} -> n++ :: n == ${length} -> assert(false) od }`;

test('a recursive search, without recursion', () => {
  const graph = [[1, 2, 3], [4], [4, 1, 5], [0], [5, 2], [6], []];
  const recursive: number[] = [];
  const visit = (state: number): void => {
    if (recursive.includes(state)) return;
    recursive.push(state);
    graph[state]!.forEach(visit);
  };
  visit(0);
  const pending = new Pending('spin');
  const known = new Set([0]);
  const order: number[] = [];
  pending.add(0, true);
  for (let state = pending.take(); state !== undefined; state = pending.take()) {
    order.push(state);
    const before = pending.length;
    for (const next of graph[state]!) {
      pending.add(next, !known.has(next));
      known.add(next);
    }
    pending.arrange(before, undefined);
  }
  expect(order).toEqual(recursive);
});

test('an error far down the way that SPIN takes first', () => {
  const { failure, search: last } = searchSafety(
    modelOf(DEEP(15_000)),
    { assertions: true, reduce: true },
    UNLIMITED,
    SILENT,
  );
  expect(failure?.kind).toBe('assertion');
  expect(last.states).toBeLessThan(200_000);
});

const available = hasProgram('spin') && (hasProgram('tcc') || hasProgram('gcc'));
if (!available) console.log('spin or a C compiler is not installed: its order is not compared');

test.skipIf(!available)('as many states are expanded as SPIN stores before the error', () => {
  const text = DEEP(300);
  const pan = runPan(text, { run: ['-m50000', '-w16'], small: true, compile: ['-DSAFETY', '-DNOREDUCE'] });
  let expanded = 0;
  const onExpanded = (): boolean => {
    expanded++;
    return false;
  };
  const found = search(modelOf(text), { assertions: true, order: 'spin', onExpanded }, UNLIMITED, SILENT);
  expect(found.violations).toHaveLength(1);
  expect(expanded).toBe(pan!.states);
});
