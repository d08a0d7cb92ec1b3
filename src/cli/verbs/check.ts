import { checkModel } from '../../check/check.ts';
import { uselessOptions } from '../../check/options.ts';
import { FORMATS, isFormat, renderReports } from '../../report/formats.ts';
import { COLOUR, PLAIN } from '../../report/style.ts';
import { type Diagnostic, hasErrors, render } from '../../source/diagnostic.ts';
import { isPass, type ModelReport, type PropertyResult, worst } from '../../verdict/verdict.ts';
import { CONFIG_FILE, type Job, readConfig } from '../config.ts';
import { writeEvidence } from '../evidence.ts';
import {
  ANALYSIS_OPTIONS,
  analysisOptions,
  limitsOf,
  MODEL_OPTIONS,
  MODEL_OPTIONS_HELP,
  startBudget,
} from '../model-options.ts';
import { type ProgressLine, progressLine } from '../progress.ts';
import type { ExitCode, Io, ParsedArgs, Verb } from '../verb.ts';
import { EXIT, InputError, UsageError } from '../verb.ts';
import { watchAndRepeat } from '../watch.ts';

const USUAL_PROPERTIES = [
  'bounded',
  'livelock-free',
  'deadlock-free',
  'assertions',
  'never',
  'acceptance',
  'safe',
];

export const check: Verb = {
  name: 'check',
  summary: 'prove or refute properties of models',
  help: `usage: spillway check [MODEL…] [options]

Without a model, what ${CONFIG_FILE} lists is checked.

  --property P        check only this property (repeat for several): bounded, livelock-free,
                      deadlock-free, assertions, ltl:NAME, safe, live:NAME
  --format F          ${FORMATS.join(', ')}
  --out FILE          write the report to FILE
  --method M          flow (default) or cycles
  --progress S        what counts as progress for livelock-free (repeat for several):
                      a label, a line, or a statement such as 'client(0):tc[0]?ack'
  --exact             also find the true maximum of every queue
  --no-confirm        do not search for a real run
  --certificates DIR  write every certificate and every run to DIR
  --out-itf FILE      write the first run as ITF (Informal Trace Format)
  --compose           the models are components of one system
  --fair              only weakly fair runs count (ltl)
  --monolithic        structures: the whole product instead of refinement
  --strategy S        structures: portfolio (default), linear (deadlock-free only), compositional, minimised,
                      refinement, monolithic
  --config FILE       use this configuration
  --watch             check again whenever a file changes
${MODEL_OPTIONS_HELP}

exit code: 0 proved, or as expected · 1 refuted · 2 unknown · 3 errors in the input · 64 usage

examples:
  spillway check ring.pml
  spillway check ring.pml --property bounded --format json
  spillway check *.pml --format junit --out results.xml
`,
  options: {
    ...MODEL_OPTIONS,
    ...ANALYSIS_OPTIONS,
    property: { takes: 'list', choices: USUAL_PROPERTIES },
    format: { takes: 'value', choices: FORMATS },
    out: { takes: 'value' },
    certificates: { takes: 'value' },
    'out-itf': { takes: 'value' },
    config: { takes: 'value' },
    watch: { takes: 'nothing' },
  },
  run: (args, io) =>
    args.flag('watch') ? watchAndRepeat(io, (recording) => runOnce(args, recording)) : runOnce(args, io),
};

async function runOnce(args: ParsedArgs, io: Io): Promise<ExitCode> {
  const format = args.value('format') ?? 'text';
  if (!isFormat(format)) throw new UsageError(`there is no format '${format}'; known: ${FORMATS.join(', ')}`);
  const started = io.date();
  const { jobs, diagnostics } = jobsOf(args, io);
  if (hasErrors(diagnostics)) {
    for (const diagnostic of diagnostics) io.err(`${render(diagnostic)}\n`);
    return EXIT.input;
  }

  const progress = progressLine(io, args.flag('quiet'));
  const reports: ModelReport[] = [];
  const useless = uselessOptions(jobs);
  for (const [index, job] of jobs.entries()) {
    if (jobs.length > 1) progress.subject(`model ${index + 1} of ${jobs.length}: ${job.paths[0]}`);
    const options = { ...job.options, explain: format === 'html' };
    const report = await runJob({ ...job, options }, io, progress);
    reports.push({ ...report, diagnostics: [...useless[index]!, ...report.diagnostics] });
  }
  progress.clear();

  const target = args.value('out');
  const colour = target === undefined && io.stdoutIsTerminal && !io.environment['NO_COLOR'];
  const text = await renderReports(reports, format, {
    style: colour ? COLOUR : PLAIN,
    verbose: args.flag('verbose'),
    quiet: args.flag('quiet'),
    columns: target === undefined && io.stdoutIsTerminal ? io.columns : undefined,
    started,
    folder: io.folder,
  });
  if (target === undefined) io.out(text);
  else io.writeFile(target, text);
  const folder = args.value('certificates');
  if (folder !== undefined) writeEvidence(reports, folder, io);
  const itf = args.value('out-itf');
  if (itf !== undefined) await writeItf(reports, itf, io);
  return exitCode(reports);
}

async function writeItf(reports: readonly ModelReport[], target: string, io: Io): Promise<void> {
  const evidence = reports.flatMap((report) => report.properties.map((property) => property.evidence));
  const run = evidence.find((one) => one?.kind === 'run');
  if (run === undefined) io.err('no run to write: nothing is refuted\n');
  else io.writeFile(target, (await import('../../report/trace-itf.ts')).traceItf(run.run));
}

function jobsOf(args: ParsedArgs, io: Io): { jobs: readonly Job[]; diagnostics: readonly Diagnostic[] } {
  if (args.positional.length > 0) {
    const shared = {
      properties: args.list('property'),
      expect: {},
      options: analysisOptions(args),
      limits: limitsOf(args),
    };
    const groups = args.flag('compose') ? [args.positional] : args.positional.map((path) => [path]);
    return { jobs: groups.map((paths) => ({ paths, ...shared })), diagnostics: [] };
  }
  const path = args.value('config') ?? CONFIG_FILE;
  const text = io.readFile(path);
  if (text === null && args.value('config') !== undefined)
    throw new InputError(`${path}: no such file, or not readable`);
  if (text === null) throw new UsageError(`which model? give one or more files, or write a ${CONFIG_FILE}`);
  const config = readConfig(path, text);
  return { ...config, jobs: config.jobs.map((job) => overridden(job, args)) };
}

/** What the command line says wins over the configuration; macros and folders are added to those it lists. */
function overridden(job: Job, args: ParsedArgs): Job {
  const given = analysisOptions(args);
  const { options } = job;
  const asked = args.list('property');
  const named = new Set(args.list('define').map(macroName));
  return {
    ...job,
    // What is expected of a property is a wish to have it checked.
    properties:
      asked.length > 0
        ? asked
        : job.properties.length > 0
          ? [...new Set([...job.properties, ...Object.keys(job.expect)])]
          : Object.keys(job.expect),
    limits: { ...job.limits, ...limitsOf(args) },
    options: {
      ...options,
      ...(given.method === undefined ? {} : { method: given.method }),
      confirm: given.confirm !== false && options.confirm !== false,
      exact: given.exact === true || options.exact === true,
      progress: args.flag('progress') ? args.list('progress') : (options.progress ?? []),
      defines: [
        ...(options.defines ?? []).filter((define) => !named.has(macroName(define))),
        ...args.list('define'),
      ],
      includes: [...args.list('include'), ...(options.includes ?? [])],
      extra: { ...options.extra, ...given.extra },
    },
  };
}

const macroName = (define: string): string => define.split('=')[0]!;

async function runJob(job: Job, io: Io, observer: ProgressLine): Promise<ModelReport> {
  const report = await checkModel({
    paths: job.paths,
    files: { read: io.readFile, ...(io.systemHeader && { systemHeader: io.systemHeader }) },
    properties: job.properties,
    options: job.options,
    budget: startBudget(job.limits, io),
    observer,
  });
  const expected = (property: PropertyResult): PropertyResult => {
    const verdict = job.expect[property.id];
    return verdict === undefined ? property : { ...property, expected: verdict };
  };
  return { ...report, properties: report.properties.map(expected) };
}

function exitCode(reports: readonly ModelReport[]): ExitCode {
  if (reports.some((report) => hasErrors(report.diagnostics))) return EXIT.input;
  const surprises = reports.flatMap((report) => report.properties.filter((property) => !isPass(property)));
  // A proof where a refutation was expected is a surprise, too.
  return EXIT[
    worst(surprises.map((property) => (property.verdict === 'proved' ? 'refuted' : property.verdict)))
  ];
}
