// Formulas about a composition: named ones of the file, and ones given as text; parsed, with messages in the user's text.

import { parseFormula } from '../ltl/parser.ts';
import type { Syntax } from '../ltl/syntax.ts';
import type { Diagnostic } from '../source/diagnostic.ts';
import { SourceFile } from '../source/source.ts';
import type { FormulaText } from './formula-text.ts';
import { unrollFormula } from './formula-text.ts';
import type { KripkeModel } from './model.ts';
import { attempt } from './model.ts';
import type { System } from './system.ts';
import { vocabularyOf } from './vocabulary.ts';

/** What follows `ltl:` in a property: the name of a formula, or a formula. Null when there are errors. */
export function resolveFormula(
  model: KripkeModel,
  system: System,
  nameOrText: string,
  diagnostics: Diagnostic[],
): Syntax | null {
  const named = model.formulas.find(({ name }) => name === nameOrText);
  let text: FormulaText | null = named?.text ?? null;
  if (text === null) {
    const file = new SourceFile('ltl', nameOrText);
    attempt(diagnostics, () => {
      text = unrollFormula({ file, start: 0, end: nameOrText.length }, model.constants);
    });
  }
  return text === null ? null : parseUnrolled(text, system, diagnostics);
}

function parseUnrolled(text: FormulaText, system: System, diagnostics: Diagnostic[]): Syntax | null {
  const parsed = parseFormula(text.file, null, vocabularyOf(system));
  const seen = new Set<string>();
  for (const diagnostic of parsed.diagnostics) {
    const span = diagnostic.span === null ? null : text.origin(diagnostic.span);
    // An unrolled formula repeats its mistakes; the user made each once.
    const key = `${diagnostic.code} ${span?.start}`;
    if (seen.has(key)) continue;
    seen.add(key);
    const related = diagnostic.related?.map((item) => ({ ...item, span: text.origin(item.span) }));
    diagnostics.push({ ...diagnostic, span, ...(related === undefined ? {} : { related }) });
  }
  return parsed.formula;
}
