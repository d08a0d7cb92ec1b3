// The API as the documentation shows it: its examples are compiled and run.

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type Bundle, bundleForTest } from '../testing/bundle.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
let bundle: Bundle;
let folder = '';
beforeAll(async () => {
  bundle = await bundleForTest();
  folder = bundle.folder;
});
afterAll(() => bundle.remove());

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
