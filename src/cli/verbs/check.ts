import type { Budget, Observer } from '../../base/budget.ts';
import type { CheckOptions, CheckRequest } from '../../check/language.ts';
import { LANGUAGES, languageOf } from '../../check/languages.ts';
import { reportJson } from '../../report/json.ts';
import { reportText } from '../../report/text.ts';
import { hasErrors } from '../../source/diagnostic.ts';
import type { ModelReport } from '../../verdict/verdict.ts';
import { worst } from '../../verdict/verdict.ts';
import { wholeNumber } from '../args.ts';
import type { ExitCode, Io, OptionTable, ParsedArgs, Verb } from '../verb.ts';
import { EXIT, UsageError } from '../verb.ts';

/** Options that every verb reading a model shares. */
export const MODEL_OPTIONS = {
  define: { takes: 'list', short: 'D' },
  include: { takes: 'list', short: 'I' },
  timeout: { takes: 'value' },
  'max-states': { takes: 'value' },
  'max-memory': { takes: 'value' },
} as const satisfies OptionTable;

export const check: Verb = {
  name: 'check',
  summary: 'prove or refute properties of models',
  help: `usage: spillway check MODEL… [options]

  --property P        check only this property (repeat for several): bounded, livelock-free,
                      deadlock-free, assertions, ltl:NAME, safe, live:NAME
  --format F          text (default) or json
  --out FILE          write the report to FILE
  --method M          flow (default) or cycles
  --progress S        what counts as progress for livelock-free (repeat for several)
  --exact             also find the true maximum of every queue
  --no-confirm        do not search for a real run
  --compose           the models are components of one system
  --timeout SECONDS   one budget for everything (default 60)
  --max-states N      states the search may store
  --max-memory MB     memory the search may use
  -DNAME=VALUE -IDIR  as in SPIN

example: spillway check ring.pml --property bounded --format json
`,
  options: {
    ...MODEL_OPTIONS,
    property: { takes: 'list' },
    format: { takes: 'value' },
    out: { takes: 'value' },
    method: { takes: 'value' },
    progress: { takes: 'list' },
    exact: { takes: 'nothing' },
    'no-confirm': { takes: 'nothing' },
    compose: { takes: 'nothing' },
    certificates: { takes: 'value' },
    quiet: { takes: 'nothing' },
    verbose: { takes: 'nothing' },
  },
  run: runCheck,
};

async function runCheck(args: ParsedArgs, io: Io): Promise<ExitCode> {
  if (args.positional.length === 0) throw new UsageError('which model? give one or more files');
  const format = args.value('format') ?? 'text';
  if (format !== 'text' && format !== 'json') throw new UsageError(`there is no format '${format}'`);

  const groups = args.flag('compose') ? [args.positional] : args.positional.map((path) => [path]);
  const reports: ModelReport[] = [];
  for (const paths of groups) reports.push(await checkOne(paths, args, io));

  const text = format === 'json' ? reportJson(reports) : reportText(reports);
  const target = args.value('out');
  if (target === undefined) io.out(text);
  else io.writeFile(target, text);
  return exitCode(reports);
}

async function checkOne(paths: readonly string[], args: ParsedArgs, io: Io): Promise<ModelReport> {
  const entry = languageOf(paths[0]!);
  if (entry === null) {
    const known = LANGUAGES.flatMap((language) => language.extensions).join(' ');
    throw new UsageError(`${paths[0]}: the language follows the extension, one of ${known}`);
  }
  const language = await entry.load();
  const request: CheckRequest = {
    paths,
    files: { read: io.readFile },
    properties: args.list('property'),
    options: optionsOf(args),
    budget: budgetOf(args, io),
    observer: observerOf(args, io),
  };
  return language.check(request);
}

function optionsOf(args: ParsedArgs): CheckOptions {
  const method = args.value('method');
  if (method !== undefined && method !== 'flow' && method !== 'cycles')
    throw new UsageError(`there is no method '${method}'`);
  return {
    ...(method === undefined ? {} : { method }),
    confirm: !args.flag('no-confirm'),
    exact: args.flag('exact'),
    progress: args.list('progress'),
    defines: args.list('define'),
    includes: args.list('include'),
    compose: args.flag('compose'),
  };
}

export function budgetOf(args: ParsedArgs, io: Io): Budget {
  const seconds = wholeNumber(args.value('timeout'), 'timeout') ?? 60;
  const end = io.now() + seconds * 1000;
  return {
    timeLeft: () => io.now() < end,
    remaining: () => Math.max(0, end - io.now()),
    maxStates: wholeNumber(args.value('max-states'), 'max-states', 1) ?? 10_000_000,
    maxMemory: (wholeNumber(args.value('max-memory'), 'max-memory', 1) ?? 2048) * 1024 * 1024,
  };
}

export function observerOf(args: ParsedArgs, io: Io): Observer {
  const quiet = args.flag('quiet') || !io.stderrIsTerminal;
  const begin = io.now();
  let stage = '';
  let drawn = begin + 1000;
  const draw = (text: string) => {
    if (quiet || io.now() < drawn) return;
    drawn = io.now() + 100;
    io.err(`\r\x1b[K${stage}: ${text}`);
  };
  return {
    stage: (name) => {
      if (!quiet && io.now() > begin + 1000) io.err('\r\x1b[K');
      stage = name;
    },
    progress: draw,
    now: io.now,
  };
}

function exitCode(reports: readonly ModelReport[]): ExitCode {
  if (reports.some((report) => hasErrors(report.diagnostics))) return EXIT.input;
  return EXIT[worst(reports.flatMap((report) => report.properties.map((property) => property.verdict)))];
}
