// `--watch`: run again whenever a model or the configuration changes, until interrupted.

import { watch } from 'node:fs/promises';
import { dirname } from 'node:path';
import { CONFIG_FILE } from './config.ts';
import type { ExitCode, Io, ParsedArgs } from './verb.ts';

/** Editors write a file in several steps: wait for a quiet moment. */
const SETTLE = 80;

export async function watchAndRepeat(
  args: ParsedArgs,
  io: Io,
  run: () => Promise<ExitCode>,
): Promise<ExitCode> {
  const watched = args.positional.length > 0 ? args.positional : [args.value('config') ?? CONFIG_FILE];
  const folders = [...new Set(watched.map((path) => dirname(path)))];
  let code = await run();
  let waiting: NodeJS.Timeout | null = null;
  const again = async () => {
    waiting = null;
    if (io.stdoutIsTerminal) io.out('\x1b[2J\x1b[H');
    code = await run();
    io.err('watching for changes; Ctrl-C ends\n');
  };
  io.err('watching for changes; Ctrl-C ends\n');
  await Promise.all(
    folders.map(async (folder) => {
      for await (const event of watch(folder)) {
        if (!/\.(pml|prom|promela|lks|aut|ecfsm|c|h|spec|json)$/.test(event.filename ?? '')) continue;
        if (waiting !== null) clearTimeout(waiting);
        waiting = setTimeout(() => void again(), SETTLE);
      }
    }),
  );
  return code;
}
