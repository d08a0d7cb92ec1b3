// Models on which a verdict was once wrong, each for another reason.

import { expect, test } from 'vitest';
import { UNLIMITED } from '../../base/budget.ts';
import type { CheckOptions } from '../../engine/options.ts';
import type { PropertyResult } from '../../verdict/verdict.ts';
import { checkModel } from '../check.ts';

const bounded = (text: string) => check(text, 'bounded');

async function check(
  text: string,
  property: string,
  options: CheckOptions = {},
  maxStates = 1500,
): Promise<PropertyResult> {
  const { properties, diagnostics } = await checkModel({
    paths: ['m.pml'],
    files: { read: (path) => (path === 'm.pml' ? text : null) },
    properties: [property],
    options,
    budget: { ...UNLIMITED, maxStates },
  });
  expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
  return properties[0]!;
}

const boundOf = async (text: string, queue: string): Promise<number | null> =>
  (await bounded(text)).queues!.find(({ name }) => name === queue)!.bound;

test('behind a channel that is not known, nothing is proved of processes that were not seen', async () => {
  const { verdict } = await bounded(`
    chan r = [0] of { byte }; chan u;
    proctype W() { chan c = [2] of { byte }; do :: c!1 od }
    active proctype Q() { byte x; r?x }
    active proctype P() { u = 1 + (_nr_pr > 100); u!1; run W() }`);
  expect(verdict).toBe('refuted');
});

test('a process whose initial value is the length of a queue does not do the same again when the queue is longer', async () => {
  const text = `
    chan q = [20] of { byte }; bool busy;
    proctype W() { byte n = len(q); if :: n < 9 -> q!1 :: else fi; busy = false }
    init { do :: !busy -> busy = true; run W() od }`;
  expect(await boundOf(text, 'q')).toBe(9);
});

test('numbers that run gives are process numbers: the order of deaths is SPIN’s where they are looked at', async () => {
  const text = `
    chan q = [2] of { byte }; byte fin, go;
    proctype W(byte k) { go >= k; fin++ }
    active proctype A() {
      byte a, b, c;
      a = run W(1); b = run W(2); go = 1; fin == 1; c = run W(3);
      if :: c == 2 -> do :: q!1 od :: else fi
    }`;
  expect(await boundOf(text, 'q')).toBe(0);
});

test('a proof is shown although a rendezvous channel, which holds nothing, has none', async () => {
  const { verdict, evidence } = await bounded(`
    mtype = { go, stop }; chan t[2] = [0] of { mtype }; chan g = [2] of { pid };
    active [2] proctype train() { do :: g!_pid; if :: t[_pid]?go :: t[_pid]?stop -> t[_pid]?go fi od }
    active proctype gate() { pid who; do :: g?who -> t[who]!go :: g?who -> t[who]!stop; t[who]!go od }`);
  expect(`${verdict} ${evidence?.kind}`).toBe('proved certificate');
});

test('a progress label where a process is started and shakes hands inside the same atomic sequence is never seen', async () => {
  const text = (start: string) => `chan r = [0] of { byte };
    proctype W() { progress: r?1 }
    init { do :: ${start} od }`;
  // Each state has a process more to carry along.
  const verdict = async (start: string) => (await check(text(start), 'livelock-free', {}, 200)).verdict;
  expect(await verdict('atomic { run W(); r!1 }')).toBe('refuted');
  expect(await verdict('run W(); r!1')).toBe('proved');
});

test('with --fair a process that can move for ever does: what only an unfair run shows is no livelock', async () => {
  const text = (other: string) => `byte x;
    active proctype A() { do :: x = 1 - x od }
    active proctype B() { do :: ${other}; progress: skip od }`;
  expect((await check(text('skip'), 'livelock-free')).verdict).toBe('refuted');
  expect((await check(text('skip'), 'livelock-free', { fair: true })).verdict).toBe('proved');
  // Never enabled for long: even fair runs pass it by.
  expect((await check(text('x == 1'), 'livelock-free', { fair: true })).verdict).toBe('refuted');
});

test('the same where --progress names the step', async () => {
  const text = (other: string) => `byte x; chan q = [1] of { byte };
    active proctype A() { do :: x = 1 - x od }
    active proctype B() { do :: ${other}; q!1; q?1 od }`;
  const progress = ['B:q!1'];
  expect((await check(text('skip'), 'livelock-free', { progress })).verdict).toBe('refuted');
  expect((await check(text('skip'), 'livelock-free', { progress, fair: true })).verdict).toBe('proved');
  expect((await check(text('x == 1'), 'livelock-free', { progress, fair: true })).verdict).toBe('refuted');
});

test('a channel with one bit, and elements of bit arrays, hold more than 0 and 1', async () => {
  const text = `chan q = [1] of { byte }; bit ba[2]; byte y, v;
    active proctype P() { do :: v = v + 1 :: ba[0] = v; y = ba[0]; if :: y > 1 -> q!y :: else fi od }`;
  expect((await bounded(text)).verdict).toBe('refuted');
  const through = `chan q = [1] of { byte }; chan b = [1] of { bit };
    active proctype P() { byte y, v; do :: v = v + 1 :: b!v; b?y; if :: y > 1 -> q!y :: else fi od }`;
  expect((await bounded(through)).verdict).toBe('refuted');
});

test.each([
  'byte x = 1; int y = 2147483647; active proctype P() { progress: skip; do :: x + y <= 0 -> x = x + 2 od }',
  'int x = 2147483647; active proctype P() { progress: skip; do :: x + 1 < 0 -> skip od }',
  'byte x = 200; active proctype P() { progress: skip; do :: x * 16777216 < 0 -> skip od }',
])('a test that is true only because a sum wraps: %s', async (text) => {
  expect((await check(text, 'livelock-free')).verdict).toBe('refuted');
});

test('what follows an error that SPIN passes is looked at; behind one that ends a run nothing is proved', async () => {
  const passed = 'chan c = [2] of { byte, byte }; active proctype P() { do :: c!1 od }';
  expect((await bounded(passed)).verdict).toBe('refuted');
  const cut = (index: string) => `chan c = [2] of { byte }; byte a[2], i = 2;
    active proctype P() { a[${index}] = 1; c!1 }`;
  expect((await bounded(cut('1'))).verdict).toBe('proved');
  for (const index of ['i', '2']) {
    const { verdict, reasonCode } = await bounded(cut(index));
    expect(`${verdict} ${reasonCode}`).toBe('unknown runtime-error');
  }
});

test('SPIN’s limits are no violated assertions', async () => {
  // Only a search can tell that x stays odd, and it ends at the limit.
  const odd = 'x = x * 3; assert(x % 2 != 0)';
  for (const text of [
    `int x = 1; active proctype P() { ${odd}; run P() }`,
    `int x = 1; proctype W() { chan c[20] = [1] of { bit }; false } init { do :: ${odd}; run W() od }`,
  ]) {
    const { verdict, reasonCode } = await check(text, 'assertions');
    expect(`${verdict} ${reasonCode}`).toBe('unknown state-limit');
  }
});

test('a trace assertion is not checked, and that is said', async () => {
  const text = `chan q = [1] of { byte }; trace { do :: q!1; q?1 od }
    active proctype P() { byte x; q!2; q?x }`;
  for (const property of ['assertions', 'deadlock-free']) {
    const { verdict, reasonCode } = await check(text, property);
    expect(`${verdict} ${reasonCode}`).toBe('unknown trace-assertion');
  }
});

test('a loop of the reduced search is told with the processes of the model that was searched', async () => {
  // Finished processes stay there; where their number has no limit they are taken away at once.
  const text = `chan q0 = [1] of { byte }; chan q1 = [2] of { byte }; chan q2 = [1] of { byte }; bool flag; byte count = 1, slot;
    active proctype P0() { byte x; skip; progress0: skip; atomic { do :: count > 0 -> x++ :: else od; q0?1 } }
    active [2] proctype P1() { skip; d_step { true; flag = !flag }; skip; progress1: skip }
    active proctype P2() { byte x; q1?<x> -> q0?1; count = x; q2?x; progress2: skip; do :: slot == x -> slot = count; q0!2 od }
    proctype W() { do :: q1!0 -> q2!slot :: break od }
    init { atomic { run W(); run W() } }`;
  const report = await checkModel({
    paths: ['m.pml'],
    files: { read: (path) => (path === 'm.pml' ? text : null) },
    properties: ['livelock-free'],
    budget: { ...UNLIMITED, maxStates: 200_000 },
  });
  const { verdict, reason } = report.properties[0]!;
  expect(`${verdict} ${reason ?? ''}`.trim()).toBe('refuted');
});
