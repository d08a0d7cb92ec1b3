// The formulas of a model as automata: HOA for every language that has formulas, never claims for Promela.
// Several formulas are several automata one after the other, as HOA allows.

import type { Converted, ConvertRequest } from '../engine/language.ts';
import { automatonOf, coreOf } from '../explore/formula-claim.ts';
import { resolveFormula } from '../kripke/formulas.ts';
import { loadModel } from '../kripke/load.ts';
import { compose } from '../kripke/system.ts';
import type { BuchiAutomaton } from '../ltl/automaton.ts';
import { degeneralise } from '../ltl/degeneralise.ts';
import { FormulaFactory } from '../ltl/formula.ts';
import { toFormula } from '../ltl/syntax.ts';
import { translate } from '../ltl/translate.ts';
import { writeHoa, writeNever } from '../ltl/write.ts';
import { loadPromela } from '../promela/load.ts';
import type { Diagnostic } from '../source/diagnostic.ts';
import { hasErrors, suggest } from '../source/diagnostic.ts';

interface Named {
  readonly name: string;
  /** Null when it would be too large. */
  readonly automaton: BuchiAutomaton | null;
}

export async function convertKripkeFormulas(request: ConvertRequest): Promise<Converted> {
  const { model, diagnostics: loaded } = loadModel(
    request.paths,
    request.files,
    request.options.defines ?? [],
  );
  const diagnostics: Diagnostic[] = [...loaded];
  if (model === null) return { text: null, diagnostics };
  const system = compose(model.components);
  const wanted = formulasWanted(
    request,
    model.formulas.map(({ name }) => name),
    true,
    diagnostics,
  );
  const automata = wanted.map((name): Named => {
    const syntax = resolveFormula(model, system, name, diagnostics);
    if (syntax === null) return { name, automaton: null };
    const factory = new FormulaFactory();
    const automaton = translate(factory, toFormula(factory, syntax));
    return { name, automaton: automaton === null ? null : degeneralise(automaton) };
  });
  return written(request, automata, diagnostics);
}

export async function convertPromelaFormulas(request: ConvertRequest): Promise<Converted> {
  const { defines = [], includes = [] } = request.options;
  const loaded = loadPromela(request.paths[0]!, request.files, { defines, includes });
  const diagnostics: Diagnostic[] = [...loaded.diagnostics];
  const { program } = loaded;
  if (program === null) return { text: null, diagnostics };
  const names = program.formulas.map(({ name }) => name);
  const wanted = formulasWanted(request, names, false, diagnostics);
  // A never claim says what must not happen: the negation.
  const negated = request.format === 'never';
  const automata = wanted.flatMap((name): Named[] => {
    const formula = program.formulas.find((candidate) => candidate.name === name);
    return formula === undefined
      ? []
      : [{ name, automaton: automatonOf(coreOf(formula), negated)?.automaton ?? null }];
  });
  return written(request, automata, diagnostics);
}

function formulasWanted(
  request: ConvertRequest,
  known: readonly string[],
  free: boolean,
  diagnostics: Diagnostic[],
): readonly string[] {
  const asked = request.properties.map((property) => property.replace(/^ltl:/, ''));
  const strange = free ? undefined : asked.find((name) => !known.includes(name));
  if (strange !== undefined || (asked.length === 0 && known.length === 0)) {
    const near = strange === undefined ? null : suggest(strange, known);
    diagnostics.push({
      code: 'SPW9003',
      severity: 'error',
      message: strange === undefined ? 'the model has no formulas' : `the model has no formula '${strange}'`,
      span: null,
      ...(near === null ? {} : { help: `did you mean ltl:${near}?` }),
    });
    return [];
  }
  return asked.length > 0 ? asked : known;
}

function written(request: ConvertRequest, automata: readonly Named[], diagnostics: Diagnostic[]): Converted {
  for (const { name } of automata.filter(({ automaton }) => automaton === null)) {
    if (hasErrors(diagnostics)) break;
    diagnostics.push({
      code: 'SPW3210',
      severity: 'error',
      message: `the automaton of '${name}' is too large`,
      span: null,
      help: 'split a conjunction into several properties',
    });
  }
  if (hasErrors(diagnostics)) return { text: null, diagnostics };
  const write = request.format === 'never' ? writeNever : writeHoa;
  return { text: automata.map(({ name, automaton }) => write(automaton!, name)).join(''), diagnostics };
}
