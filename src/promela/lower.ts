// The syntax tree to the program: units in the order of the text (a name is known only below its declaration), formulas last.

import type { ProctypeId, Program, Statement } from '../process/program.ts';
import type { Model, ProctypeNode, Unit } from './ast.ts';
import { ProctypeBody } from './body.ts';
import type { Diagnostics } from './codes.ts';
import { declareVariable, fieldsOf } from './declare.ts';
import { FlowBuilder } from './flow-build.ts';
import { lowerFormula } from './formula.ts';
import type { PromelaNames } from './names.ts';
import { ExpressionResolver } from './resolve-expression.ts';
import type { ProctypeEntry } from './symbols.ts';
import { Scope, Symbols } from './symbols.ts';

/** Null when there are errors; they are in the diagnostics. */
export function lower(
  model: Model,
  name: string,
  diagnostics: Diagnostics,
  names: PromelaNames | null = null,
): Program | null {
  const symbols = new Symbols(diagnostics, names);
  symbols.receivesPid = model.receivesPid;
  register(model, symbols);
  const bodies: ProctypeBody[] = [];
  for (const unit of model.units) lowerUnit(unit, symbols, bodies);
  for (const body of bodies) body.finish();
  for (const unit of model.units) if (unit.kind === 'ltl') lowerFormula(unit, symbols);
  for (const body of bodies) body.build();
  for (const fixup of symbols.fixups) fixup();
  const starts = symbols.proctypes.some((entry) => (entry.lowered?.active ?? 0) > 0);
  if (!starts && diagnostics.errors === 0)
    diagnostics.error('SPW1110', null, 'no process runs at the start', {
      help: 'add an init or an active proctype',
    });
  if (diagnostics.errors > 0) return null;
  return {
    name,
    variables: symbols.variables.map(({ mtypeSet: _, ...variable }) => variable),
    globals: symbols.globals,
    structs: symbols.structs,
    proctypes: symbols.proctypes.map((entry) => entry.lowered!),
    channelSites: symbols.channelSites,
    mtypes: symbols.mtypes(),
    claims: symbols.claims.map((entry) => entry.lowered!),
    formulas: symbols.formulas,
    traces: symbols.traces,
    opaque: symbols.opaque,
  };
}

/** Proctypes may be run before they are declared. */
function register(model: Model, symbols: Symbols): void {
  for (const unit of model.units) {
    if (unit.kind !== 'proctype' && unit.kind !== 'init' && unit.kind !== 'never') continue;
    const list = unit.kind === 'never' ? symbols.claims : symbols.proctypes;
    const twice = list.find((entry) => entry.node.name.text === unit.name.text);
    if (twice !== undefined)
      symbols.error('SPW1102', unit.name, `'${unit.name.text}' is declared twice`, {
        related: [{ span: twice.node.name.span, message: 'the first declaration' }],
      });
    const id = list.length as ProctypeId;
    const entry: ProctypeEntry = { id, node: unit, parameters: [], locals: [], lowered: null };
    symbols.names?.proctype(entry, unit);
    list.push(entry);
  }
}

function lowerUnit(unit: Unit, symbols: Symbols, bodies: ProctypeBody[]): void {
  const resolver = new ExpressionResolver(symbols, null, symbols.global);
  switch (unit.kind) {
    case 'mtypes':
      symbols.names?.mtypes(unit.set, unit.names);
      symbols.addMtypes(unit.set?.text ?? '', unit.names);
      return;
    case 'typedef':
      if (symbols.structNamed(unit.name.text) !== null)
        symbols.error('SPW1102', unit.name, `the type '${unit.name.text}' is defined twice`);
      symbols.names?.typedef(unit.name, unit.declarations, unit.span);
      symbols.addStruct(unit.name.text, fieldsOf(symbols, unit.declarations, resolver));
      return;
    case 'declaration':
      for (const variable of unit.declaration.variables)
        declareVariable(symbols, resolver, symbols.global, null, unit.declaration, variable, 'global');
      return;
    case 'proctype':
    case 'init':
    case 'never': {
      const list = unit.kind === 'never' ? symbols.claims : symbols.proctypes;
      const entry = list.find((candidate) => candidate.node === unit)!;
      bodies.push(new ProctypeBody(symbols, entry));
      return;
    }
    case 'trace':
    case 'notrace':
      symbols.traces.push({ kind: unit.kind, span: unit.span });
      checkTrace(unit, symbols);
      return;
    case 'c':
      symbols.opaque.push({ kind: unit.word, text: unit.text, span: unit.span });
      return;
    case 'ltl':
      return;
  }
}

/** Traces are not analysed, but what they say must make sense: events and control, nothing else. */
function checkTrace(unit: Unit & { kind: 'trace' | 'notrace' }, symbols: Symbols): void {
  const { span, expansion, body } = unit;
  const node: ProctypeNode = {
    span,
    expansion,
    kind: 'proctype',
    name: { text: unit.kind, span, expansion },
    deterministic: false,
    active: null,
    parameters: [],
    priority: null,
    provided: null,
    body,
  };
  const entry: ProctypeEntry = { id: -1 as ProctypeId, node, parameters: [], locals: [], lowered: null };
  const builder = new FlowBuilder(symbols, entry, new Scope(symbols.global));
  builder.body(body);
  const { flow } = builder;
  symbols.elements += flow.nodes.length;
  for (const { kind, statement, span: place } of flow.nodes) {
    const event = statement?.kind === 'send' || statement?.kind === 'receive' || statement?.kind === 'else';
    if (kind === 'step' && !event && !isSkip(statement))
      symbols.error(
        'SPW1111',
        { span: place, expansion: null },
        `a ${unit.kind} can hold sends and receives only`,
      );
  }
}

const isSkip = (statement: Statement | null): boolean =>
  statement?.kind === 'condition' && statement.expression.kind === 'constant';
