// Who works on which model: a first look here as long as that is enough, then threads, of which every model has its part.

import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Host } from '../engine/scheduler.ts';
import { scratchIo } from '../testing/memory-io.ts';
import { runCli } from './run.ts';
import { SharedThreads } from './shared-threads.ts';

/** Only a search can answer it, and none reaches the end. */
const LARGE = `int a, b, c; active proctype p() { do :: a++ :: b++ :: c++ :: assert(a * a + b * b + c * c != 7) od }\n`;
const SMALL = `active proctype p() { assert(true) }\n`;

let scratch: ReturnType<typeof scratchIo>;
beforeEach(() => {
  scratch = scratchIo();
});
afterEach(() => scratch.remove());

const idle = (lanes: number): Host => ({
  lanes,
  pause: null,
  start: () => ({
    done: new Promise((end) => setImmediate(() => end({ kind: 'done' }))),
    cancel: () => {},
    kill: () => {},
  }),
});

/** Which models got a first look here, whose time runs by so much at every glance at the clock, and which went to threads (that find nothing). */
async function check(threads: number, pace: number, texts: readonly string[]) {
  const names = texts.map((text, index) => {
    const name = `m${index}.pml`;
    scratch.io.writeFile(name, text);
    return name;
  });
  const onThreads: string[] = [];
  const looks = new Set<string>();
  let clock = 0;
  let current = '';
  await runCli(['check', ...names, '--property', 'assertions', '--jobs', String(threads), '--no-cache'], {
    ...scratch.io,
    readFile: (path) => {
      current = path;
      return scratch.io.readFile(path);
    },
    workClock: () => {
      looks.add(current);
      clock += pace;
      return clock;
    },
    openPool: (size) => ({
      hostFor: ({ paths }) => {
        onThreads.push(paths[0]!);
        return idle(size);
      },
      close: async () => {},
    }),
  });
  return { onThreads, looks: [...looks] };
}

test('small models are answered here, without threads', async () => {
  const { onThreads, looks } = await check(1, 0, [SMALL, SMALL]);
  expect(onThreads).toEqual([]);
  expect(looks).toEqual(['m0.pml', 'm1.pml']);
});

test('once a model needed threads, the others go there at once', async () => {
  const { onThreads, looks } = await check(1, 100, [LARGE, LARGE, SMALL]);
  expect(onThreads).toEqual(['m0.pml', 'm1.pml', 'm2.pml']);
  expect(looks).toEqual(['m0.pml']);
});

test('a model has the threads that no other one could take', () => {
  const threads = new SharedThreads({ hostFor: () => idle(4) }, 4);
  const remote = { language: 'promela', paths: ['m.pml'], options: {}, files: { texts: {}, headers: {} } };
  threads.begin();
  const host = threads.hostFor(remote);
  const lanes = [host.lanes];
  for (let others = 1; others <= 5; others++) {
    threads.begin();
    lanes.push(host.lanes);
  }
  for (let others = 5; others > 0; others--) threads.end();
  expect([...lanes, host.lanes]).toEqual([4, 3, 2, 1, 1, 1, 4]);
});
