// An explored system of XState as a model that can be asked.

import { movesOf } from '../actors/run.ts';
import type { ActorSystem } from '../actors/system.ts';
import type { CheckOptions } from '../engine/options.ts';
import type { SourceFile } from '../source/source.ts';
import type { Run } from '../verdict/run.ts';
import type { ActorModel } from './actors/model.ts';

/** Takes a run on the real `createActor`; null: it happens there as it is told. */
export type ReplayReal = (moves: ReturnType<typeof movesOf>) => Promise<string | null>;

export function xstateModel(
  system: ActorSystem,
  file: SourceFile,
  formulas: Readonly<Record<string, string>>,
  options: CheckOptions,
  replay: ReplayReal,
): ActorModel {
  const scheduler = options.scheduler ?? 'in-process';
  const confirm = async (run: Run): Promise<string | null> => {
    // The steps themselves are XState's own; what is left to doubt is what was assumed about unknown data.
    if (scheduler === 'distributed')
      return run.steps.some(({ text }) => / is (?:true|false)\b.*\)/.test(text))
        ? 'it rests on what a guard says of data that is not known'
        : null;
    return replay(movesOf(run));
  };
  return { system, scheduler, sources: new Map([[file.path, file]]), formulas, confirm };
}
