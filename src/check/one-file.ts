// Languages whose model is one file: read, or said that it cannot be.

import type { Loaded, WorkRequest } from '../engine/language.ts';
import type { Diagnostic } from '../source/diagnostic.ts';
import { SourceFile } from '../source/source.ts';

interface Parsed<Model> {
  readonly model: Model | null;
  readonly diagnostics: readonly Diagnostic[];
}

export function readOneFile<Model>(
  { paths, files }: Pick<WorkRequest, 'paths' | 'files'>,
  parse: (file: SourceFile) => Parsed<Model>,
): Loaded<Model> {
  const path = paths[0]!;
  const text = files.read(path);
  if (text === null) {
    const missing = {
      code: 'SPW9002',
      severity: 'error',
      message: `cannot read ${path}`,
      span: null,
    } as const;
    return { model: null, diagnostics: [missing], sources: new Map() };
  }
  return { ...parse(new SourceFile(path, text)), sources: new Map([[path, text]]) };
}

/** What is made of a model, with the same diagnostics. */
export const mapped = <A, B>({ model, ...rest }: Loaded<A>, to: (model: A) => B): Loaded<B> => ({
  ...rest,
  model: model === null ? null : to(model),
});
