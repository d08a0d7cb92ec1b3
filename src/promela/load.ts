// The front end in one function: a path in, a program or the reasons there is none out.

import type { Program } from '../process/program.ts';
import type { Diagnostic } from '../source/diagnostic.ts';
import type { FileSystem } from '../source/source.ts';
import { Diagnostics } from './codes.ts';
import { type GivenFormula, type GivenTexts, givenFormulas } from './given-formulas.ts';
import { lower } from './lower.ts';
import { parse } from './parse.ts';
import type { PreprocessOptions } from './preprocess.ts';
import { preprocess } from './preprocess.ts';
import type { Token } from './token.ts';

export interface LoadedPromela {
  /** Null exactly when some diagnostic is an error. */
  readonly program: Program | null;
  readonly diagnostics: readonly Diagnostic[];
  /** Every file read: path → text. */
  readonly sources: ReadonlyMap<string, string>;
}

export interface LoadOptions extends PreprocessOptions, GivenTexts {}

export function loadPromela(path: string, files: FileSystem, options: LoadOptions = {}): LoadedPromela {
  const diagnostics = new Diagnostics();
  const text = preprocess(path, files, options, diagnostics);
  if (text === null) return { program: null, diagnostics: diagnostics.list, sources: new Map() };
  const given = givenFormulas(options, text.expand);
  const sources = new Map([...text.sources].map(([name, file]) => [name, file.text]));
  const program = programOf(text.tokens, given, path, diagnostics);
  return { program, diagnostics: diagnostics.list, sources };
}

/** Each stage runs only when the one before found nothing wrong: no errors that merely follow from others. */
function programOf(
  tokens: readonly Token[],
  given: readonly GivenFormula[],
  path: string,
  diagnostics: Diagnostics,
): Program | null {
  if (diagnostics.errors > 0) return null;
  const model = parse(tokens, diagnostics, given);
  return diagnostics.errors > 0 ? null : lower(model, path, diagnostics);
}
