// Promela text to a machine in one call, for tests.

import { loadPromela } from '../promela/load.ts';
import type { CompileOptions, Model } from './compile.ts';
import { compileModel } from './compile.ts';

/** Throws with the diagnostics when the text is not a model that can be executed. */
export function modelOf(text: string, options: CompileOptions = {}): Model {
  const { program, diagnostics } = loadPromela('test.pml', {
    read: (path) => (path === 'test.pml' ? text : null),
  });
  if (program === null) throw new Error(diagnostics.map((diagnostic) => diagnostic.message).join('; '));
  const compiled = compileModel(program, options);
  if (!compiled.ok) throw new Error(compiled.error.reason);
  return compiled.value;
}
