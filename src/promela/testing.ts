// Helpers for tests of the front end: models as text, files as maps.

import type { Program } from '../process/program.ts';
import { render } from '../source/diagnostic.ts';
import type { FileSystem } from '../source/source.ts';
import type { LoadedPromela } from './load.ts';
import { loadPromela } from './load.ts';
import type { PreprocessOptions } from './preprocess.ts';

export const filesOf = (files: Readonly<Record<string, string>>): FileSystem => ({
  read: (path) => files[path] ?? null,
});

export function loadText(
  text: string,
  options: PreprocessOptions = {},
  more: Readonly<Record<string, string>> = {},
): LoadedPromela {
  return loadPromela('model.pml', filesOf({ ...more, 'model.pml': text }), options);
}

/** The program of a model that must be right. */
export function programOf(text: string, options: PreprocessOptions = {}): Program {
  const { program, diagnostics } = loadText(text, options);
  if (program === null) throw new Error(diagnostics.map(render).join('\n'));
  return program;
}
