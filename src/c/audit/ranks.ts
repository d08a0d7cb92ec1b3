// Measures at the heads of loops: whenever one head is arrived at from another (or from itself) the list of measures becomes smaller in lexicographic order, and
// the one that decides was not negative. Then no run passes heads for ever: of the measures that decide infinitely often the first would
// fall for ever without falling below zero. Measures are numbers of `RANK_WIDTH` bits with a sign.

import type { Program } from '../program/program.ts';
import type { Formula, Formulas } from './formula.ts';
import { isIndex, isListOf, readTerm } from './proof.ts';

export const RANK_WIDTH = 128;

/** Location, and its measures in prefix notation. */
export type RankProof = readonly [location: number, measures: readonly string[]];

/** By location; a text says what is wrong. Every head has measures, all of them equally many. */
export function readRanks(
  document: unknown,
  heads: ReadonlySet<number>,
  program: Program,
  formulas: Formulas,
): ReadonlyMap<number, readonly Formula[]> | string {
  const { ranks } = document as Record<string, unknown>;
  const isGood = isListOf(
    ranks,
    (item) =>
      Array.isArray(item) &&
      item.length === 2 &&
      isIndex(item[0], program.locations.length) &&
      isListOf(item[1], (measure) => typeof measure === 'string'),
  );
  if (!isGood) return 'it has no measures';
  const result = new Map<number, readonly Formula[]>();
  for (const [location, texts] of ranks as readonly RankProof[]) {
    if (result.has(location)) return `location ${location} is measured twice`;
    const measures = texts.map((text) => readTerm(text, program, formulas));
    for (const [i, measure] of measures.entries())
      if (measure?.width !== RANK_WIDTH) return `the measure '${texts[i]}' is not understood`;
    result.set(location, measures as readonly Formula[]);
  }
  const [first] = result.values();
  for (const head of heads)
    if (result.get(head)?.length !== first?.length || first === undefined)
      return `location ${head} has not the measures of the others`;
  return result;
}

/** The list after is smaller than the list before. */
export function isSmaller(
  formulas: Formulas,
  before: readonly Formula[],
  later: readonly Formula[],
): Formula {
  const and = (a: Formula, b: Formula) => formulas.apply('conj', 0, [a, b]);
  const zero = formulas.constant(0n, RANK_WIDTH);
  let result = formulas.false;
  let notLarger = formulas.true;
  for (const [i, measure] of before.entries()) {
    const falls = and(
      formulas.apply('slt', 0, [later[i]!, measure]),
      formulas.apply('sle', 0, [zero, measure]),
    );
    result = formulas.apply('disj', 0, [result, and(notLarger, falls)]);
    notLarger = and(notLarger, formulas.apply('sle', 0, [later[i]!, measure]));
  }
  return result;
}
