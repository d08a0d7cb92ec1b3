// A model for a verb: its language, and the request that every part of the language takes. Verbs know no language by name.

import { apartFrom, LANGUAGES, type LanguageEntry, languageFor } from '../check/languages.ts';
import type { Language, WorkRequest } from '../engine/language.ts';
import { type Diagnostic, hasErrors, render } from '../source/diagnostic.ts';
import type { FileSystem } from '../source/source.ts';
import { analysisOptions, budgetOf } from './model-options.ts';
import { type ProgressLine, progressLine } from './progress.ts';
import type { Io, ParsedArgs } from './verb.ts';
import { InputError, UsageError } from './verb.ts';

export interface OpenedModel {
  readonly entry: LanguageEntry;
  readonly language: Language<unknown>;
  readonly request: WorkRequest;
  readonly progress: ProgressLine;
}

export const filesOf = (io: Io): FileSystem => ({
  read: io.readFile,
  ...(io.systemHeader && { systemHeader: io.systemHeader }),
});

/** Several paths only where the language composes them. */
export async function openModel(paths: readonly string[], args: ParsedArgs, io: Io): Promise<OpenedModel> {
  const [path] = paths;
  if (path === undefined) throw new UsageError('which model? give a file');
  const files = filesOf(io);
  const entries = paths.map((one) => {
    if (files.read(one) === null) throw new InputError(`${one}: no such file, or not readable`);
    const entry = languageFor(one, files, args.value('language'));
    if (entry !== null) return entry;
    const known = LANGUAGES.map(({ name }) => name).join(', ');
    throw new UsageError(`${one}: the language is not known; say it with --language: ${known}`);
  });
  const entry = entries[0]!;
  const apart = paths.length > 1 ? apartFrom(paths, (one) => entries[paths.indexOf(one)]!) : undefined;
  if (apart !== undefined)
    throw new UsageError(`give one model; ${apart}: only .lks and .aut models, and .c files, are composed`);
  const progress = progressLine(io, args.flag('quiet'));
  const request: WorkRequest = {
    paths,
    files,
    options: analysisOptions(args),
    budget: budgetOf(args, io),
    observer: progress,
  };
  return { entry, language: await entry.load(), request, progress };
}

/** Prints what is wrong with the input; true when it cannot be used. */
export function complain(diagnostics: readonly Diagnostic[], args: ParsedArgs, io: Io): boolean {
  for (const diagnostic of diagnostics)
    if (diagnostic.severity === 'error' || !args.flag('quiet')) io.err(`${render(diagnostic)}\n`);
  return hasErrors(diagnostics);
}

/** To the file that `--out` names, or to the terminal. */
export function write(text: string, args: ParsedArgs, io: Io): void {
  const target = args.value('out');
  if (target === undefined) io.out(text);
  else io.writeFile(target, text);
}
