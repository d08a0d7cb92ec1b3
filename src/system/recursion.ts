// Proctypes that can, through `run`, create further instances of themselves.

import { components } from '../graph/components.ts';
import { type Arc, digraph } from '../graph/digraph.ts';
import type { Expression } from '../process/expression.ts';
import type { Program, Statement } from '../process/program.ts';
import { forEachPart } from './uses.ts';

export function recursiveProctypes(program: Program): Set<number> {
  const arcs: Arc[] = [];
  for (const proctype of program.proctypes) {
    for (const edge of proctype.edges) {
      forEachExpression(edge.statement, (expression) =>
        forEachPart(expression, (part) => {
          if (part.kind === 'run') arcs.push({ from: proctype.id, to: part.proctype });
        }),
      );
    }
  }
  const { of } = components(digraph(program.proctypes.length, arcs));
  return new Set(arcs.filter((arc) => of[arc.from] === of[arc.to]).map((arc) => arc.from));
}

/** The top-level expressions of a statement, those in d_step bodies included. */
export function forEachExpression(statement: Statement, visit: (expression: Expression) => void): void {
  switch (statement.kind) {
    case 'condition':
    case 'assert':
      visit(statement.expression);
      return;
    case 'assign':
      visit(statement.value);
      return;
    case 'send':
    case 'print':
      for (const arg of statement.args) visit(arg);
      return;
    case 'receive':
      for (const arg of statement.args) if (arg.kind === 'match') visit(arg.value);
      return;
    case 'dstep':
      for (const edge of statement.body.edges) forEachExpression(edge.statement, visit);
      return;
    default:
      return;
  }
}
