// Not worse than last time; and the files that CI uses say what the command line takes.

import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { scratchIo } from '../testing/memory-io.ts';
import { runCli } from './run.ts';
import { check } from './verbs/check.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
let scratch: ReturnType<typeof scratchIo>;
beforeEach(() => {
  scratch = scratchIo();
});
afterEach(() => scratch.remove());

const run = async (...words: string[]) => {
  const io = { ...scratch.io, folder: scratch.folder };
  const code = await runCli(words, io);
  return { code, out: scratch.takeOutput(), err: scratch.takeErrors() };
};
const FAILS = 'active proctype p() { byte x; if :: x = 1 :: x = 2 fi; assert(x != 2) }';
const HOLDS = 'active proctype p() { byte x; if :: x = 1 :: x = 2 fi; assert(x != 3) }';
const write = (text: string): void => scratch.io.writeFile('models/m.pml', text);
const CHECK = ['check', 'models/m.pml', '--baseline', 'models/last.json'] as const;

describe('a baseline', () => {
  test('lets pass what is not worse, and fails what is', async () => {
    write(FAILS);
    expect((await run(...CHECK)).code).toBe(3);
    expect((await run(...CHECK, '--update-baseline')).code).toBe(0);
    expect(JSON.parse(scratch.io.readFile('models/last.json')!)).toEqual({
      schema: 1,
      models: { 'm.pml': { assertions: 'refuted', 'deadlock-free': 'proved' } },
    });
    const same = await run(...CHECK);
    expect(same.code).toBe(0);
    expect(same.out).toMatch(/assertions +REFUTED.*, as last time/);
    write(HOLDS);
    const better = await run(...CHECK, '--update-baseline');
    expect(better.code).toBe(0);
    expect(better.out).toContain('0 worse, 1 better, 1 as before');
    write(FAILS);
    const worse = await run(...CHECK);
    expect(worse.code).toBe(1);
    expect(worse.out).toMatch(/assertions +REFUTED.*; last time: proved/);
  });

  test('an unknown is worse than a proof and better than a refutation; what is new must be proved', async () => {
    write(FAILS);
    const baseline = (assertions: string) =>
      scratch.io.writeFile(
        'models/last.json',
        JSON.stringify({ schema: 1, models: { 'm.pml': { assertions, 'deadlock-free': 'proved' } } }),
      );
    baseline('unknown');
    expect((await run(...CHECK)).code).toBe(1);
    scratch.io.writeFile('models/last.json', '{ "schema": 1, "models": {} }');
    expect((await run(...CHECK)).code).toBe(1);
    baseline('refuted');
    const partly = await run(...CHECK, '--property', 'assertions');
    expect(partly.err).toContain('deadlock-free was checked last time');
  });

  test('nonsense is an error in the input', async () => {
    write(HOLDS);
    for (const text of ['', '[]', '{}', '{ "schema": 1, "models": { "m.pml": { "assertions": "sure" } } }']) {
      scratch.io.writeFile('models/last.json', text);
      expect((await run(...CHECK)).code).toBe(3);
    }
    expect((await run('check', 'models/m.pml', '--update-baseline')).code).toBe(64);
  });
});

test('the script of action.yml gives the words that it is told', () => {
  const lines = readFileSync(join(root, 'action.yml'), 'utf8').split('\n');
  const from = lines.findIndex((line) => line.trim() === 'run: |');
  const script = lines.slice(
    from + 1,
    lines.findIndex((line, at) => at > from && /^ {4}- /.test(line)),
  );
  const folder = join(scratch.folder, 'bin');
  mkdirSync(folder);
  writeFileSync(join(folder, 'spillway'), '#!/bin/sh\nprintf "%s\\n" "$@"\n');
  chmodSync(join(folder, 'spillway'), 0o755);
  const env = {
    PATH: `${folder}:${process.env['PATH']}`,
    MODELS: 'a b.pml\nc.pml',
    CONFIG: '',
    ARGUMENTS: '--timeout\n5\n--baseline\nlast time.json',
    REMEMBER: 'true',
    ANSWERS: '/tmp/answers',
    QUEUE: '',
    SARIF: 'x.sarif',
    JUNIT: 'x.xml',
    GITHUB_STEP_SUMMARY: '/tmp/summary',
  };
  const told = spawnSync('bash', ['--noprofile', '--norc', '-euo', 'pipefail', '-c', script.join('\n')], {
    env,
    encoding: 'utf8',
  });
  expect(told.stderr).toBe('');
  const words = told.stdout.trim().split('\n');
  expect(words).toEqual([
    ...['check', '--timeout', '5', '--baseline', 'last time.json', '--cache', '/tmp/answers'],
    ...['--report', 'sarif=x.sarif', '--report', 'junit=x.xml', '--report', 'markdown=/tmp/summary'],
    ...['--', 'a b.pml', 'c.pml'],
  ]);
  const options = words.filter((word) => /^--\w/.test(word)).map((word) => word.slice(2));
  expect(options.filter((option) => !(option in check.options))).toEqual([]);
});

test('the container installs what npm packs', () => {
  const lines = readFileSync(join(root, 'Dockerfile'), 'utf8').split('\n');
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  expect(lines).toContain('ENTRYPOINT ["spillway"]');
  expect(Object.keys(manifest.bin)).toEqual(['spillway']);
  for (const script of ['build']) expect(Object.keys(manifest.scripts)).toContain(script);
});
