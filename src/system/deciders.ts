// Which variables decide what the counting abstraction counts: the channel a statement uses, the type of the message it sends, the
// arguments a process is started with, how often a loop starts processes; and the variables those are computed from.

import { components } from '../graph/components.ts';
import { digraph } from '../graph/digraph.ts';
import type { Edge, Proctype, Program, Statement, VariableId } from '../process/program.ts';
import { forEachPart, hasRun, readsOf, readsOfCell, usesOf } from '../process/uses.ts';
import type { ClassGraph } from './class-graph.ts';
import { fieldPlan, type Plan } from './plan.ts';
import { forEachExpression } from './recursion.ts';

/** Deciders of the structure, read off the text: channels, indices, arguments of `run`, loops around `run`. */
export function structuralDeciders(program: Program): Set<VariableId> {
  const found = new Set<VariableId>();
  for (const proctype of program.proctypes) {
    for (const edge of proctype.edges) statementDeciders(edge.statement, found);
    for (const edge of edgesOnLoopsThatStart(proctype)) addGuards(edge.statement, found);
  }
  return found;
}

/** Variables that patterns ask for: `eval(x)`. */
export function patternDeciders(program: Program): Set<VariableId> {
  const found = new Set<VariableId>();
  const visit = (statement: Statement): void => {
    if (statement.kind === 'dstep') for (const edge of statement.body.edges) visit(edge.statement);
    if (statement.kind === 'receive')
      for (const arg of statement.args) if (arg.kind === 'match') readsOf(arg.value, found);
  };
  for (const proctype of program.proctypes) for (const edge of proctype.edges) visit(edge.statement);
  return found;
}

function statementDeciders(statement: Statement, found: Set<VariableId>): void {
  if (statement.kind === 'dstep')
    for (const edge of statement.body.edges) statementDeciders(edge.statement, found);
  if (statement.kind === 'send' || statement.kind === 'receive')
    for (const variable of readsOfCell(statement.channel)) found.add(variable);
  forEachExpression(statement, (expression) =>
    forEachPart(expression, (part) => {
      if (part.kind === 'run') for (const arg of part.args) readsOf(arg, found);
    }),
  );
}

function edgesOnLoopsThatStart(proctype: Proctype): Edge[] {
  const { of } = components(digraph(proctype.locations.length, proctype.edges));
  const onCycle = proctype.edges.filter((edge) => of[edge.from] === of[edge.to]);
  const starting = new Set(onCycle.filter((edge) => starts(edge.statement)).map((edge) => of[edge.from]));
  return onCycle.filter((edge) => starting.has(of[edge.from]));
}

function starts(statement: Statement): boolean {
  let found = false;
  forEachExpression(statement, (expression) => {
    found ||= hasRun(expression);
  });
  return found;
}

/** The variables a guard tests. */
export function addGuards(statement: Statement, found: Set<VariableId>): void {
  if (statement.kind === 'condition') readsOf(statement.expression, found);
  if (statement.kind === 'dstep') for (const edge of statement.body.edges) addGuards(edge.statement, found);
}

/** Variables in message fields whose values are told apart, as exploring has found them. */
export function decidersInMessages(graphs: readonly ClassGraph[], plan: Plan): Set<VariableId> {
  const found = new Set<VariableId>();
  for (const { process, steps } of graphs) {
    for (const { segment, effects } of steps) {
      const fields = new Set<number>();
      for (const { queue, kind } of effects) {
        if (kind !== 'send') continue;
        for (const index of queue.fields.keys()) {
          const { asked, split } = fieldPlan(plan, queue.key, index);
          if (asked.size > 0 || split) fields.add(index);
        }
      }
      if (fields.size === 0) continue;
      for (const edge of segment.edges) addSentFields(process.proctype.edges[edge]!.statement, fields, found);
    }
  }
  return found;
}

function addSentFields(statement: Statement, fields: ReadonlySet<number>, found: Set<VariableId>): void {
  if (statement.kind === 'dstep')
    for (const edge of statement.body.edges) addSentFields(edge.statement, fields, found);
  if (statement.kind !== 'send') return;
  for (const [index, arg] of statement.args.entries()) if (fields.has(index)) readsOf(arg, found);
}

/** What the variables are computed from, leaving out those that never change: their values are known anyway. */
export function closure(program: Program, variables: Iterable<VariableId>): Set<VariableId> {
  const { found, changing } = withSources(program, variables);
  return new Set([...found].filter((variable) => changing.has(variable)));
}

/** The variables and all they are computed from, and which variables of the program ever change. */
export function withSources(
  program: Program,
  variables: Iterable<VariableId>,
): { readonly found: Set<VariableId>; readonly changing: ReadonlySet<VariableId> } {
  const sources = new Map<VariableId, Set<VariableId>>();
  const visit = (statement: Statement): void => {
    if (statement.kind === 'dstep') for (const edge of statement.body.edges) visit(edge.statement);
    else {
      const { writes, reads } = usesOf(statement);
      for (const written of writes) {
        const from = sources.get(written) ?? new Set();
        if (statement.kind === 'assign') for (const read of reads) from.add(read);
        sources.set(written, from);
      }
    }
  };
  for (const proctype of program.proctypes) for (const edge of proctype.edges) visit(edge.statement);
  const found = new Set(variables);
  for (const variable of found) for (const source of sources.get(variable) ?? []) found.add(source);
  return { found, changing: new Set(sources.keys()) };
}
