// Models on which a verdict was once wrong, each for another reason.

import { expect, test } from 'vitest';
import { UNLIMITED } from '../../base/budget.ts';
import type { PropertyResult } from '../../verdict/verdict.ts';
import { checkModel } from '../check.ts';

const bounded = (text: string) => check(text, 'bounded');

async function check(text: string, property: string): Promise<PropertyResult> {
  const { properties, diagnostics } = await checkModel({
    paths: ['m.pml'],
    files: { read: (path) => (path === 'm.pml' ? text : null) },
    properties: [property],
    budget: { ...UNLIMITED, maxStates: 1500 },
  });
  expect(diagnostics).toEqual([]);
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
  expect((await check(text('atomic { run W(); r!1 }'), 'livelock-free')).verdict).toBe('refuted');
  expect((await check(text('run W(); r!1'), 'livelock-free')).verdict).toBe('proved');
});
