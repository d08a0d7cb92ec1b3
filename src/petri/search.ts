// All markings of a net, one after the other, as far as the budget goes: for dead markings and true maxima of small nets.

import type { Budget } from '../base/budget.ts';
import { effectOf, initialMarking, isDead, isEnabled, type Marking, type PetriNet } from './net.ts';

export interface NetSearch {
  readonly markings: number;
  readonly firings: number;
  /** Every reachable marking was seen. */
  readonly complete: boolean;
  /** Firings into the first dead marking that was met. */
  readonly dead: readonly number[] | null;
}

const MOST = 300_000;

/** Stops at the first dead marking. */
export function searchNet(net: PetriNet, budget: Budget): NetSearch {
  const seen = new Map<string, number>();
  const markings: Marking[] = [];
  const from: number[] = [];
  const by: number[] = [];
  const changes = net.transitions.map((transition) => [...effectOf(transition)]);
  const most = Math.min(MOST, budget.maxStates);
  let firings = 0;
  const add = (marking: Marking, parent: number, transition: number): void => {
    const key = marking.join();
    if (seen.has(key)) return;
    seen.set(key, markings.length);
    markings.push(marking);
    from.push(parent);
    by.push(transition);
  };
  const done = (complete: boolean, dead: readonly number[] | null): NetSearch => ({
    markings: markings.length,
    firings,
    complete,
    dead,
  });
  add(initialMarking(net), -1, -1);
  for (let index = 0; index < markings.length; index++) {
    const marking = markings[index]!;
    if (isDead(net, marking)) {
      const run: number[] = [];
      for (let at = index; from[at]! >= 0; at = from[at]!) run.push(by[at]!);
      return done(false, run.reverse());
    }
    if (markings.length > most || (index % 256 === 0 && !budget.timeLeft())) return done(false, null);
    for (const [number, transition] of net.transitions.entries()) {
      if (!isEnabled(transition, marking)) continue;
      firings++;
      const after = [...marking];
      for (const [place, change] of changes[number]!) after[place]! += change;
      add(after, index, number);
    }
  }
  return done(true, null);
}
