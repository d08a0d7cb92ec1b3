// What a formula means, read off the definition: [MAGIC] section 4, on ultimately periodic words.
// The translation is tested against this, and every counterexample is checked by it before it is reported.

import type { Formula, FormulaFactory } from './formula.ts';
import type { Atom, EventStructure, Lasso } from './structure.ts';

/** A word u·v^ω: positions 0..length−1, the last one followed by loopStart. */
export interface Word {
  readonly length: number;
  readonly loopStart: number;
  /** Is the atom (an index into the formula's atoms) true at the position? */
  holds(position: number, atom: number): boolean;
}

/** Is the formula true of the word (of its suffix from the position on)? */
export function satisfies(formula: Formula, word: Word, position = 0): boolean {
  return valuesOf(formula, word, new Map())[position]!;
}

/** The word of a lasso, as the formula sees it. */
export function wordOf(structure: EventStructure, lasso: Lasso, atoms: readonly Atom[]): Word {
  const { steps, loopStart } = lasso;
  return {
    length: steps.length,
    loopStart,
    holds: (position, index) => {
      const atom = atoms[index]!;
      const step = steps[position]!;
      return atom.kind === 'event' ? step.event === atom.id : structure.holds(step.state, atom.id);
    },
  };
}

/** Does the lasso violate the formula? The independent judge of counterexamples. */
export function violates(
  structure: EventStructure,
  lasso: Lasso,
  factory: FormulaFactory,
  formula: Formula,
): boolean {
  return !satisfies(formula, wordOf(structure, lasso, factory.atoms));
}

function valuesOf(formula: Formula, word: Word, known: Map<Formula, boolean[]>): boolean[] {
  let values = known.get(formula);
  if (values === undefined) {
    values = compute(
      formula,
      word,
      formula.operands.map((operand) => valuesOf(operand, word, known)),
    );
    known.set(formula, values);
  }
  return values;
}

function compute(formula: Formula, word: Word, operands: readonly boolean[][]): boolean[] {
  const positions = Array.from({ length: word.length }, (_, position) => position);
  const after = (position: number) => (position + 1 < word.length ? position + 1 : word.loopStart);
  const [left, right] = operands;
  switch (formula.kind) {
    case 'true':
    case 'false':
      return positions.map(() => formula.kind === 'true');
    case 'literal':
      return positions.map((position) => word.holds(position, formula.atom) === formula.positive);
    case 'and':
      return positions.map((position) => operands.every((values) => values[position]));
    case 'or':
      return positions.map((position) => operands.some((values) => values[position]));
    case 'next':
      return positions.map((position) => left![after(position)]!);
    default: {
      // until is the least, release the greatest solution of its unfolding; two sweeps over the loop reach it.
      const strong = formula.kind === 'until';
      const values = positions.map(() => !strong);
      for (let sweep = 0; sweep < 2; sweep++) {
        for (let position = word.length - 1; position >= 0; position--) {
          const later = values[after(position)]!;
          values[position] = strong
            ? right![position]! || (left![position]! && later)
            : right![position]! && (left![position]! || later);
        }
      }
      return values;
    }
  }
}
