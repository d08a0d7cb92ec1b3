// A program without what only carries data: for questions about how many messages queues hold. Variables and message fields that no
// statement's executability depends on are dropped; a choice among branches that only touch dropped variables and come
// together again is left open.
//
// Soundness duty: every run of the program is, step by step and location by location, a run of the slice, with the same number of messages in every
// queue. The slice may have more runs, never fewer: a bound of the slice is a bound of the program, a run of the slice need not be one. Where something rests
// on a statement NOT being executable (else, timeout, enabled, priorities), both agree: a choice is only left open where one
// branch is always executable. Fields are told apart by their position alone, whatever the channel.

import type { Expression, LValue, ReceiveArgument } from '../process/expression.ts';
import type { Edge, Proctype, Program, Statement, VariableId } from '../process/program.ts';
import { walkExpression, walkStatement } from '../process/walk.ts';

export interface Slice {
  readonly program: Program;
  /** The names of the variables that are left out. */
  readonly dropped: readonly string[];
}

/** Null when there is nothing to leave out, or embedded C could see it. */
export function sliceForQueues(program: Program): Slice | null {
  if (program.opaque.length > 0) return null;
  const needs = new Needs(program);
  needs.close();
  const written = new Set<VariableId>();
  for (const { edges } of program.proctypes)
    for (const { statement } of edges)
      walkStatement(statement, { write: ({ variable }) => void written.add(variable) });
  const dropped = program.variables.filter(({ id }) => written.has(id) && !needs.variables.has(id));
  if (dropped.length === 0) return null;
  const proctypes = program.proctypes.map((proctype) => ({
    ...proctype,
    edges: proctype.edges.map((edge) => ({ ...edge, statement: sliced(needs, proctype, edge) })),
  }));
  return { program: { ...program, proctypes }, dropped: dropped.map(({ name }) => name) };
}

/** The variables and field positions that executability depends on: grows until nothing is missing. */
class Needs {
  readonly variables = new Set<VariableId>();
  readonly fields = new Set<number>();
  private readonly program: Program;
  private openChoices = new Map<Proctype, ReadonlySet<number>>();

  constructor(program: Program) {
    this.program = program;
  }

  close(): void {
    for (let before = -1; before !== this.variables.size + this.fields.size; ) {
      before = this.variables.size + this.fields.size;
      for (const proctype of this.program.proctypes) {
        this.openChoices.set(proctype, this.choicesLeftOpen(proctype));
        if (proctype.provided !== null) this.read(proctype.provided);
        for (const edge of proctype.edges) this.collect(proctype, edge);
      }
      for (const { id, initial } of this.program.variables) {
        if (!this.variables.has(id)) continue;
        if (initial?.kind === 'each') this.read(initial.value);
        if (initial?.kind === 'list') for (const value of initial.values) this.read(value);
      }
    }
  }

  isLeftOpen(proctype: Proctype, location: number): boolean {
    return this.openChoices.get(proctype)!.has(location);
  }

  private collect(proctype: Proctype, edge: Edge): void {
    const { statement } = edge;
    if (starts(statement)) this.keep(statement);
    switch (statement.kind) {
      case 'condition':
        if (!this.isLeftOpen(proctype, edge.from)) this.read(statement.expression);
        return;
      case 'assign':
        if (this.variables.has(statement.target.variable)) {
          this.need(statement.target);
          this.read(statement.value);
        }
        return;
      case 'send':
        this.need(statement.channel);
        statement.args.forEach((argument, position) => {
          if (statement.sorted) this.fields.add(position);
          if (this.fields.has(position)) this.read(argument);
        });
        return;
      case 'receive':
        this.need(statement.channel);
        this.receives(statement.args, true);
        return;
      case 'dstep':
        // Its choices are deterministic: nothing in it is left out.
        this.keep(statement);
        return;
      default:
        return;
    }
  }

  /** All that the statement reads and writes. */
  private keep(statement: Statement): void {
    walkStatement(statement, {
      write: (cell) => this.need(cell),
      statement: (inner) => {
        if (inner.kind === 'send') inner.args.forEach((_, position) => void this.fields.add(position));
        if (inner.kind === 'send' || inner.kind === 'receive') this.need(inner.channel);
        if (inner.kind === 'receive') this.receives(inner.args, true);
      },
      expression: (expression) => this.readOne(expression),
    });
  }

  private receives(args: readonly ReceiveArgument[], stores: boolean): void {
    args.forEach((argument, position) => {
      if (argument.kind === 'match') {
        this.fields.add(position);
        this.read(argument.value);
      }
      if (stores && argument.kind === 'store' && this.variables.has(argument.target.variable)) {
        this.fields.add(position);
        this.need(argument.target);
      }
    });
  }

  /** The cell's variable, and what finds the cell in it. */
  private need(cell: LValue): void {
    this.variables.add(cell.variable);
    for (const step of cell.path) if (step.kind === 'index') this.read(step.index);
  }

  private read(expression: Expression): void {
    walkExpression(expression, { expression: (part) => this.readOne(part) });
  }

  private readOne(expression: Expression): void {
    if (expression.kind === 'read' || expression.kind === 'remote-read') this.need(expression.cell);
    if (expression.kind === 'channel-query' || expression.kind === 'poll') this.need(expression.channel);
    if (expression.kind === 'poll') this.receives(expression.args, false);
    if (expression.kind === 'run')
      for (const parameter of this.program.proctypes[expression.proctype]!.parameters)
        this.variables.add(parameter);
  }

  private choicesLeftOpen(proctype: Proctype): Set<number> {
    const open = new Set<number>();
    for (const { id, edges } of proctype.locations) {
      const leaving = edges.map((edge) => proctype.edges[edge]!);
      const last = leaving.at(-1);
      if (leaving.length < 2 || last?.statement.kind !== 'else') continue;
      const isPlain = leaving.every(
        (edge) => edge.blockedBy.length === 0 && (edge === last || isTest(edge.statement)),
      );
      if (isPlain && this.comeTogether(proctype, leaving)) open.add(id);
    }
    return open;
  }

  /** Do all branches lead to one location, over statements that the slice need not do? */
  private comeTogether(proctype: Proctype, leaving: readonly Edge[]): boolean {
    const [first, ...others] = leaving.map((edge) => this.quietWay(proctype, edge.to));
    return first!.some((location) => others.every((way) => way.includes(location)));
  }

  private quietWay(proctype: Proctype, from: number): number[] {
    const way = [from];
    for (;;) {
      const { edges } = proctype.locations[way.at(-1)!]!;
      const edge = proctype.edges[edges[0] ?? -1];
      if (edges.length !== 1 || edge === undefined || edge.blockedBy.length > 0) return way;
      if (!this.isQuiet(edge.statement) || way.includes(edge.to)) return way;
      way.push(edge.to);
    }
  }

  private isQuiet(statement: Statement): boolean {
    if (starts(statement)) return false;
    if (statement.kind === 'print') return true;
    if (statement.kind === 'condition')
      return statement.expression.kind === 'constant' && statement.expression.value !== 0;
    return statement.kind === 'assign' && !this.variables.has(statement.target.variable);
  }
}

const isTest = (statement: Statement): boolean => statement.kind === 'condition' && !starts(statement);

/** Does it start a process, or change a priority, wherever that stands in it? Then it is done whatever becomes of its values. */
function starts(statement: Statement): boolean {
  let found = false;
  walkStatement(statement, {
    expression: ({ kind }) => {
      if (kind === 'run' || kind === 'set_priority') found = true;
    },
  });
  return found;
}

function sliced(needs: Needs, proctype: Proctype, edge: Edge): Statement {
  const { statement, span } = edge;
  if (starts(statement)) return statement;
  const always: Statement = {
    kind: 'condition',
    expression: { kind: 'constant', value: 1, type: { kind: 'bool' }, span },
  };
  switch (statement.kind) {
    case 'condition':
    case 'else':
      return needs.isLeftOpen(proctype, edge.from) ? always : statement;
    case 'assign':
      return needs.variables.has(statement.target.variable) ? statement : always;
    case 'assert':
    case 'print':
      return always;
    case 'send': {
      const zero = (type: 'byte'): Expression => ({ kind: 'constant', value: 0, type: { kind: type }, span });
      const args = statement.args.map((argument, position) =>
        needs.fields.has(position) ? argument : zero('byte'),
      );
      return { ...statement, args };
    }
    case 'receive': {
      const args = statement.args.map((argument): ReceiveArgument => {
        const isDropped = argument.kind === 'store' && !needs.variables.has(argument.target.variable);
        return isDropped ? { kind: 'ignore' } : argument;
      });
      return { ...statement, args };
    }
    default:
      return statement;
  }
}
