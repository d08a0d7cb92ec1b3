// A recorded run, taken again step by step on the structures it is about.

import { loadModel } from '../kripke/load.ts';
import { replayRun } from '../kripke/run.ts';
import { compose } from '../kripke/system.ts';
import type { Diagnostic } from '../source/diagnostic.ts';
import type { FileSystem } from '../source/source.ts';
import type { Run } from '../verdict/run.ts';

export type KripkeReplay =
  | { readonly kind: 'replayed'; readonly run: Run; readonly failedAt: number | null }
  | { readonly kind: 'errors'; readonly diagnostics: readonly Diagnostic[] };

/** Several paths are one composed system, as for the check. */
export function replayKripke(
  recorded: Run,
  paths: readonly string[],
  files: FileSystem,
  defines: readonly string[],
): KripkeReplay {
  const { model, diagnostics } = loadModel(paths, files, defines);
  if (model === null) return { kind: 'errors', diagnostics };
  return { kind: 'replayed', ...replayRun(compose(model.components), recorded) };
}
