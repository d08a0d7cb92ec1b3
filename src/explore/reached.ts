// How long queues get in real runs, where the states have no end: random walks that rather do something else than take from a
// queue. A bound that such a run reaches is the exact maximum.

import type { Budget } from '../base/budget.ts';
import { Random } from '../base/random.ts';
import type { Model } from './compile.ts';
import { HEADER } from './layout.ts';
import { queueMaxima } from './maxima.ts';

/** Of each walk, and of all walks for one queue. */
const LENGTH = 1_500;
const ALL_STEPS = 30_000;

/** Wanted: by queue name, the length at which there is nothing left to find. The greatest lengths seen, of all queues. */
export function longestSeen(
  model: Model,
  wanted: ReadonlyMap<string, number>,
  budget: Budget,
): ReadonlyMap<string, number> {
  const { machine } = model;
  const random = new Random(1);
  machine.peaks().fill(0);
  for (const [queue, length] of wanted) {
    const isReached = (): boolean => (queueMaxima(model).get(queue) ?? 0) >= length;
    for (let steps = 0; steps < ALL_STEPS && !isReached() && budget.timeLeft(); )
      steps += walkTowards(model, queue, random, isReached);
  }
  return queueMaxima(model);
}

/** How many steps it took. */
function walkTowards(model: Model, queue: string, random: Random, isReached: () => boolean): number {
  const { machine } = model;
  if (machine.initial() !== 0) return ALL_STEPS;
  // What it takes differs from queue to queue: each walk has a temper of its own.
  const hurry = random.next();
  const keeps = random.pick([1, 0.95, 0.8, 0.5]);
  for (let step = 0; step < LENGTH && !(step % 16 === 0 && isReached()); step++) {
    const before = messagesIn(model, queue);
    const next: { readonly words: Int32Array; readonly gain: number }[] = [];
    const cursor = machine.open({
      step: (words, length) =>
        void next.push({ words: words.slice(0, length), gain: messagesIn(model, queue) - before }),
    });
    cursor.expand();
    if (next.length === 0) return step + 1;
    const growing = random.next() < hurry ? next.filter(({ gain }) => gain > 0) : [];
    const keeping = random.next() < keeps ? next.filter(({ gain }) => gain >= 0) : [];
    const chosen = [growing, keeping, next].find((steps) => steps.length > 0)!;
    machine.unpack(random.pick(chosen).words, 0);
  }
  return LENGTH;
}

/** Messages in all channels of that name. */
function messagesIn({ machine, layout }: Model, queue: string): number {
  const memory = machine.queues();
  let sum = 0;
  for (let channel = 0; channel < machine.cells[HEADER.channels]!; channel++)
    if (layout.queueNames[machine.nameOfChannel[channel]!]!.name === queue) sum += memory[memory[channel]!]!;
  return sum;
}
