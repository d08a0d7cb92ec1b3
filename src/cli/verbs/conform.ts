import {
  BrokenLog,
  type Conformance,
  EVERYTHING,
  LOGGED_KINDS,
  type LoggedEvent,
  type LoggedKind,
  type MessageEvent,
  type Observed,
  readEventLog,
} from '../../verdict/event-log.ts';
import { type Difference, readItf, type StateConformance } from '../../verdict/itf.ts';
import { complain, openModel } from '../model.ts';
import { MODEL_OPTIONS } from '../model-options.ts';
import type { ExitCode, Io, ParsedArgs, Verb } from '../verb.ts';
import { EXIT, InputError, UsageError } from '../verb.ts';

const MANY_ALLOWED = 12;

export const conform: Verb = {
  name: 'conform',
  summary: 'is a recorded log possible in a model',
  help: `usage: spillway conform LOG MODEL [options]

LOG has one event a line: {"process":"client","event":"send","queue":"requests","message":"get,3"}. Events are send, receive
and copy; process, queue and message may be left out where nobody saw them. \`simulate --format ndjson\` writes such logs.
A LOG that ends in .itf.json is a trace of states in the Informal Trace Format (Apalache, Quint): values of variables and contents of queues, as
\`simulate --format itf\` writes them. What is not among its "vars" may change unseen.

  --queue Q           the log is about this queue only (repeat for several)
  --process P         the log is about this process only (repeat for several)
  --event E           the log has only send, receive or copy (repeat for several)
  --unlimited         buffered channels never fill up
  --timeout SECONDS   give up after this time (default 60)
  --max-states N      states the model may be in at once (default 10000000)
  -DNAME=VALUE -IDIR  as in SPIN

What the log is not about may happen at any time. A first line {"observed":{"queues":["q"]}} says the same as --queue q.

exit code: 0 the model allows the log · 1 it does not: the first impossible event is named · 2 not settled within the limits · 3 errors in the input

example: spillway conform server.ndjson server.pml --queue requests
`,
  options: {
    ...MODEL_OPTIONS,
    queue: { takes: 'list' },
    process: { takes: 'list' },
    event: { takes: 'list', choices: LOGGED_KINDS },
    unlimited: { takes: 'nothing' },
  },
  run: async (args, io) => {
    const [path, ...models] = args.positional;
    if (path === undefined || models.length === 0)
      throw new UsageError('give a log and the model it belongs to');
    if (/\.itf(\.json)?$/.test(path)) return conformTrace(path, models, args, io);
    const lines = io.readLines === undefined ? (io.readFile(path)?.split('\n') ?? null) : io.readLines(path);
    if (lines === null) throw new InputError(`${path}: no such file, or not readable`);
    let observed = EVERYTHING;
    const given = observedOf(args);
    const log = readEventLog(lines, (said) => {
      observed = said;
    });
    const { entry, language, request, progress } = await openModel(models, args, io);
    if (language.conform === undefined)
      throw new UsageError(`logs are compared with Promela models, not with ${entry.name}`);
    try {
      const asked = { ...request, unlimited: args.flag('unlimited') };
      const loaded = await language.conform(log, () => merged(observed, given), asked);
      progress.clear();
      if (complain(loaded.diagnostics, args, io) || loaded.model === null) return EXIT.input;
      return answer(loaded.model, path, args, io);
    } catch (error) {
      if (error instanceof BrokenLog) throw new InputError(`${path}: ${error.message}`);
      throw error;
    } finally {
      progress.clear();
    }
  },
};

async function conformTrace(
  path: string,
  models: readonly string[],
  args: ParsedArgs,
  io: Io,
): Promise<ExitCode> {
  const text = io.readFile(path);
  if (text === null) throw new InputError(`${path}: no such file, or not readable`);
  const { entry, language, request, progress } = await openModel(models, args, io);
  if (language.conformStates === undefined)
    throw new UsageError(`logs are compared with Promela models, not with ${entry.name}`);
  try {
    const trace = readItf(parsed(text));
    const loaded = await language.conformStates(trace, { ...request, unlimited: args.flag('unlimited') });
    progress.clear();
    if (complain(loaded.diagnostics, args, io) || loaded.model === null) return EXIT.input;
    return answerStates(loaded.model, path, args, io);
  } catch (error) {
    if (error instanceof BrokenLog) throw new InputError(`${path}: ${error.message}`);
    throw error;
  } finally {
    progress.clear();
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new BrokenLog('not JSON');
  }
}

function answerStates(result: StateConformance, path: string, args: ParsedArgs, io: Io): ExitCode {
  if (result.kind === 'possible') {
    if (!args.flag('quiet')) io.out(`${path}: the model allows all ${result.states} states\n`);
    return EXIT.proved;
  }
  const place = `${path}: state ${result.state}`;
  if (result.kind === 'unknown') {
    io.out(`${place}: not settled: ${whyNot(result.limit)} (${result.limit})\n`);
    return EXIT.unknown;
  }
  const text = (changes: Difference): string =>
    changes.map(({ name, value }) => `${name} = ${value}`).join(', ');
  io.out(`${place}: not possible in the model: ${text(result.seen)}\n`);
  sayAllowed(result.allowed.map(text), 'nothing that was observed can change there', io);
  return EXIT.refuted;
}

const whyNot = (limit: 'time-limit' | 'state-limit'): string =>
  limit === 'time-limit' ? 'the time was over' : 'the model can be in too many states';

function sayAllowed(allowed: readonly string[], none: string, io: Io): void {
  if (allowed.length === 0) {
    io.out(`${none}\n`);
    return;
  }
  const shown = allowed.slice(0, MANY_ALLOWED).map((one) => `  ${one}\n`);
  const more = allowed.length > MANY_ALLOWED ? `  … and ${allowed.length - MANY_ALLOWED} more\n` : '';
  io.out(`possible there instead:\n${shown.join('')}${more}`);
}

function observedOf(args: ParsedArgs): Observed {
  const list = (name: string): readonly string[] | null =>
    args.list(name).length > 0 ? args.list(name) : null;
  const events = list('event');
  const wrong = events?.find((one) => !(LOGGED_KINDS as readonly string[]).includes(one));
  if (wrong !== undefined)
    throw new UsageError(`--event takes one of ${LOGGED_KINDS.join(', ')}, not '${wrong}'`);
  return { queues: list('queue'), processes: list('process'), events: events as LoggedKind[] | null };
}

const merged = (said: Observed, given: Observed): Observed => ({
  queues: given.queues ?? said.queues,
  processes: given.processes ?? said.processes,
  events: given.events ?? said.events,
});

function answer(result: Conformance, path: string, args: ParsedArgs, io: Io): ExitCode {
  if (result.kind === 'possible') {
    if (!args.flag('quiet')) io.out(`${path}: the model allows all ${result.events} events\n`);
    return EXIT.proved;
  }
  const place = `${path}:${result.event.line}`;
  if (result.kind === 'unknown') {
    io.out(
      `${place}: not settled: ${whyNot(result.limit)} before ${seenText(result.event)} (${result.limit})\n`,
    );
    return EXIT.unknown;
  }
  io.out(`${place}: not possible in the model: ${seenText(result.event)}\n`);
  sayAllowed(result.allowed.map(eventText), 'no event that the log is about can happen there', io);
  return EXIT.refuted;
}

const SIGN: Record<LoggedKind, string> = { send: '!', receive: '?', copy: '?' };

const eventText = ({ kind, process, queue, message }: MessageEvent): string =>
  `${process}: ${queue}${SIGN[kind]}${kind === 'copy' ? `<${message}>` : message}`;

function seenText({ kind, process, queue, message }: LoggedEvent): string {
  const text =
    typeof message === 'string' || message === null ? message : message.map((one) => one ?? '…').join(',');
  return eventText({ kind, process: process ?? 'some process', queue: queue ?? '…', message: text ?? '…' });
}
