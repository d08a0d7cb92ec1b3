// The names of a .spec beside its C files: threads, events, predicates, processes, formulas. An event is a function of the C files: both are one name.

import { namesOfLks } from '../../kripke/names.ts';
import { parseLks } from '../../kripke/parser.ts';
import { NameBook } from '../../source/name-book.ts';
import type { Names } from '../../source/names.ts';
import { SourceFile } from '../../source/source.ts';
import { namesOfUnit } from '../syntax/names.ts';
import type { Unit } from '../syntax/parse.ts';
import type { Spec } from './syntax.ts';

export function namesOfUnits(units: readonly Unit[]): Names {
  const book = new NameBook();
  for (const { items } of units) namesOfUnit(items, book);
  return book.finish();
}

export function namesOfSpec(spec: Spec, file: SourceFile, units: readonly Unit[]): Names {
  const book = new NameBook();
  for (const { items } of units) namesOfUnit(items, book);
  const text = (name: string, span: { readonly start: number }) => ({
    text: name,
    span: { file, start: span.start, end: span.start + name.length },
  });
  for (const { name, span, ranges } of spec.events) {
    const key = `event ${name}`;
    const fixed = 'it is a function of the C files, too';
    const detail = `event ${name}${ranges.length === 0 ? '' : `, ${ranges.length} argument(s)`}`;
    book.declare('event', text(name, span), key, { detail, fixed });
    book.use(`c ${name}`, text(name, span));
  }
  for (const { name, function: called, span, functionSpan } of spec.threads) {
    const word = /^\w+/.exec(name)?.[0] ?? name;
    book.meet('process', text(word, span), `thread ${word}`, { detail: `thread ${name} = ${called}(…)` });
    book.use(`c ${called}`, text(called, functionSpan), 'start');
  }
  for (const { name, span, text: formula } of spec.formulas) {
    const detail = `ltl ${name} { ${file.text.slice(formula.start, formula.end).trim()} }`;
    book.declare('formula', text(name, span), `ltl ${name}`, { detail });
  }
  for (const { name, span, text: expression } of spec.predicates)
    if (name !== null)
      book.declare('field', text(name, span), `proposition ${name}`, { detail: `${name}: ${expression}` });
  const lks = new SourceFile(file.path, spec.lks);
  return namesOfLks(lks, parseLks(lks, []), book);
}
