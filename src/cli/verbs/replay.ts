import { languageOf } from '../../check/languages.ts';
import { findRun, type Replayed, replay as replayRun } from '../../explore/replay.ts';
import { TRACE_FORMATS, type TraceFormat } from '../../report/trace.ts';
import { render } from '../../source/diagnostic.ts';
import type { Run } from '../../verdict/run.ts';
import { isEcfsm, loadProtocol } from '../ecfsm-model.ts';
import { isPromela, loadModel } from '../promela-model.ts';
import type { ExitCode, Io, ParsedArgs, Verb } from '../verb.ts';
import { EXIT, InputError, UsageError } from '../verb.ts';
import { formatOf, writeRun } from './simulate.ts';

export const replay: Verb = {
  name: 'replay',
  summary: 'step through a recorded run',
  help: `usage: spillway replay TRACE MODEL [options]

TRACE is a run as JSON, or the JSON report of \`check\`: then its first run is taken. Every step is taken again on the model.

  --format F          text (default), sequence, mermaid, svg, itf or json
  --out FILE          write the run to FILE
  -i, --interactive   show one step after the other, on Enter
  -DNAME=VALUE -IDIR  as in SPIN

The exit code is 0 when the model allows the whole run, 1 when it does not, or when its steps are other ones,
2 when nothing can be said: C programs are not run again here (the harness that \`check --certificates DIR\` writes does that).

example: spillway check ring.pml --format json --out report.json; spillway replay report.json ring.pml
`,
  options: {
    define: { takes: 'list', short: 'D' },
    include: { takes: 'list', short: 'I' },
    format: { takes: 'value', choices: TRACE_FORMATS },
    out: { takes: 'value' },
    interactive: { takes: 'nothing', short: 'i' },
    quiet: { takes: 'nothing' },
  },
  run: async (args, io) => {
    const [trace, path, ...more] = args.positional;
    const structures = path !== undefined && languageOf(path)?.name === 'kripke';
    if (trace === undefined || path === undefined || (more.length > 0 && !structures))
      throw new UsageError('give a trace and the model it belongs to');
    const format = formatOf(args);
    const recorded = readRun(trace, io);
    if (isEcfsm(path)) return replayOnProtocol(recorded, path, format, args, io);
    if (structures) return replayOnStructures(recorded, [path, ...more], format, args, io);
    if (!isPromela(path)) {
      if (io.readFile(path) === null) throw new InputError(`${path}: no such file, or not readable`);
      io.err('models in this language cannot be run again: the run is shown as it was recorded\n');
      writeRun(recorded, format, args, io);
      return EXIT.unknown;
    }
    return replayOnPromela(recorded, path, format, args, io);
  },
};

/** A run on unlimited channels was found with process numbers without limit, another one by SPIN's rules: that is tried first. */
async function replayOnPromela(
  recorded: Run,
  path: string,
  format: TraceFormat,
  args: ParsedArgs,
  io: Io,
): Promise<ExitCode> {
  const unlimited = recorded.queues.some((queue) => queue.capacity === null);
  const capacity = unlimited ? 'unlimited' : 'declared';
  let best: Replayed | null = null;
  for (const processes of unlimited ? (['unlimited', 'spin'] as const) : (['spin', 'unlimited'] as const)) {
    const loaded = loadModel(path, args, best === null ? io : { ...io, err: () => {} }, {
      capacity,
      processes,
    });
    if ('exit' in loaded) return loaded.exit;
    const attempt = replayRun(loaded.model, recorded);
    if (attempt.failedAt === null || best === null) best = attempt;
    if (attempt.failedAt === null) break;
  }
  return showReplayed(best!, recorded, format, args, io);
}

async function showReplayed(
  { run, failedAt }: { readonly run: Run; readonly failedAt: number | null },
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
  if (failedAt === null) return EXIT.proved;
  io.err(`step ${failedAt + 1} (${recorded.steps[failedAt]!.text}) is not possible in this model\n`);
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

async function replayOnProtocol(
  recorded: Run,
  path: string,
  format: TraceFormat,
  args: ParsedArgs,
  io: Io,
): Promise<ExitCode> {
  const loaded = await loadProtocol(path, io);
  if ('exit' in loaded) return loaded.exit;
  const { replayProtocol } = await import('../../ecfsm/concrete/simulation.ts');
  return showReplayed(replayProtocol(loaded.protocol, recorded), recorded, format, args, io);
}

async function replayOnStructures(
  recorded: Run,
  paths: readonly string[],
  format: TraceFormat,
  args: ParsedArgs,
  io: Io,
): Promise<ExitCode> {
  const { replayKripke } = await import('../../check/kripke-replay.ts');
  const replayed = replayKripke(recorded, paths, { read: io.readFile }, args.list('define'));
  if (replayed.kind === 'replayed') return showReplayed(replayed, recorded, format, args, io);
  for (const diagnostic of replayed.diagnostics)
    if (diagnostic.severity === 'error') io.err(`${render(diagnostic)}\n`);
  return EXIT.input;
}

function readRun(path: string, io: Io): Run {
  const text = io.readFile(path);
  if (text === null) throw new InputError(`${path}: no such file, or not readable`);
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

async function stepThrough(run: Run, io: Io): Promise<void> {
  for (const [index, step] of run.steps.entries()) {
    if (run.loopStart === index) io.out('── from here on, again and again ──\n');
    const actors = step.actors.map((actor) => run.actors[actor]).join(' → ');
    const place = step.at === null ? '' : `  ${step.at.file}:${step.at.line}`;
    io.out(`${index + 1}  ${actors}: ${step.text}${place}\n`);
    for (const { name, value } of step.changes) io.out(`     ${name} = ${value}\n`);
    if ((await io.ask('Enter for the next step, q to stop ')) !== '') return;
  }
}
