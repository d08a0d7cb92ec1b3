// Variables that differ from round to round of a loop without harm: counters that the loop keeps and never looks at.
//
// Let T be a set of variables. If no step of the loop reads T where it decides something (a guard, an index, an assertion, what an
// `else` or a lost atomic rests on, the arguments of a `run`), if what is computed from T is stored in T alone, and if messages computed from
// T go only into queues from which the loop takes nothing, then the loop can be taken from every state that agrees with its first
// one outside T: by induction over the steps, both states agree outside T after each of them. So the two ends of a round may differ in T.
// T is closed here from the variables that were seen to differ; whole variables (all instances, all elements), which is coarser than
// need be and never wrong.

import type { Expression, LValue } from '../process/expression.ts';
import type { Edge, Proctype, Program, Statement, Type, VariableId } from '../process/program.ts';
import {
  containsExpression,
  indicesOf,
  partsOfStatement,
  walkInitialiser,
  walkStatement,
} from '../process/walk.ts';

/** What one round of a loop did and looked at. */
export interface RoundSteps {
  readonly taken: readonly { readonly proctype: Proctype; readonly edge: Edge }[];
  /** Locations at which a process had to be blocked. */
  readonly blocked: readonly { readonly proctype: Proctype; readonly location: number }[];
}

export interface Drift {
  readonly variables: ReadonlySet<VariableId>;
  /** Steps whose messages may differ in every round. */
  readonly sends: ReadonlySet<Edge>;
}

export const NO_DRIFT: Drift = { variables: new Set(), sends: new Set() };

/** Null when the loop looks at what differs. */
export function harmlessDrift(
  program: Program,
  differing: Iterable<VariableId>,
  round: RoundSteps,
): Drift | null {
  if (program.opaque.length > 0) return null;
  const drift = new Closure(program, differing);
  for (let before = -1; before !== drift.variables.size; ) {
    before = drift.variables.size;
    for (const { edge } of round.taken) if (!drift.take(edge)) return null;
  }
  return drift.restsOn(round) ? null : drift;
}

class Closure implements Drift {
  readonly variables: Set<VariableId>;
  readonly sends = new Set<Edge>();
  private readonly program: Program;

  constructor(program: Program, differing: Iterable<VariableId>) {
    this.program = program;
    this.variables = new Set(differing);
  }

  /** False when the step reads a drifting variable where that matters. */
  take(edge: Edge): boolean {
    const nested = edge.statement.kind === 'dstep' ? edge.statement.body.edges : [edge];
    return nested.every((inner) => {
      const { statement } = inner;
      if (statement.kind === 'dstep') return false;
      if (this.misuses(statement)) return false;
      if (!this.reads(statement)) return true;
      if (containsInStatement(statement, fails)) return false;
      if (statement.kind === 'print') return true;
      if (statement.kind === 'send') {
        this.sends.add(edge);
        return true;
      }
      if (statement.kind !== 'assign') return false;
      if (holdsChannel(this.program, this.program.variables[statement.target.variable]!.type)) return false;
      this.variables.add(statement.target.variable);
      return true;
    });
  }

  /** Does something that had to be blocked, or a condition on the whole process, read what drifts? */
  restsOn({ taken, blocked }: RoundSteps): boolean {
    const waiting: Edge[] = [];
    for (const { proctype, edge } of taken) {
      if (proctype.provided !== null && this.readsIn(proctype.provided)) return true;
      if (edge.statement.kind === 'else' || edge.blockedBy.length > 0)
        waiting.push(...edgesAt(proctype, edge.from).filter((other) => other !== edge));
    }
    for (const { proctype, location } of blocked) waiting.push(...edgesAt(proctype, location));
    const steps = [...taken.map(({ edge }) => edge), ...waiting];
    if (steps.some(({ statement }) => looksAtEveryone(statement)))
      for (const { provided, edges } of this.program.proctypes) {
        if (provided !== null && this.readsIn(provided)) return true;
        waiting.push(...edges);
      }
    return waiting.some(({ statement }) => !ALWAYS.has(statement.kind) && this.reads(statement));
  }

  /** An index, or a process that is started, must not depend on what drifts. */
  private misuses(statement: Statement): boolean {
    const { cells = [], writes = [] } = partsOfStatement(statement);
    let found = [...cells, ...writes].some((cell) => this.readsInIndex(cell));
    let starts = false;
    walkStatement(statement, {
      expression: (expression) => {
        if (expression.kind === 'read' || expression.kind === 'remote-read')
          found ||= this.readsInIndex(expression.cell);
        if (expression.kind === 'channel-query' || expression.kind === 'poll')
          found ||= this.readsInIndex(expression.channel);
        if (expression.kind !== 'run') return;
        starts = true;
        for (const id of this.program.proctypes[expression.proctype]!.locals)
          walkInitialiser(this.program.variables[id]!.initial, {
            expression: (part) => {
              found ||= this.isDrifting(part);
            },
          });
      },
    });
    return found || (starts && this.reads(statement));
  }

  private readonly isDrifting = (expression: Expression): boolean =>
    (expression.kind === 'read' || expression.kind === 'remote-read') &&
    this.variables.has(expression.cell.variable);

  private readsIn(expression: Expression): boolean {
    return containsExpression(expression, this.isDrifting);
  }

  private readsInIndex(cell: LValue): boolean {
    return indicesOf(cell).some((index) => this.readsIn(index));
  }

  private reads(statement: Statement): boolean {
    return containsInStatement(statement, this.isDrifting);
  }
}

/** Statements that are executable whatever their expressions say. */
const ALWAYS: ReadonlySet<Statement['kind']> = new Set(['assign', 'assert', 'print', 'else', 'end']);

const edgesAt = (proctype: Proctype, location: number): Edge[] =>
  proctype.locations[location]!.edges.map((id) => proctype.edges[id]!);

/** Division ends the run where the divisor is zero. */
const fails = (expression: Expression): boolean =>
  expression.kind === 'binary' && (expression.operator === '/' || expression.operator === '%');

const looksAtEveryone = (statement: Statement): boolean =>
  containsInStatement(statement, ({ kind }) => kind === 'timeout' || kind === 'enabled');

function containsInStatement(statement: Statement, test: (part: Expression) => boolean): boolean {
  let found = false;
  walkStatement(statement, {
    expression: (expression) => {
      found ||= test(expression);
    },
  });
  return found;
}

export function holdsChannel(program: Program, type: Type): boolean {
  if (type.kind !== 'struct') return type.kind === 'chan';
  return program.structs[type.struct]!.fields.some((field) => holdsChannel(program, field.type));
}

/** Variables that are counted up or down somewhere, and what is computed from them: the ones worth overlooking in a search for loops. */
export function countersOf(program: Program): ReadonlySet<VariableId> {
  const counters = new Set<VariableId>();
  for (let before = -1; before !== counters.size; ) {
    before = counters.size;
    for (const { edges } of program.proctypes)
      for (const { statement } of edges)
        walkStatement(statement, {
          statement: (part) => {
            if (part.kind !== 'assign' || part.value.kind === 'constant') return;
            const target = part.target.variable;
            const counts = (inner: Expression): boolean =>
              inner.kind === 'read' &&
              (counters.has(inner.cell.variable) || (inner.cell.variable === target && part.value !== inner));
            if (
              containsExpression(part.value, counts) &&
              !holdsChannel(program, program.variables[target]!.type)
            )
              counters.add(target);
          },
        });
  }
  return counters;
}
