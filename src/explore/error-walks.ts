// Random walks that look for stuck states and errors: what many runs share is found at any depth, in time that does not depend on the number of states.

import type { Budget } from '../base/budget.ts';
import { Random } from '../base/random.ts';
import type { Choice } from './choices.ts';
import type { Model } from './compile.ts';
import { FAULT, isLimit } from './faults.ts';
import type { Found } from './found.ts';
import { FLAG } from './machine.ts';
import type { ViolationKind } from './search.ts';

export interface Walks {
  readonly count: number;
  /** Steps of each, at most. */
  readonly length: number;
}

const MANY_WALKS: Walks = { count: 40, length: 5000 };
/** They take next to no time, and find what every other run comes to. */
export const FEW_WALKS: Walks = { count: 8, length: 1000 };

/** Did they find something new? */
export function walk(model: Model, found: Found, budget: Budget, walks = MANY_WALKS, seed = 1): boolean {
  const random = new Random(seed);
  const before = found.open();
  for (let i = 0; i < walks.count && !found.all() && budget.timeLeft(); i++)
    walkOnce(model, found, random, walks.length, budget);
  const after = found.open();
  return before.endStates !== after.endStates || before.assertions !== after.assertions;
}

/** One run, a step at a time, to where it is stuck, fails or has become long. */
function walkOnce(model: Model, found: Found, random: Random, length: number, budget: Budget): void {
  const { machine } = model;
  const taken: Choice[] = [];
  if (machine.initial() !== 0) return;
  let words = machine.copy();
  for (let step = 0; step < length; step++) {
    if (step % 256 === 255 && !budget.timeLeft()) return;
    let seen = 0;
    let next: Int32Array | null = null;
    let choices: Choice[] = [];
    machine.unpack(words, 0);
    const cursor = machine.open({
      step: (successor, size) => {
        // Every step with the same chance, without keeping them all.
        if (random.next() * ++seen >= 1) return;
        next = successor.slice(0, size);
        choices = machine.choices().copy();
      },
      fault: (code, failing) => {
        const kind = faultKind(code);
        if (kind === null || !found.isNew(kind)) return;
        found.keep({ kind, fault: code, choices: [...taken, ...failing.copy()] }, model);
      },
    });
    const steps = cursor.expand();
    if (steps === 0 && (machine.flags() & FLAG.validEnd) === 0 && found.isNew('invalid-end-state'))
      found.keep({ kind: 'invalid-end-state', fault: null, choices: taken }, model);
    if (next === null) return;
    taken.push(...choices);
    words = next;
  }
}

const faultKind = (code: number): ViolationKind | null =>
  isLimit(code) ? null : code === FAULT.assertion ? 'assertion' : 'runtime-error';
