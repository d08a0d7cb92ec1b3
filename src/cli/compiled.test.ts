import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { loadCompiled } from './compiled.ts';

let folder = '';
let script = '';
let store = '';
const execArgv = process.execArgv;
const nodeOptions = process.env['NODE_OPTIONS'];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'spillway-compiled-'));
  script = join(folder, 'whole.cjs');
  store = join(folder, 'compiled');
  const helpers = Array.from({ length: 200 }, (_, i) => `function helper${i}(x) { return x + ${i} * x; }`);
  const calls = helpers.map((_, i) => `helper${i}(n)`).join(' + ');
  writeFileSync(
    script,
    `${helpers.join('\n')}\nfunction all(n) { return ${calls}; }\nmodule.exports = { two: () => 2, all, url: SPILLWAY_URL, os: () => SPILLWAY_IMPORT('node:os') };`,
  );
  // Test runners start their workers with flags.
  process.execArgv = [];
  delete process.env['NODE_OPTIONS'];
});
afterEach(() => {
  process.execArgv = execArgv;
  if (nodeOptions !== undefined) process.env['NODE_OPTIONS'] = nodeOptions;
  chmodSync(folder, 0o755);
  rmSync(folder, { recursive: true, force: true });
});

interface Exports {
  two(): number;
  all(n: number): number;
  os(): Promise<{ EOL: string }>;
  readonly url: string;
}
const load = (...words: string[]) => loadCompiled<Exports>(script, store, words);
const kept = (): string[] => readdirSync(store);

test('the script runs, knows where it is, and may import', async () => {
  const { exports } = load('check', 'a.pml')!;
  expect(exports.two()).toBe(2);
  expect(fileURLToPath(exports.url)).toBe(script);
  expect((await exports.os()).EOL).toBeTypeOf('string');
});

test('compiled code is kept per verb and kind of file', () => {
  for (const words of [
    ['check', 'a.pml', '--jobs', '2'],
    ['check', 'b.pml'],
    ['check', 'c.lks'],
    ['--help'],
  ]) {
    const started = load(...words)!;
    started.exports.two();
    started.keep();
  }
  expect(
    kept()
      .map((name) => name.replace(/^.*?-.*?-/, ''))
      .sort(),
  ).toEqual(['check-lks', 'check-pml', 'none-none']);
});

test('what is damaged or cut short is made anew', () => {
  load('check')!.keep();
  const path = join(store, kept()[0]!);
  const whole = readFileSync(path);
  for (const damage of [
    whole.subarray(0, 100),
    Buffer.concat([whole.subarray(0, -1), Buffer.from([whole.at(-1)! ^ 1])]),
  ]) {
    writeFileSync(path, damage);
    const started = load('check')!;
    expect(started.exports.all(1)).toBe(200 + (199 * 200) / 2);
    started.keep();
    expect(readFileSync(path).equals(damage)).toBe(false);
  }
  expect(kept()).toHaveLength(1);
});

test('flags, and the word against it, mean: module by module', () => {
  process.execArgv = ['--inspect'];
  expect(load('check')).toBe(null);
  process.execArgv = [];
  process.env['NODE_DISABLE_COMPILE_CACHE'] = '1';
  expect(load('check')).toBe(null);
  delete process.env['NODE_DISABLE_COMPILE_CACHE'];
  expect(load('check')).not.toBe(null);
  rmSync(script);
  expect(load('check')).toBe(null);
});

test('where nothing can be written: module by module', () => {
  // A file stands where the folder should be (the super-user may write into any folder).
  writeFileSync(store, '');
  expect(load('check')).toBe(null);
});
