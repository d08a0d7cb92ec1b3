// Formulas and invariants of the command line, beside the model's `ltl` blocks: in the model's own expressions and macros, with
// the operators of SPIN and of the textbooks. Each is a text of its own, so that what is wrong with it is shown at its place.

import { SourceFile } from '../source/source.ts';
import type { Token } from './token.ts';

export interface GivenTexts {
  /** `FORMULA` or `NAME=FORMULA`. */
  readonly formulas?: readonly string[] | undefined;
  /** Expressions that shall hold in every state. */
  readonly invariants?: readonly string[] | undefined;
}

export interface GivenFormula {
  readonly name: string;
  readonly text: string;
  /** The text holds always. */
  readonly isInvariant: boolean;
  /** Ends with a token of kind 'end'. */
  readonly tokens: readonly Token[];
}

/** The same text twice is one formula. */
export function givenFormulas(
  { formulas = [], invariants = [] }: GivenTexts,
  expand: (text: SourceFile) => readonly Token[],
): GivenFormula[] {
  const given = [
    ...formulas.map((text, index) => ({
      ...nameOf(text),
      isInvariant: false,
      path: `<formula ${index + 1}>`,
    })),
    ...invariants.map((text, index) => ({
      name: `[] (${text.trim()})`,
      text: text.trim(),
      isInvariant: true,
      path: `<invariant ${index + 1}>`,
    })),
  ];
  const isFirst = (one: (typeof given)[number], at: number): boolean =>
    given.findIndex(({ name, text }) => name === one.name && text === one.text) === at;
  return given
    .filter(isFirst)
    .map(({ path, ...one }) => ({ ...one, tokens: expand(new SourceFile(path, one.text)) }));
}

/** No formula begins with an assignment: `=` after a name can only name it. */
function nameOf(given: string): { readonly name: string; readonly text: string } {
  const named = /^\s*([A-Za-z_]\w*)\s*=(?![=>])(.*)$/s.exec(given);
  if (named === null) return { name: given.trim(), text: given.trim() };
  return { name: named[1]!, text: named[2]!.trim() };
}
