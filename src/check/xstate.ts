// XState modules: explored in a process of their own, and asked what systems of actors are asked.

import { basename, dirname, relative } from 'node:path';
import { coveringRuns } from '../actors/covering.ts';
import { movesOf } from '../actors/run.ts';
import type { Converted, Language, Loaded, TestsRequest, WorkRequest } from '../engine/language.ts';
import { loadXState, type XStateSystem } from '../xstate/load.ts';
import { testText } from '../xstate/test-text.ts';
import { actorLanguage } from './actors/language.ts';
import type { ActorModel } from './actors/model.ts';
import { xstateModel } from './xstate-model.ts';

export const xstate: Language<ActorModel> = { ...actorLanguage('xstate', load), tests };

/** Runs as vitest tests, beside the module. */
async function tests(request: TestsRequest): Promise<Converted> {
  const loaded = await load({ ...request, options: { ...request.options, scheduler: 'in-process' } });
  if (loaded.model === null) return { text: null, diagnostics: loaded.diagnostics };
  loaded.model.dispose?.();
  const { system } = loaded.model;
  const runs =
    request.runs.length > 0
      ? request.runs.map((run) => ({ title: run.title, moves: movesOf(run) }))
      : coveringRuns(system, 'in-process', request.budget).map((moves, index) => ({
          title: `run ${index + 1}`,
          moves,
        }));
  const path = request.paths[0]!;
  const from = request.out === null ? basename(path) : relative(dirname(request.out), path);
  const module = from.startsWith('.') ? from : `./${from}`;
  const text = testText(system, runs, { module, exportName: request.options.export ?? null });
  return { text, diagnostics: loaded.diagnostics };
}

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

const modelOf = (
  { system, formulas, session, file }: XStateSystem,
  { options }: WorkRequest,
): ActorModel => ({
  ...xstateModel(system, file, formulas, options, (moves) => session.replay(moves)),
  dispose: () => session.close(),
});
