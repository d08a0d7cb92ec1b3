// Counterexample-guided abstraction refinement (Clarke, Grumberg, Jha, Lu, Veith 2000), one loop for whoever refines: an abstraction is looked
// at; what it shows is an answer, or a counterexample, which is looked at in turn: it is real, or something is learned from it that rules
// it out, and the abstraction is looked at again. As in Theta's CegarChecker the abstraction and the refiner plug in; the loop has the rounds, the budget
// and the reasons to stop.
//
// Soundness is theirs: an answer of `look` must hold of what the abstraction stands for, and an answer of `learn` rests on a
// counterexample that was confirmed. The loop only promises that neither is asked when the time or the rounds are over.

import type { Budget } from './budget.ts';

/** What the abstraction shows. */
export type Look<Counterexample, Answer> =
  | { readonly kind: 'answer'; readonly answer: Answer }
  | { readonly kind: 'counterexample'; readonly counterexample: Counterexample }
  /** Something was learned on the way: this look is worth nothing. */
  | { readonly kind: 'again' };

/** What a counterexample teaches. */
export type Lesson<Answer> =
  /** The abstraction has become finer. */
  | { readonly kind: 'refined' }
  /** It is real, or it is known that nothing can be known: either way this is the end. */
  | { readonly kind: 'answer'; readonly answer: Answer }
  /** It is not known to be real, and nothing rules it out. */
  | { readonly kind: 'nothing' };

export type End<Counterexample, Answer> = { readonly rounds: number } & (
  | { readonly kind: 'answer'; readonly answer: Answer }
  | { readonly kind: 'open'; readonly counterexample: Counterexample }
  | { readonly kind: 'limit'; readonly limit: 'time' | 'rounds' }
);

export interface LoopLimits {
  readonly budget: Budget;
  /** Counterexamples to learn from. */
  readonly maxRounds?: number;
}

export interface Refiner<Counterexample, Answer> {
  /** Rounds are numbered from 1. */
  look(round: number): Look<Counterexample, Answer>;
  learn(counterexample: Counterexample, round: number): Lesson<Answer>;
}

type Awaitable<T> = T | Promise<T>;

export interface AsyncRefiner<Counterexample, Answer> {
  look(round: number): Awaitable<Look<Counterexample, Answer>>;
  learn(counterexample: Counterexample, round: number): Awaitable<Lesson<Answer>>;
}

type Request<Counterexample> =
  | { readonly kind: 'look'; readonly round: number }
  | { readonly kind: 'learn'; readonly round: number; readonly counterexample: Counterexample };

/** The loop itself: what it yields is to be done, what it is given back is what came of it. */
function* loop<Counterexample, Answer>({
  budget,
  maxRounds = Number.POSITIVE_INFINITY,
}: LoopLimits): Generator<
  Request<Counterexample>,
  End<Counterexample, Answer>,
  Look<Counterexample, Answer> | Lesson<Answer>
> {
  for (let rounds = 1; ; rounds++) {
    // The first look is taken whatever the clock says: it may be all that is needed.
    if (rounds > 1 && !budget.timeLeft()) return { kind: 'limit', limit: 'time', rounds: rounds - 1 };
    const seen = (yield { kind: 'look', round: rounds }) as Look<Counterexample, Answer>;
    if (seen.kind === 'answer') return { ...seen, rounds };
    if (seen.kind === 'again') continue;
    if (rounds > maxRounds) return { kind: 'limit', limit: 'rounds', rounds };
    const { counterexample } = seen;
    const lesson = (yield { kind: 'learn', round: rounds, counterexample }) as Lesson<Answer>;
    if (lesson.kind === 'answer') return { ...lesson, rounds };
    if (lesson.kind === 'nothing') return { kind: 'open', counterexample, rounds };
  }
}

export function refineUntilSettled<Counterexample, Answer>(
  refiner: Refiner<Counterexample, Answer>,
  limits: LoopLimits,
): End<Counterexample, Answer> {
  const rounds = loop<Counterexample, Answer>(limits);
  let next = rounds.next();
  while (!next.done) {
    const { value: request } = next;
    next = rounds.next(
      request.kind === 'look'
        ? refiner.look(request.round)
        : refiner.learn(request.counterexample, request.round),
    );
  }
  return next.value;
}

/**
 * The same where looking or learning takes a solver in another process. Every look is given out as soon as it was taken: what it shows is
 * known even if a later round never ends.
 */
export async function* eachLook<Counterexample, Answer>(
  refiner: AsyncRefiner<Counterexample, Answer>,
  limits: LoopLimits,
): AsyncGenerator<Look<Counterexample, Answer>, End<Counterexample, Answer>> {
  const rounds = loop<Counterexample, Answer>(limits);
  let next = rounds.next();
  while (!next.done) {
    const { value: request } = next;
    if (request.kind === 'look') {
      const seen = await refiner.look(request.round);
      yield seen;
      next = rounds.next(seen);
    } else next = rounds.next(await refiner.learn(request.counterexample, request.round));
  }
  return next.value;
}

export async function refineUntilSettledAsync<Counterexample, Answer>(
  refiner: AsyncRefiner<Counterexample, Answer>,
  limits: LoopLimits,
): Promise<End<Counterexample, Answer>> {
  const looks = eachLook(refiner, limits);
  for (;;) {
    const next = await looks.next();
    if (next.done) return next.value;
  }
}
