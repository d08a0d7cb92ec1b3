// Modules that are broken, endless or up to no good: each ends in a diagnostic within the limit.

import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { type LoadXState, loadXState } from './load.ts';

const folder = mkdtempSync(join(tmpdir(), 'spillway-malicious-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const MACHINE = `import { createMachine } from 'xstate';\n`;
const victim = join(folder, 'written.txt');

/** Only what never ends gets little time: the others must not depend on how busy the machine is. */
const ENDLESS = { milliseconds: 300, loading: 500, grace: 500 };

async function diagnose(
  text: string,
  name = 'module.ts',
  exportName: string | null = null,
  limits: Pick<LoadXState, 'milliseconds' | 'loading' | 'grace'> = {
    milliseconds: 120_000,
    loading: 120_000,
  },
) {
  const path = join(folder, name);
  writeFileSync(path, text);
  const { system, diagnostics } = await loadXState({
    path,
    text,
    exportName,
    states: 2_000,
    ...limits,
  });
  system?.session.close();
  return { diagnostics, system: system?.system ?? null };
}

test.each([
  ['an endless top level', 'while (true) {}', 'SPW7005', null],
  ['an await that never settles', 'await new Promise(() => {}); export default 1;', 'SPW7005', null],
  ['the end of the process', 'process.exit(0);', 'SPW7006', 1],
  [
    'a write',
    `import { writeFileSync } from 'node:fs';\nwriteFileSync(${JSON.stringify(victim)}, 'x');`,
    'SPW7006',
    2,
  ],
  [
    'a child process',
    `import { execSync } from 'node:child_process';\nexecSync('touch ${victim}');`,
    'SPW7006',
    2,
  ],
  ['a connection', `import { connect } from 'node:net';\nconnect(80, 'localhost');`, 'SPW7006', 2],
  ['fetch', `await fetch('http://localhost/');`, 'SPW7006', 1],
  ['an exception', `\nthrow new Error('no');`, 'SPW7004', 2],
  ['memory without end', 'const a = []; for (;;) a.push(new Array(2e7).fill(a.length));', 'SPW7010', null],
  ['a syntax error', 'export default {', 'SPW7003', 1],
  ['an import that leads nowhere', `import './nowhere.ts';`, 'SPW7003', 1],
  ['no machine', 'export const x = 1;', 'SPW7007', null],
  [
    'a strange declaration',
    `${MACHINE}export default createMachine({});\nexport const spillway = { evnts: {} };`,
    'SPW7009',
    null,
  ],
] as const)('%s', { timeout: 1_200_000 }, async (_, text, code, line) => {
  const { diagnostics } = await diagnose(text, 'module.ts', null, code === 'SPW7005' ? ENDLESS : undefined);
  expect(diagnostics.map((one) => [one.code, one.message])).toMatchObject([[code, expect.any(String)]]);
  const { span } = diagnostics[0]!;
  if (line !== null) expect(span?.file.position(span.start).line).toBe(line);
  expect(existsSync(victim)).toBe(false);
});

test('cyclic imports are imports', { timeout: 1_200_000 }, async () => {
  writeFileSync(join(folder, 'a.ts'), `import { b } from './b.ts';\nexport const a = () => b;`);
  writeFileSync(join(folder, 'b.ts'), `import { a } from './a.ts';\nexport const b = 'B' + typeof a;`);
  const text = `${MACHINE}import { b } from './b.ts';\nexport default createMachine({ id: b, initial: 'x', states: { x: {} } });`;
  const { system } = await diagnose(text);
  expect(system?.name).toBe('Bfunction');
  // One that uses what is not there yet throws, and is told so.
  const early = await diagnose(`import './c.ts';`.replace('./c.ts', './early.ts'), 'm2.ts').catch(() => null);
  expect(early?.system ?? null).toBeNull();
});

test('an exception in a guard is the machine’s own failure', { timeout: 1_200_000 }, async () => {
  const text = `${MACHINE}export default createMachine({ id: 'm', on: { GO: { guard: () => { throw new Error('in a guard'); }, target: '.x' } }, initial: 'x', states: { x: {} } });`;
  const { system } = await diagnose(text);
  expect(system!.actors[0]!.states.some(({ error }) => error?.includes('in a guard'))).toBe(true);
});

test('a guard without end ends in a diagnostic', { timeout: 1_200_000 }, async () => {
  const text = `${MACHINE}export default createMachine({ on: { GO: { guard: () => { while (true); } } } });`;
  const { diagnostics } = await diagnose(text, 'endless.ts', null, { ...ENDLESS, loading: 120_000 });
  expect(diagnostics[0]!.code).toBe('SPW7021');
});

test('clocks and random numbers are data that is not known', { timeout: 1_200_000 }, async () => {
  const text = `${MACHINE}export default createMachine({ id: 'm', initial: 'a', states: { a: { on: { GO: [{ guard: () => Math.random() > 0.5, target: 'b' }, { guard: () => Date.now() > 5, target: 'c' }] } }, b: {}, c: {} } });`;
  const { system, diagnostics } = await diagnose(text);
  expect(diagnostics.map(({ code, span }) => [code, span?.file.position(span.start)])).toMatchObject([
    ['SPW7023', { line: 2 }],
    ['SPW7023', { line: 2 }],
  ]);
  const reached = new Set(system!.actors[0]!.states.flatMap(({ active }) => active));
  expect(reached).toEqual(new Set(['a', 'b', 'c']));
});

test('a loop that waits for another random number ends', { timeout: 1_200_000 }, async () => {
  const text = `${MACHINE}export default createMachine({ id: 'm', on: { GO: { guard: () => { let n = 0.5; while (n === 0.5) n = Math.random(); return n > 0; } } } });`;
  const { system } = await diagnose(text);
  expect(system!.actors[0]!.states.length).toBe(1);
});

test('a loop on unknown data ends', { timeout: 1_200_000 }, async () => {
  const text = `${MACHINE}export default createMachine({ id: 'm', context: { list: [] }, initial: 'a', states: { a: { on: { GO: { actions: assign({ list: ({ event }) => { while (event.list.find((one) => one)) ; return []; } }), target: 'b' } } }, b: { always: { guard: ({ context }) => context.list.length > 0, actions: assign({ list: ({ context }) => context.list.slice(1) }) }, on: { BACK: 'a' } } } });`;
  const { system } = await diagnose(text.replace('createMachine }', 'assign, createMachine }'));
  expect(new Set(system!.actors[0]!.states.flatMap(({ active }) => active))).toEqual(new Set(['a', 'b']));
  expect(system!.caveats.map(({ message }) => message)).toContain(
    'one step has too many alternatives: too many guards depend on data that is not known',
  );
});

test('a machine as JSON: guards that nobody implements may be true or false', {
  timeout: 1_200_000,
}, async () => {
  const text = JSON.stringify({
    id: 'j',
    initial: 'a',
    states: { a: { on: { GO: { target: 'b', guard: 'isReady' } } }, b: {} },
  });
  const { system } = await diagnose(text, 'm.machine.json');
  expect(system!.actors[0]!.states.map((state) => state.text)).toEqual(['a', 'b']);
});

test('a machine as JSON: actors that nobody implements end in any way, actions send nothing, and that is said', {
  timeout: 1_200_000,
}, async () => {
  const text = JSON.stringify({
    id: 'j',
    initial: 'a',
    states: { a: { entry: 'track', invoke: { src: 'load', onDone: 'b', onError: 'c' } }, b: {}, c: {} },
  });
  const { system, diagnostics } = await diagnose(text, 'm.machine.json');
  expect(new Set(system!.actors[0]!.states.flatMap(({ active }) => active))).toEqual(
    new Set(['a', 'b', 'c']),
  );
  expect(diagnostics.map(({ code, message }) => `${code} ${message}`)).toEqual([
    "SPW7024 the action 'track' has no code here: it is taken to send nothing",
  ]);
});

test('an export by name', { timeout: 1_200_000 }, async () => {
  const text = `${MACHINE}export const one = createMachine({ id: 'one' });\nexport const two = createMachine({ id: 'two' });`;
  expect((await diagnose(text, 'named.ts', 'one')).system?.name).toBe('one');
  expect((await diagnose(text, 'named.ts', 'three')).diagnostics[0]!.code).toBe('SPW7008');
});
