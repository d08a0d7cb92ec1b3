import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Fence, fenceAround, OutsideFolder } from './fence.ts';

let world = '';
let fence: Fence;
beforeEach(() => {
  world = realpathSync(mkdtempSync(join(tmpdir(), 'spillway-fence-')));
  for (const folder of ['home/models', 'home/.git', 'home/node_modules', 'homely'])
    mkdirSync(join(world, folder), { recursive: true });
  for (const [path, text] of [
    ['home/a.pml', 'a'],
    ['home/models/b.pml', 'b'],
    ['home/.git/c.pml', 'c'],
    ['home/node_modules/d.pml', 'd'],
    ['homely/secret.pml', 'secret'],
    ['secret.pml', 'secret'],
  ] as const)
    writeFileSync(join(world, path), text);
  symlinkSync('../secret.pml', join(world, 'home/link.pml'));
  symlinkSync('..', join(world, 'home/out'));
  symlinkSync('models/b.pml', join(world, 'home/inner.pml'));
  symlinkSync('../nothing.pml', join(world, 'home/dangling.pml'));
  fence = fenceAround(join(world, 'home'));
});
afterEach(() => rmSync(world, { recursive: true, force: true }));

test.each([
  ['a.pml', 'a'],
  ['./models/../a.pml', 'a'],
  ['models/b.pml', 'b'],
  ['inner.pml', 'b'],
])('%s is inside', (path, text) => {
  expect(fence.files.read(fence.inside(path))).toBe(text);
  expect(fence.files.read(join(world, 'home', path))).toBe(text);
});

test.each([
  '../secret.pml',
  '../homely/secret.pml',
  'link.pml',
  'out/secret.pml',
  'models/../../secret.pml',
  '/etc/passwd',
  '..',
  'a\0.pml',
])('%j is refused', (path) => {
  expect(() => fence.inside(path)).toThrow(OutsideFolder);
  expect(fence.files.read(path)).toBe(null);
});

test('what does not exist is not there; links to nothing lead nowhere', () => {
  expect(fence.inside('new.pml')).toBe('new.pml');
  expect(fence.files.read('new.pml')).toBe(null);
  expect(fence.files.read('dangling.pml')).toBe(null);
  expect(fence.files.read('models')).toBe(null);
});

test('absolute names of what is inside are shortened', () => {
  expect(fence.inside(join(world, 'home/models/b.pml'))).toBe('models/b.pml');
});

test('lists files, not links, hidden folders or packages', () => {
  expect(fence.list('.', 100)).toEqual(['a.pml', 'models/b.pml']);
  expect(fence.list('.', 1)).toEqual(['a.pml']);
  expect(() => fence.list('..', 1)).toThrow(OutsideFolder);
});

test('a header of the system cannot name a file by the back door', () => {
  expect(fence.files.systemHeader!(`sys/../../..${world}/secret.pml`, [])).toBe(null);
});
