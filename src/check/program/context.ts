// What every analysis of one program shares. A program may come from Promela or from any other front end that lowers to `process`.

import type { Budget, Observer } from '../../base/budget.ts';
import type { Task } from '../../engine/engine.ts';
import type { CheckOptions } from '../../engine/options.ts';
import type { Program } from '../../process/program.ts';

/** The model that the engines of this folder take: any language whose models hold a program can use them. */
export interface ProgramModel {
  readonly program: Program;
}

export interface ProgramContext {
  readonly program: Program;
  readonly options: CheckOptions;
  readonly budget: Budget;
  readonly observer: Observer;
}

export const contextOf = (
  { model, options }: Task<ProgramModel>,
  budget: Budget,
  observer: Observer,
): ProgramContext => ({ program: model.program, options, budget, observer });
