// XState modules: explored in a process of their own, and asked what systems of actors are asked.

import { movesOf } from '../actors/run.ts';
import type { Loaded, WorkRequest } from '../engine/language.ts';
import type { Run } from '../verdict/run.ts';
import { loadXState, type XStateSystem } from '../xstate/load.ts';
import { actorLanguage } from './actors/language.ts';
import type { ActorModel } from './actors/model.ts';

export const xstate = actorLanguage('xstate', load);

async function load(request: WorkRequest): Promise<Loaded<ActorModel>> {
  const path = request.paths[0]!;
  const text = request.files.read(path);
  const sources = new Map(text === null ? [] : [[path, text]]);
  if (text === null)
    return {
      model: null,
      sources,
      diagnostics: [{ code: 'SPW9002', severity: 'error', message: `cannot read ${path}`, span: null }],
    };
  request.observer.stage('explore');
  const { system, diagnostics } = await loadXState({
    path,
    text,
    exportName: request.options.export ?? null,
    milliseconds: Math.min(request.budget.remaining(), MOST_EXPLORING),
    states: request.budget.maxStates,
  });
  return { model: system === null ? null : modelOf(system, request), diagnostics, sources };
}

/** Without a limit of time the exploration has one of its own. */
const MOST_EXPLORING = 300_000;

function modelOf({ system, formulas, session, file }: XStateSystem, { options }: WorkRequest): ActorModel {
  const scheduler = options.scheduler ?? 'in-process';
  const confirm = async (run: Run): Promise<string | null> => {
    // The steps themselves are XState's own; what is left to doubt is what was assumed about unknown data.
    if (scheduler === 'distributed')
      return run.steps.some(({ text }) => / is (?:true|false)\b.*\)/.test(text))
        ? 'it rests on what a guard says of data that is not known'
        : null;
    return session.replay(movesOf(run));
  };
  return {
    system,
    scheduler,
    sources: new Map([[file.path, file]]),
    formulas,
    confirm,
    dispose: () => session.close(),
  };
}
