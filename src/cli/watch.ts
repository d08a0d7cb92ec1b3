// `--watch`: run again whenever a file that was read changes, until interrupted. Which files count is what the run itself reads:
// models, includes, the configuration. Files are looked at a few times a second, because editors replace files in many ways.

import { statSync } from 'node:fs';
import type { ExitCode, Io } from './verb.ts';
import { InputError } from './verb.ts';

const sleep = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, milliseconds));

const LOOK_EVERY = 200;
/** Editors write a file in several steps: wait for a quiet moment. */
const SETTLE = 80;

/** Never returns by itself; `isOver` is for tests. */
export async function watchAndRepeat(
  io: Io,
  run: (io: Io) => Promise<ExitCode>,
  isOver: () => boolean = () => false,
): Promise<ExitCode> {
  let code: ExitCode = 0;
  for (let round = 0; ; round++) {
    if (round > 0 && io.stdoutIsTerminal) io.out('\x1b[2J\x1b[H');
    const read = new Set<string>();
    const recording: Io = {
      ...io,
      readFile: (path) => {
        read.add(path);
        return io.readFile(path);
      },
    };
    const begin = Date.now();
    try {
      code = await run(recording);
    } catch (error) {
      // A file that is broken for a moment is no reason to stop watching.
      if (!(error instanceof InputError)) throw error;
      io.err(`spillway: ${error.message}\n`);
    }
    io.err('watching for changes; Ctrl-C ends\n');
    // What was saved while the check was running counts, too.
    let before = stamps(read, begin);
    for (;;) {
      if (isOver()) return code;
      await sleep(LOOK_EVERY);
      if (stamps(read) !== before) break;
    }
    do {
      before = stamps(read);
      await sleep(SETTLE);
    } while (stamps(read) !== before);
  }
}

/** Size and time of each file; of a file changed after `since`, something that will differ. */
function stamps(paths: Iterable<string>, since = Number.POSITIVE_INFINITY): string {
  return [...paths]
    .map((path) => {
      try {
        const { mtimeMs, size } = statSync(path);
        return mtimeMs >= since ? `${path} new` : `${path} ${mtimeMs} ${size}`;
      } catch {
        return `${path} -`;
      }
    })
    .join('\n');
}
