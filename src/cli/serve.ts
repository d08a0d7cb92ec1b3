// Verbs that are servers over standard input and output: they end with their input, or when the other side says so.

import type { ChannelEnd, Streams } from '../wire/channel.ts';
import type { ExitCode, Io, ParsedArgs } from './verb.ts';
import { EXIT, UsageError } from './verb.ts';

export async function serveOver(
  io: Io,
  args: ParsedArgs,
  serve: (streams: Streams) => Promise<ChannelEnd>,
): Promise<ExitCode> {
  if (args.positional.length > 0) throw new UsageError('the other side says which model: give none here');
  if (io.input === undefined) throw new UsageError('there is no standard input');
  const end = await serve({ input: io.input(), write: io.out });
  // An open input would keep the process alive.
  io.closeInput?.();
  if (end.kind === 'closed') return 0;
  io.err(`spillway: the input cannot be understood any more (${end.reason}): the session is over\n`);
  return EXIT.input;
}
