// The language service beside the engine, in a worker of its own: it answers while one types, also while a check is at work.

import { completions } from '../src/service/completion.ts';
import { Findings } from '../src/service/findings.ts';
import { hover } from '../src/service/hover.ts';
import { LanguageService, type Understanding } from '../src/service/service.ts';
import { placed } from '../src/source/diagnostic.ts';
import type { ModelReport } from '../src/verdict/verdict.ts';
import type { Model, ReaderAnswer, ReaderRequest } from './messages.ts';

let files: Readonly<Record<string, string>> = {};
let report: ModelReport | null = null;
const service = new LanguageService({
  read: (path) => (Object.hasOwn(files, path) ? files[path]! : null),
});

/** Null for what is no model, and for modules, which are understood by running them. */
function understand(model: Model): Promise<Understanding | null> {
  files = model.files;
  service.forgetAll();
  return service.understand(model.path);
}

async function answer(request: ReaderRequest): Promise<ReaderAnswer> {
  const { id, model } = request;
  if (request.kind === 'know') report = request.report;
  const understood = await understand(model);
  if (understood === null) return { id, kind: 'nothing' };
  switch (request.kind) {
    case 'know':
      return { id, kind: 'nothing' };
    case 'read':
      return { id, kind: 'diagnostics', diagnostics: understood.diagnostics.map(placed) };
    case 'complete':
      return { id, kind: 'completions', list: completions(understood, model.path, request.offset) };
    case 'hover': {
      const found = hover(understood, model.path, request.offset, findingsOn(understood));
      if (found === null) return { id, kind: 'nothing' };
      const { start, end } = found.span;
      return { id, kind: 'hover', start, end, markdown: found.markdown };
    }
  }
}

/** What the last check found out; the names it is about are those of the text as it is now. */
function findingsOn({ index }: Understanding): Findings | null {
  if (report === null) return null;
  const results = new Map(report.properties.map((result) => [result.id, result]));
  return new Findings('done', results, report, index);
}

let last: Promise<void> = Promise.resolve();

// One after the other: each is about the text it came with.
self.addEventListener('message', ({ data }: MessageEvent<ReaderRequest>) => {
  const tell = (said: ReaderAnswer): void => (self as unknown as Worker).postMessage(said);
  // What cannot be understood is the engine's to say: a reader that fails has nothing to say.
  last = last.then(() => answer(data)).then(tell, () => tell({ id: data.id, kind: 'nothing' }));
});
