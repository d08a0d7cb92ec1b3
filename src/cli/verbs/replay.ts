import type { Replayed } from '../../engine/language.ts';
import { TRACE_FORMATS, type TraceFormat } from '../../report/trace.ts';
import { findRun } from '../../verdict/find-run.ts';
import type { Run } from '../../verdict/run.ts';
import { complain, openModel } from '../model.ts';
import { MODEL_OPTIONS } from '../model-options.ts';
import { stepThrough } from '../stepping.ts';
import type { ExitCode, Io, ParsedArgs, Verb } from '../verb.ts';
import { EXIT, InputError, UsageError } from '../verb.ts';
import { formatOf, writeRun } from './simulate.ts';

export const replay: Verb = {
  name: 'replay',
  summary: 'step through a recorded run',
  help: `usage: spillway replay TRACE MODEL [options]

TRACE is a run as JSON, the JSON report of \`check\` (then its first run is taken), or a .trail file that SPIN's verifier wrote. Every
step is taken again on the model.

  --format F          text (default), sequence, mermaid, svg, itf, json or ndjson (a log of messages, for conform)
  --out FILE          write the run to FILE
  -i, --interactive   step through it: Enter, back (b), jump (j 12), search (/text), ? for help
  -DNAME=VALUE -IDIR  as in SPIN

The exit code is 0 when the model allows the whole run, 1 when it does not, or when its steps are other ones,
2 when nothing can be said: C programs are not run again here (the harness that \`check --certificates DIR\` writes does that).

example: spillway check ring.pml --format json --out report.json; spillway replay report.json ring.pml
`,
  options: {
    ...MODEL_OPTIONS,
    format: { takes: 'value', choices: TRACE_FORMATS },
    out: { takes: 'value' },
    interactive: { takes: 'nothing', short: 'i' },
  },
  run: async (args, io) => {
    const [trace, ...models] = args.positional;
    if (trace === undefined || models.length === 0)
      throw new UsageError('give a trace and the model it belongs to');
    const format = formatOf(args);
    const text = io.readFile(trace);
    if (text === null) throw new InputError(`${trace}: no such file, or not readable`);
    if (TRAIL.test(text)) return followTrail(trace, text, models, format, args, io);
    const recorded = readRun(trace, text);
    const { language, request, progress } = await openModel(models, args, io);
    if (language.replay === undefined) {
      io.err('models in this language cannot be run again: the run is shown as it was recorded\n');
      writeRun(recorded, format, args, io);
      return EXIT.unknown;
    }
    const loaded = await language.replay(recorded, request).finally(() => progress.clear());
    if (complain(loaded.diagnostics, args, io) || loaded.model === null) return EXIT.input;
    return show(loaded.model, recorded, format, args, io);
  },
};

/** A trail as SPIN's verifier writes it. */
const TRAIL = /^\s*-?\d+:-?\d+:-?\d+\s*$/m;

async function followTrail(
  path: string,
  text: string,
  models: readonly string[],
  format: TraceFormat,
  args: ParsedArgs,
  io: Io,
): Promise<ExitCode> {
  const { language, request, progress } = await openModel(models, args, io);
  if (language.foreignRun === undefined)
    throw new InputError(`${path}: a trail of SPIN's belongs to a model in Promela`);
  const loaded = await language.foreignRun(text, request).finally(() => progress.clear());
  if (complain(loaded.diagnostics, args, io) || loaded.model === null) return EXIT.input;
  const { run, lost } = loaded.model;
  if (args.flag('interactive')) await stepThrough(run, io);
  else writeRun(run, format, args, io);
  if (lost === undefined) return EXIT.proved;
  io.err(`${path}: the trail cannot be followed on this model: ${lost}\n`);
  return EXIT.refuted;
}

async function show(
  { run, failedAt, refused }: Replayed,
  recorded: Run,
  format: TraceFormat,
  args: ParsedArgs,
  io: Io,
): Promise<ExitCode> {
  if (args.flag('interactive')) await stepThrough(run, io);
  else writeRun(run, format, args, io);
  const other = firstDifference(run, recorded);
  if (other !== null && (failedAt === null || other < failedAt)) {
    const [here, there] = [run, recorded].map((one) => `${actorsOf(one, other)}: ${one.steps[other]!.text}`);
    io.err(`step ${other + 1} was '${there}', in this model it is '${here}': the run is of another model\n`);
    return EXIT.refuted;
  }
  if (failedAt !== null) {
    io.err(`step ${failedAt + 1} (${recorded.steps[failedAt]!.text}) is not possible in this model\n`);
    return EXIT.refuted;
  }
  if (refused === undefined) return EXIT.proved;
  io.err(`every step is possible, but the run does not show what it says (${recorded.title}): ${refused}\n`);
  return EXIT.refuted;
}

const actorsOf = (run: Run, step: number): string =>
  run.steps[step]!.actors.map((actor) => run.actors[actor]).join(' → ');

/**
 * The choices of a run (process 2, edge 5) may be possible in a model that it was not made for: then other statements were executed,
 * and what the run shows is not shown of this model.
 */
function firstDifference(run: Run, recorded: Run): number | null {
  const index = run.steps.findIndex(
    (step, at) => step.text !== recorded.steps[at]?.text || actorsOf(run, at) !== actorsOf(recorded, at),
  );
  return index < 0 ? null : index;
}

function readRun(path: string, text: string): Run {
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch {
    throw new InputError(`${path}: not JSON`);
  }
  const run = findRun(document);
  if (run === null)
    throw new InputError(`${path}: no run in it (a report has one where a property is refuted)`);
  return run;
}
