// Scripted debug sessions over standard input and output, as an editor has them: some with the shipped program, most with the same verb in this process.

import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { replay } from '../api/api.ts';
import { runCli } from '../cli/run.ts';
import { bundleForTest } from '../testing/bundle.ts';
import { DebugClient } from '../testing/debug-client.ts';
import { scratchIo } from '../testing/memory-io.ts';
import { findRun } from '../verdict/find-run.ts';
import { runStates } from '../verdict/run-state.ts';
import { CONTENT_LENGTH } from '../wire/framing.ts';
import { CAPABILITIES } from './capabilities.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Seven philosophers, each with a fork in hand and a note of how often it tried. */
const TABLE = `#define N 7
mtype = { fork };
chan place[N] = [1] of { mtype };
byte laid;

proctype phil(byte me) {
  byte meals;
  do
  :: place[me]?fork;
     place[(me + 1) % N]?fork;
     meals++;
     place[me]!fork;
     place[(me + 1) % N]!fork
  od
}

init {
  byte i;
  atomic {
    do
    :: i < N -> place[i]!fork; laid++; run phil(i); i++
    :: i >= N -> break
    od
  }
}
`;

const HANDSHAKE = `chan c = [0] of { byte };
chan log = [3] of { byte };
byte seen;
active proctype giver() {
  byte n;
  do
  :: n < 4 ->
     c!n;
     n++
  :: n == 4 -> break
  od
}
active proctype taker() {
  byte got;
end:
  do
  :: c?got;
     seen = got;
     printf("got %d\\n", got);
     log!got
  od
}
`;

let bundle: string;
let folder = '';
let client: DebugClient;
const { io, remove } = scratchIo();
const talk = (server: ConstructorParameters<typeof DebugClient>[0]): void => {
  client = new DebugClient(server, CONTENT_LENGTH, folder);
};
/** What an editor starts. */
const talkToProgram = (): void => talk(['node', join(bundle, 'cli.js'), 'dap']);
const talkHere = (): void => talk((ends) => runCli(['dap'], { ...io, ...ends, folder }));
beforeAll(async () => {
  bundle = await bundleForTest();
});
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'spillway-dap-'));
  writeFileSync(join(folder, 'table.pml'), TABLE);
  writeFileSync(join(folder, 'handshake.pml'), HANDSHAKE);
});
afterAll(remove);
afterEach(async () => {
  client.wire.kill();
  await client.wire.ended;
  rmSync(folder, { recursive: true, force: true });
});

const allOf = (prefix: string, variables: ReadonlyMap<string, string>): [string, string][] =>
  [...variables]
    .filter(([name]) => name.startsWith(prefix))
    .map(([name, value]) => [name.slice(prefix.length), value]);

/** What an editor shows of all processes: their places, and all variables and queues. */
async function whole(): Promise<unknown> {
  const threads = await client.threads();
  const shown = [];
  for (const { id, name } of threads) {
    const frame = await client.frame(id);
    const variables = await client.variables(frame.id, (scope) => scope === 'Locals');
    shown.push({ name, frame: [frame.name, frame.line, frame.column], locals: allOf('Locals/', variables) });
  }
  const variables = await client.variables(threads[0]!.id);
  return { shown, queues: allOf('Queues/', variables), globals: allOf('Globals/', variables) };
}

test('a deadlock of seven processes is stepped to its end and back, with the states of replay', async () => {
  talkToProgram();
  const stop = await client.launch({ program: 'table.pml', property: 'deadlock-free', timeout: 600 });
  expect(stop).toMatchObject({ reason: 'entry', allThreadsStopped: true });
  const moments: unknown[] = [await whole()];
  let last = stop;
  while (last['reason'] !== 'exception') {
    last = await client.move('stepIn', { threadId: last['threadId'] });
    moments.push(await whole());
  }
  const steps = moments.length - 1;
  expect(await client.threads()).toHaveLength(8);
  const info = await client.body<{ description: string }>('exceptionInfo', { threadId: 1 });
  expect(info.description).toContain('circular wait: phil[');
  expect((await client.frame(2)).name).toBe('waits: place[(me + 1) % 7]?fork');

  const recorded = findRun(JSON.parse(await runFile(steps)));
  const { model } = await replay({ model: join(folder, 'table.pml'), run: recorded! });
  expect(model).toMatchObject({ failedAt: null });
  const states = runStates(model!.run);
  expect(states).toHaveLength(steps + 1);
  for (const [i, state] of states.entries()) {
    const { queues, globals, shown } = moments[i] as Awaited<ReturnType<typeof whole>> & {
      queues: [string, string][];
      globals: [string, string][];
      shown: { name: string; locals: [string, string][] }[];
    };
    expect(queues.filter(([name]) => /^place\[\d+\]$/.test(name))).toEqual(
      [...state.queues].map(([name, messages]) => [name, `${messages.length} of 1 [${messages.join(' ')}]`]),
    );
    const values = new Map(state.values);
    expect(globals).toEqual([['laid', values.get('laid')]]);
    for (const { name, locals } of shown)
      expect(locals).toEqual(
        [...values]
          .filter(([key]) => key.startsWith(`${name}.`))
          .map(([key, value]) => [key.slice(name.length + 1), value]),
      );
  }

  for (let i = steps - 1; i >= 0; i--) {
    await client.move('stepBack');
    expect(await whole()).toEqual(moments[i]);
  }
  // And in one go, both ways.
  expect(await client.move('continue')).toMatchObject({ reason: 'exception' });
  expect(await whole()).toEqual(moments[steps]);
  expect(await client.move('reverseContinue')).toMatchObject({ reason: 'entry' });
  expect(await whole()).toEqual(moments[0]);
  expect(client.wire.errors).toBe('');
});

/** The run of the session, as `check` writes it: the search is the same, so the run is. */
async function runFile(steps: number): Promise<string> {
  const { check } = await import('../api/api.ts');
  const report = await check({
    model: join(folder, 'table.pml'),
    properties: ['deadlock-free'],
    threads: 0,
    limits: { timeout: 600 },
  });
  const run = findRun(report);
  expect(run!.steps).toHaveLength(steps);
  return JSON.stringify(run);
}

describe('a simulation', () => {
  test('handshakes are one step of two threads, prints come out, the choices can be chosen', async () => {
    talkHere();
    const stop = await client.launch({ program: 'handshake.pml', mode: 'simulate', seed: 4 });
    expect(stop).toMatchObject({ reason: 'entry', threadId: 1 });
    expect((await client.threads()).map(({ name }) => name)).toEqual(['giver', 'taker']);
    const { targets } = await client.body<{ targets: { id: number; label: string }[] }>('stepInTargets', {
      frameId: 1,
    });
    expect(targets.map(({ label }) => label)).toEqual(['giver: n < 4']);
    await client.move('stepIn', { threadId: 1, targetId: 1 });
    expect(await client.frame(1)).toMatchObject({ name: 'c!n', line: 8 });
    expect(await client.frame(2)).toMatchObject({ name: 'c?got', line: 17 });
    const from = client.wire.received.length;
    await client.move('stepIn');
    const said = async (text: string) =>
      (await client.body('evaluate', { expression: text, frameId: 2, context: 'watch' }))['result'];
    await client.body('setFunctionBreakpoints', { breakpoints: [{ name: 'len(log) == 2' }] });
    expect(await client.move('continue')).toMatchObject({ reason: 'breakpoint' });
    expect(await said('len(log)')).toBe('2');
    expect(await said('seen == got')).toBe('1');
    expect(await said('log[1]')).toBe('1');
    const printed = client.wire.received.slice(from).filter((message) => message['event'] === 'output');
    expect(printed.map((message) => (message['body'] as { output: string }).output)).toContain('got 0\n');

    // Going back and another way: what was ahead is forgotten.
    expect((await client.body('evaluate', { expression: 'choices', context: 'repl' }))['result']).toContain(
      '1  ',
    );
    const before = await whole();
    await client.move('stepBack');
    await client.move('stepIn');
    expect(await whole()).toEqual(before);
    const dead = await client.move('continue');
    expect(dead).toMatchObject({ reason: 'exception' });
    expect(await said('full(log)')).toBe('1');
    const blocked = await client.body('evaluate', { expression: 'blocked', context: 'repl' });
    expect(blocked['result']).toContain('room in log, which is full (3 of 3)');
  });

  test('another choice is another run', async () => {
    talkHere();
    writeFileSync(
      join(folder, 'two.pml'),
      'byte x;\nactive proctype a() { x = 1 }\nactive proctype b() { x = 2 }\n',
    );
    await client.launch({ program: 'two.pml', mode: 'simulate', seed: 1 });
    const results: unknown[] = [];
    for (const targetId of [1, 2]) {
      await client.move('stepIn', { threadId: 1, targetId });
      const { result } = await client.body('evaluate', { expression: 'x' });
      results.push(result);
      await client.move('stepBack');
      // Whoever looks at the choices and goes on takes the same one again.
      const choices = await client.variables(1, (scope) => scope === 'Choices');
      const marks = [...choices.values()].map((text) => text.endsWith('(next)'));
      expect(marks.indexOf(true) + 1).toBe(targetId);
      // No thread in particular.
      await client.move('stepIn', { threadId: 99 });
      expect(await client.body('evaluate', { expression: 'x' })).toMatchObject({ result });
      await client.move('stepBack');
    }
    expect(results.toSorted()).toEqual(['1', '2']);
    await client.console('take 2');
    expect((await client.body('evaluate', { expression: 'x' }))['result']).toBe(results[1]);
    const wrong = await client.body('evaluate', { expression: 'take 9', context: 'repl' });
    expect(wrong['result']).toContain('no choice 9');
  });
});

test('breakpoints on lines, with conditions and counts, both ways; log points; restart after an edit', async () => {
  talkHere();
  const path = join(folder, 'handshake.pml');
  await client.launch({ program: path, mode: 'simulate', seed: 2 });
  const set = await client.body<{ breakpoints: { verified: boolean; line: number }[] }>('setBreakpoints', {
    source: { path },
    breakpoints: [{ line: 1 }, { line: 18, condition: 'got == 2' }, { line: 99 }],
  });
  // The first statement below the line; none at all.
  expect(set.breakpoints.map(({ verified, line }) => [verified, line])).toEqual([
    [true, 7],
    [true, 18],
    [false, 99],
  ]);
  await client.body('setBreakpoints', {
    source: { path },
    breakpoints: [
      { line: 18, condition: 'got == 2' },
      { line: 20, logMessage: 'took {got}' },
    ],
  });
  expect(await client.move('continue')).toMatchObject({ reason: 'breakpoint', threadId: 2 });
  expect((await client.body('evaluate', { expression: 'got', frameId: 2 }))['result']).toBe('2');
  const logs = client.wire.received.filter((message) => message['event'] === 'output');
  expect(logs.map((message) => (message['body'] as { output: string }).output)).toEqual(
    expect.arrayContaining(['took 0\n', 'took 1\n']),
  );
  await client.body('setBreakpoints', { source: { path }, breakpoints: [{ line: 8, hitCondition: '2' }] });
  expect(await client.move('reverseContinue')).toMatchObject({ reason: 'breakpoint', threadId: 1 });
  expect(await client.frame(1)).toMatchObject({ line: 8 });
  await client.body('setBreakpoints', { source: { path }, breakpoints: [] });
  const { dataId } = await client.body<{ dataId: string }>('dataBreakpointInfo', { name: 'seen' });
  await client.body('setDataBreakpoints', { breakpoints: [{ dataId, condition: 'seen == 2' }] });
  expect(await client.move('continue')).toMatchObject({ reason: 'breakpoint' });
  expect((await client.body('evaluate', { expression: 'seen' }))['result']).toBe('2');
  writeFileSync(path, HANDSHAKE.replace('byte seen;', 'byte seen = 77;'));
  expect(await client.move('restart', {})).toMatchObject({ reason: 'entry' });
  expect((await client.body('evaluate', { expression: 'seen' }))['result']).toBe('77');
});

test('a recorded run, from its end; the thread that is asked for moves', async () => {
  talkHere();
  const { check } = await import('../api/api.ts');
  const report = await check({ model: join(folder, 'table.pml'), properties: ['deadlock-free'], threads: 0 });
  writeFileSync(join(folder, 'run.json'), JSON.stringify({ properties: report.properties }));
  const stop = await client.launch({
    program: 'table.pml',
    run: 'run.json',
    property: 'deadlock-free',
    startAt: 'end',
  });
  expect(stop).toMatchObject({ reason: 'exception' });
  expect(await client.move('reverseContinue')).toMatchObject({ reason: 'entry' });
  expect(await client.console('find phil[3]')).toMatchObject({ reason: 'goto' });
  await client.move('reverseContinue');
  const moved = await client.move('next', { threadId: 1 });
  expect(moved).toMatchObject({ reason: 'step' });
  const { targets } = await client.body<{ targets: { id: number }[] }>('gotoTargets', {
    source: { path: join(folder, 'table.pml') },
    line: 9,
  });
  expect(targets.length).toBe(7);
  await client.move('goto', { threadId: 1, targetId: targets[0]!.id });
  const { sources } = await client.body<{ sources: { path: string }[] }>('loadedSources');
  expect(sources.map(({ path }) => path)).toEqual([join(folder, 'table.pml')]);
});

describe('what cannot be done is said', () => {
  test.each([
    [{ program: 'nowhere.pml' }, 'no such file'],
    [{ program: 'table.pml', mode: 'fly' }, '"mode" is one of'],
    [{}, '"program" names the model'],
    [{ program: 'table.pml', run: 'table.pml' }, 'not JSON'],
    [{ program: 'proved.pml' }, 'There is no counterexample: '],
    [{ program: 'broken.pml' }, 'SPW1'],
    [{ program: 'broken.pml', mode: 'simulate' }, 'SPW1'],
    [{ program: 'table.pml', timeout: 'soon' }, '"timeout" is a whole number'],
  ])('%j', async (args, message) => {
    talkHere();
    writeFileSync(join(folder, 'proved.pml'), 'active proctype a() { skip }\n');
    writeFileSync(join(folder, 'broken.pml'), 'active proctype a() { skip\n');
    await client.body('initialize');
    const response = await client.ask('launch', args);
    expect(response['success']).toBe(false);
    expect(response['message']).toContain(message);
    // The session goes on.
    expect((await client.ask('threads'))['success']).toBe(false);
    await client.body('launch', { program: 'handshake.pml', mode: 'simulate' });
    expect(await client.threads()).toHaveLength(2);
  });

  test('unknown requests, nonsense and the end', async () => {
    talkHere();
    expect((await client.ask('fly'))['message']).toContain("no request 'fly'");
    expect((await client.ask('toString'))['message']).toContain('no request');
    expect((await client.ask('configurationDone'))['message']).toContain('nothing is launched');
    await client.launch({ program: 'handshake.pml', mode: 'simulate' });
    for (const command of Object.keys({
      scopes: 0,
      stackTrace: 0,
      evaluate: 0,
      setBreakpoints: 0,
      variables: 0,
      gotoTargets: 0,
      completions: 0,
    })) {
      for (const args of [
        {},
        { threadId: 'x', frameId: -3, variablesReference: 99, breakpoints: 7, line: null },
      ])
        expect((await client.ask(command, args))['type'], command).toBe('response');
    }
    client.wire.sendRaw('Content-Length: 3\r\n\r\n{"}');
    client.wire.send(null);
    client.wire.send([1]);
    await client.body('disconnect');
    expect(await client.wire.ended).toBe(0);
    expect(client.wire.errors).toBe('');
  });

  test('a stream without sense ends the session with a message', async () => {
    talkToProgram();
    client.wire.sendRaw('GET / HTTP/1.1\r\n\r\n');
    expect(await client.wire.ended).toBe(3);
    expect(client.wire.errors).toContain('Content-Length');
  });
});

const examples = '/usr/share/doc/spin/examples/Examples';
const real = existsSync(examples)
  ? ['leader0.pml', 'sort.pml', 'snoopy.pml', 'abp.pml', 'wordcount.pml']
      .map((name) => join(examples, name))
      .filter(existsSync)
  : [];
if (real.length === 0) console.warn("skipped: debug sessions on SPIN's examples, which are not installed");
const corpus = [
  'corpus/kripke/dpd.lks',
  'corpus/machines/both-wait.fsa',
  'corpus/nets/philosophers.spec',
  'corpus/protocols/leader.pml',
];

test.each([...real, ...corpus.map((path) => join(root, path))])(
  'every request is answered for %s',
  async (program) => {
    talkHere();
    await client.launch({ program, mode: 'simulate', seed: 3, steps: 200 });
    for (let i = 0; i < 20; i++) {
      const stop = await client.move(['stepIn', 'next', 'stepOut', 'stepBack', 'continue'][i % 5]!, {
        threadId: 1,
      });
      expect(stop['threadId']).toBeGreaterThan(0);
      await whole();
    }
    expect(Object.keys(CAPABILITIES).length).toBeGreaterThan(10);
    expect(client.wire.errors).toBe('');
    await client.body('terminate');
    expect(await client.wire.ended).toBe(0);
  },
);
