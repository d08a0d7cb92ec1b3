// What a verb of the command line is. Each verb lives in a file of its own under verbs/ and is loaded when called.

import type { AnswerCache } from '../cache/memory.ts';
import type { OpenedQueue } from '../queue/elsewhere.ts';
import type { SubmitterSettings } from '../queue/submitter.ts';
import type { RunningWorker, WorkerSettings } from '../queue/worker.ts';
import type { FileSystem } from '../source/source.ts';
import type { ThreadPool } from '../workers/thread-pool.ts';

export interface Verb {
  readonly name: string;
  /** One line for the list of verbs. */
  readonly summary: string;
  /** The whole help text, with at least one example. */
  readonly help: string;
  readonly options: OptionTable;
  run(args: ParsedArgs, io: Io): Promise<ExitCode>;
}

/** Option name (without dashes) → what it takes. `list` may be repeated. */
export type OptionTable = Readonly<Record<string, OptionShape>>;

export interface OptionShape {
  readonly takes: 'nothing' | 'value' | 'list';
  readonly short?: string;
  /** The values it can have, or the usual ones: for completion. */
  readonly choices?: readonly string[];
  /** Words of other tools that mean it, with the value they mean. */
  readonly words?: Readonly<Record<string, string>>;
}

export interface ParsedArgs {
  readonly positional: readonly string[];
  flag(name: string): boolean;
  value(name: string): string | undefined;
  list(name: string): readonly string[];
}

/** The only door to the world, so that tests can run verbs in memory. */
export interface Io {
  readFile(path: string): string | null;
  /** A file of any length, line by line. */
  readLines?(path: string): Iterable<string> | null;
  readBytes(path: string): Uint8Array | null;
  /** See FileSystem. */
  readonly systemHeader?: FileSystem['systemHeader'];
  writeFile(path: string, content: string): void;
  makeFolder(path: string): void;
  /** What is in a folder; null where there is none. Absent: patterns for paths stand for nothing. */
  listFolder?(path: string): readonly { readonly name: string; readonly isFolder: boolean }[] | null;
  out(text: string): void;
  err(text: string): void;
  /** One line from the user, null at the end of input; for interactive verbs. */
  ask(prompt: string): Promise<string | null>;
  /** Standard input as it arrives, for servers; `out` is the other direction. */
  input?(): AsyncIterable<Uint8Array>;
  /** Nothing more is wanted from it. */
  closeInput?(): void;
  readonly stdoutIsTerminal: boolean;
  readonly stderrIsTerminal: boolean;
  /** The width of the terminal, where there is one. */
  readonly columns?: number | undefined;
  readonly environment: Readonly<Record<string, string | undefined>>;
  now(): number;
  /** When the process began, by that clock: the user waits since then. Absent: nobody knows. */
  readonly began?: number;
  /** Milliseconds of processor time this process has used. */
  workClock?(): number;
  /** How many threads work well side by side. */
  readonly processors: number;
  /** Threads for engines; absent: everything runs in this one. */
  openPool?(size: number): ThreadPool;
  /** Answers remembered in a folder; absent: nothing is remembered. */
  openCache?(folder: string, secret: string | undefined): Promise<AnswerCache>;
  /** Where they are when nobody says otherwise. */
  readonly cacheFolder?: string;
  /** A queue whose workers answer questions. */
  openQueue?(settings: SubmitterSettings, lanes: number): Promise<OpenedQueue>;
  startWorker?(settings: Omit<WorkerSettings, 'script'>): Promise<RunningWorker>;
  /** The process ends soon, whatever is still open. */
  leave?(): void;
  /** What lists of processes show instead of the command, which may hold a password. */
  hideCommand?(title: string): void;
  /** Calls back, once, when the user presses Ctrl-C or the process is told to end; returns what forgets it again. */
  onInterrupt?(callback: () => void): () => void;
  /** The time of day, for reports that bear a date. */
  date(): Date;
  /** The words of the command line, for reports that say how they were made. */
  readonly words?: readonly string[];
  /** Absolute path of the folder that relative paths start from. */
  readonly folder: string;
}

/** The conventions of docs: 0 proved · 1 refuted · 2 unknown · 3 errors in the input · 64 usage · 70 a bug · 130 interrupted. */
export type ExitCode = 0 | 1 | 2 | 3 | 64 | 70 | 130;
export const EXIT = {
  proved: 0,
  refuted: 1,
  unknown: 2,
  input: 3,
  usage: 64,
  bug: 70,
  interrupted: 130,
} as const;

/** Thrown by argument handling only; main turns it into exit code 64 with the verb's usage. */
export class UsageError extends Error {}

/** A file that cannot be read or written, or is not what it should be: exit code 3. */
export class InputError extends Error {}
