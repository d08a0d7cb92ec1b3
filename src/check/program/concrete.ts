// The concrete half of the portfolio: models compiled once per capacity, and what a search that reached a limit says.

import { counted } from '../../base/counted.ts';
import type { Result } from '../../base/result.ts';
import { type CannotExecute, compileModel, type Model } from '../../explore/compile.ts';
import type { Incomplete } from '../../explore/search.ts';
import type { Statement } from '../../process/program.ts';
import type { ReasonCode } from '../../verdict/reasons.ts';
import type { Note } from '../../verdict/verdict.ts';
import type { ProgramModel } from './context.ts';

export type Capacity = 'declared' | 'unlimited';

const compiled = new WeakMap<object, Map<string, Result<Model, CannotExecute>>>();

/** The model as SPIN runs it, or with channels without limit; the number of processes is SPIN's only where its answers are asked for. */
export function concreteModel(
  { program }: ProgramModel,
  capacity: Capacity,
  processes: 'spin' | 'unlimited' = capacity === 'declared' ? 'spin' : 'unlimited',
): Result<Model, CannotExecute> {
  const known = compiled.get(program) ?? new Map<string, Result<Model, CannotExecute>>();
  compiled.set(program, known);
  const key = `${capacity} ${processes}`;
  const found = known.get(key) ?? compileModel(program, { capacity, processes });
  known.set(key, found);
  return found;
}

export function limitReason(limit: Incomplete, states: number): { reason: string; reasonCode: ReasonCode } {
  const seen = states === 0 ? 'the search had not ended' : `the search had seen ${counted(states)} states`;
  switch (limit) {
    case 'time-limit':
      return { reason: `the time was over when ${seen}`, reasonCode: 'time-limit' };
    case 'state-limit':
      return { reason: `the limit on stored states was reached: ${seen}`, reasonCode: 'state-limit' };
    case 'memory-limit':
      return { reason: `the limit on memory was reached when ${seen}`, reasonCode: 'memory-limit' };
    case 'process-limit':
      return {
        reason: `some runs were cut off: they start too many processes or channels; ${seen}`,
        reasonCode: 'state-limit',
      };
    case 'runtime-error':
      return {
        reason: `some run ends in an error of the model, and what would follow was not looked at; ${seen}`,
        reasonCode: 'runtime-error',
      };
  }
}

/** Where the search departs from SPIN about processes, said beside a verdict that rests on it. */
export function processNotes({ program, anyOrderOfDeath }: Model): Note[] {
  const starts = program.proctypes.some(({ edges }) =>
    edges.some(({ statement }) => startsProcess(statement)),
  );
  if (!anyOrderOfDeath || !starts) return [];
  const message =
    'finished processes were taken away at once; SPIN keeps each until all younger ones are gone, which nothing in this model can see';
  return [{ severity: 'hint', message }];
}

function startsProcess(statement: Statement): boolean {
  const expression =
    statement.kind === 'condition'
      ? statement.expression
      : statement.kind === 'assign'
        ? statement.value
        : null;
  return expression?.kind === 'run';
}
