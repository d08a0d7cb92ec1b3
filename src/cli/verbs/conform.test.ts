import { writeFileSync } from 'node:fs';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readLines } from '../../disk/files.ts';
import { scratchIo } from '../../testing/memory-io.ts';
import { runCli } from '../run.ts';

const MODEL =
  'chan q = [1] of { byte };\nactive proctype a() { q!1; q!2 }\nactive proctype b() { q?_; q?_ }\n';

let scratch: ReturnType<typeof scratchIo>;
beforeEach(() => {
  scratch = scratchIo();
  scratch.io.writeFile('m.pml', MODEL);
});
afterEach(() => scratch.remove());

const run = async (...words: string[]) => {
  const code = await runCli(words, scratch.io);
  return { code, text: scratch.takeOutput() + scratch.takeErrors() };
};

const conform = async (lines: readonly (object | string)[], ...words: string[]) => {
  const text = lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n');
  scratch.io.writeFile('log.ndjson', text);
  return run('conform', 'log.ndjson', 'm.pml', ...words);
};

test('a simulation is written as a log that the model allows', async () => {
  expect((await run('simulate', 'm.pml', '--format', 'ndjson', '--out', 'run.ndjson')).code).toBe(0);
  const { code, text } = await run('conform', 'run.ndjson', 'm.pml');
  expect([code, text]).toEqual([0, 'run.ndjson: the model allows all 4 events\n']);
});

test('the first impossible event is named, with what could have been instead', async () => {
  const send = { event: 'send', queue: 'q', process: 'a' };
  const { code, text } = await conform([
    { ...send, message: 1 },
    { ...send, message: 2 },
  ]);
  expect([code, text]).toEqual([
    1,
    'log.ndjson:2: not possible in the model: a: q!2\npossible there instead:\n  b: q?1\n',
  ]);
  expect(
    (
      await conform(
        [
          { ...send, message: 1 },
          { ...send, message: 2 },
        ],
        '--event',
        'send',
      )
    ).code,
  ).toBe(0);
  expect((await conform([{ observed: { processes: ['a'] } }, send, send])).code).toBe(0);
  expect((await conform([{ observed: { processes: ['a'] } }, send, send, send])).text).toContain(
    'no event that the log is about can happen there',
  );
});

test.each([
  ['nonsense', 'line 1: not JSON'],
  ['[]', 'line 1: not an object'],
  ['{"event":"sned"}', 'line 1: "event" is one of send, receive, copy'],
  ['{"event":"send","queue":3}', 'line 1: "queue" must be a text'],
  ['{"event":"send","message":{}}', 'line 1: "message" is'],
  ['{"observed":{"queue":[]}}', 'not "queue"'],
  ['{"observed":3}', 'line 1: not an object'],
  ['{"event":"send"}\n{"observed":{}}', 'line 2: "observed" stands before all events'],
])('%s is broken input', async (line, message) => {
  const { code, text } = await conform([line]);
  expect(code).toBe(3);
  expect(text).toContain(message);
});

test('missing files, wrong words and other languages', async () => {
  expect((await run('conform', 'none.ndjson', 'm.pml')).code).toBe(3);
  expect((await run('conform', 'm.pml')).code).toBe(64);
  expect((await conform([], '--event', 'shout')).code).toBe(64);
  expect((await run('conform', 'log.ndjson', 'corpus/kripke/dpd.lks')).code).toBe(64);
});

test('long files are read block by block, characters whole', () => {
  const path = `${scratch.folder}/long`;
  const lines = Array.from({ length: 100_000 }, (_, i) => `é→${i}`);
  writeFileSync(path, lines.join('\n'));
  expect([...readLines(path)!]).toEqual(lines);
  expect(readLines(scratch.folder)).toBeNull();
});

test('a trace of states (ITF)', async () => {
  expect((await run('simulate', 'm.pml', '--format', 'itf', '--out', 'run.itf.json')).code).toBe(0);
  expect((await run('conform', 'run.itf.json', 'm.pml')).text).toMatch(/the model allows all \d+ states\n$/);
  const states = (...queues: unknown[]) =>
    scratch.io.writeFile('log.itf.json', JSON.stringify({ vars: ['q'], states: queues.map((q) => ({ q })) }));
  states([], [1], [], [3]);
  const { code, text } = await run('conform', 'log.itf.json', 'm.pml');
  expect([code, text]).toEqual([
    1,
    'log.itf.json: state 3: not possible in the model: q = [3]\npossible there instead:\n  q = [2]\n',
  ]);
  scratch.io.writeFile('log.itf.json', '{');
  expect((await run('conform', 'log.itf.json', 'm.pml')).code).toBe(3);
});
