// Macrosteps that do not end: Brent's search for a state that comes back (R. P. Brent, An improved Monte Carlo factorization algorithm, 1980), and limits for those
// whose data or queue grows.

import type { Microstep } from './session.ts';

/** A macrostep that does not end. */
export class EndlessMacrostep extends Error {
  /** The same state came back: it really never ends. Otherwise a limit was reached. */
  readonly isProved: boolean;
  readonly steps: readonly Microstep[];
  constructor(isProved: boolean, steps: readonly Microstep[]) {
    super(isProved ? 'a macrostep never ends' : 'a macrostep takes too many steps');
    this.isProved = isProved;
    this.steps = steps;
  }
}

const LONGEST_QUEUE = 1_000;
/** Shorter macrosteps are not looked at; a queue that is longer has grown on the way, and is not worth comparing. */
const FEW = 64;

export class EndlessWatch {
  private readonly most: number;
  /** The state that others are compared with, and after how many steps the next is taken. */
  private remembered: string | null = null;
  private rememberAt = FEW;

  constructor(most: number) {
    this.most = most;
  }

  /** After each step. Throws when there is no end to it. */
  look(steps: readonly Microstep[], queueLength: number, fingerprint: () => string): void {
    const count = steps.length;
    if (count > this.most || queueLength > LONGEST_QUEUE) throw new EndlessMacrostep(false, steps.slice(-20));
    if (count < FEW || queueLength > FEW) return;
    const state = fingerprint();
    if (state === this.remembered) throw new EndlessMacrostep(true, steps.slice(-20));
    if (count >= this.rememberAt) {
      this.remembered = state;
      this.rememberAt *= 2;
    }
  }
}
