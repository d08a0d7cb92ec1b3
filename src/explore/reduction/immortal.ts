// Finished processes that stay. SPIN lets a process die after all younger ones are gone; a process that is started afterwards gets its number. So
// whoever starts processes depends on whoever may end, and the states before and after a death are different ones. Where nothing in the model can see
// the difference, a search for deadlocks and errors may leave all deaths out:
//   - nobody looks at numbers or at the number of processes (sensitive.ts), so a finished process is as good as none;
//   - a channel that dies with its process is held by younger processes only, which are gone before: it is handed on as an argument of `run`, never
//     in a message or a global variable; and nobody looks at its number (channel-numbers.ts);
//   - nothing waits for a death but deaths;
//   - nobody stops at a label that the property counts (where a program has no statement left there is none).
// The same is true of infinite runs: there are as many deaths in one as processes were started, which is not without end.
// Where processes are started without end, deaths are needed; then whoever can die does so first (docs/search.md).
// A run without deaths is a run, but for timeouts, which wait for deaths, too: those that are possible come before; at a deadlock they are appended. If the limits of SPIN (255 processes or channels)
// are met, where with deaths they might not be, the search is repeated with deaths.

import type { ChoicePath } from '../acceptance.ts';
import { type Choice, isSameChoice } from '../choices.ts';
import { compileModel, type Model } from '../compile.ts';
import { createsWithoutEnd } from '../creation.ts';
import { HEADER } from '../layout.ts';
import type { Part } from '../machine.ts';
import type { Loop } from '../pumping.ts';
import { usesProcessNumbers } from '../sensitive.ts';
import { applyChoice, type PossibleStep, possibleSteps } from '../trail.ts';
import { seesChannelNumbers } from './channel-numbers.ts';
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
  if (anyOrderOfDeath || usesProcessNumbers(program, features, claim)) return false;
  const stops = program.proctypes.flatMap(({ locations }) => locations.filter(({ isFinal }) => isFinal));
  if (stops.some(({ isAccept, isProgress }) => isAccept || isProgress)) return false;
  const channels = pointsTo(program);
  return !channels.localChannelsEscape && !seesChannelNumbers(program, channels);
}

/** A run of the model without deaths, to an error or to where nothing moves, as one of the model as it is. */
export function withDeaths(model: Model, choices: readonly Choice[], isStuck: boolean): Choice[] {
  if (!isStuck && !model.features.timeout) return [...choices];
  const run = new MortalRun(model, 'both');
  const taken = choices.flatMap((choice) => run.take(choice));
  return isStuck ? [...taken, ...run.deaths()] : taken;
}

/** The same of a run that repeats: whoever can die does so before the loop, for nobody does in it. */
export function loopWithDeaths(model: Model, { prefix, loop }: Loop): Loop {
  if (!model.features.timeout) return { prefix, loop };
  const run = new MortalRun(model, 'both');
  const before = [...prefix.flatMap((choice) => run.take(choice)), ...run.deaths()];
  return { prefix: before, loop: loop.flatMap((choice) => run.take(choice)) };
}

/** The same of a path beside a claim. Where nothing moves any more on it processes still die, which nobody sees. */
export function stillPath(model: Model, path: ChoicePath): ChoicePath {
  const stillFrom = path.steps.findLastIndex((step) => step.length > 0) + 1;
  // Where the claim has ended the last step is the claim's alone.
  const isStill = stillFrom <= (path.loopStart ?? path.steps.length - 2);
  if (!isStill && !model.features.timeout) return path;
  const run = new MortalRun(model, 'system');
  const steps: Choice[][] = [];
  let { loopStart } = path;
  for (const [index, [first, ...others]] of path.steps.entries()) {
    if (index === (isStill ? stillFrom : path.loopStart)) steps.push(...run.deaths().map((death) => [death]));
    const taken = first === undefined ? [] : run.take(first);
    steps.push(...taken.slice(0, -1).map((death) => [death]));
    if (index === path.loopStart) loopStart = steps.length;
    steps.push([...taken.slice(-1), ...others.flatMap((choice) => run.take(choice))]);
  }
  return { steps, loopStart };
}

/**
 * Takes the steps of a run without deaths on the model as it is. A timeout waits for deaths, too: they come before it, and processes that are
 * started afterwards have other numbers.
 */
class MortalRun {
  private readonly model: Model;
  private readonly part: Part;
  /** By number in the run without deaths. */
  private readonly numbers: number[];

  constructor(model: Model, part: Part) {
    this.model = model;
    this.part = part;
    model.machine.initial();
    this.numbers = Array.from({ length: this.alive }, (_, number) => number);
  }

  private get alive(): number {
    return this.model.machine.cells[HEADER.processes]!;
  }

  /** The step, last, and the deaths before it. A step that fails is not taken. */
  take([process, edge, partner, partnerEdge]: Choice): Choice[] {
    const now = (number: number): number => (number < 0 ? number : this.numbers[number]!);
    const choice: Choice = [now(process), edge, now(partner), partnerEdge];
    if (this.apply(choice) || this.possible().some((step) => isSameChoice(step.choice, choice)))
      return [choice];
    const deaths = this.deaths();
    this.apply(choice);
    return [...deaths, choice];
  }

  private apply(choice: Choice): boolean {
    const before = this.alive;
    if (!applyChoice(this.model, choice, undefined, this.part)) return false;
    for (let number = before; number < this.alive; number++) this.numbers.push(number);
    return true;
  }

  private possible(): PossibleStep[] {
    return possibleSteps(this.model, this.part);
  }

  /** Of all that can die now, one after the other. */
  deaths(): Choice[] {
    const result: Choice[] = [];
    for (;;) {
      const death = this.possible().find(({ choice }) => isEnd(this.model, choice))?.choice;
      if (death === undefined || !this.apply(death)) return result;
      result.push(death);
    }
  }
}

function isEnd({ machine, program }: Model, [process, edge]: Choice): boolean {
  const type = machine.cells[machine.frames[process]!]!;
  return program.proctypes[type]!.edges[edge]!.statement.kind === 'end';
}
