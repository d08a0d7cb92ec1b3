// Concrete examples for steps that could not be proved: short words for the channels, every message a variable, one exact question each.
// What comes out is checked against the concrete semantics before anybody sees it.

import type { Budget } from '../../base/budget.ts';
import type { GlobalState, Message } from '../concrete/state.ts';
import { words } from '../language/language.ts';
import type { ChannelEvent, Disjunct, Subsequence } from '../model.ts';
import { needsHead } from '../model.ts';
import type { Decider } from '../solver/decider.ts';
import type { Formula, Sum } from '../solver/linear.ts';
import type { PreparedFormula } from './formula.ts';
import type { Situation } from './situation.ts';
import { explicitSituation } from './situation.ts';

export interface Example {
  readonly state: GlobalState;
  /** As many as any message has. */
  readonly parameters: readonly number[];
}

const MAX_LENGTH = 5;
const MOST_TUPLES = 250;

export async function findExample(
  formula: PreparedFormula,
  decider: Decider,
  budget: Budget,
  source: Disjunct,
  event: ChannelEvent | null,
  sequences: readonly (readonly Subsequence[])[],
  question: (situation: Situation, words: readonly (readonly number[])[]) => Formula,
  isExample: (example: Example) => boolean,
): Promise<Example | null> {
  for (const tuple of wordTuples(source, event)) {
    if (!budget.timeLeft()) return null;
    const situation = explicitSituation(formula, event, sequences, tuple);
    const asked = question(situation, tuple);
    const { context } = situation;
    const decision = await decider.problem(context.facts, context.variables).solve(asked);
    if (decision.kind !== 'satisfiable') continue;
    const value = (sum: Sum): number =>
      sum.variables.reduce(
        (total, variable, i) => total + sum.coefficients[i]! * decision.values[variable]!,
        sum.constant,
      );
    const example = {
      state: stateFrom(formula, source, situation, tuple, value),
      parameters: situation.parameters.map(value),
    };
    if (isExample(example)) return example;
  }
  return null;
}

function stateFrom(
  { protocol }: PreparedFormula,
  source: Disjunct,
  situation: ReturnType<typeof explicitSituation>,
  tuple: readonly (readonly number[])[],
  value: (sum: Sum) => number,
): GlobalState {
  return {
    control: source.control,
    registers: protocol.machines.map(({ registers }, side) =>
      registers.map((_, i) => value(situation.before.register(side, i))),
    ),
    channels: tuple.map((word, channel) =>
      word.map((type, i): Message => {
        const fields = situation.messages[channel]![i]!.slice(0, protocol.fields[channel]![type]!.length);
        return { type, parameters: fields.map(value) };
      }),
    ),
  };
}

/** A word for each channel, shortest together first; a received message must be at the head. */
function wordTuples(source: Disjunct, event: ChannelEvent | null): (readonly (readonly number[])[])[] {
  let tuples: (readonly (readonly number[])[])[] = [[]];
  for (const [channel, language] of source.languages.entries()) {
    const found: (readonly number[])[] = [];
    for (const word of words(language, MAX_LENGTH)) {
      if (needsHead(event) && event.channel === channel && word[0] !== event.type) continue;
      found.push(word);
      if (found.length >= 60) break;
    }
    tuples = tuples
      .flatMap((tuple) => found.map((word) => [...tuple, word]))
      .sort((x, y) => lengthOf(x) - lengthOf(y))
      .slice(0, MOST_TUPLES);
  }
  return tuples;
}

const lengthOf = (tuple: readonly (readonly number[])[]): number =>
  tuple.reduce((sum, { length }) => sum + length, 0);
