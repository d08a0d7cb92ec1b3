import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { AnswerFolder } from './folder.ts';

test('the oldest answers are forgotten first, and drafts leave nothing behind', () => {
  const path = mkdtempSync(join(tmpdir(), 'spillway-'));
  const folder = new AnswerFolder(path);
  const keys = ['aa01', 'ab02', 'ac03'];
  for (const key of keys) expect(folder.write(key, 'x'.repeat(100))).toBe(true);
  folder.prune(1000);
  expect(keys.map((key) => folder.read(key)?.length)).toEqual([100, 100, 100]);
  folder.prune(250);
  expect(keys.filter((key) => folder.read(key) !== null)).toHaveLength(2);
  const files = (readdirSync(path, { recursive: true }) as string[]).filter((name) =>
    statSync(join(path, name)).isFile(),
  );
  expect(files).toHaveLength(2);
  expect(folder.secret()).toBe(new AnswerFolder(path).secret());
  rmSync(path, { recursive: true, force: true });
});
