// A model as the analyses take it: the components of one system and what is stated about them.

import type { Diagnostic } from '../source/diagnostic.ts';
import { hasErrors, suggest } from '../source/diagnostic.ts';
import type { SourceFile, Span } from '../source/source.ts';
import { SyntaxProblem } from './cursor.ts';
import { Allowance, type Constants, ExpansionProblem, evaluate, unroll } from './evaluate.ts';
import { expandComponent } from './expand.ts';
import { type FormulaText, unrollFormula } from './formula-text.ts';
import { problem } from './lexer.ts';
import { parseLks } from './parser.ts';
import type { Kripke } from './structure.ts';
import type { ComponentDefinition, Instance, LksFile } from './syntax.ts';
import { overlappingPropositions } from './system.ts';

export interface NamedFormula {
  readonly name: string;
  readonly span: Span;
  readonly text: FormulaText;
}

export interface KripkeModel {
  readonly components: readonly Kripke[];
  /** Where each component comes from: its instance in the system clause, or its definition. */
  readonly origins: readonly (Span | null)[];
  readonly formulas: readonly NamedFormula[];
  /** The file says `deadlock-free;`. */
  readonly deadlockFree: boolean;
  /** The constants of the files, for formulas given on the command line. */
  readonly constants: Constants;
}

/** Visits of loop bodies, and their worth in states and edges, that one file may unroll to. */
const ALLOWANCE = 20_000_000;
const MAX_COMPONENTS = 20_000;

/** Null when there are errors; the diagnostics say which. */
export function loadLks(
  file: SourceFile,
  defines: readonly string[],
  diagnostics: Diagnostic[],
): KripkeModel | null {
  const found: Diagnostic[] = [];
  const parsed = parseLks(file, found);
  const model = hasErrors(found) ? null : buildModel(parsed, defines, found);
  diagnostics.push(...found);
  return hasErrors(found) ? null : model;
}

/** Several files as one system. */
export function joinModels(models: readonly KripkeModel[]): KripkeModel {
  return {
    components: models.flatMap((model) => model.components),
    origins: models.flatMap((model) => model.origins),
    formulas: models.flatMap((model) => model.formulas),
    deadlockFree: models.some((model) => model.deadlockFree),
    constants: new Map(models.flatMap((model) => [...model.constants])),
  };
}

/** The demands on a composition that no single component can meet alone. */
export function checkCompatible(model: KripkeModel, diagnostics: Diagnostic[]): void {
  const said = new Set<string>();
  for (const { proposition, first, second } of overlappingPropositions(model.components)) {
    const base = proposition.replace(/\[.*/, '');
    if (said.has(base)) continue;
    said.add(base);
    const names = [first, second].map((index) => model.components[index]!.name);
    const related = model.origins[first];
    diagnostics.push({
      ...problem(
        'SPW3012',
        `components ${names[0]} and ${names[1]} both have the proposition ${proposition}`,
        model.origins[second] ?? null,
        'propositions belong to one component: give each its own name or an index',
      ),
      ...(related == null ? {} : { related: [{ span: related, message: 'the other component' }] }),
    });
  }
}

/** A family of events, go[1], go[2], …, of which most are shared and a few have one component alone: often a range is too short. */
export function warnLonelyEvents({ components, origins }: KripkeModel, diagnostics: Diagnostic[]): void {
  const owners = new Map<string, number[]>();
  components.forEach(({ events }, index) => {
    for (const event of events) {
      const known = owners.get(event);
      if (known === undefined) owners.set(event, [index]);
      else known.push(index);
    }
  });
  const families = new Map<string, { lonely: string[]; shared: string[] }>();
  for (const [event, { length }] of owners) {
    const base = /^([^[]+)\[/.exec(event)?.[1];
    if (base === undefined) continue;
    const family = families.get(base) ?? { lonely: [], shared: [] };
    families.set(base, family);
    (length === 1 ? family.lonely : family.shared).push(event);
  }
  for (const { lonely, shared } of families.values()) {
    // The two ends of a chain are open, and so is what one component has for itself.
    if (lonely.length !== 1 || shared.length < 2) continue;
    const [event] = lonely;
    const owner = owners.get(event!)![0]!;
    const message = `only ${components[owner]!.name} knows ${event}, while ${shared[0]}${shared.length > 1 ? ` and ${shared.length - 1} more` : ''} are shared`;
    diagnostics.push({ ...problem('SPW3018', message, origins[owner] ?? null), severity: 'warning' });
  }
}

function buildModel(parsed: LksFile, defines: readonly string[], diagnostics: Diagnostic[]): KripkeModel {
  const scope = constantsOf(parsed, defines, diagnostics);
  reportDoubles(parsed.components, 'component', diagnostics);
  reportDoubles(
    parsed.formulas.map(({ name, nameSpan }) => ({ name, span: nameSpan })),
    'formula',
    diagnostics,
  );
  if (hasErrors(diagnostics)) return EMPTY;
  const builder = new Assembly(parsed, scope, diagnostics);
  builder.assemble();
  return {
    components: builder.components,
    origins: builder.origins,
    formulas: formulasOf(parsed, scope, diagnostics),
    deadlockFree: parsed.deadlockFree !== null,
    constants: scope,
  };
}

const EMPTY: KripkeModel = {
  components: [],
  origins: [],
  formulas: [],
  deadlockFree: false,
  constants: new Map(),
};

function constantsOf(parsed: LksFile, defines: readonly string[], diagnostics: Diagnostic[]): Constants {
  const given = new Map<string, number>();
  const known = parsed.constants.map((constant) => constant.name);
  for (const define of defines) {
    const [name, value] = /^([^=]*)=?(.*)$/s.exec(define)!.slice(1) as [string, string];
    if (!known.includes(name)) {
      const near = suggest(name, known);
      const help =
        near === null
          ? `the file has ${known.join(', ') || 'no constants'}`
          : `did you mean -D${near}=${value}?`;
      diagnostics.push(problem('SPW3016', `-D${define}: the file has no constant ${name}`, null, help));
    } else if (!/^-?\d+$/.test(value) || !Number.isSafeInteger(Number(value))) {
      diagnostics.push(problem('SPW3016', `-D${define}: a constant takes a whole number`, null));
    } else given.set(name, Number(value));
  }
  const scope = new Map<string, number>();
  for (const { name, span, value } of parsed.constants) {
    if (scope.has(name)) diagnostics.push(problem('SPW3006', `constant ${name} is defined twice`, span));
    attempt(diagnostics, () => scope.set(name, given.get(name) ?? evaluate(value, scope)));
  }
  return scope;
}

function reportDoubles(
  items: readonly { readonly name: string; readonly span: Span }[],
  what: string,
  diagnostics: Diagnostic[],
): void {
  const seen = new Map<string, Span>();
  for (const { name, span } of items) {
    const first = seen.get(name);
    if (first === undefined) seen.set(name, span);
    else {
      const related = [{ span: first, message: 'first defined here' }];
      diagnostics.push({ ...problem('SPW3006', `${what} ${name} is defined twice`, span), related });
    }
  }
}

/** Instances of components, each with a name of its own. */
class Assembly {
  readonly components: Kripke[] = [];
  readonly origins: Span[] = [];
  private readonly parsed: LksFile;
  private readonly scope: Constants;
  private readonly diagnostics: Diagnostic[];
  private readonly allowance = new Allowance(ALLOWANCE);
  private readonly definitions: ReadonlyMap<string, ComponentDefinition>;
  private readonly used = new Set<string>();
  private readonly names = new Map<string, number>();

  constructor(parsed: LksFile, scope: Constants, diagnostics: Diagnostic[]) {
    this.parsed = parsed;
    this.scope = scope;
    this.diagnostics = diagnostics;
    this.definitions = new Map(parsed.components.map((definition) => [definition.name, definition]));
  }

  assemble(): void {
    const { system, components } = this.parsed;
    if (system === null) for (const definition of components) this.alone(definition);
    for (const instance of system?.instances ?? []) {
      attempt(this.diagnostics, () =>
        unroll(instance, this.scope, this.allowance, (item, scope) => {
          if (!hasErrors(this.diagnostics)) this.instance(item, scope);
        }),
      );
    }
    if (hasErrors(this.diagnostics)) return;
    for (const { name, span } of system === null ? [] : components) {
      if (this.used.has(name)) continue;
      const message = `component ${name} is not part of the system`;
      this.diagnostics.push({ ...problem('SPW3017', message, span), severity: 'warning' });
    }
    if (this.components.length === 0) {
      const span = system?.span ?? null;
      this.diagnostics.push(
        problem('SPW3013', 'there is no component to check', span, 'write component P { … }'),
      );
    }
  }

  private alone(definition: ComponentDefinition): void {
    if (definition.parameters.length > 0) {
      const { name, span } = definition;
      const help = `say which instances there are: system = for i in 1..3: ${name}(i);`;
      this.diagnostics.push(
        problem('SPW3014', `component ${name} has parameters, but there is no system clause`, span, help),
      );
    } else this.add(definition, [], definition.span);
  }

  private instance(item: Instance, scope: Constants): void {
    const definition = this.definitions.get(item.component);
    if (definition === undefined) {
      const near = suggest(item.component, this.definitions.keys());
      const help = near === null ? undefined : `did you mean '${near}'?`;
      this.diagnostics.push(problem('SPW3007', `there is no component ${item.component}`, item.span, help));
      return;
    }
    this.used.add(definition.name);
    const wanted = definition.parameters.length;
    if (item.arguments.length !== wanted) {
      const message = `component ${definition.name} takes ${wanted} argument${wanted === 1 ? '' : 's'}, not ${item.arguments.length}`;
      this.diagnostics.push(problem('SPW3008', message, item.span));
      return;
    }
    const values = item.arguments.map((argument) => evaluate(argument, scope));
    this.add(definition, values, item.span);
  }

  private add(definition: ComponentDefinition, values: readonly number[], origin: Span): void {
    const scope = new Map(this.scope);
    definition.parameters.forEach((parameter, index) => {
      scope.set(parameter.name, values[index]!);
    });
    const base = values.length === 0 ? definition.name : `${definition.name}(${values.join(',')})`;
    const copies = (this.names.get(base) ?? 0) + 1;
    this.names.set(base, copies);
    const name = copies === 1 ? base : `${base}#${copies}`;
    if (this.components.length === MAX_COMPONENTS) {
      this.diagnostics.push(problem('SPW3015', `more than ${MAX_COMPONENTS} components`, origin));
      return;
    }
    const structure = expandComponent(definition, name, scope, this.allowance, this.diagnostics);
    if (structure === null) return;
    this.components.push(structure);
    this.origins.push(origin);
  }
}

function formulasOf(parsed: LksFile, scope: Constants, diagnostics: Diagnostic[]): NamedFormula[] {
  const formulas: NamedFormula[] = [];
  for (const { name, nameSpan, text } of parsed.formulas) {
    attempt(diagnostics, () => formulas.push({ name, span: nameSpan, text: unrollFormula(text, scope) }));
  }
  return formulas;
}

/** Runs a piece of the expansion; its problems become diagnostics. */
export function attempt(diagnostics: Diagnostic[], run: () => void): void {
  try {
    run();
  } catch (error) {
    if (!(error instanceof ExpansionProblem || error instanceof SyntaxProblem)) throw error;
    diagnostics.push(error.diagnostic);
  }
}
