import { graphsDot, graphsMermaid, graphsSvg } from '../../report/graph.ts';
import { suggest } from '../../source/diagnostic.ts';
import type { ControlGraph } from '../../verdict/verdict.ts';
import { complain, openModel, write } from '../model.ts';
import { MODEL_OPTIONS } from '../model-options.ts';
import type { ExitCode, Io, ParsedArgs, Verb } from '../verb.ts';
import { EXIT, UsageError } from '../verb.ts';

const FORMATS = {
  dot: async (graphs: readonly ControlGraph[]) => graphsDot(graphs),
  mermaid: async (graphs: readonly ControlGraph[]) => graphsMermaid(graphs),
  svg: graphsSvg,
} as const;

export const graph: Verb = {
  name: 'graph',
  summary: 'the processes of a model as pictures',
  help: `usage: spillway graph MODEL [options]

Every process of a Promela model, or component of a .lks or .aut model, as a graph of its locations
and statements: one transition per basic statement, as SPIN's own automata have it. Of an .ecfsm
model, the two machines and the degenerated reachability graph of its formula (named 'formula').
Of statecharts (SCXML, XState), the chart with states inside states.
Of C, the control flow of main or of each thread, with calls in place; locations are named after lines.

  --format F          dot (default), mermaid or svg
  --process NAME      only this process (repeat for several)
  --out FILE          write to FILE instead of the terminal
  -DNAME=VALUE -IDIR  as in SPIN
  --quiet             no warnings about the model

example: spillway graph leader.pml --format svg --out leader.svg
`,
  options: {
    ...MODEL_OPTIONS,
    format: { takes: 'value', choices: Object.keys(FORMATS) },
    process: { takes: 'list' },
    out: { takes: 'value' },
  },
  run: runGraph,
};

async function runGraph(args: ParsedArgs, io: Io): Promise<ExitCode> {
  const [path, second] = args.positional;
  if (path === undefined || second !== undefined) throw new UsageError('give one model');
  const format = args.value('format') ?? 'dot';
  if (!isFormat(format))
    throw new UsageError(`there is no format '${format}': choose ${Object.keys(FORMATS).join(', ')}`);
  const { entry, language, request, progress } = await openModel([path], args, io);
  if (language.graphs === undefined) throw new UsageError(`models in ${entry.name} have no process graphs`);
  const loaded = await language.graphs(request).finally(() => progress.clear());
  if (complain(loaded.diagnostics, args, io) || loaded.model === null) return EXIT.input;
  write(await FORMATS[format](chosen(loaded.model, args.list('process'))), args, io);
  return 0;
}

const isFormat = (format: string): format is keyof typeof FORMATS => Object.hasOwn(FORMATS, format);

function chosen(graphs: readonly ControlGraph[], names: readonly string[]): readonly ControlGraph[] {
  if (names.length === 0) return graphs;
  const known = graphs.map((candidate) => candidate.name);
  for (const name of names) {
    if (known.includes(name)) continue;
    const near = suggest(name, known);
    throw new UsageError(`there is no process '${name}'${near === null ? '' : `; did you mean '${near}'?`}`);
  }
  return graphs.filter((candidate) => names.includes(candidate.name));
}
