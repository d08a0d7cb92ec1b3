import { isTraceFormat, renderRun, TRACE_FORMATS, type TraceFormat } from '../../report/trace.ts';
import type { Run } from '../../verdict/run.ts';
import { wholeNumber } from '../args.ts';
import { complain, openModel, write } from '../model.ts';
import { MODEL_OPTIONS } from '../model-options.ts';
import { stepByHand } from '../stepping.ts';
import type { Io, ParsedArgs, Verb } from '../verb.ts';
import { EXIT, UsageError } from '../verb.ts';

export const simulate: Verb = {
  name: 'simulate',
  summary: 'run a model: at random, or step by step',
  help: `usage: spillway simulate MODEL [options]

  --seed N            which random run (default 1): the same seed gives the same run
  --steps N           stop after this many steps (default 100)
  -i, --interactive   choose every step yourself: with queues and variables, undo (b), jump (j), search (/), ? for help
  --unlimited         buffered channels never fill up
  --format F          text (default), sequence, mermaid, svg, itf, json or ndjson (a log of messages, for conform)
  --out FILE          write the run to FILE
  -DNAME=VALUE -IDIR  as in SPIN

The exit code is 0 when the run ends well or the steps are over, 1 when it ends in a deadlock or an error.

example: spillway simulate ring.pml --seed 7 --steps 40 --format svg --out run.svg
`,
  options: {
    ...MODEL_OPTIONS,
    seed: { takes: 'value' },
    steps: { takes: 'value' },
    interactive: { takes: 'nothing', short: 'i' },
    unlimited: { takes: 'nothing' },
    format: { takes: 'value', choices: TRACE_FORMATS },
    out: { takes: 'value' },
  },
  run: async (args, io) => {
    if (args.positional.length === 0) throw new UsageError('give one model');
    const format = formatOf(args);
    const seed = wholeNumber(args.value('seed'), 'seed') ?? 1;
    const steps = wholeNumber(args.value('steps'), 'steps') ?? 100;
    const { entry, language, request, progress } = await openModel(args.positional, args, io);
    if (language.simulate === undefined) throw new UsageError(`${entry.name} models cannot be run`);
    const loaded = await language
      .simulate({ ...request, unlimited: args.flag('unlimited') })
      .finally(() => progress.clear());
    const { model } = loaded;
    if (complain(loaded.diagnostics, args, io) || model === null) return EXIT.input;
    const { run, end } = args.flag('interactive')
      ? await stepByHand(() => model.begin(), io)
      : model.random(seed, steps);
    writeRun(run, format, args, io);
    return model.isBad(end) ? EXIT.refuted : EXIT.proved;
  },
};

export function formatOf(args: ParsedArgs): TraceFormat {
  const format = args.value('format') ?? 'text';
  if (!isTraceFormat(format))
    throw new UsageError(`--format takes one of ${TRACE_FORMATS.join(', ')}, not '${format}'`);
  return format;
}

export const writeRun = (run: Run, format: TraceFormat, args: ParsedArgs, io: Io): void =>
  write(renderRun(run, format), args, io);
