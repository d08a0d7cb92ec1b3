import { expect, test } from 'vitest';
import { expandGlob, isGlob } from './glob.ts';

const FILES = [
  'a.pml',
  'b.lks',
  '.hidden.pml',
  'x/c.pml',
  'x/y/d.pml',
  'node_modules/e.pml',
  '.git/f.pml',
  'x[1].pml',
];

function listFolder(folder: string) {
  const prefix = folder === '.' ? '' : `${folder}/`;
  const names = FILES.filter((file) => file.startsWith(prefix)).map((file) =>
    file.slice(prefix.length).split('/'),
  );
  const entries = new Map(names.map(([name, ...rest]) => [name!, rest.length > 0]));
  return entries.size === 0 ? null : [...entries].map(([name, isFolder]) => ({ name, isFolder }));
}

test.each([
  ['*.pml', ['a.pml', 'x[1].pml']],
  ['**/*.pml', ['a.pml', 'x/c.pml', 'x/y/d.pml', 'x[1].pml']],
  ['x/**', ['x/c.pml', 'x/y/d.pml']],
  ['**/y/*', ['x/y/d.pml']],
  ['x/?.pml', ['x/c.pml']],
  ['{a,b}.{pml,lks}', ['a.pml', 'b.lks']],
  ['./*.lks', ['b.lks']],
  ['node_modules/*.pml', ['node_modules/e.pml']],
  ['.hidden.pml', ['.hidden.pml']],
  ['x[1].*', ['x[1].pml']],
  ['*/nothing', []],
  ['missing/*.pml', []],
])('%s', (pattern, files) => {
  expect(expandGlob(pattern, '.', listFolder)).toEqual(files);
});

test('many stars are no trouble', () => {
  const folder = () => [{ name: 'a'.repeat(200), isFolder: false }];
  expect(expandGlob(`${'*a'.repeat(60)}b`, '.', folder)).toEqual([]);
  expect(isGlob('plain[1].pml')).toBe(false);
});
