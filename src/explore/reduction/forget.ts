// Values that nobody will read. A variable of a process is dead where every way on writes it before anything reads it (live variables, the textbook's
// backward analysis: Aho, Lam, Sethi, Ullman, section 9.2.5). Two states that differ in dead values only have the same future; a search for
// deadlocks and errors keeps one of them, the one with zeros there. (SPIN does it, too: its option -o2 turns it off.)
//
// The values are left out where a state is packed (code-packing.ts), by a mask per location, so that steps cost no more than before. Runs that
// are found hold choices only, which are possible in the model as it is: no choice depends on a value that nobody reads.
//
// What is never dead: what others can see (remote references), channels, which reductions look at, structures and arrays that are read at all from there on.

import type { Expression, LValue } from '../../process/expression.ts';
import type {
  Edge,
  FormulaNode,
  Location,
  Proctype,
  Program,
  Statement,
  VariableId,
} from '../../process/program.ts';
import {
  indicesOf,
  type Parts,
  partsOf,
  partsOfStatement,
  walkExpression,
  walkProgram,
} from '../../process/walk.ts';
import { compileModel, type Model } from '../compile.ts';

/** By proctype and location: the variables whose values do not count there. */
export type DeadVariables = readonly (readonly (readonly VariableId[])[])[];

/** The same model, with states that differ in nothing that counts taken for equal; null where there is nothing to forget. */
export function forgetfulModel(model: Model): Model | null {
  const { program, claim, options } = model;
  const dead = deadVariables(program, claim);
  if (dead.every((locations) => locations.every(({ length }) => length === 0))) return null;
  const compiled = compileModel(program, { ...options, dead });
  return compiled.ok ? compiled.value : null;
}

export function deadVariables(program: Program, claim: Proctype | null): DeadVariables {
  const seen = seenByOthers(program, claim);
  const mayDie = (id: VariableId): boolean => {
    const { kind } = program.variables[id]!.type;
    return !seen.has(id) && kind !== 'chan' && !holdsChannels(program, id);
  };
  return program.proctypes.map((proctype) => {
    const own = [...proctype.parameters, ...proctype.locals].filter(mayDie);
    const live = own.length === 0 ? [] : liveVariables(program, proctype);
    return proctype.locations.map(({ id }) => own.filter((variable) => live[id]?.has(variable) === false));
  });
}

const holdsChannels = (program: Program, id: VariableId): boolean =>
  program.variables[id]!.type.kind === 'struct' ||
  program.channelSites.some(({ variable }) => variable === id);

/** Variables that are looked at from outside their process. */
function seenByOthers(program: Program, claim: Proctype | null): Set<VariableId> {
  const seen = new Set<VariableId>();
  const expression = (one: Expression): void => {
    if (one.kind === 'remote-read') seen.add(one.cell.variable);
  };
  walkProgram(program, claim, { expression });
  for (const other of program.claims) walkProgram({ ...program, proctypes: [] }, other, { expression });
  for (const { root } of program.formulas) walkFormula(root, expression);
  return seen;
}

function walkFormula(node: FormulaNode, expression: (one: Expression) => void): void {
  if (node.kind === 'atom') walkExpression(node.expression, { expression });
  if ('operand' in node) walkFormula(node.operand, expression);
  if ('left' in node) {
    walkFormula(node.left, expression);
    walkFormula(node.right, expression);
  }
}

/** By location: what is read on some way from there before it is written. */
function liveVariables(program: Program, proctype: Proctype): ReadonlySet<VariableId>[] {
  const { locations, edges, provided } = proctype;
  const always = new Set<VariableId>();
  if (provided !== null) collectReads({ expressions: [provided] }, always);
  const effects = edges.map(({ statement }) => effectOf(program, statement));
  const live = locations.map(() => new Set(always));
  for (let isNew = true; isNew; ) {
    isNew = false;
    for (const location of locations.toReversed()) {
      const before = live[location.id]!.size;
      for (const id of location.edges) flowBack(location, edges[id]!, effects[id]!, live);
      if (live[location.id]!.size > before) isNew = true;
    }
  }
  return live;
}

function flowBack(location: Location, edge: Edge, effect: Effect, live: Set<VariableId>[]): void {
  const here = live[location.id]!;
  for (const variable of effect.reads) here.add(variable);
  // An edge that leads back to where it begins leaves the process where it is.
  const next = edge.to === edge.from ? location.id : edge.to;
  for (const variable of live[next]!) if (!effect.kills.has(variable)) here.add(variable);
}

interface Effect {
  readonly reads: ReadonlySet<VariableId>;
  /** Written as a whole, whenever the statement is executed. */
  readonly kills: ReadonlySet<VariableId>;
}

function effectOf(program: Program, statement: Statement): Effect {
  const reads = new Set<VariableId>();
  const parts = partsOfStatement(statement);
  collectReads(parts, reads);
  const isWhole = ({ variable, path }: LValue): boolean =>
    path.length === 0 && program.variables[variable]!.length === null;
  const kills = new Set((parts.writes ?? []).filter(isWhole).map(({ variable }) => variable));
  return { reads, kills };
}

/** What is written counts with its indices only; inside a d_step nothing counts as written. */
function collectReads(
  { expressions = [], cells = [], writes = [], edges = [] }: Parts,
  reads: Set<VariableId>,
): void {
  for (const cell of cells) reads.add(cell.variable);
  for (const cell of [...cells, ...writes]) collectReads({ expressions: indicesOf(cell) }, reads);
  for (const expression of expressions) collectReads(partsOf(expression), reads);
  for (const edge of edges) collectReads(partsOfStatement(edge.statement), reads);
}
