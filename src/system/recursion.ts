// Proctypes that can, through `run`, create further instances of themselves.

import { components } from '../graph/components.ts';
import { type Arc, digraph } from '../graph/digraph.ts';
import type { Expression } from '../process/expression.ts';
import type { Program, Statement } from '../process/program.ts';
import { partsOfStatement, walkStatement } from '../process/walk.ts';

export function recursiveProctypes(program: Program): Set<number> {
  const arcs: Arc[] = [];
  for (const proctype of program.proctypes) {
    for (const edge of proctype.edges) {
      walkStatement(edge.statement, {
        expression: (part) => {
          if (part.kind === 'run') arcs.push({ from: proctype.id, to: part.proctype });
        },
      });
    }
  }
  const { of } = components(digraph(program.proctypes.length, arcs));
  return new Set(arcs.filter((arc) => of[arc.from] === of[arc.to]).map((arc) => arc.from));
}

/** The top-level expressions of a statement, those in d_step bodies included. */
export function forEachExpression(statement: Statement, visit: (expression: Expression) => void): void {
  const { expressions = [], edges = [] } = partsOfStatement(statement);
  for (const expression of expressions) visit(expression);
  for (const edge of edges) forEachExpression(edge.statement, visit);
}
