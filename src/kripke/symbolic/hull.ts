// Is there an infinite path that a watcher accepts? From all that can be reached, the set is shrunk to where such a path can stay for ever (One Way Catch Them Young,
// Fisler et al. 2001): to what the fair states of each kind lead to, to what has a predecessor, and to steps that can recur (`recurring.ts`). When nothing is left there is no such path, and the
// chain of sets is the proof. Else its first strongly connected parts hold fair cycles (Xie and Beerel's walk to the front finds one).

import type { Watcher } from '../audit/watcher.ts';
import { EMPTY, EVERYTHING } from './diagram.ts';
import type { ShrinkRecord } from './proof.ts';
import { recurringMoves } from './recurring.ts';
import type { Space } from './space.ts';
import type { Trace } from './trace.ts';
import { roundTrip, single, wayInto } from './trace.ts';

export interface Hull {
  readonly set: number;
  /** With the steps that can recur. */
  readonly space: Space;
  /** The sets on the way, by their numbers in the space. */
  readonly steps: readonly ShrinkRecord[];
}

/** Rounds of trimming before it is asked again which steps can recur. */
const TRIMMINGS = 2;

export function hullOf(whole: Space, { fair }: Watcher, reached: number): Hull {
  const steps: ShrinkRecord[] = [];
  let space = whole;
  let set = reached;
  let changed = true;
  const shrink = (step: ShrinkRecord): void => {
    changed = true;
    set = step.set;
    steps.push(step);
  };
  while (changed && set !== EMPTY) {
    changed = false;
    for (const [condition, states] of fair.entries()) {
      const next = space.forward.closure(space.watchedIn(set, states), set);
      if (next !== set) shrink({ fair: condition, set: next });
    }
    if (set === EMPTY) break;
    const moves = recurringMoves(space.diagrams, space.moves, set);
    if (moves !== space.moves) {
      space = space.with(moves);
      shrink({ recurring: true, set });
    }
    for (let round = 0; round < TRIMMINGS; round++) {
      const next = space.forward.image(set, set);
      if (next === set) break;
      shrink({ followed: true, set: next });
    }
  }
  return { set, space, steps };
}

/** A run into a cycle that visits all fair sets. `loopStart`: where the cycle begins; the last member is that one again. */
export function fairLasso(
  whole: Space,
  { set, space }: Hull,
  { fair }: Watcher,
): { readonly trace: Trace; readonly loopStart: number } {
  const part = firstPart(space, set);
  const stem = wayInto(whole, whole.initial, part, EVERYTHING);
  if (stem === null) throw new Error('impossible: a configuration was reached without a way to it');
  const goals = fair.map((states) => space.watchedIn(part, states));
  const loop = roundTrip(space, stem.at(-1)!, goals, part);
  return { trace: [...stem, ...loop.slice(1)], loopStart: stem.length - 1 };
}

/** A strongly connected part of the hull that no other part leads to. */
function firstPart(space: Space, hull: number): number {
  const { diagrams, forward, backward } = space;
  let member = diagrams.member(hull);
  for (;;) {
    const start = single(space, member);
    const before = backward.closure(start, hull);
    const earlier = diagrams.difference(before, forward.closure(start, hull));
    if (earlier === EMPTY) return before;
    member = diagrams.member(earlier);
  }
}
