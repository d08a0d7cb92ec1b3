// A found run, made shorter. Breadth first without reduction, as long as that is cheap: its first finding is the shortest there is. Else what
// the run does in vain is taken out of it: the way round where it comes back to a state, then steps, in ever smaller pieces, as
// long as what is left is still a run with the same end (Zeller's delta debugging).

import type { Budget } from '../base/budget.ts';
import { SILENT } from '../base/budget.ts';
import { type Choice, isSameChoice } from './choices.ts';
import type { Model } from './compile.ts';
import type { Finding } from './found.ts';
import { FLAG } from './machine.ts';
import { search } from './search.ts';
import { applyChoice, possibleSteps, trailOf } from './trail.ts';

const CHEAP_STATES = 30_000;
/** Statements that may be executed for it. */
const MOST_STEPS = 100_000;
/** Fewer attempts than this hardly ever find a piece that can be left out. */
const FEWEST_ATTEMPTS = 20;

export function shorten(model: Model, finding: Finding, budget: Budget): Finding {
  return shortest(model, finding, budget) ?? new Shortening(model, finding, budget).run();
}

function shortest(model: Model, { kind }: Finding, budget: Budget): Finding | null {
  const stuck = kind === 'invalid-end-state';
  const goal = stuck ? { endStates: true } : { assertions: true };
  const maxStates = Math.min(CHEAP_STATES, budget.maxStates);
  const { violations, space } = search(model, goal, { ...budget, maxStates }, SILENT);
  const [first] = violations;
  return first === undefined
    ? null
    : { kind: first.kind, fault: first.fault, choices: trailOf(space, first) };
}

class Shortening {
  private left = MOST_STEPS;
  private readonly model: Model;
  private readonly finding: Finding;
  private readonly budget: Budget;

  constructor(model: Model, finding: Finding, budget: Budget) {
    this.model = model;
    this.finding = finding;
    this.budget = budget;
  }

  run(): Finding {
    let steps = this.withoutCircles(this.finding.choices);
    if (steps.length * FEWEST_ATTEMPTS > this.left) return { ...this.finding, choices: steps };
    for (let size = Math.ceil(steps.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
      for (let from = Math.max(0, steps.length - size); ; from -= size) {
        const start = Math.max(0, from);
        const attempt = [...steps.slice(0, start), ...steps.slice(start + size)];
        const end = this.left > 0 && this.budget.timeLeft() ? this.sameEnd(attempt) : null;
        if (end !== null) steps = end;
        if (from <= 0 || this.left <= 0) break;
      }
    }
    return { ...this.finding, choices: steps };
  }

  /** Leaves out the steps between two visits of a state. */
  private withoutCircles(steps: readonly Choice[]): Choice[] {
    const { machine } = this.model;
    const kept: Choice[] = [];
    const positions = new Map<string, number>();
    machine.initial();
    for (const step of steps) {
      const key = machine.copy().join();
      const before = positions.get(key);
      if (before !== undefined) {
        for (const [other, position] of positions) if (position > before) positions.delete(other);
        kept.length = before;
      }
      positions.set(key, kept.length);
      kept.push(step);
      this.left--;
      if (!applyChoice(this.model, step)) break;
    }
    return kept;
  }

  /** Takes the steps that are still possible; gives them when the end is as before. */
  private sameEnd(steps: readonly Choice[]): Choice[] | null {
    const { machine } = this.model;
    const { kind, fault } = this.finding;
    const taken: Choice[] = [];
    machine.initial();
    const failing = kind === 'invalid-end-state' ? null : steps[steps.length - 1];
    for (const step of failing == null ? steps : steps.slice(0, -1)) {
      this.left--;
      if (applyChoice(this.model, step)) taken.push(step);
    }
    if (failing == null) {
      const stuck = possibleSteps(this.model).length === 0 && (machine.flags() & FLAG.validEnd) === 0;
      return stuck ? taken : null;
    }
    const fails = possibleSteps(this.model).some(
      (step) => step.fault === fault && isSameChoice(step.choice, failing),
    );
    return fails ? [...taken, failing] : null;
  }
}
