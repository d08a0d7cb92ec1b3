// One model in, one report out: the entry point of the API and of every verb.

import { SILENT, UNLIMITED } from '../base/budget.ts';
import type { Diagnostic } from '../source/diagnostic.ts';
import type { ModelReport } from '../verdict/verdict.ts';
import type { CheckRequest } from './language.ts';
import { LANGUAGES, languageOf } from './languages.ts';

export type CheckInput = Pick<CheckRequest, 'paths' | 'files'> & Partial<CheckRequest>;

/** Never throws for what a user wrote: missing files and unknown extensions are diagnostics of the report. */
export async function checkModel(input: CheckInput): Promise<ModelReport> {
  const request: CheckRequest = {
    properties: [],
    options: {},
    budget: UNLIMITED,
    observer: SILENT,
    ...input,
  };
  const problems = inputProblems(request);
  if (problems.length > 0) return failed(request, problems);
  const language = await languageOf(request.paths[0]!)!.load();
  return language.check(request);
}

function inputProblems({ paths, files }: CheckRequest): Diagnostic[] {
  const problems: Diagnostic[] = [];
  const error = (code: Diagnostic['code'], message: string, help: string) =>
    problems.push({ code, severity: 'error', message, span: null, help });
  const known = LANGUAGES.flatMap((language) => language.extensions).join(' ');
  for (const path of paths) {
    if (languageOf(path) === null)
      error('SPW9001', `${path}: the language is not known`, `the extension tells it: one of ${known}`);
    else if (files.read(path) === null)
      error('SPW9002', `${path}: no such file, or not readable`, 'check the path; a folder is no model');
  }
  if (paths.length === 0) error('SPW9002', 'no model is given', 'name a file');
  const apart = paths.length > 1 ? paths.find((path) => !canBeComposed(path)) : undefined;
  if (problems.length === 0 && apart !== undefined)
    error(
      'SPW9004',
      `${apart}: models in this language are not composed`,
      'only several .lks or .aut files make one system; check the others one by one, without --compose',
    );
  return problems;
}

const canBeComposed = (path: string): boolean => languageOf(path)?.name === 'kripke';

const failed = (request: CheckRequest, diagnostics: readonly Diagnostic[]): ModelReport => ({
  files: request.paths,
  language: languageOf(request.paths[0] ?? '')?.name ?? 'unknown',
  properties: [],
  diagnostics,
  sources: new Map(),
});
