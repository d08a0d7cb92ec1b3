import { loadGraphs } from '../../check/graphs.ts';
import { languageOf } from '../../check/languages.ts';
import { graphsDot, graphsMermaid, graphsSvg } from '../../report/graph.ts';
import { hasErrors, render, suggest } from '../../source/diagnostic.ts';
import type { ControlGraph } from '../../verdict/verdict.ts';
import { limitsOf, MODEL_OPTIONS, startBudget } from '../model-options.ts';
import { progressLine } from '../progress.ts';
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
  const language = languageOf(path)?.name;
  if (language === undefined) throw new UsageError(`${path}: the extension tells no language`);
  const progress = progressLine(io, args.flag('quiet'));
  const loaded = await loadGraphs({
    language,
    path,
    files: { read: io.readFile, ...(io.systemHeader && { systemHeader: io.systemHeader }) },
    defines: args.list('define'),
    includes: args.list('include'),
    budget: startBudget(limitsOf(args), io),
    observer: progress,
  }).finally(() => progress.clear());
  if (loaded === null) throw new UsageError(`models in ${language} have no process graphs`);
  for (const diagnostic of loaded.diagnostics)
    if (diagnostic.severity === 'error' || !args.flag('quiet')) io.err(`${render(diagnostic)}\n`);
  if (hasErrors(loaded.diagnostics)) return EXIT.input;
  const text = await FORMATS[format](chosen(loaded.graphs, args.list('process')));
  const target = args.value('out');
  if (target === undefined) io.out(text);
  else io.writeFile(target, text);
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
