// Takes a recorded run again on the concrete semantics. The model may have changed since, and a file may say anything: every step is
// checked, and what the run is said to show is judged anew. A loop must close or pump, a stuck end be stuck, the failing step fail, and
// a loop without progress have none.

import type { Run, Standing, Step } from '../verdict/run.ts';
import type { Choice } from './choices.ts';
import type { Model } from './compile.ts';
import { describe } from './describe.ts';
import { FAULT, FAULT_MESSAGES, type FaultCode, faultText, isLimit, isPassable } from './faults.ts';
import { FLAG } from './machine.ts';
import { pump } from './pumping.ts';
import { restingFrom } from './stuck.ts';
import { SIMULATION, TITLES } from './titles.ts';
import { applyChoice, possibleSteps } from './trail.ts';

export interface Replayed {
  /** As it happens on this model now. */
  readonly run: Run;
  /** Index of the first step that this model does not allow; null when the whole run is possible. */
  readonly failedAt: number | null;
  /** The steps are possible, but what the run is said to show does not happen: why. */
  readonly refused?: string;
  /** Where the living processes are at the end, when the whole run is possible. */
  readonly standing?: readonly Standing[];
}

export function replay(model: Model, recorded: Run): Replayed {
  const choices = recorded.steps.map(choiceOf);
  const { title, loopStart } = recorded;
  const growth = recorded.growth === undefined ? {} : { growth: recorded.growth };
  const explain = title === TITLES.stuck || recorded.blocked !== undefined;
  const described = describe(model, choices, { title, loopStart, explain });
  const last = recorded.steps.length - 1;
  // A run that ends in a runtime error ends with a step that has no successor.
  const mayFail = !described.ok && described.failedAt === last;
  const result = mayFail ? describe(model, choices, { title, loopStart, failing: true }) : described;
  const run = { ...onlyBlockedOf(recorded, result.run), ...growth };
  if (!result.ok) return { run, failedAt: result.failedAt };
  const fault = faultOfLast(model, choices);
  if (mayFail && fault === 0) return { run, failedAt: last };
  const refused = whyRefused(model, recorded, choices, fault);
  const { standing } = result;
  return refused === null ? { run, failedAt: null, standing } : { run, failedAt: null, standing, refused };
}

/** A run may be about one blocked process while others go on, or rest where they may: those are not what it shows. */
function onlyBlockedOf(recorded: Run, run: Run): Run {
  if (recorded.title === TITLES.stuck || run.blocked === undefined) return run;
  const meant = new Set(recorded.blocked?.processes.map(({ process }) => process));
  const { processes, circularWait } = run.blocked;
  return {
    ...run,
    blocked: { processes: processes.filter(({ process }) => meant.has(process)), circularWait },
  };
}

/** The machine after the first so many steps; the run is known to be possible. */
function runTo(model: Model, choices: readonly Choice[], steps = choices.length): void {
  model.machine.initial();
  for (const choice of choices.slice(0, steps)) applyChoice(model, choice);
}

/** What goes wrong in the last step; 0 for nothing. */
function faultOfLast(model: Model, choices: readonly Choice[]): number {
  if (choices.length === 0) return 0;
  runTo(model, choices, choices.length - 1);
  const last = choices.at(-1)!;
  const taken = possibleSteps(model).filter(({ choice, fault }) => {
    // Where a handshake fails, only the one who fails is named.
    const names = fault !== 0 && !isPassable(fault) ? 2 : 4;
    return last.slice(0, names).every((value, i) => value === choice[i]);
  });
  return taken.find(({ fault }) => fault !== 0)?.fault ?? 0;
}

/** Null when the run shows what its title says, as far as a title can be judged. */
function whyRefused(model: Model, recorded: Run, choices: readonly Choice[], fault: number): string | null {
  const { title, loopStart } = recorded;
  if (title.startsWith(SIMULATION)) return null;
  if (loopStart !== null) return whyNoLoop(model, recorded, choices, loopStart);
  if (title === TITLES.stuck) return whyNotStuck(model, choices);
  if (title === TITLES.blockedForEver) return whyNotBlocked(model, choices);
  const expected = title === TITLES.assertion ? 'assertion violated' : title;
  const failed = fault === 0 ? null : faultText(fault as FaultCode);
  if (expected === failed) return null;
  if (title === TITLES.assertion || FAULT_TITLES.has(title))
    return failed === null ? 'the last step does not fail' : `the last step fails otherwise: ${failed}`;
  return null;
}

function whyNotStuck(model: Model, choices: readonly Choice[]): string | null {
  runTo(model, choices);
  if (possibleSteps(model).length > 0) return 'at its end some process can move';
  const isValid = (model.machine.flags() & FLAG.validEnd) !== 0;
  return isValid ? 'at its end every process stands at a valid end' : null;
}

function whyNotBlocked(model: Model, choices: readonly Choice[]): string | null {
  runTo(model, choices);
  return restingFrom(model).length === 0 ? 'every process that may not stop can move again' : null;
}

function whyNoLoop(
  model: Model,
  { title, growth = [] }: Run,
  choices: readonly Choice[],
  loopStart: number,
): string | null {
  const prefix = choices.slice(0, loopStart);
  const loop = choices.slice(loopStart);
  if (loop.length === 0) return 'nothing repeats in it';
  const isIdle = title.startsWith(TITLES.idle) || title.startsWith(TITLES.idleCycle);
  const hasLabels = model.program.proctypes.some(({ locations }) => locations.some((one) => one.isProgress));
  runTo(model, choices, loopStart);
  const before = model.machine.copy();
  runTo(model, choices);
  const closes = before.join() === model.machine.copy().join();
  // Steps chosen as progress on the command line are not known here: then only that the loop repeats is judged.
  const progress = isIdle && hasLabels ? ({ kind: 'labels' } as const) : null;
  if (closes && growth.length === 0 && progress === null) return null;
  const ignored = { kind: 'steps', isProgress: () => false } as const;
  const options = { allowNewProcesses: true, progress: progress ?? (growth.length > 0 ? null : ignored) };
  const pumped = pump(model, { prefix, loop }, options);
  if (pumped === null)
    return closes ? 'there is progress in what repeats' : 'what is said to repeat cannot be taken for ever';
  const { machine, layout } = model;
  const grown = new Set(
    [...pumped.growth.keys()].map((channel) => layout.queueNames[machine.nameOfChannel[channel - 1]!]!.name),
  );
  const missing = growth.find(({ queue }) => !grown.has(queue));
  return missing === undefined ? null : `'${missing.queue}' does not grow`;
}

const FAULT_TITLES: ReadonlySet<string> = new Set(FAULT_MESSAGES);
/** Without those that are limits: they say nothing about the model. */
const ERROR_TITLES: ReadonlySet<string> = new Set(
  Object.values(FAULT)
    .filter((code) => !isLimit(code))
    .map(faultText),
);

const choiceOf = ({ choice }: Step): Choice => [
  choice[0] ?? -1,
  choice[1] ?? -1,
  choice[2] ?? -1,
  choice[3] ?? -1,
];

/**
 * Is what `replay` judges all that refutes the property? Runs of formulas and of chosen progress are judged by their steps only. Stuck and
 * failing runs must be of the declared capacities, or they show another model.
 */
export function showsByItself(property: string, { title, queues, loopStart, growth = [] }: Run): boolean {
  const isOfDeclared = queues.every(({ capacity }) => capacity !== null);
  switch (property) {
    case 'deadlock-free':
      return isOfDeclared && loopStart === null && title === TITLES.stuck;
    case 'assertions':
      return isOfDeclared && loopStart === null && (title === TITLES.assertion || ERROR_TITLES.has(title));
    case 'bounded':
      return loopStart !== null && growth.length > 0;
    default:
      return false;
  }
}
