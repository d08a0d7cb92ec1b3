import { afterEach, expect, test } from 'vitest';
import { scratchIo } from '../../testing/memory-io.ts';
import { runCli } from '../run.ts';

const MODEL = `mtype = { ping, pong };
chan to = [1] of { mtype }; chan back = [0] of { mtype };
byte rounds;
active proctype Client() { do :: rounds < 2 -> to!ping; back?pong; rounds++ :: else -> break od }
active proctype Server() { end: do :: to?ping -> back!pong od }
`;

let scratch: ReturnType<typeof scratchIo>;
afterEach(() => scratch.remove());

async function run(answers: readonly string[], ...argv: string[]): Promise<number> {
  scratch = scratchIo(answers);
  scratch.io.writeFile('m.pml', MODEL);
  scratch.io.writeFile('bad.pml', 'active proctype P() { byte x; assert(x == 1) }');
  scratch.io.writeFile('stuck.pml', 'active proctype P() { false }');
  return runCli(argv, scratch.io);
}

test('the same seed gives the same run, to its end', async () => {
  expect(await run([], 'simulate', 'm.pml', '--seed', '5')).toBe(0);
  const first = scratch.takeOutput();
  expect(first).toContain('all processes are at a valid end');
  expect(first).toContain('to = [ping]');
  expect(first).toContain('rounds = 2');
  expect(await run([], 'simulate', 'm.pml', '--seed', '5')).toBe(0);
  expect(scratch.takeOutput()).toBe(first);
});

test('deadlocks and violated assertions are exit code 1', async () => {
  expect(await run([], 'simulate', 'stuck.pml')).toBe(1);
  expect(scratch.takeOutput()).toContain('deadlock');
  expect(await run([], 'simulate', 'bad.pml')).toBe(1);
  expect(scratch.takeOutput()).toContain('assertion violated');
});

test('interactive: numbers choose, nonsense is asked again, q stops', async () => {
  expect(await run(['1', 'x', '', 'q'], 'simulate', 'm.pml', '-i')).toBe(0);
  expect(scratch.takeErrors()).toContain('Client: rounds < 2');
  expect(scratch.takeOutput()).toContain('stopped');
});

test('interactive: queues, variables, undo, jump and search', async () => {
  const answers = ['1', '1', 'b', '?', '1', 'j 1', 'j 2', '/rounds', 'v', 'q'];
  expect(await run(answers, 'simulate', 'm.pml', '-i')).toBe(0);
  const shown = scratch.takeErrors();
  expect(shown).toContain('to = [ping]');
  expect(shown).toContain('queues: all empty');
  expect(shown).toContain('rounds=0');
  expect(shown).toContain('back one step');
  expect(shown).toContain('1  m.pml:4  Client: rounds < 2');
  // Undone and taken again: two steps in the end.
  expect(scratch.takeOutput()).toMatch(
    /1 {2}m\.pml:4 {2}Client {2}rounds < 2\n2 {2}m\.pml:4 {2}Client {2}to!ping/,
  );
});

test('replay by hand: forwards, back, jump, search', async () => {
  await run(
    ['', 'b', 'j 3', '/pong', '/nothing', 'v', 'q'],
    'simulate',
    'm.pml',
    '--seed',
    '2',
    '--format',
    'json',
    '--out',
    'run.json',
  );
  expect(await runCli(['replay', 'run.json', 'm.pml', '-i'], scratch.io)).toBe(0);
  const shown = scratch.takeOutput();
  expect(shown.match(/^1 {2}m\.pml:4 {2}Client: rounds < 2$/gm)).toHaveLength(2);
  expect(shown).toContain('Server → Client: back!pong');
  expect(shown).toContain("no step says 'nothing'");
});

test('a run written as JSON is replayed; on another model it is not', async () => {
  expect(await run([], 'simulate', 'm.pml', '--seed', '2', '--format', 'json', '--out', 'run.json')).toBe(0);
  expect(await runCli(['replay', 'run.json', 'm.pml', '--format', 'sequence'], scratch.io)).toBe(0);
  expect(scratch.takeOutput()).toContain('back!pong ══▶');
  expect(await runCli(['replay', 'run.json', 'stuck.pml'], scratch.io)).toBe(1);
  expect(scratch.takeErrors()).toContain('is not possible in this model');
});

test('wrong usage', async () => {
  expect(await run([], 'simulate')).toBe(64);
  expect(await runCli(['simulate', 'm.pml', '--format', 'png'], scratch.io)).toBe(64);
  expect(await runCli(['simulate', 'none.pml'], scratch.io)).toBe(3);
  expect(await runCli(['replay', 'm.pml', 'm.pml'], scratch.io)).toBe(3);
});
