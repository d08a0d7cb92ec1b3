// Several engines for one question: each in its turn, with its part of the time that is left.

import { type Budget, fractionOf, type Observer } from '../base/budget.ts';
import type { StatValue } from '../verdict/verdict.ts';
import type { System } from './system.ts';

export type Engine<Question, Answer> = (
  question: Question,
  budget: Budget,
  observer: Observer,
) => Answer | Promise<Answer>;

/** Of what time is left when its turn comes, the part it may use. */
export type Turn<Question, Answer> = readonly [engine: Engine<Question, Answer>, part: number];

/** What a user may ask for by name; the portfolio is what everybody gets. */
export type Turns<Strategy extends string, Question, Answer> = Readonly<
  Record<Strategy | 'portfolio' | 'monolithic', readonly Turn<Question, Answer>[]>
>;

interface WithStats {
  readonly stats: Readonly<Record<string, StatValue>>;
}

/** The first answer that is one, else the last; with the statistics of all. */
export async function inTurn<
  Strategy extends string,
  Question extends { readonly system: System },
  Answer extends WithStats,
>(
  turns: Turns<Strategy, Question, Answer>,
  strategy: Strategy | 'portfolio' | 'monolithic',
  question: Question,
  isAnswer: (answer: Answer) => boolean,
  budget: Budget,
  observer: Observer,
): Promise<Answer> {
  // One component by itself is its own product: nothing is gained by taking it apart.
  const alone = strategy === 'portfolio' && question.system.components.length === 1;
  const engines = turns[alone ? 'monolithic' : strategy];
  let stats: WithStats['stats'] = {};
  for (const [index, [engine, part]] of engines.entries()) {
    const answer = await engine(question, part === 1 ? budget : fractionOf(budget, part), observer);
    stats = { ...stats, ...answer.stats };
    if (isAnswer(answer) || index === engines.length - 1) return { ...answer, stats };
  }
  throw new Error('impossible: a strategy without engines');
}
