// Where answers are remembered: what the command line says, then the environment, then the configuration.

import type { AnswerCache } from '../cache/memory.ts';
import type { Io, ParsedArgs } from './verb.ts';
import { UsageError } from './verb.ts';

/** Null: nothing is remembered. */
export async function cacheOf(
  args: ParsedArgs,
  configured: string | false | undefined,
  io: Io,
): Promise<AnswerCache | null> {
  const given = args.value('cache');
  if (args.flag('no-cache')) {
    if (given !== undefined) throw new UsageError('--cache and --no-cache cannot both be meant');
    return null;
  }
  const said = io.environment['SPILLWAY_CACHE'] || undefined;
  const folder = given ?? (said === 'off' ? false : said) ?? configured ?? io.cacheFolder ?? false;
  if (folder === false || io.openCache === undefined) return null;
  return io.openCache(folder, io.environment['SPILLWAY_CACHE_KEY'] || undefined);
}
