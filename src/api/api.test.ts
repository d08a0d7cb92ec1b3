// The API as the documentation shows it: its examples are compiled and run.

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { beforeAll, expect, test, vi } from 'vitest';
import { bundleForTest } from '../testing/bundle.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
let folder = '';
beforeAll(async () => {
  folder = await bundleForTest();
});

const page = readFileSync(join(root, 'docs/api.md'), 'utf8');
const examples = [...page.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, code]) => code!);

test.each(examples.map((code, index) => [index, code] as const))(
  'example %i of docs/api.md runs',
  async (index, code) => {
    const model = join(root, 'corpus/quickstart/ring.pml');
    const file = join(folder, `example${index}.mjs`);
    const text = code
      .replace("from 'spillway'", "from './index.js'")
      .replaceAll("'ring.pml'", JSON.stringify(model));
    writeFileSync(file, text);
    const log = vi.spyOn(console, 'log').mockImplementation(() => {});
    try {
      await import(/* @vite-ignore */ pathToFileURL(file).href);
      expect(log.mock.calls.flat().join(' ')).toMatch(/bounded proved|accepted|link|req/);
    } finally {
      log.mockRestore();
    }
  },
);

test('the page about the API names every export', async () => {
  const root = fileURLToPath(new URL('../..', import.meta.url));
  const page = readFileSync(`${root}/docs/api.md`, 'utf8');
  const named = new Set([...page.matchAll(/`([^`]*)`/g)].flatMap(([, code]) => code!.match(/\w+/g) ?? []));
  const missing: string[] = [];
  for (const file of ['src/index.ts', 'src/browser.ts', 'src/vitest.ts'])
    for (const name of exportsOf(root, file)) if (!named.has(name)) missing.push(`${file}: ${name}`);
  expect(missing).toEqual([]);
});

/** Names of values and types, through `export *` and `export type *`. */
function exportsOf(root: string, file: string, onlyTypes = false, seen = new Set<string>()): string[] {
  if (seen.has(file)) return [];
  seen.add(file);
  const text = readFileSync(`${root}/${file}`, 'utf8');
  const folder = file.slice(0, file.lastIndexOf('/'));
  const target = (from: string): string => join(folder, from);
  const listed = [...text.matchAll(/export (?:type )?\{([^}]*)\}/g)].flatMap(([, names]) =>
    names!
      .split(',')
      .map((name) =>
        name
          .trim()
          .replace(/^type /, '')
          .replace(/^.* as /, ''),
      )
      .filter((name) => name !== ''),
  );
  const kinds = onlyTypes ? 'interface|type' : 'const|function|class|interface|type|enum';
  const pattern = new RegExp(`^export (?:declare )?(?:async )?(?:${kinds}) (w+)`, 'gm');
  const declared = [...text.matchAll(pattern)].map(([, name]) => name!);
  const all = [...text.matchAll(/export (type )?\* from '([^']+)'/g)].flatMap(([, type, from]) =>
    exportsOf(root, target(from!), type !== undefined, seen),
  );
  return [...listed, ...declared, ...all];
}
