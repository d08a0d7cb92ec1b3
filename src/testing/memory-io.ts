// An Io for tests: a scratch folder before the repository, output collected.

import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, isAbsolute, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** Looks like the CLI's Io; declared by shape, because this room stands below the CLI. */
export function scratchIo(answers: readonly string[] = []) {
  const folder = mkdtempSync(join(tmpdir(), 'spillway-'));
  const lines = [...answers];
  let output = '';
  let errors = '';
  const read = (path: string): Uint8Array | null => {
    const candidates = isAbsolute(path) ? [path] : [join(folder, path), join(ROOT, path)];
    for (const candidate of candidates) {
      try {
        if (statSync(candidate).isFile()) return readFileSync(candidate);
      } catch {
        // not here: the next candidate
      }
    }
    return null;
  };
  const target = (path: string): string => (isAbsolute(path) ? path : join(folder, path));
  return {
    folder,
    takeOutput: () => {
      const taken = output;
      output = '';
      return taken;
    },
    takeErrors: () => {
      const taken = errors;
      errors = '';
      return taken;
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
    io: {
      readFile: (path: string) => {
        const bytes = read(path);
        return bytes === null ? null : new TextDecoder().decode(bytes);
      },
      readBytes: read,
      writeFile: (path: string, content: string) => {
        mkdirSync(dirname(target(path)), { recursive: true });
        writeFileSync(target(path), content);
      },
      makeFolder: (path: string) => void mkdirSync(target(path), { recursive: true }),
      listFolder: (path: string) => {
        try {
          return readdirSync(target(path), { withFileTypes: true }).map((entry) => ({
            name: entry.name,
            isFolder: entry.isDirectory(),
          }));
        } catch {
          return null;
        }
      },
      out: (text: string) => void (output += text),
      err: (text: string) => void (errors += text),
      ask: async () => lines.shift() ?? null,
      stdoutIsTerminal: false,
      stderrIsTerminal: false,
      environment: {},
      processors: 1,
      now: () => performance.now(),
      date: () => new Date('2001-02-03T04:05:06Z'),
      folder: ROOT,
    },
  };
}
