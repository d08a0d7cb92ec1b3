// The engine, away from the page: reads, checks and audits models, and draws the report. It is ended, not asked, when the user cancels:
// what it had said by then is already in the page.

import { DEFAULT_LIMITS, type Observer, startBudget } from '../src/base/budget.ts';
import { checkModel } from '../src/check/check.ts';
import { languageFor } from '../src/check/languages.ts';
import type { RunData } from '../src/report/html/client/run-viewer.ts';
import { modelSection } from '../src/report/html/page.ts';
import type { FileSystem } from '../src/source/source.ts';
import type { ModelReport } from '../src/verdict/verdict.ts';
import type { Answer, Model, Request } from './messages.ts';

const PROGRESS_EVERY = 100;
const MOST_STATES = 3_000_000;
const MEGABYTES = 700;

const tell = (answer: Answer): void => (self as unknown as Worker).postMessage(answer);
const now = (): number => performance.now();

const filesOf = ({ files }: Model): FileSystem => ({
  read: (path) => (Object.hasOwn(files, path) ? files[path]! : null),
});

function observer(): Observer {
  let last = 0;
  let stage = '';
  const say = (text: string, always: boolean): void => {
    if (!always && now() - last < PROGRESS_EVERY) return;
    last = now();
    tell({ kind: 'progress', text });
  };
  return {
    stage: (name) => {
      stage = name;
      say(name, true);
    },
    progress: (text) => say(`${stage}: ${text}`, false),
    now,
  };
}

async function check({ model, limits }: Extract<Request, { kind: 'check' }>): Promise<void> {
  const report = await checkModel({
    paths: [model.path],
    files: filesOf(model),
    options: { explain: true, exact: limits.exact },
    budget: startBudget({ timeout: limits.timeout, maxStates: MOST_STATES, maxMemory: MEGABYTES }, now),
    observer: observer(),
    onEvent: (event) => {
      if (event.kind === 'questions') {
        tell({ kind: 'diagnostics', diagnostics: event.diagnostics });
        tell({ kind: 'questions', properties: event.properties });
      }
      if (event.kind === 'verdict')
        tell({ kind: 'verdict', property: event.result.id, verdict: event.result.verdict });
    },
  });
  tell({ kind: 'diagnostics', diagnostics: report.diagnostics });
  const { runs, html } = render(report, new Map());
  tell({ kind: 'report', isFirst: true, report, html, runs });
  if ((report.graphs ?? []).length === 0) return;
  // Pictures take longer than most checks: the report is shown again with them.
  const { drawGraphs } = await import('../src/report/html/pictures.ts');
  tell({ kind: 'report', isFirst: false, report, ...render(report, await drawGraphs([report])) });
}

function render(
  report: ModelReport,
  pictures: Parameters<typeof modelSection>[2],
): { html: string; runs: RunData[] } {
  const runs: RunData[] = [];
  const { html } = modelSection(report, 0, pictures, runs);
  return { html, runs };
}

async function audit({ model, property, certificate }: Extract<Request, { kind: 'audit' }>): Promise<void> {
  const language = await languageFor(model.path, filesOf(model))?.load();
  if (language?.audit === undefined) throw new Error('certificates of this language are not checked here');
  const budget = startBudget({ ...DEFAULT_LIMITS, maxMemory: MEGABYTES }, now);
  const request = { paths: [model.path], files: filesOf(model), options: {}, budget, observer: observer() };
  tell({ kind: 'audited', property, audited: await language.audit(certificate, request) });
}

const HANDLERS = { check, audit } as const;

self.addEventListener('message', ({ data }: MessageEvent<Request>) => {
  const handle = HANDLERS[data.kind] as (request: Request) => Promise<void>;
  handle(data).catch((error: unknown) =>
    tell({ kind: 'failed', message: error instanceof Error ? error.message : String(error) }),
  );
});
tell({ kind: 'ready' });
