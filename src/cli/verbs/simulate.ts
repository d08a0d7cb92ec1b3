import { languageOf } from '../../check/languages.ts';
import { Simulation, type SimulationEnd, simulate as simulateRun } from '../../explore/simulate.ts';
import { isTraceFormat, renderRun, TRACE_FORMATS, type TraceFormat } from '../../report/trace.ts';
import { render } from '../../source/diagnostic.ts';
import type { Run } from '../../verdict/run.ts';
import { wholeNumber } from '../args.ts';
import { isEcfsm, loadProtocol } from '../ecfsm-model.ts';
import { loadModel } from '../promela-model.ts';
import type { ExitCode, Io, ParsedArgs, Verb } from '../verb.ts';
import { EXIT, UsageError } from '../verb.ts';

export const simulate: Verb = {
  name: 'simulate',
  summary: 'run a model: at random, or step by step',
  help: `usage: spillway simulate MODEL [options]

  --seed N            which random run (default 1): the same seed gives the same run
  --steps N           stop after this many steps (default 100)
  -i, --interactive   choose every step yourself
  --unlimited         buffered channels never fill up
  --format F          text (default), sequence, mermaid, svg, itf or json
  --out FILE          write the run to FILE
  -DNAME=VALUE -IDIR  as in SPIN

The exit code is 0 when the run ends well or the steps are over, 1 when it ends in a deadlock or an error.

example: spillway simulate ring.pml --seed 7 --steps 40 --format svg --out run.svg
`,
  options: {
    define: { takes: 'list', short: 'D' },
    include: { takes: 'list', short: 'I' },
    seed: { takes: 'value' },
    steps: { takes: 'value' },
    interactive: { takes: 'nothing', short: 'i' },
    unlimited: { takes: 'nothing' },
    format: { takes: 'value', choices: TRACE_FORMATS },
    out: { takes: 'value' },
    quiet: { takes: 'nothing' },
  },
  run: async (args, io) => {
    const [path, ...more] = args.positional;
    const structures = path !== undefined && languageOf(path)?.name === 'kripke';
    if (path === undefined || (more.length > 0 && !structures)) throw new UsageError('give one model');
    const format = formatOf(args);
    const seed = wholeNumber(args.value('seed'), 'seed') ?? 1;
    const steps = wholeNumber(args.value('steps'), 'steps') ?? 100;
    if (isEcfsm(path)) return runProtocol(path, seed, steps, format, args, io);
    if (structures) return runStructures([path, ...more], seed, steps, format, args, io);
    const loaded = loadModel(path, args, io, { capacity: args.flag('unlimited') ? 'unlimited' : 'declared' });
    if ('exit' in loaded) return loaded.exit;
    const { run, end } = args.flag('interactive')
      ? await interactive(new Simulation(loaded.model), io)
      : simulateRun(loaded.model, seed, steps);
    return show(run, end, format, args, io);
  },
};

export function formatOf(args: ParsedArgs): TraceFormat {
  const format = args.value('format') ?? 'text';
  if (!isTraceFormat(format))
    throw new UsageError(`--format takes one of ${TRACE_FORMATS.join(', ')}, not '${format}'`);
  return format;
}

export function writeRun(run: Run, format: TraceFormat, args: ParsedArgs, io: Io): void {
  const text = renderRun(run, format);
  const target = args.value('out');
  if (target === undefined) io.out(text);
  else io.writeFile(target, text);
}

function show(run: Run, end: SimulationEnd, format: TraceFormat, args: ParsedArgs, io: Io): ExitCode {
  writeRun(run, format, args, io);
  return end.kind === 'fault' || end.kind === 'invalid-end-state' ? EXIT.refuted : EXIT.proved;
}

async function runProtocol(
  path: string,
  seed: number,
  steps: number,
  format: TraceFormat,
  args: ParsedArgs,
  io: Io,
): Promise<ExitCode> {
  const loaded = await loadProtocol(path, io);
  if ('exit' in loaded) return loaded.exit;
  const { ProtocolSimulation, simulateProtocol } = await import('../../ecfsm/concrete/simulation.ts');
  const { run, end } = args.flag('interactive')
    ? await interactive(new ProtocolSimulation(loaded.protocol), io)
    : simulateProtocol(loaded.protocol, seed, steps);
  return show(run, end, format, args, io);
}

/** Several .lks or .aut files are one composed system. */
async function runStructures(
  paths: readonly string[],
  seed: number,
  steps: number,
  format: TraceFormat,
  args: ParsedArgs,
  io: Io,
): Promise<ExitCode> {
  const { loadStructures, simulateStructures, StructureSimulation } = await import(
    '../../check/kripke-simulate.ts'
  );
  const { system, diagnostics } = loadStructures(paths, { read: io.readFile }, args.list('define'));
  for (const diagnostic of diagnostics)
    if (diagnostic.severity === 'error') io.err(`${render(diagnostic)}\n`);
  if (system === null) return EXIT.input;
  const { run, end } = args.flag('interactive')
    ? await interactive(new StructureSimulation(system), io)
    : simulateStructures(system, seed, steps);
  writeRun(run, format, args, io);
  return end.kind === 'deadlock' ? EXIT.refuted : EXIT.proved;
}

/** What can be run step by step. */
interface Steps<Choice, End> {
  choices(): readonly Choice[];
  label(choice: Choice): string;
  take(choice: Choice): void;
  end(): End | null;
  run(end: End | { readonly kind: 'stopped' }): Run;
}

/** Asks for every step; an empty line takes the first choice, `q` or the end of input stops. */
async function interactive<Choice, End>(
  simulation: Steps<Choice, End>,
  io: Io,
): Promise<{ run: Run; end: End | { readonly kind: 'stopped' } }> {
  for (let number = 1; ; number++) {
    const end = simulation.end();
    if (end !== null) return { run: simulation.run(end), end };
    const choices = simulation.choices();
    const list = choices.map((choice, i) => `  ${i + 1}  ${simulation.label(choice)}`).join('\n');
    io.err(`step ${number}:\n${list}\n`);
    const answer = await io.ask(`which one (1-${choices.length}, q to stop)? `);
    const stopped = { kind: 'stopped' } as const;
    if (answer === null || answer.trim() === 'q') return { run: simulation.run(stopped), end: stopped };
    const picked = answer.trim() === '' ? 1 : Number(answer);
    const choice = choices[picked - 1];
    if (choice === undefined) {
      io.err(`a number from 1 to ${choices.length}, please\n`);
      number--;
    } else simulation.take(choice);
  }
}
