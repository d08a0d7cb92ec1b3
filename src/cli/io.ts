import { mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { availableParallelism, homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { readBytes, readLines, readText, systemHeader } from '../disk/files.ts';
import { threadPool } from '../workers/thread-pool.ts';
import { EXIT, InputError, type Io } from './verb.ts';

/** In milliseconds. (The global `performance` would load a large part of Node first.) */
function now(): number {
  const [seconds, nanoseconds] = process.hrtime();
  return seconds * 1e3 + nanoseconds / 1e6;
}

export function nodeIo(): Io {
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
    readFile: readText,
    readBytes,
    readLines,
    systemHeader,
    writeFile: (path, content) => writing(path, () => writeFileSync(path, content)),
    makeFolder: (path) => writing(path, () => makeFolder(path)),
    listFolder,
    out: (text) => void (isHeard && process.stdout.write(text)),
    err: (text) => void process.stderr.write(text),
    ask: async (prompt) => {
      const { createInterface } = await import('node:readline/promises');
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
    input: () => process.stdin,
    closeInput: () => void process.stdin.destroy(),
    stdoutIsTerminal: process.stdout.isTTY === true,
    stderrIsTerminal: process.stderr.isTTY === true,
    get columns() {
      return process.stdout.columns ?? process.stderr.columns;
    },
    environment: process.env,
    now,
    began: now() - process.uptime() * 1000,
    workClock: () => {
      const { user, system } = process.cpuUsage();
      return (user + system) / 1000;
    },
    processors: availableParallelism(),
    openPool: threadPool,
    openCache: async (folder, secret) => (await import('../cache/memory.ts')).openCache(folder, secret),
    openQueue: async (settings, lanes) =>
      (await import('../queue/elsewhere.ts')).openQueue(settings, lanes, now),
    // The script lies beside the bundle that this code is part of.
    startWorker: async (settings) =>
      (await import('../queue/worker.ts')).startWorker({
        ...settings,
        script: new URL('./queue-child.js', import.meta.url),
      }),
    leave: () => void setTimeout(() => process.exit(), 1_000).unref(),
    hideCommand: (title) => {
      if (process.argv.some((word) => /rediss?:\/\/[^/]*@/.test(word))) process.title = title;
    },
    cacheFolder: join(process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'spillway'),
    onInterrupt: (callback) => {
      const signals = ['SIGINT', 'SIGTERM'] as const;
      const forget = (): void => {
        for (const signal of signals) process.off(signal, heard);
      };
      const heard = (): void => {
        forget();
        callback();
      };
      for (const signal of signals) process.on(signal, heard);
      return forget;
    },
    date: () => new Date(),
    words: process.argv.slice(2),
    folder: process.cwd(),
  };
}

function listFolder(path: string): { name: string; isFolder: boolean }[] | null {
  try {
    // Folders behind links are left out: they may lead round in circles.
    const isLinkedFolder = (name: string): boolean =>
      statSync(join(path, name), { throwIfNoEntry: false })?.isFile() !== true;
    return readdirSync(path, { withFileTypes: true })
      .filter((entry) => !entry.isSymbolicLink() || !isLinkedFolder(entry.name))
      .map((entry) => ({ name: entry.name, isFolder: entry.isDirectory() }));
  } catch {
    return null;
  }
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
