// The front end in one function: a path in, a program or the reasons there is none out.

import type { Program } from '../process/program.ts';
import type { Diagnostic } from '../source/diagnostic.ts';
import type { Names } from '../source/names.ts';
import type { FileSystem } from '../source/source.ts';
import { Diagnostics } from './codes.ts';
import { type GivenFormula, type GivenTexts, givenFormulas } from './given-formulas.ts';
import { lower } from './lower.ts';
import { PromelaNames } from './names.ts';
import { parse } from './parse.ts';
import type { PreprocessOptions } from './preprocess.ts';
import { preprocess } from './preprocess.ts';
import type { Token } from './token.ts';

export interface LoadedPromela {
  /** Null exactly when some diagnostic is an error. */
  readonly program: Program | null;
  readonly diagnostics: readonly Diagnostic[];
  /** What could be understood of a model, also of one with errors; null when nobody asked. */
  readonly names: Names | null;
  /** Every file read: path → text. */
  readonly sources: ReadonlyMap<string, string>;
}

export interface LoadOptions extends PreprocessOptions, GivenTexts {
  /** Find out which names there are and where they are used. */
  readonly withNames?: boolean;
}

export function loadPromela(path: string, files: FileSystem, options: LoadOptions = {}): LoadedPromela {
  const diagnostics = new Diagnostics();
  const names = options.withNames === true ? new PromelaNames() : null;
  const text = preprocess(path, files, options, diagnostics, names);
  if (text === null) return { program: null, diagnostics: diagnostics.list, names: null, sources: new Map() };
  const given = givenFormulas(options, text.expand);
  const sources = new Map([...text.sources].map(([name, file]) => [name, file.text]));
  const program = programOf(text.tokens, given, path, diagnostics, names);
  return { program, diagnostics: diagnostics.list, names: names?.finish() ?? null, sources };
}

/**
 * Later stages work on what the ones before could read. What they find then is reported only where it does not merely follow from an earlier
 * error: nothing after a broken preprocessor (a file may be missing), and nothing about names in the text that could not be read.
 */
function programOf(
  tokens: readonly Token[],
  given: readonly GivenFormula[],
  path: string,
  diagnostics: Diagnostics,
  names: PromelaNames | null,
): Program | null {
  if (diagnostics.errors > 0) {
    if (names !== null) lower(parse(tokens, new Diagnostics(), given, names), path, new Diagnostics(), names);
    return null;
  }
  const model = parse(tokens, diagnostics, given, names);
  if (diagnostics.errors === 0) return lower(model, path, diagnostics, names);
  const further = new Diagnostics();
  lower(model, path, further, names);
  const about = ({ message }: Diagnostic): string[] =>
    [...message.matchAll(/'(\w+)'/g)].map(([, name]) => name!);
  for (const problem of further.list)
    if (STANDS_ALONE.has(problem.code) && !about(problem).some((name) => model.skipped.has(name)))
      diagnostics.list.push(problem);
  return null;
}

/** Undeclared and doubly declared names: true whatever else is wrong. */
const STANDS_ALONE: ReadonlySet<string> = new Set(['SPW1101', 'SPW1102', 'SPW1103', 'SPW1104', 'SPW1109']);
