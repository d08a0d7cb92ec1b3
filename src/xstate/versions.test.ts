// Modules of XState 6 (its alpha) from file to verdict: loaded in a process of their own, explored, and replayed on its own createActor.

import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { searchSystem } from '../actors/search.ts';
import type { ActorSystem } from '../actors/system.ts';
import { SILENT, UNLIMITED } from '../base/budget.ts';
import { loadXState } from './load.ts';

const folder = mkdtempSync(join(tmpdir(), 'spillway-xstate6-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
mkdirSync(join(folder, 'node_modules'));
symlinkSync(resolve('node_modules/xstate6'), join(folder, 'node_modules/xstate'));

const fault = (
  system: ActorSystem,
  property: 'error-free' | 'handled' | 'bounded',
  scheduler: 'in-process' | 'distributed' = 'in-process',
) =>
  searchSystem(
    system,
    scheduler,
    { ...UNLIMITED, maxStates: 2_000 },
    SILENT,
    new Set([property]),
  ).findings.get(property);

async function loaded(text: string) {
  const path = join(folder, 'module.ts');
  writeFileSync(path, text);
  const { system, diagnostics } = await loadXState({
    path,
    text,
    exportName: null,
    states: 2_000,
    milliseconds: 120_000,
    loading: 120_000,
  });
  if (system === null) throw new Error(JSON.stringify(diagnostics.map(({ message }) => message)));
  return system;
}

const WAITER = `
import { createAsyncLogic, createMachine } from 'xstate';
const load = createAsyncLogic({ run: async () => 1 });
export default createMachine({
  id: 'page',
  context: { data: null },
  initial: 'idle',
  states: {
    idle: { on: { GO: ({ event }) => ({ target: 'loading', context: { data: event.data } }) } },
    loading: { invoke: { src: load, onDone: 'idle' } },
  },
});`;

test('a promise that nobody catches ends the root, and the real system agrees', {
  timeout: 1_200_000,
}, async () => {
  const { system, session } = await loaded(WAITER);
  const found = fault(system, 'error-free')!;
  expect(found.text).toMatch(/page fails/);
  expect(await session.replay(found.moves)).toBeNull();
  session.close();
});

test('a timer floods an actor on another machine', { timeout: 1_200_000 }, async () => {
  const { system, session } = await loaded(`
import { createMachine } from 'xstate';
const display = createMachine({ id: 'display', initial: 'ready', states: { ready: { on: { SHOW: {} } } } });
export default createMachine({
  id: 'sensor',
  initial: 'measuring',
  invoke: { id: 'display', src: display },
  states: {
    measuring: {
      after: { 10: ({ children }, enq) => { enq.sendTo(children.display, { type: 'SHOW' }); return { target: 'measuring', reenter: true }; } },
    },
  },
});`);
  expect(fault(system, 'bounded', 'distributed')?.text).toMatch(/mailbox of sensor\/display grows/);
  expect(fault(system, 'bounded')).toBeUndefined();
  session.close();
});

test('a choice on unknown data: nothing is proved', { timeout: 1_200_000 }, async () => {
  const { system, session } = await loaded(`
import { createMachine } from 'xstate';
export default createMachine({
  id: 'm',
  initial: 'a',
  states: { a: { on: { GO: ({ event }) => (event.sum > 3 ? { target: 'b' } : undefined) } }, b: {} },
});`);
  expect(system.caveats.map(({ kind, message }) => [kind, message])).toEqual([
    ['unseen', 'what a transition of m does depends on data that is not known'],
  ]);
  session.close();
});
