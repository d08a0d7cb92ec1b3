// Finished processes that stay. SPIN lets a process die after all younger ones are gone; a process that is started afterwards gets its number. So
// whoever starts processes depends on whoever may end, and the states before and after a death are different ones. Where nothing in the model can see
// the difference, a search for deadlocks and errors may leave all deaths out:
//   - nobody looks at numbers or at the number of processes (sensitive.ts), so a finished process is as good as none;
//   - a channel that dies with its process is held by younger processes only, which are gone before: it is handed on as an argument of `run`, never
//     in a message or a global variable;
//   - nothing waits for a death but deaths;
//   - nobody stops at a label that the property counts (where a program has no statement left there is none).
// The same is true of infinite runs: there are as many deaths in one as processes were started, which is not without end.
// Where processes are started without end, deaths are needed; then whoever can die does so first (docs/search.md).
// A run without deaths is a run; at a deadlock the deaths that are possible are appended. If the limits of SPIN (255 processes or channels)
// are met, where with deaths they might not be, the search is repeated with deaths.

import type { Expression } from '../../process/expression.ts';
import type { Proctype } from '../../process/program.ts';
import { walkStatement } from '../../process/walk.ts';
import type { ChoicePath } from '../acceptance.ts';
import type { Choice } from '../choices.ts';
import { compileModel, type Model } from '../compile.ts';
import { createsWithoutEnd } from '../creation.ts';
import type { Part } from '../machine.ts';
import { usesProcessNumbers } from '../sensitive.ts';
import { applyChoice, type PossibleStep, possibleSteps } from '../trail.ts';
import { pointsTo } from './points-to.ts';

/** The same model without deaths; null where that could make a difference. */
export function immortalModel(model: Model): Model | null {
  const { program, options } = model;
  if (!nobodySeesDeaths(model) || createsWithoutEnd(program)) return null;
  const compiled = compileModel(program, { ...options, immortal: true });
  return compiled.ok ? compiled.value : null;
}

/** The same model, in which whoever can die does so before anything else happens (stubborn.ts); null where that could make a difference. */
export const dyingModel = (model: Model): Model | null =>
  nobodySeesDeaths(model) ? { ...model, options: { ...model.options, deathsFirst: true } } : null;

function nobodySeesDeaths({ program, features, claim, anyOrderOfDeath }: Model): boolean {
  if (anyOrderOfDeath || usesProcessNumbers(program, features)) return false;
  if (claim !== null && looksAtProcesses(claim)) return false;
  const stops = program.proctypes.flatMap(({ locations }) => locations.filter(({ isFinal }) => isFinal));
  if (stops.some(({ isAccept, isProgress }) => isAccept || isProgress)) return false;
  return !pointsTo(program).localChannelsEscape;
}

function looksAtProcesses(claim: Proctype): boolean {
  let found = false;
  const see = ({ kind }: Expression): void => {
    found ||= kind === '_nr_pr' || kind === 'remote-label' || kind === 'remote-read';
  };
  for (const { statement } of claim.edges) walkStatement(statement, { expression: see });
  return found;
}

/** The run, taken on the model as it is, with the deaths that follow. */
export function withDeaths(model: Model, choices: readonly Choice[], part: Part = 'both'): Choice[] {
  const result = [...choices];
  model.machine.initial();
  const next = (): PossibleStep | undefined => possibleSteps(model, part)[0];
  const take = (choice: Choice): boolean => applyChoice(model, choice, undefined, part);
  for (const choice of choices) take(choice);
  for (let step = next(); step !== undefined; step = next()) {
    const { choice } = step;
    if (!isEnd(model, choice) || !take(choice)) break;
    result.push(choice);
  }
  return result;
}

/** A run of the model without deaths after which nothing moves: on the model as it is processes still die, which nobody sees. */
export function stillPath(model: Model, path: ChoicePath): ChoicePath {
  const { steps, loopStart } = path;
  const stillFrom = steps.findLastIndex((step) => step.length > 0) + 1;
  // Where the claim has ended the last step is the claim's alone.
  if (stillFrom > (loopStart ?? steps.length - 2)) return path;
  const taken = steps.flat();
  const deaths = withDeaths(model, taken, 'system')
    .slice(taken.length)
    .map((death) => [death]);
  return {
    steps: [...steps.slice(0, stillFrom), ...deaths, ...steps.slice(stillFrom)],
    loopStart: loopStart === null ? null : loopStart + deaths.length,
  };
}

function isEnd({ machine, program }: Model, [process, edge]: Choice): boolean {
  const type = machine.cells[machine.frames[process]!]!;
  return program.proctypes[type]!.edges[edge]!.statement.kind === 'end';
}
