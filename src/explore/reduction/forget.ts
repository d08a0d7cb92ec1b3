// Values that nobody will read. A variable of a process is dead where every way on writes it before anything reads it (live variables, the textbook's
// backward analysis: Aho, Lam, Sethi, Ullman, section 9.2.5). Two states that differ in dead values only have the same future; a search for
// deadlocks and errors keeps one of them, the one with zeros there. (SPIN does it, too: its option -o2 turns it off.)
//
// The values are left out where a state is packed (code-packing.ts), by a mask per location, so that steps cost no more than before. Runs that
// are found hold choices only, which are possible in the model as it is: no choice depends on a value that nobody reads.
//
// What is never dead: what others can see (remote references), channels, which reductions look at, structures and arrays that are read at all from there on.
// What only goes into a dead or faint value (flows.ts, faint.ts) is not read by anything.

import type { Expression, LValue } from '../../process/expression.ts';
import type { Edge, Location, Proctype, Program, Statement, VariableId } from '../../process/program.ts';
import { partsOfStatement, walkProgram } from '../../process/walk.ts';
import { compileModel, type Model } from '../compile.ts';
import { FaintPlaces, walkFormula } from './faint.ts';
import { flowsOf, readAll } from './flows.ts';

/** By proctype and location: the variables whose values do not count there. */
export type DeadVariables = readonly (readonly (readonly VariableId[])[])[];

/** The same model, with states that differ in nothing that counts taken for equal; null where there is nothing to forget. */
export function forgetfulModel(model: Model): Model | null {
  const { program, claim, options } = model;
  const dead = deadVariables(program, claim);
  const faint = faintCells(program, claim);
  const isNothingDead = dead.every((locations) => locations.every(({ length }) => length === 0));
  if (isNothingDead && faint.size === 0) return null;
  const compiled = compileModel(program, { ...options, dead, faint });
  return compiled.ok ? compiled.value : null;
}

/** By variable that has any: which of its cells are faint. */
function faintCells(program: Program, claim: Proctype | null): ReadonlyMap<VariableId, readonly boolean[]> {
  const places = new FaintPlaces(program, claim);
  const isClaims = new Set([...program.claims, ...(claim === null ? [] : [claim])].flatMap(variablesOf));
  return new Map(
    program.variables
      .filter(({ id }) => !isClaims.has(id))
      .map(({ id }) => [id, places.cellsOf(id)] as const)
      .filter(([, cells]) => cells.includes(true)),
  );
}

const variablesOf = ({ parameters, locals }: Proctype): VariableId[] => [...parameters, ...locals];

export function deadVariables(program: Program, claim: Proctype | null): DeadVariables {
  const seen = seenByOthers(program, claim);
  const faint = new FaintPlaces(program, claim);
  const mayDie = (id: VariableId): boolean => {
    const { kind } = program.variables[id]!.type;
    return !seen.has(id) && kind !== 'chan' && !holdsChannels(program, id);
  };
  return program.proctypes.map((proctype) => {
    const own = variablesOf(proctype).filter(mayDie);
    const kept = variablesOf(proctype).filter((id) => !mayDie(id));
    const live = own.length === 0 ? [] : liveVariables(program, proctype, kept, faint);
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

/** By location: what is read on some way from there before it is written, and what is kept in any case. */
function liveVariables(
  program: Program,
  proctype: Proctype,
  kept: readonly VariableId[],
  faint: FaintPlaces,
): ReadonlySet<VariableId>[] {
  const { locations, edges, provided } = proctype;
  const always: LValue[] = [];
  if (provided !== null) readAll({ expressions: [provided] }, always);
  const effects = edges.map(({ statement }) => effectOf(program, statement, faint));
  const live = locations.map(() => new Set([...kept, ...always.map(({ variable }) => variable)]));
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
  const next = live[edge.to === edge.from ? location.id : edge.to]!;
  if (effect.target !== null && next.has(effect.target))
    for (const variable of effect.from) here.add(variable);
  for (const variable of next) if (!effect.kills.has(variable)) here.add(variable);
}

interface Effect {
  readonly reads: ReadonlySet<VariableId>;
  /** Of an assignment to a variable of the process: it, and what its value is made from. */
  readonly target: VariableId | null;
  readonly from: ReadonlySet<VariableId>;
  /** Written as a whole, whenever the statement is executed. */
  readonly kills: ReadonlySet<VariableId>;
}

/** Inside a d_step nothing counts as written, and all that is read for a place that is not faint as read. */
function effectOf(program: Program, statement: Statement, faint: FaintPlaces): Effect {
  const { reads, into } = flowsOf(statement);
  const kills = (partsOfStatement(statement).writes ?? []).filter(
    ({ variable, path }) => path.length === 0 && program.variables[variable]!.length === null,
  );
  const goesOn = into.filter(({ target }) => !faint.isFaint(target));
  const [only] = goesOn;
  const isOwn = statement.kind === 'assign' && only !== undefined && isLocal(program, only.target.variable);
  const isRead = isOwn ? reads : [...reads, ...goesOn.flatMap(({ from }) => from)];
  const ids = (cells: readonly LValue[]): Set<VariableId> => new Set(cells.map(({ variable }) => variable));
  return {
    reads: ids(isRead),
    target: isOwn ? only.target.variable : null,
    from: ids(isOwn ? only.from : []),
    kills: ids(kills),
  };
}

const isLocal = (program: Program, id: VariableId): boolean => program.variables[id]!.owner !== null;
