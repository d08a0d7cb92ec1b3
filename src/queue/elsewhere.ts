// A queue as checks see it: questions go to its workers, answers are looked at here, a few at a time.

import type { Budget, Limits } from '../base/budget.ts';
import { startBudget } from '../base/budget.ts';
import type { Elsewhere } from '../check/elsewhere.ts';
import { Submitter, type SubmitterSettings } from './submitter.ts';

export interface OpenedQueue {
  /** For questions with these limits. */
  elsewhereFor(limits: Limits): Elsewhere;
  close(): Promise<void>;
}

export async function openQueue(
  settings: SubmitterSettings,
  /** How much this machine does at a time. */
  lanes: number,
  now: () => number,
): Promise<OpenedQueue> {
  const submitter = await Submitter.open(settings);
  const turns = new Turns(lanes);
  return {
    elsewhereFor: (limits) => ({
      ask: (model, part, observer) => submitter.ask(model, part, limits, observer),
      spare: (over) => submitter.spare(over),
      locally: <T>(work: (budget: Budget) => Promise<T>) => turns.take(() => work(startBudget(limits, now))),
    }),
    close: () => submitter.close(),
  };
}

/** So many at a time, the others in the order in which they came. */
class Turns {
  private free: number;
  private readonly waiting: (() => void)[] = [];

  constructor(count: number) {
    this.free = Math.max(1, count);
  }

  async take<T>(work: () => Promise<T>): Promise<T> {
    if (this.free > 0) this.free--;
    else await new Promise<void>((resolve) => this.waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = this.waiting.shift();
      if (next === undefined) this.free++;
      else next();
    }
  }
}
