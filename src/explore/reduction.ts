// Partial-order reduction by local steps, for properties that do not count steps.
//
// Where every statement of a process's location touches only what belongs to that process, its next step commutes with every
// step of the others, and nobody can enable, disable or see it: then it is enough to take that one now. (An ample set of
// one process, Clarke, Grumberg, Peled, Model Checking, chapter 10.) The conditions:
//   C0, C1  the location has only local statements, and one of them is executable now;
//   C2      no step changes what the property looks at: labels and locals it names, accept labels, progress labels under np_;
//   C3      no cycle consists of such steps only: in each control cycle of local locations one is expanded fully.
// C3 is settled per proctype beforehand, so the choice in a state does not depend on the order of the search.
//
// Assumes: the property is closed under stuttering (no X; claims written by hand are not trusted), and no weak fairness.

import { components } from '../graph/components.ts';
import { digraph } from '../graph/digraph.ts';
import type { Expression } from '../process/expression.ts';
import type { Edge, Proctype, ProctypeId, Program, VariableId } from '../process/program.ts';
import { walkProgram, walkStatement } from '../process/walk.ts';
import type { Model } from './compile.ts';
import type { Features } from './features.ts';

export interface Reduction {
  /** By proctype and location: 1 where a step of the process may be taken alone. */
  readonly alone: readonly Uint8Array[];
}

/** Null where nothing can be gained, or where the model looks at things that every step changes. */
export function reductionOf(model: Model): Reduction | null {
  const { program, features, claim } = model;
  const watched = watchedThings(program, claim);
  if (features.last || features.priority || features.enabled || watched.everything) return null;
  const alone = program.proctypes.map((proctype) => aloneIn(program, proctype, features, watched));
  return alone.some((locations) => locations.includes(1)) ? { alone } : null;
}

interface Watched {
  /** Process counters and the like: every step counts. */
  readonly everything: boolean;
  readonly progress: boolean;
  /** Proctypes whose labels or variables are looked at from outside. */
  readonly proctypes: ReadonlySet<ProctypeId>;
}

function watchedThings(program: Program, claim: Proctype | null): Watched {
  let everything = false;
  let progress = false;
  const proctypes = new Set<ProctypeId>();
  walkProgram(program, claim, {
    expression: (expression) => {
      if (expression.kind === 'pc_value' || expression.kind === 'enabled' || expression.kind === '_last')
        everything = true;
      if (expression.kind === 'np_') progress = true;
      if (expression.kind === 'remote-label' || expression.kind === 'remote-read')
        proctypes.add(expression.proctype);
    },
  });
  return { everything, progress, proctypes };
}

function aloneIn(program: Program, proctype: Proctype, features: Features, watched: Watched): Uint8Array {
  const alone = new Uint8Array(proctype.locations.length);
  if (proctype.provided !== null || watched.proctypes.has(proctype.id)) return alone;
  const visible = (id: number): boolean => {
    const location = proctype.locations[id]!;
    return location.isAccept || (watched.progress && location.isProgress);
  };
  for (const location of proctype.locations) {
    const edges = location.edges.map((id) => proctype.edges[id]!);
    const local = edges.every(
      (edge) => !edge.keepsControl && !visible(edge.to) && isLocal(program, proctype, features, edge),
    );
    if (edges.length > 0 && local && !visible(location.id)) alone[location.id] = 1;
  }
  breakCycles(proctype, alone);
  return alone;
}

/** Only the process's own variables, constants, and globals that nobody ever changes. */
function isLocal(program: Program, proctype: Proctype, features: Features, edge: Edge): boolean {
  const { statement } = edge;
  if (!['condition', 'else', 'assign', 'assert', 'print'].includes(statement.kind)) return false;
  const own = (variable: VariableId): boolean => program.variables[variable]!.owner === proctype.id;
  let local = true;
  walkStatement(statement, {
    write: (cell) => {
      if (!own(cell.variable)) local = false;
    },
    expression: (expression) => {
      if (!isLocalExpression(expression, (id) => own(id) || !features.written.has(id))) local = false;
    },
  });
  return local;
}

/** Looks at the expression itself; its parts are visited one by one. */
function isLocalExpression(expression: Expression, mayRead: (variable: VariableId) => boolean): boolean {
  switch (expression.kind) {
    case 'constant':
    case 'unary':
    case 'binary':
    case 'conditional':
    case '_pid':
      return true;
    case 'read':
      return mayRead(expression.cell.variable);
    default:
      return false;
  }
}

/** Takes one location out of every cycle of locations that are alone. */
function breakCycles(proctype: Proctype, alone: Uint8Array): void {
  for (;;) {
    const arcs = proctype.edges
      .filter((edge) => alone[edge.from] === 1 && alone[edge.to] === 1)
      .map((edge) => ({ from: edge.from as number, to: edge.to as number }));
    const { of, members } = components(digraph(proctype.locations.length, arcs));
    const loops = new Set(arcs.filter((arc) => of[arc.from] === of[arc.to]).map((arc) => of[arc.from]!));
    if (loops.size === 0) return;
    for (const loop of loops) alone[members[loop]![0]!] = 0;
  }
}
