// .lks and .aut in other formats.

import type { Converted, ConvertRequest } from '../engine/language.ts';
import { printAut } from '../kripke/aut.ts';
import { resolveFormula } from '../kripke/formulas.ts';
import { printDot } from '../kripke/graph.ts';
import { problem } from '../kripke/lexer.ts';
import { loadModel } from '../kripke/load.ts';
import type { KripkeModel } from '../kripke/model.ts';
import { printLks } from '../kripke/print-lks.ts';
import { promelaFormula } from '../kripke/print-promela-ltl.ts';
import { Product } from '../kripke/product.ts';
import { deadlockModel, formulaModel } from '../kripke/promela.ts';
import { tooManyStarts } from '../kripke/search.ts';
import type { Kripke } from '../kripke/structure.ts';
import { KripkeBuilder } from '../kripke/structure.ts';
import type { System } from '../kripke/system.ts';
import { compose } from '../kripke/system.ts';
import type { Diagnostic } from '../source/diagnostic.ts';
import { hasErrors } from '../source/diagnostic.ts';

export async function convertKripke(request: ConvertRequest): Promise<Converted> {
  const loaded = loadModel(request.paths, request.files, request.options.defines ?? []);
  const diagnostics: Diagnostic[] = [...loaded.diagnostics];
  const text = loaded.model === null ? null : write(request, loaded.model, diagnostics);
  return { text: hasErrors(diagnostics) ? null : text, diagnostics };
}

function write(request: ConvertRequest, model: KripkeModel, diagnostics: Diagnostic[]): string | null {
  switch (request.format) {
    case 'dot':
      return printDot(model.components);
    case 'lks': {
      const formulas = model.formulas.map(({ name, text }) => ({ name, text: text.file.text }));
      return printLks(model.components, formulas, model.deadlockFree);
    }
    case 'aut':
      return writeAut(request, model, diagnostics);
    default:
      return writePromela(request, model, diagnostics);
  }
}

const warning = (message: string): Diagnostic => ({
  ...problem('SPW3040', message, null),
  severity: 'warning',
});

function writeAut(request: ConvertRequest, model: KripkeModel, diagnostics: Diagnostic[]): string | null {
  const [only, ...others] = model.components;
  const whole = others.length === 0 ? only! : build(request, compose(model.components), diagnostics);
  if (whole === null) return null;
  if (whole.propositions.length > 0) diagnostics.push(warning('.aut has no propositions: they are left out'));
  const text = printAut(whole);
  if (text === null)
    diagnostics.push(problem('SPW3041', '.aut has one initial state, this system has several', null));
  return text;
}

/** The composition as one structure. */
function build(request: ConvertRequest, system: System, diagnostics: Diagnostic[]): Kripke | null {
  if (tooManyStarts(system, request.budget)) {
    diagnostics.push(problem('SPW3015', 'the composition has too many initial states', null));
    return null;
  }
  const product = new Product(system);
  const builder = new KripkeBuilder('system');
  for (const state of product.initialStates()) builder.initial(state);
  for (let state = 0; state < product.size; state++) {
    builder.state(String(state));
    product.eachSuccessor(state, (event, target) => builder.edge(state, system.events[event]!, target));
    if (product.size <= Math.min(request.budget.maxStates, 5_000_000) && request.budget.timeLeft()) continue;
    diagnostics.push(problem('SPW3015', `the composition has more than ${product.size} states`, null));
    return null;
  }
  return builder.build();
}

function writePromela(request: ConvertRequest, model: KripkeModel, diagnostics: Diagnostic[]): string | null {
  const system = compose(model.components);
  const stated =
    model.deadlockFree || model.formulas.length === 0
      ? ['deadlock-free']
      : model.formulas.map(({ name }) => `ltl:${name}`);
  const wanted = request.properties.length > 0 ? request.properties : stated;
  const formulas = wanted.filter((id) => id.startsWith('ltl:'));
  const strange = wanted.find((id) => id !== 'deadlock-free' && !id.startsWith('ltl:'));
  if (strange !== undefined) {
    diagnostics.push(problem('SPW3030', `structures have no property '${strange}'`, null));
    return null;
  }
  const parsed = formulas.map((id) => ({
    id,
    syntax: resolveFormula(model, system, id.slice(4), diagnostics),
  }));
  if (hasErrors(diagnostics)) return null;
  if (request.properties.length === 0 && model.deadlockFree && model.formulas.length > 0) {
    const names = model.formulas.map(({ name }) => name).join(', ');
    diagnostics.push(
      warning(`this model asks for deadlocks; the formulas (${names}) need --property ltl:NAME`),
    );
  }
  const text =
    parsed.length === 0
      ? deadlockModel(system)
      : formulaModel(
          system,
          parsed.map(({ id, syntax }, index) => promelaFormula(promelaName(id.slice(4), index), syntax!)),
        );
  if (text === null)
    diagnostics.push(problem('SPW3015', 'the Promela model would be too long for SPIN', null));
  return text;
}

/** Words of Promela, and names that the model uses itself: SPIN takes none of them for a formula. */
const TAKEN = new Set(
  `active assert atomic bit bool break byte chan d_step do else empty enabled eval event false fi for full goto hidden if in init inline int len ltl mtype
  never nempty nfull nr_pr od of pc_value pid printf printm priority proctype provided run s select short show skip started system t timeout trace true
  notrace typedef unless unsigned xr xs c_code c_decl c_expr c_state c_track local always eventually until weakuntil stronguntil implies equivalent release
  next return assert`.split(/\s+/),
);
const promelaName = (name: string, index: number): string =>
  /^[a-z]\w*$/.test(name) && !TAKEN.has(name) && !/^(?:e|holds_)\d+$/.test(name) ? name : `f${index}`;
