// XState in a browser (package.json's `imports`): configurations as JSON, which hold no code, are explored on the spot, by a copy of XState that
// comes along. A module is somebody's program: it needs a process of its own, and so Node.

import { EXPLORE_LIMITS } from '../actors/explore.ts';
import type { Language, Loaded, WorkRequest } from '../engine/language.ts';
import type { Diagnostic } from '../source/diagnostic.ts';
import { SourceFile } from '../source/source.ts';
import { machineFromJson } from '../xstate/host/from-json.ts';
import type { CreateActor } from '../xstate/host/real.ts';
import { replayMoves } from '../xstate/host/replay.ts';
import { exploreMachine } from '../xstate/host/rounds.ts';
import { jsonHints, jsonProblem } from '../xstate/json.ts';
import { locate } from '../xstate/locate.ts';
import { actorLanguage } from './actors/language.ts';
import type { ActorModel } from './actors/model.ts';
import { xstateModel } from './xstate-model.ts';

export const xstate: Language<ActorModel> = actorLanguage('xstate', load);

const NEEDS_NODE: Diagnostic = {
  code: 'SPW9001',
  severity: 'error',
  message: 'modules of XState run inside Node, not inside a browser',
  span: null,
  help: 'check the file on the command line (spillway check FILE), or its configuration as JSON here (NAME.machine.json)',
};

async function load(request: WorkRequest): Promise<Loaded<ActorModel>> {
  const path = request.paths[0]!;
  const file = new SourceFile(path, request.files.read(path) ?? '');
  const sources = new Map([[path, file.text]]);
  const wrong = (diagnostic: Diagnostic): Loaded<ActorModel> => ({
    model: null,
    sources,
    diagnostics: [diagnostic],
  });
  if (!path.endsWith('.json')) return wrong(NEEDS_NODE);
  const problem = jsonProblem(file);
  if (problem !== null) return wrong(problem);
  request.observer.stage('explore');
  try {
    const model = await modelOf(file, request);
    return typeof model === 'string'
      ? wrong(notExplored(model))
      : { model, sources, diagnostics: jsonHints(file) };
  } catch (error) {
    // What XState says of a configuration that makes no sense to it.
    const message = `the machine cannot be made: ${error instanceof Error ? error.message : String(error)}`;
    return wrong({ code: 'SPW7004', severity: 'error', message, span: null });
  }
}

const notExplored = (limit: string): Diagnostic => ({
  code: 'SPW7020',
  severity: 'error',
  message: `the system is too large to be explored: ${limit}`,
  span: null,
});

/** The model, or the limit that was met. */
async function modelOf(file: SourceFile, { options, budget }: WorkRequest): Promise<ActorModel | string> {
  const xstate = await import('xstate');
  const machine = machineFromJson(file.text, xstate as never);
  const name = machine.id === '(machine)' ? file.path.replace(/\.machine\.json$/, '') : machine.id;
  const found = exploreMachine({ name, logic: machine }, {}, { ...EXPLORE_LIMITS, goOn: budget.timeLeft });
  if (!found.ok) return found.limit;
  const explored = { system: found.system, behaviour: found.behaviour! };
  const createActor = xstate.createActor as unknown as CreateActor;
  return xstateModel(locate(found.system, [file]), file, {}, options, async (moves) =>
    replayMoves({ ...explored, machine, createActor, moves }),
  );
}
