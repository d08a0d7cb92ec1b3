import type { OpenedQueue } from '../../queue/elsewhere.ts';
import { FORMATS } from '../../report/formats.ts';
import { TextStream } from '../../report/stream.ts';
import { COLOUR, PLAIN } from '../../report/style.ts';
import { hasErrors, render } from '../../source/diagnostic.ts';
import { isPass, type ModelReport, type PropertyResult, worst } from '../../verdict/verdict.ts';
import { wholeNumber } from '../args.ts';
import { Baseline, comparison } from '../baseline.ts';
import { cacheOf } from '../cache.ts';
import { CONFIG_FILE } from '../config.ts';
import { writeEvidence } from '../evidence.ts';
import { jobsOf } from '../jobs.ts';
import { ANALYSIS_OPTIONS, MODEL_OPTIONS, MODEL_OPTIONS_HELP } from '../model-options.ts';
import { progressLine } from '../progress.ts';
import { addressOf, patienceOf, secretOf, withQueueErrors } from '../queue.ts';
import { formatNamed, furtherReports, reportAs, writeReports } from '../reports.ts';
import { runJobs } from '../run-jobs.ts';
import type { ExitCode, Io, ParsedArgs, Verb } from '../verb.ts';
import { EXIT, UsageError } from '../verb.ts';
import { watchAndRepeat } from '../watch.ts';

const USUAL_PROPERTIES = [
  'bounded',
  'livelock-free',
  'deadlock-free',
  'stuck-free',
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
                      deadlock-free, stuck-free, assertions, ltl:NAME, safe, live:NAME;
                      C: assertions, no-undefined, no-overflow, no-leaks, terminates, race-free
  --format F          ${FORMATS.join(', ')}
  --out FILE          write the report to FILE
  --report F=FILE     also write a report in format F to FILE (repeat for several)
  --method M          flow (default) or cycles
  --progress S        what counts as progress for livelock-free (repeat for several):
                      a label, a line, or a statement such as 'client(0):tc[0]?ack'
  --exact             also find the true maximum of every queue
  --no-confirm        do not search for a real run
  --certificates DIR  write every certificate and every run to DIR
  --out-itf FILE      write the first run as ITF (Informal Trace Format)
  --compose           the models are components of one system, or the C files of one program
  --formula F         also check this temporal formula, F or NAME=F (repeat for several): 'G (busy -> F !P@critical)'
  --invariant E       also check that this expression holds in every state: 'len(q) <= 2' (Promela)
  --fair              only weakly fair runs count (ltl, never, acceptance, livelock-free)
  --no-reduction      take every step in every order; states are counted as SPIN counts them
  --coverage          also list the statements that no run executes (a full search)
  --function NAME     C: ask about this function instead of main
  --data-model M      C: LP64 (default) or ILP32; -m64, -m32
  --memory-model M    C: c11 (default), or sequential: threads take turns, also where C does not promise it
  --monolithic        structures: the whole product instead of refinement
  --strategy S        structures: portfolio (default), linear (deadlock-free only), symbolic, compositional,
                      minimised, reduced, refinement, monolithic
  --jobs N            threads to work on (default: the processors of this machine)
  --no-cache          answer everything anew; otherwise answers about unchanged models are remembered
  --cache DIR         where they are remembered (default: spillway in the user's folder for caches)
  --swarm N           also search in N random orders, side by side: finds errors deep inside large models (Promela)
  --queue URL         let the workers of this queue answer (spillway worker): redis://host:port, or SPILLWAY_QUEUE
  --baseline FILE     what is not worse than the verdicts in FILE passes: proved is better than unknown, unknown than refuted
  --update-baseline   afterwards write the verdicts to that FILE
  --config FILE       use this configuration
  --watch             check again whenever a file changes
${MODEL_OPTIONS_HELP}

exit code: 0 proved, or as expected · 1 refuted · 2 unknown · 3 errors in the input · 64 usage · 130 interrupted

examples:
  spillway check ring.pml
  spillway check ring.pml --property bounded --format json
  spillway check *.pml --format junit --out results.xml
  spillway check --report sarif=results.sarif --report markdown="$GITHUB_STEP_SUMMARY"
`,
  options: {
    ...MODEL_OPTIONS,
    ...ANALYSIS_OPTIONS,
    property: { takes: 'list', choices: USUAL_PROPERTIES },
    format: { takes: 'value', choices: FORMATS },
    out: { takes: 'value' },
    report: { takes: 'list', choices: FORMATS.map((format) => `${format}=`) },
    certificates: { takes: 'value' },
    'out-itf': { takes: 'value' },
    config: { takes: 'value' },
    jobs: { takes: 'value' },
    cache: { takes: 'value' },
    queue: { takes: 'value' },
    baseline: { takes: 'value' },
    'update-baseline': { takes: 'nothing' },
    'no-cache': { takes: 'nothing' },
    watch: { takes: 'nothing' },
  },
  run: (args, io) =>
    args.flag('watch') ? watchAndRepeat(io, (recording) => runOnce(args, recording)) : runOnce(args, io),
};

async function runOnce(args: ParsedArgs, io: Io): Promise<ExitCode> {
  const format = formatNamed(args.value('format') ?? 'text');
  const started = io.date();
  const target = args.value('out');
  const given = wholeNumber(args.value('jobs'), 'jobs', 1);
  const { jobs, diagnostics, ...config } = jobsOf(args, io);
  const threads = given ?? config.threads ?? io.processors;
  if (hasErrors(diagnostics)) {
    for (const diagnostic of diagnostics) io.err(`${render(diagnostic)}\n`);
    return EXIT.input;
  }

  const { baseline, isUpdated } = baselineOf(args, config.baseline, io);
  const targets = furtherReports(args, config.reports);
  const explain = [format, ...targets.map((one) => one.format)].includes('html');
  const progress = progressLine(io, args.flag('quiet'));
  const colour = target === undefined && io.stdoutIsTerminal && !io.environment['NO_COLOR'];
  const textOptions = {
    style: colour ? COLOUR : PLAIN,
    verbose: args.flag('verbose'),
    quiet: args.flag('quiet'),
    columns: target === undefined && io.stdoutIsTerminal ? io.columns : undefined,
  };
  const say = (text: string): void => {
    progress.clear();
    io.out(text);
  };
  const isStreamed = format === 'text' && target === undefined;
  const stream = isStreamed
    ? new TextStream(
        jobs.map(({ paths }) => paths),
        textOptions,
        say,
      )
    : null;
  const { reports, interrupted } = await runJobs(
    jobs.map((job) => ({ ...job, options: { ...job.options, explain } })),
    threads,
    io,
    progress,
    {
      begin: (job, properties, found) => stream?.begin(job, properties, found),
      verdict: (job, result) => stream?.verdict(job, result),
      end: (job, report) => stream?.end(job, report),
    },
    await cacheOf(args, config.cache, io),
    await queueOf(args, config.queue, threads, io),
    baseline,
  ).finally(() => progress.clear());

  if (stream !== null) stream.close(reports);
  else {
    const text = await reportAs(format, reports, textOptions, started, io);
    if (target === undefined) io.out(text);
    else io.writeFile(target, text);
  }
  await writeReports(targets, reports, textOptions, started, io);
  const folder = args.value('certificates') ?? config.certificates;
  if (folder !== undefined) writeEvidence(reports, folder, io);
  const itf = args.value('out-itf');
  if (itf !== undefined) await writeItf(reports, itf, io);
  if (interrupted) return EXIT.interrupted;
  if (baseline === null) return exitCode(reports);
  if (stream !== null && !args.flag('quiet')) io.out(`${comparison(reports)}\n`);
  for (const report of reports)
    for (const id of baseline.missing(report))
      io.err(`warning: ${report.files.join(' ')}: ${id} was checked last time, and was not asked for now\n`);
  if (!isUpdated) return exitCode(reports);
  baseline.write(reports, io);
  // From now on they are the measure.
  const asLastTime = (one: PropertyResult): PropertyResult => ({ ...one, atWorst: one.verdict });
  return exitCode(reports.map((report) => ({ ...report, properties: report.properties.map(asLastTime) })));
}

function baselineOf(args: ParsedArgs, configured: string | undefined, io: Io) {
  const path = args.value('baseline') ?? configured;
  const isUpdated = args.flag('update-baseline');
  if (path === undefined && isUpdated)
    throw new UsageError('which baseline? give --baseline FILE, or "baseline" in the configuration');
  return { baseline: path === undefined ? null : Baseline.read(path, io, isUpdated), isUpdated };
}

/** Null: everything is done here. */
async function queueOf(
  args: ParsedArgs,
  configured: string | undefined,
  threads: number,
  io: Io,
): Promise<OpenedQueue | null> {
  const address = addressOf(args, io, configured);
  const { openQueue } = io;
  if (address === undefined || openQueue === undefined) return null;
  io.hideCommand?.('spillway check');
  const settings = {
    address,
    secret: secretOf(io),
    patience: patienceOf(io),
    isFresh: args.flag('no-cache'),
  };
  return withQueueErrors(() => openQueue(settings, threads));
}

async function writeItf(reports: readonly ModelReport[], target: string, io: Io): Promise<void> {
  const evidence = reports.flatMap((report) => report.properties.map((property) => property.evidence));
  const run = evidence.find((one) => one?.kind === 'run');
  if (run === undefined) io.err('no run to write: nothing is refuted\n');
  else io.writeFile(target, (await import('../../report/trace-itf.ts')).traceItf(run.run));
}

function exitCode(reports: readonly ModelReport[]): ExitCode {
  if (reports.some((report) => hasErrors(report.diagnostics))) return EXIT.input;
  const surprises = reports.flatMap((report) => report.properties.filter((property) => !isPass(property)));
  if (surprises.some((property) => property.reasonCode === 'engine-failed')) return EXIT.bug;
  // A proof where a refutation was expected is a surprise, too; a model of which nothing was asked is no success.
  const verdicts = surprises.map(({ verdict }) => (verdict === 'proved' ? 'refuted' : verdict));
  const isEmpty = reports.some((report) => report.properties.length === 0);
  return EXIT[worst([...verdicts, ...(isEmpty ? (['unknown'] as const) : [])])];
}
