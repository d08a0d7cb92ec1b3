// The jobs of a check, several side by side where there are threads for it. Each verdict is shown as soon as it is known; the user can
// interrupt, and sees what is known by then.

import { startBudget } from '../base/budget.ts';
import type { AnswerCache } from '../cache/memory.ts';
import { type CheckEvent, checkModel } from '../check/check.ts';
import { uselessOptions } from '../check/options.ts';
import type { OpenedQueue } from '../queue/elsewhere.ts';
import type { PlacedDiagnostic } from '../source/diagnostic.ts';
import { placed } from '../source/diagnostic.ts';
import type { ModelReport, PropertyResult } from '../verdict/verdict.ts';
import type { Baseline } from './baseline.ts';
import type { Job } from './config.ts';
import { filesOf } from './model.ts';
import type { ProgressLine } from './progress.ts';
import { SharedThreads } from './shared-threads.ts';
import type { Io } from './verb.ts';

export interface JobEvents {
  /** The model is read: what is wrong with it, and what will be asked. */
  begin(job: number, properties: readonly string[], diagnostics: readonly PlacedDiagnostic[]): void;
  verdict(job: number, result: PropertyResult): void;
  end(job: number, report: ModelReport): void;
}

export interface JobRun {
  readonly reports: readonly ModelReport[];
  /** The user wanted no more. */
  readonly interrupted: boolean;
}

/** Models that get a first look in this thread, as long as that is enough: it is lost time for a batch of large ones. */
const LOOKED_AT_HERE = 4;

/** Models whose questions are in a queue at the same time. */
const ASKED_AT_ONCE = 64;

export async function runJobs(
  jobs: readonly Job[],
  threads: number,
  io: Io,
  progress: ProgressLine,
  events: JobEvents,
  cache: AnswerCache | null = null,
  queue: OpenedQueue | null = null,
  baseline: Baseline | null = null,
): Promise<JobRun> {
  const pool = io.openPool?.(threads) ?? null;
  const abort = new AbortController();
  const forget = io.onInterrupt?.(() => abort.abort());
  const useless = uselessOptions(jobs).map((list) => list.map(placed));
  const reports: ModelReport[] = [];
  const hosts = pool === null ? null : new SharedThreads(pool, threads);
  // In a queue others do the work: all of them should have some.
  const most = queue !== null ? ASKED_AT_ONCE : pool === null ? 1 : threads;
  const lanes = Math.min(most, jobs.length);
  let next = 0;
  const lane = async (): Promise<void> => {
    for (let index = next++; index < jobs.length && !abort.signal.aborted; index = next++) {
      const job = jobs[index]!;
      hosts?.begin();
      if (jobs.length > 1) progress.subject(`model ${index + 1} of ${jobs.length}: ${job.paths[0]}`);
      const expected = (result: PropertyResult): PropertyResult => {
        const verdict = job.expect[result.id];
        const whole = verdict === undefined ? result : { ...result, expected: verdict };
        return baseline?.compared(job.paths, whole) ?? whole;
      };
      const onEvent = (event: CheckEvent): void => {
        if (event.kind === 'questions')
          events.begin(index, event.properties, [...useless[index]!, ...event.diagnostics]);
        if (event.kind === 'verdict') events.verdict(index, expected(event.result));
      };
      const report = await checkModel({
        paths: job.paths,
        files: filesOf(io),
        ...(job.language === undefined ? {} : { language: job.language }),
        properties: job.properties,
        also: Object.keys(job.expect),
        options: job.options,
        // Those that begin at once have been waited for since the process began.
        budget: startBudget(job.limits, io.now, index < lanes ? io.began : io.now()),
        observer: progress,
        ...(cache === null ? {} : { memory: cache.memoryFor(job.limits) }),
        ...(queue === null ? {} : { elsewhere: queue.elsewhereFor(job.limits) }),
        ...(io.workClock === undefined ? {} : { workClock: io.workClock }),
        signal: abort.signal,
        onEvent,
        ...(hosts === null
          ? {}
          : { hosts, ...(hosts.areNeeded || index >= LOOKED_AT_HERE ? { firstLook: 0 } : {}) }),
      });
      const whole = {
        ...report,
        diagnostics: [...useless[index]!, ...report.diagnostics],
        properties: report.properties.map(expected),
      };
      reports[index] = whole;
      hosts?.end();
      events.end(index, whole);
    }
  };
  try {
    await Promise.all(Array.from({ length: lanes }, lane));
  } finally {
    forget?.();
    cache?.close();
    await queue?.close();
    await pool?.close();
  }
  // An interrupted run has reports of the models that were begun.
  return { reports: reports.filter((report) => report !== undefined), interrupted: abort.signal.aborted };
}
