// One machine, asked directly: for tests that have it at hand and need no process of their own for it.

import { movesOf } from '../actors/run.ts';
import type { Scheduler } from '../actors/system.ts';
import { type Budget, SILENT, UNLIMITED } from '../base/budget.ts';
import type { Board } from '../engine/fact.ts';
import { inlineHost, settle } from '../engine/scheduler.ts';
import { type Answer, unknown } from '../verdict/answer.ts';
import type { Declared } from '../xstate/host/declared.ts';
import type { CreateActor } from '../xstate/host/real.ts';
import { replayMoves } from '../xstate/host/replay.ts';
import { exploreMachine } from '../xstate/host/rounds.ts';
import type { XMachine } from '../xstate/host/types.ts';
import type { ActorModel } from './actors/model.ts';
import { ACTOR_PORTFOLIO } from './actors/portfolio.ts';
import { readFormula } from './actors/questions.ts';

export interface AskOptions {
  readonly scheduler?: Scheduler;
  /** What else would stand beside the machine as `export const spillway`. */
  readonly declared?: Declared;
  /** Of the user's own copy of XState: with it, runs are replayed before they are reported. */
  readonly createActor?: unknown;
  readonly maxStates?: number;
}

/** The property, or `ltl:` and a formula. */
export async function askMachine(
  machine: object,
  property: string,
  options: AskOptions = {},
): Promise<Answer> {
  const logic = machine as XMachine;
  const name = logic.id === '(machine)' ? 'machine' : logic.id;
  const { declared = {}, scheduler = 'in-process', createActor } = options;
  const explored = exploreMachine({ name, logic }, declared);
  if (!explored.ok) return unknown('too-large', `the system is too large to be explored: ${explored.limit}`);
  const { system, behaviour } = explored;
  const formula = property.startsWith('ltl:') ? property.slice('ltl:'.length) : null;
  const problem = formula === null ? undefined : readFormula(system, formula).diagnostics[0];
  if (problem !== undefined)
    throw new Error(`${problem.message}${problem.help === undefined ? '' : `: ${problem.help}`}`);
  const model: ActorModel = {
    system,
    scheduler,
    sources: new Map(),
    formulas: formula === null ? {} : { asked: formula },
    ...(createActor === undefined || scheduler === 'distributed'
      ? {}
      : {
          confirm: async (run) =>
            replayMoves({
              system,
              behaviour: behaviour!,
              machine: logic,
              createActor: createActor as CreateActor,
              moves: movesOf(run),
            }),
        }),
  };
  const id = formula === null ? property : 'ltl:asked';
  const question = {
    properties: [id],
    options: {},
    isSettled: (one: string, board: Board) => board.definite(one) !== null,
  };
  const budget: Budget = { ...UNLIMITED, maxStates: options.maxStates ?? 200_000 };
  const host = inlineHost(ACTOR_PORTFOLIO, model, {});
  const board = await settle(question, ACTOR_PORTFOLIO as never, host, budget, SILENT);
  return board.definite(id) ?? board.answers(id).at(-1) ?? unknown('time-limit');
}
