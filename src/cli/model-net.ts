// Verbs that look at the counting abstraction of a Promela model: load, abstract, and the facts about its code.

import { languageOf } from '../check/languages.ts';
import { buildNet } from '../net/build.ts';
import { loadPromela } from '../promela/load.ts';
import { codeContext } from '../refinement/context.ts';
import { Facts } from '../refinement/rows.ts';
import { hasErrors, render } from '../source/diagnostic.ts';
import type { Io, ParsedArgs } from './verb.ts';
import { UsageError } from './verb.ts';

/** Null when the model has errors, which have been printed, or cannot be seen through. */
export function loadFacts(args: ParsedArgs, io: Io, idealIntegers = false): Facts | null {
  const [path, ...more] = args.positional;
  if (path === undefined || more.length > 0) throw new UsageError('give one model');
  if (languageOf(path) !== null && languageOf(path)?.name !== 'promela')
    throw new UsageError(`${path}: only Promela models have cycles of statements to look at`);
  const loaded = loadPromela(
    path,
    { read: io.readFile },
    { defines: args.list('define'), includes: args.list('include') },
  );
  for (const diagnostic of loaded.diagnostics) io.err(`${render(diagnostic)}\n`);
  if (loaded.program === null || hasErrors(loaded.diagnostics)) return null;
  const { net, unknowns, diagnostics } = buildNet(loaded.program, { progress: args.list('progress') });
  for (const diagnostic of diagnostics) io.err(`${render(diagnostic)}\n`);
  for (const { reason } of unknowns) io.err(`${path}: ${reason}\n`);
  if (unknowns.length > 0 || hasErrors(diagnostics)) return null;
  const context = codeContext(loaded.program, net, idealIntegers);
  return context && new Facts(context);
}
