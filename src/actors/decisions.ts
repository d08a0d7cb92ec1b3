// Guards that look at unknown data may be true or false: a step is run once for every combination of what they may say.

import type { Outcome } from './behaviour.ts';

/** Questions of one step that are answered in both ways. Who asks more often is in a loop on unknown data as a rule: then the answer is no, so that it ends. */
const DEEPEST = 16;

export class Decisions {
  private tooDeep = false;
  private planned: boolean[] = [];
  private taken: { readonly value: boolean; readonly text: string }[] = [];

  /** What the guard says this time. */
  decide(what: string): boolean {
    if (this.taken.length >= DEEPEST) {
      this.tooDeep = true;
      return false;
    }
    const value = this.planned[this.taken.length] ?? true;
    this.taken.push({ value, text: `${what} is ${value}` });
    return value;
  }

  /** All outcomes; `tooMany` hears of it when there are more combinations than the limit. */
  alternatives(most: number, tooMany: () => void, run: () => Outcome): readonly Outcome[] {
    const outcomes = new Map<string, Outcome>();
    this.planned = [];
    this.tooDeep = false;
    for (let n = 0; n < most; n++) {
      this.taken = [];
      const outcome = run();
      const assumed = this.taken.map(({ text }) => text);
      const key = JSON.stringify([outcome.state, outcome.effects, outcome.handled, outcome.transitions]);
      if (!outcomes.has(key)) outcomes.set(key, assumed.length === 0 ? outcome : { ...outcome, assumed });
      const next = this.taken.map(({ value }) => value);
      while (next.at(-1) === false) next.pop();
      if (next.length === 0) {
        if (this.tooDeep) tooMany();
        return [...outcomes.values()];
      }
      next[next.length - 1] = false;
      this.planned = next;
    }
    tooMany();
    return [...outcomes.values()];
  }
}
