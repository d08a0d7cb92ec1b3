// Models and headers on the disk of this machine.

import { closeSync, openSync, readFileSync, readSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { decode } from '../source/decode.ts';
import type { FileSystem, MachineBits } from '../source/source.ts';

/** Null for what is no readable file. */
export function readBytes(path: string): Uint8Array | null {
  try {
    return statSync(path).isFile() ? readFileSync(path) : null;
  } catch {
    return null;
  }
}

export function readText(path: string): string | null {
  const content = readBytes(path);
  return content === null ? null : decode(content);
}

const BLOCK = 1 << 20;

/** A file of any length, a block in memory at a time; null for what is no readable file. */
export function readLines(path: string): Iterable<string> | null {
  try {
    if (statSync(path).isDirectory()) return null;
    return linesOf(openSync(path, 'r'));
  } catch {
    return null;
  }
}

function* linesOf(file: number): Generator<string> {
  const decoder = new TextDecoder();
  const block = new Uint8Array(BLOCK);
  let rest = '';
  try {
    for (let size = readSync(file, block); size > 0; size = readSync(file, block)) {
      const lines = (rest + decoder.decode(block.subarray(0, size), { stream: true })).split('\n');
      rest = lines.pop()!;
      yield* lines;
    }
    yield rest + decoder.decode();
  } finally {
    closeSync(file);
  }
}

const HEADER_NAME = /^[\w+-][\w.+/-]*$/;
/** Macros that replace functions of the C library by the insides of its implementation. */
const AS_FUNCTIONS = ['-D__NO_CTYPE', '-U__OPTIMIZE__'];

export function systemHeader(
  name: string,
  defines: readonly string[],
  bits: MachineBits = 64,
): string | null {
  if (!HEADER_NAME.test(name)) return null;
  // Only now: it takes milliseconds to load, and most models include nothing.
  const { spawnSync } = createRequire(import.meta.url)(
    'node:child_process',
  ) as typeof import('node:child_process');
  for (const compiler of ['cc', 'gcc', 'clang']) {
    const run = spawnSync(
      compiler,
      [
        '-E',
        '-dD',
        ...(bits === 32 ? ['-m32'] : []),
        ...AS_FUNCTIONS,
        ...defines.map((define) => `-D${define}`),
        '-x',
        'c',
        '-',
      ],
      { input: `#include <${name}>\n`, encoding: 'utf8', timeout: 20_000, maxBuffer: 1 << 26 },
    );
    if (run.error === undefined) return run.status === 0 ? run.stdout : null;
  }
  return null;
}

export const diskFiles: FileSystem = { read: readText, systemHeader };
