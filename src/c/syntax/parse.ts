// Text to AST: preprocess, then read declarations to the end.

import { TimeOver } from '../../base/budget.ts';
import type { Result } from '../../base/result.ts';
import { err, ok } from '../../base/result.ts';
import type { Diagnostic } from '../../source/diagnostic.ts';
import { hasErrors } from '../../source/diagnostic.ts';
import type { SourceFile } from '../../source/source.ts';
import { Refusal, tooDeep } from '../text/codes.ts';
import type { PreprocessOptions } from '../text/preprocess.ts';
import { preprocess } from '../text/preprocess.ts';
import type { TopLevel } from './ast.ts';
import { Cursor } from './cursor.ts';
import { parseTopLevel } from './declarations.ts';

export interface Unit {
  readonly file: SourceFile;
  readonly items: readonly TopLevel[];
  /** Every file that was read, for excerpts. */
  readonly sources: readonly SourceFile[];
  readonly dataModel: 'ILP32' | 'LP64';
  /** The time was over before it was read: nothing is known of it. */
  readonly isUnread?: true;
}

export const parseC = async (
  file: SourceFile,
  options: PreprocessOptions,
): Promise<Result<Unit, readonly Diagnostic[]>> => parseNow(file, options);

export function parseNow(file: SourceFile, options: PreprocessOptions): Result<Unit, readonly Diagnostic[]> {
  const dataModel = options.dataModel ?? 'LP64';
  try {
    const source = preprocess(file, options);
    if (hasErrors(source.diagnostics)) return err(source.diagnostics);
    const cursor = new Cursor(source.tokens, options.watch);
    const items: TopLevel[] = [];
    while (!cursor.atEnd) {
      const item = parseTopLevel(cursor);
      if (item !== null) items.push(item);
    }
    return ok({ file, items, sources: source.sources, dataModel });
  } catch (error) {
    if (error instanceof TimeOver) return ok({ file, items: [], sources: [], dataModel, isUnread: true });
    if (error instanceof Refusal) return err([error.diagnostic]);
    if (error instanceof RangeError) return err([tooDeep(file)]);
    throw error;
  }
}
