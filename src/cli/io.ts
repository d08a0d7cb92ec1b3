import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { dirname } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { EXIT, InputError, type Io, type Pool } from './verb.ts';

export function nodeIo(): Io {
  const bytes = (path: string): Uint8Array | null => {
    try {
      return statSync(path).isFile() ? readFileSync(path) : null;
    } catch {
      return null;
    }
  };
  let isHeard = true;
  // A reader that goes away (`spillway … | head`) is not an error, and changes nothing about the exit code.
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') {
        // What cannot be written is no verdict: a full disk must not look like a refutation.
        if (stream === process.stdout)
          process.stderr.write(`spillway: the output cannot be written (${error.message})\n`);
        process.exit(EXIT.input);
      }
      if (stream === process.stdout) isHeard = false;
    });
  }
  return {
    readFile: (path) => {
      const content = bytes(path);
      return content === null ? null : new TextDecoder().decode(content);
    },
    readBytes: bytes,
    systemHeader,
    writeFile: (path, content) => writing(path, () => writeFileSync(path, content)),
    makeFolder: (path) => writing(path, () => makeFolder(path)),
    out: (text) => void (isHeard && process.stdout.write(text)),
    err: (text) => void process.stderr.write(text),
    ask: async (prompt) => {
      const reader = createInterface({ input: process.stdin, output: process.stdout });
      try {
        return await new Promise<string | null>((resolve) => {
          reader.once('close', () => resolve(null));
          reader.question(prompt).then(resolve, () => resolve(null));
        });
      } finally {
        reader.close();
      }
    },
    stdoutIsTerminal: process.stdout.isTTY === true,
    stderrIsTerminal: process.stderr.isTTY === true,
    get columns() {
      return process.stdout.columns ?? process.stderr.columns;
    },
    environment: process.env,
    now: () => performance.now(),
    workClock: () => {
      const { user, system } = process.cpuUsage();
      return (user + system) / 1000;
    },
    processors: availableParallelism(),
    openPool: (size) => lazyPool(size),
    onInterrupt: (callback) => {
      process.once('SIGINT', callback);
      return () => void process.off('SIGINT', callback);
    },
    date: () => new Date(),
    words: process.argv.slice(2),
    folder: process.cwd(),
  };
}

/** Threads are started, and their code is read, only when a first look at the model was not enough. */
function lazyPool(size: number): Pool {
  let pool: Promise<Pool> | null = null;
  let opened: Pool | null = null;
  return {
    hostFor: (model) => opened!.hostFor(model),
    prepare: async () => {
      pool ??= import('../workers/pool.ts').then(
        ({ WorkerPool }) => new WorkerPool(new URL('./worker.js', import.meta.url), size),
      );
      opened = await pool;
    },
    close: async () => opened?.close(),
  };
}

/** With the folders above it. (Node's own `recursive` never returns where the system refuses, as it does below /proc.) */
function makeFolder(path: string): void {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) return;
  const above = dirname(path);
  if (above !== path) makeFolder(above);
  mkdirSync(path);
}

/** A folder that is missing, or a place where the user may not write, is no bug. */
function writing(path: string, write: () => unknown): void {
  try {
    write();
  } catch (error) {
    throw new InputError(`${path}: cannot be written (${error instanceof Error ? error.message : error})`);
  }
}

const HEADER_NAME = /^[\w+-][\w.+/-]*$/;
/** Macros that replace functions of the C library by the insides of its implementation. */
const AS_FUNCTIONS = ['-D__NO_CTYPE', '-U__OPTIMIZE__'];

function systemHeader(name: string, defines: readonly string[]): string | null {
  if (!HEADER_NAME.test(name)) return null;
  for (const compiler of ['cc', 'gcc', 'clang']) {
    const run = spawnSync(
      compiler,
      ['-E', '-dD', ...AS_FUNCTIONS, ...defines.map((define) => `-D${define}`), '-x', 'c', '-'],
      { input: `#include <${name}>\n`, encoding: 'utf8', timeout: 20_000, maxBuffer: 1 << 26 },
    );
    if (run.error === undefined) return run.status === 0 ? run.stdout : null;
  }
  return null;
}
