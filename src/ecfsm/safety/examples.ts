// Concrete examples for steps that could not be proved: short words for the channels, every message a variable, one exact question each.
// What comes out is checked against the concrete semantics before anybody sees it.

import type { Budget } from '../../base/budget.ts';
import type { GlobalState, Message } from '../concrete/state.ts';
import { words } from '../language/language.ts';
import type { ChannelEvent, Disjunct, Subsequence } from '../model.ts';
import { needsHead, SIDES } from '../model.ts';
import type { Decider } from '../solver/decider.ts';
import type { Formula, Sum } from '../solver/linear.ts';
import type { PreparedFormula } from './formula.ts';
import type { Situation } from './situation.ts';
import { explicitSituation } from './situation.ts';

export interface Example {
  readonly state: GlobalState;
  readonly parameter: number;
}

const MAX_LENGTH = 5;
const MAX_PAIRS = 250;

export async function findExample(
  formula: PreparedFormula,
  decider: Decider,
  budget: Budget,
  source: Disjunct,
  event: ChannelEvent | null,
  sequences: readonly [readonly Subsequence[], readonly Subsequence[]],
  question: (situation: Situation, words: readonly [readonly number[], readonly number[]]) => Formula,
  isExample: (example: Example) => boolean,
): Promise<Example | null> {
  for (const pair of wordPairs(source, event)) {
    if (!budget.timeLeft()) return null;
    const situation = explicitSituation(formula, event, sequences, pair);
    const asked = question(situation, pair);
    const { context } = situation;
    const decision = await decider.problem(context.facts, context.variables).solve(asked);
    if (decision.kind !== 'satisfiable') continue;
    const value = (sum: Sum): number =>
      sum.variables.reduce(
        (total, variable, i) => total + sum.coefficients[i]! * decision.values[variable]!,
        sum.constant,
      );
    const example = {
      state: stateFrom(formula, source, situation, pair, value),
      parameter: value(situation.parameter),
    };
    if (isExample(example)) return example;
  }
  return null;
}

function stateFrom(
  { protocol }: PreparedFormula,
  source: Disjunct,
  situation: ReturnType<typeof explicitSituation>,
  pair: readonly [readonly number[], readonly number[]],
  value: (sum: Sum) => number,
): GlobalState {
  const [first, second] = SIDES.map((side) =>
    protocol.machines[side].registers.map((_, i) => value(situation.before.register(side, i))),
  );
  const [forth, back] = SIDES.map((channel) =>
    pair[channel].map((type, i): Message => ({ type, parameter: value(situation.messages[channel][i]!) })),
  );
  return { control: source.control, registers: [first!, second!], channels: [forth!, back!] };
}

/** Pairs of words of the two languages, shortest together first; a received message must be at the head. */
function wordPairs(source: Disjunct, event: ChannelEvent | null): [readonly number[], readonly number[]][] {
  const [first, second] = SIDES.map((channel) => {
    const found: (readonly number[])[] = [];
    for (const word of words(source.languages[channel], MAX_LENGTH)) {
      if (needsHead(event) && event.channel === channel && word[0] !== event.type) continue;
      found.push(word);
      if (found.length >= 60) break;
    }
    return found;
  });
  const pairs = first!.flatMap((a) => second!.map((b): [readonly number[], readonly number[]] => [a, b]));
  return pairs.sort((x, y) => x[0].length + x[1].length - y[0].length - y[1].length).slice(0, MAX_PAIRS);
}
