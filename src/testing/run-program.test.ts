import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runProgram } from './run-program.ts';

test('what it writes, what it reads, how it ends', () => {
  expect(runProgram('sh', ['-c', 'cat; echo no >&2; exit 3'], { input: 'a\nb' })).toEqual({
    status: 3,
    signal: null,
    stdout: 'a\nb',
    stderr: 'no\n',
  });
  expect(runProgram('sh', ['-c', 'kill -ABRT $$'])).toMatchObject({ status: null, signal: 'SIGABRT' });
  expect(runProgram('there-is-no-such-program', []).status).toBe(127);
});

test('words arrive as they are', () => {
  const words = ['', ' a  b ', "it's", '"$HOME" `x` \\n', 'two\nlines', '-n', '*', 'ü'];
  const { stdout } = runProgram('sh', ['-c', 'for word; do printf "%s|" "$word"; done', 'sh', ...words]);
  expect(stdout).toBe(words.map((word) => `${word}|`).join(''));
});

test('in the folder asked for, and each run by itself', () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "spillway it's ")));
  try {
    expect(runProgram('pwd', ['-P'], { cwd: folder }).stdout).toBe(`${folder}\n`);
    expect(runProgram('pwd', ['-P']).stdout).toBe(`${realpathSync(process.cwd())}\n`);
    const { status } = runProgram('./nothing', [], { cwd: join(folder, 'nowhere') });
    expect(status).not.toBe(0);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('what never ends is ended', () => {
  expect(runProgram('sh', ['-c', 'while :; do :; done'], { seconds: 1 }).status).toBeNull();
});
