// Runs a program and waits for it, like `spawnSync`, but lets a small shell start it. A process that starts another one is copied first, and one that
// runs tests has hundreds of megabytes: 32 ms of processor time for each program, of which the shell, asked through named pipes, takes 2.
// Where there is no such shell (or no named pipes), `spawnSync` does it.

import { type SpawnSyncReturns, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, openSync, readFileSync, readSync, writeFileSync, writeSync } from 'node:fs';
import { constants, tmpdir } from 'node:os';
import { join } from 'node:path';

export interface ProgramOptions {
  readonly cwd?: string;
  readonly input?: string;
  /** Of processor time, for what never ends. */
  readonly seconds?: number;
}

export interface ProgramRun {
  /** Null when a signal ended it; 127: there is no such program. */
  readonly status: number | null;
  readonly signal: string | null;
  readonly stdout: string;
  readonly stderr: string;
}

interface Shell {
  readonly folder: string;
  readonly requests: number;
  readonly answers: number;
}

/** The shell reads one line for each job, runs the script `job` and answers with its status; it goes, with its folder, when nobody can ask any more. */
const LOOP = `
exec 3<"$1/requests" 4>"$1/answers"
while read -r line <&3; do
  ( exec 3<&- 4>&-; . "$1/job" ) <"$1/in" >"$1/out" 2>"$1/err"
  echo $? >&4
done
rm -rf "$1"`;

/** Of two names for one the first, which is the one Node uses. */
const SIGNALS = new Map(
  Object.entries(constants.signals)
    .reverse()
    .map(([name, number]) => [number, name]),
);

/** In blocks of 512 bytes: a program that never stops printing must not fill the disk. */
const LARGEST_FILE = 1 << 20;

/** One for each process, though modules may be loaded again for every file of tests. */
const shared = globalThis as { spillwayShell?: Shell | null };

export function runProgram(
  command: string,
  args: readonly string[],
  options: ProgramOptions = {},
): ProgramRun {
  if (shared.spillwayShell === undefined) shared.spillwayShell = startShell();
  const shell = shared.spillwayShell;
  return shell === null ? runHere(command, args, options) : runInShell(shell, command, args, options);
}

function startShell(): Shell | null {
  const folder = mkdtempSync(join(tmpdir(), 'spillway-shell-'));
  const pipes = [join(folder, 'requests'), join(folder, 'answers')] as const;
  if (spawnSync('mkfifo', pipes).status !== 0) return null;
  spawn('sh', ['-c', LOOP, 'sh', folder], { stdio: 'ignore', detached: true }).unref();
  // Either waits until the other side has opened it, too.
  return { folder, requests: openSync(pipes[0], 'w'), answers: openSync(pipes[1], 'r') };
}

function runInShell(
  { folder, requests, answers }: Shell,
  command: string,
  args: readonly string[],
  { cwd = process.cwd(), input = '', seconds = 1200 }: ProgramOptions,
): ProgramRun {
  writeFileSync(join(folder, 'in'), input);
  writeFileSync(
    join(folder, 'job'),
    `cd ${quoted(cwd)} || exit 127\nulimit -t ${seconds}\nulimit -f ${LARGEST_FILE}\nexec ${[command, ...args].map(quoted).join(' ')}\n`,
  );
  writeSync(requests, '\n');
  const answer = Buffer.alloc(16);
  const length = readSync(answers, answer);
  if (length === 0) throw new Error(`the shell that runs programs for tests is gone (asked for ${command})`);
  const code = Number(answer.toString('utf8', 0, length));
  const signal = SIGNALS.get(code - 128) ?? null;
  const read = (name: string): string => readFileSync(join(folder, name), 'utf8');
  return { status: signal === null ? code : null, signal, stdout: read('out'), stderr: read('err') };
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}

function runHere(command: string, args: readonly string[], options: ProgramOptions): ProgramRun {
  const run: SpawnSyncReturns<string> = spawnSync(command, args, {
    ...(options.cwd !== undefined && { cwd: options.cwd }),
    input: options.input ?? '',
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  });
  const status = run.error === undefined ? run.status : 127;
  return { status, signal: run.signal, stdout: run.stdout ?? '', stderr: run.stderr ?? '' };
}
