import { nodeIo } from './io.ts';
import { runCli } from './run.ts';
import type { ExitCode } from './verb.ts';

/** The command line of this process, from its arguments to its exit code. */
export const start = (): Promise<ExitCode> => runCli(process.argv.slice(2), nodeIo());
