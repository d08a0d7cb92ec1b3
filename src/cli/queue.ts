// The queue that a command is about: `--queue`, or the environment, so that a password need not stand in a command.

import type { Address } from '../queue/connection.ts';
import { wholeNumber } from './args.ts';
import type { Io, ParsedArgs } from './verb.ts';
import { InputError, UsageError } from './verb.ts';

export const QUEUE_HELP = `  --queue URL         the queue: redis://[user:password@]host[:port][/db], rediss:// for TLS
                      (default: SPILLWAY_QUEUE; SPILLWAY_QUEUE_PASSWORD keeps the password out of it)`;

/** Undefined where no queue is named. */
export function addressOf(args: ParsedArgs, io: Io, configured?: string): Address | undefined {
  const url = args.value('queue') ?? (io.environment['SPILLWAY_QUEUE'] || undefined) ?? configured;
  if (url === undefined) return undefined;
  const password = io.environment['SPILLWAY_QUEUE_PASSWORD'] || undefined;
  return { url, password };
}

export function neededAddress(args: ParsedArgs, io: Io): Address {
  const address = addressOf(args, io);
  if (address === undefined)
    throw new UsageError('which queue? give --queue redis://…, or set SPILLWAY_QUEUE');
  return address;
}

/** What submitters and workers share, so that one believes the other where nothing can be audited. */
export const secretOf = (io: Io): string | undefined => io.environment['SPILLWAY_QUEUE_KEY'] || undefined;

/** Seconds without an answer after which none is hoped for. */
export const patienceOf = (io: Io): number =>
  (wholeNumber(io.environment['SPILLWAY_QUEUE_PATIENCE'] || undefined, 'SPILLWAY_QUEUE_PATIENCE', 1) ?? 60) *
  1000;

/** What is wrong with a queue is the user's to know, and no bug. */
export async function withQueueErrors<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const { QueueError } = await import('../queue/connection.ts');
    if (error instanceof QueueError) throw new InputError(error.message);
    throw error;
  }
}

/** A command as it may be shown: without names and passwords of addresses. */
export const withoutPasswords = (words: readonly string[]): readonly string[] =>
  words.map((word) => word.replace(/(rediss?:\/\/)[^@/\s]*@/g, '$1'));
