// A Promela model ready to be executed, for the verbs that run it; what is wrong with it goes to stderr.

import { type CompileOptions, compileModel, type Model } from '../explore/compile.ts';
import { loadPromela } from '../promela/load.ts';
import { hasErrors, render } from '../source/diagnostic.ts';
import { startOf } from '../source/source.ts';
import type { ExitCode, Io, ParsedArgs } from './verb.ts';
import { EXIT, InputError, UsageError } from './verb.ts';

const EXTENSIONS = ['.pml', '.prom', '.promela'];

export const isPromela = (path: string): boolean => EXTENSIONS.some((extension) => path.endsWith(extension));

export function loadModel(
  path: string,
  args: ParsedArgs,
  io: Io,
  options: CompileOptions,
): { readonly model: Model } | { readonly exit: ExitCode } {
  if (!isPromela(path))
    throw new UsageError(`${path}: only Promela (${EXTENSIONS.join(' ')}) and .ecfsm models can be run`);
  if (io.readFile(path) === null) throw new InputError(`${path}: no such file, or not readable`);
  const loaded = loadPromela(
    path,
    { read: io.readFile },
    { defines: args.list('define'), includes: args.list('include') },
  );
  for (const diagnostic of loaded.diagnostics) io.err(`${render(diagnostic)}\n`);
  if (loaded.program === null || hasErrors(loaded.diagnostics)) return { exit: EXIT.input };
  const compiled = compileModel(loaded.program, options);
  if (compiled.ok) return { model: compiled.value };
  const { reason, reasonCode, span } = compiled.error;
  const at = span === null ? null : startOf(span);
  const where = at === null ? '' : ` (${at.file}:${at.line})`;
  io.err(`cannot run the model: ${reason}${where}\nspillway explain ${reasonCode} says more\n`);
  return { exit: EXIT.unknown };
}
