// The portfolio for programs of the process IR: linear programs first, then the concrete semantics. Any front end that lowers to `process`
// uses it. A new engine is a file and a line here.

import type { Engine, Portfolio } from '../../engine/engine.ts';
import type { Board } from '../../engine/fact.ts';
import type { CheckOptions } from '../../engine/options.ts';
import { controlGraphs } from '../../process/graphs.ts';
import type { Answer } from '../../verdict/answer.ts';
import type { Note } from '../../verdict/verdict.ts';
import { openAnswer } from '../reasons.ts';
import { assembleBounded, isBoundedSettled } from './bounded.ts';
import { linearBounds } from './bounded-linear.ts';
import { exactMaxima, floodingRuns } from './bounded-search.ts';
import { contextOf, type ProgramModel } from './context.ts';
import { KNOWLEDGE } from './knowledge.ts';
import { linearRanking } from './livelock-linear.ts';
import { idlingRuns } from './livelock-search.ts';
import { safetySearch } from './safety.ts';
import { temporalSearch } from './temporal.ts';

const pictures: Engine<ProgramModel> = {
  name: 'pictures',
  settles: () => false,
  run: async (task, budget, observer, learn) => {
    const { loopDependencies } = await import('./dependencies.ts');
    const dependencies = await loopDependencies(contextOf(task, budget, observer));
    learn({ kind: 'pictures', graphs: controlGraphs(task.model.program), dependencies });
  },
};

export const PROGRAM_PORTFOLIO: Portfolio<ProgramModel> = [
  { engine: linearBounds },
  { engine: linearRanking },
  { engine: safetySearch },
  { engine: floodingRuns, after: linearBounds.name },
  { engine: idlingRuns, after: linearRanking.name },
  { engine: temporalSearch },
  { engine: exactMaxima, after: floodingRuns.name },
  { engine: pictures, pictures: true },
];

/** Null for properties that one engine answers by itself. */
export function assembleProgram(property: string, board: Board, model: ProgramModel): Answer | null {
  if (property === 'bounded') return assembleBounded(board, model.program);
  if (property !== 'livelock-free') return null;
  const answer = board.definite(property) ?? openAnswer(board, property);
  const hints = (board.knowledge(KNOWLEDGE.designHints) as readonly Note[] | undefined) ?? [];
  const notes = [...hints, ...(answer.notes ?? [])];
  return { ...answer, ...(notes.length === 0 ? {} : { notes }) };
}

export const isProgramSettled = (property: string, board: Board, options: CheckOptions): boolean =>
  property === 'bounded' ? isBoundedSettled(board, options) : board.definite(property) !== null;
