// What a check is asked, and what is wrong with the question itself.

import type { Budget, Observer } from '../base/budget.ts';
import type { Fact } from '../engine/fact.ts';
import type { CheckOptions } from '../engine/options.ts';
import type { Host } from '../engine/scheduler.ts';
import type { Diagnostic, PlacedDiagnostic } from '../source/diagnostic.ts';
import type { FileSystem } from '../source/source.ts';
import type { PropertyResult } from '../verdict/verdict.ts';
import type { Elsewhere } from './elsewhere.ts';
import { apartFrom, LANGUAGES, languageFor } from './languages.ts';
import type { AnswerMemory } from './remembered.ts';
import type { FileSnapshot } from './snapshot.ts';

export type CheckEvent =
  /** The model is read: these are the questions. */
  | {
      readonly kind: 'questions';
      readonly properties: readonly string[];
      readonly diagnostics: readonly PlacedDiagnostic[];
    }
  | { readonly kind: 'fact'; readonly fact: Fact }
  /** An answer, as soon as it is known. */
  | { readonly kind: 'verdict'; readonly result: PropertyResult };

export interface CheckInput {
  /** One model; several paths only for composed systems (`--compose`). */
  readonly paths: readonly string[];
  readonly files: FileSystem;
  /** Empty: everything that the model can be asked. */
  readonly properties?: readonly string[];
  /** To be checked beside everything else, when no properties are named. */
  readonly also?: readonly string[];
  readonly options?: CheckOptions;
  /** Instead of telling it from the file. */
  readonly language?: string;
  readonly budget?: Budget;
  readonly observer?: Observer;
  /** Aborting it ends the check: what is known by then is reported. */
  readonly signal?: AbortSignal;
  readonly onEvent?: (event: CheckEvent) => void;
  /** Where engines run after a first look in this thread; without it all of them run here. */
  readonly hosts?: HostSource;
  /** Milliseconds in this thread before other threads are asked. */
  readonly firstLook?: number;
  /** Answers that were given before, by this or another process. */
  readonly memory?: AnswerMemory;
  /** Others who are asked before anything is computed here. What they say is looked at again. */
  readonly elsewhere?: Elsewhere;
  /** Only these engines of the portfolio work. */
  readonly engines?: readonly string[];
  /** What they are measured by: processor time, where there is a clock for it, so that a busy machine changes nothing. */
  readonly workClock?: () => number;
}

/** What another thread needs to work on the same model. */
export interface RemoteModel {
  readonly language: string;
  readonly paths: readonly string[];
  readonly options: CheckOptions;
  readonly files: FileSnapshot;
}

export interface HostSource {
  /** Called once before the first model. */
  prepare?(): Promise<void>;
  hostFor(model: RemoteModel): Host;
}

export function inputProblems(input: CheckInput): Diagnostic[] {
  const { paths, files } = input;
  const problems: Diagnostic[] = [];
  const error = (code: Diagnostic['code'], message: string, help: string) =>
    problems.push({ code, severity: 'error', message, span: null, help });
  if (paths.length === 0) error('SPW9002', 'no model is given', 'name a file');
  for (const path of paths) {
    if (files.read(path) === null)
      error('SPW9002', `${path}: no such file, or not readable`, 'check the path; a folder is no model');
    else if (languageFor(path, files, input.language) === null)
      error('SPW9001', ...unknownLanguage(path, input));
  }
  if (problems.length === 0 && paths.length > 1) {
    const apart = apartFrom(paths, (path) => languageFor(path, files, input.language));
    if (apart !== undefined)
      error(
        'SPW9004',
        `${apart}: such models are not composed`,
        'several .lks or .aut files make one system, several .c files one program; check others one by one, without --compose',
      );
  }
  return problems;
}

function unknownLanguage(path: string, { language }: CheckInput): [string, string] {
  if (language !== undefined)
    return [`there is no language '${language}'`, `known: ${LANGUAGES.map((one) => one.name).join(', ')}`];
  const known = LANGUAGES.flatMap((one) => one.extensions).join(' ');
  return [
    `${path}: the language is not known`,
    `the extension tells it: one of ${known}; or say it: --language ${LANGUAGES.map((one) => one.name).join('|')}`,
  ];
}
