// The process in which a worker's questions are worked on. It may run out of memory or be killed: its parent lives on, keeps the job's lock and says
// what happened. Engines run on a thread of this process, so that a cancellation is heard.

import { SILENT, startBudget } from '../base/budget.ts';
import { checkModel } from '../check/check.ts';
import type { Answered } from '../check/elsewhere.ts';
import { filesOf } from '../check/snapshot.ts';
import { threadPool } from '../workers/thread-pool.ts';
import type { FromChild, QuestionData, ToChild } from './messages.ts';

const PROGRESS_EVERY = 500;

const pool = threadPool(1);
const now = (): number => performance.now();
let abort: AbortController | null = null;

const say = (message: FromChild): void => void process.send?.(message);

process.on('message', (message: ToChild) => {
  if (message.kind === 'cancel') return abort?.abort();
  abort = new AbortController();
  answer(message.question, abort.signal).then(
    (answered) => say({ kind: 'answer', answer: answered }),
    (error: unknown) =>
      say({ kind: 'failed', message: error instanceof Error ? error.message : String(error) }),
  );
});
// Without its parent it works for nobody.
process.on('disconnect', () => process.exit(0));
// Ctrl-C in a terminal reaches the whole group; the parent decides.
process.on('SIGINT', () => {});

async function answer(
  { model, properties, limits, engines }: QuestionData,
  signal: AbortSignal,
): Promise<Answered> {
  let last = 0;
  const tell = (text: string): void => {
    if (now() - last < PROGRESS_EVERY) return;
    last = now();
    say({ kind: 'progress', text });
  };
  const report = await checkModel({
    paths: model.paths,
    files: filesOf(model.files),
    language: model.language,
    options: model.options,
    properties,
    budget: startBudget(limits, now),
    observer: { ...SILENT, now, stage: tell, progress: tell },
    hosts: pool,
    workClock: () => {
      const { user, system } = process.cpuUsage();
      return (user + system) / 1000;
    },
    signal,
    ...(engines === undefined ? {} : { engines }),
  });
  const { graphs, dependencies, formula } = report;
  const pictures = {
    ...(graphs === undefined ? {} : { graphs }),
    ...(dependencies === undefined ? {} : { dependencies }),
    ...(formula === undefined ? {} : { formula }),
  };
  return { results: report.properties, diagnostics: report.diagnostics, pictures };
}
