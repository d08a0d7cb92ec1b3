// One member of a swarm (Holzmann, Joshi, Groce: Swarm verification techniques, IEEE TSE 37, 2011): instead of one search that would need all of
// the memory, many small ones, each deep at once and in a random order of its own. Every round begins anew, from another seed; between two searches
// random walks. How much room a round gets follows the sequence 1, 1, 2, 1, 1, 2, 4, … that loses least when nobody knows how much is needed (Luby,
// Sinclair, Zuckerman: Optimal speedup of Las Vegas algorithms, 1993). A swarm finds errors and proves nothing, except where a round happens to see
// everything: then there is nothing to find, and it ends.

import { type Budget, type Observer, withStates } from '../base/budget.ts';
import { Random } from '../base/random.ts';
import type { Model } from './compile.ts';
import { walk } from './error-walks.ts';
import { Found, type SafetyOptions, type SafetyOutcome } from './found.ts';
import { search } from './search.ts';

/** States of the first round. */
const FIRST_ROUND = 25_000;

/** Null when a round saw every state and found nothing. What is found is told at the end of its round: the rest may take for ever. */
export function swarmSafety(
  model: Model,
  options: SafetyOptions,
  seed: number,
  budget: Budget,
  observer: Observer,
  tell: (found: SafetyOutcome) => void = () => {},
): SafetyOutcome | null {
  const found = new Found(model, options, budget);
  let wasTold = false;
  for (let round = 0; ; round++) {
    const own = seed * 7919 + round;
    walk(model, found, budget, undefined, own);
    const random = new Random(own);
    const room = withStates(budget, FIRST_ROUND * luby(round + 1));
    const outcome = search(
      model,
      {
        ...options,
        // Every other round takes all steps in all orders: what reduction leaves out may be nearer.
        reduce: options.reduce && round % 2 === 0,
        each: true,
        order: 'depth',
        shuffle: (stack, from) => shuffle(stack, from, random),
      },
      room,
      observer,
    );
    found.keepAll(outcome);
    if (found.all()) return found.outcome(outcome);
    if (found.any() && !wasTold) tell(found.outcome(outcome));
    wasTold = found.any();
    const isStopped = outcome.limit !== 'state-limit' || !budget.timeLeft();
    if (isStopped) return outcome.limit === null && !found.any() ? null : found.outcome(outcome);
  }
}

/** The sequence at `index`, from 1. */
export function luby(index: number): number {
  let size = 1;
  while (2 * size - 1 < index) size *= 2;
  return 2 * size - 1 === index ? size : luby(index - size + 1);
}

/** Fisher and Yates, on the end of the list. */
function shuffle(list: number[], from: number, random: Random): void {
  for (let last = list.length - 1; last > from; last--) {
    const other = from + random.below(last - from + 1);
    [list[last], list[other]] = [list[other]!, list[last]!];
  }
}
