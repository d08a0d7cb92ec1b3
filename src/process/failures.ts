// A program in which a violated assertion is a place to stand: `assert(e)` becomes a choice between `e`, which goes on, and `!e`, which leads
// to a location of its own that nothing leaves. The assertion can fail exactly when somebody can get there, so that questions about
// assertions become questions about locations.

import type { Edge, EdgeId, Location, LocationId, Proctype, Program, Statement } from './program.ts';

export interface WithFailures {
  readonly program: Program;
  /** Is this a location that only a violated assertion leads to? */
  isFailure(proctype: number, location: number): boolean;
}

/** Null where an assertion stands inside a d_step: there it has no location. */
export function withFailures(program: Program): WithFailures | null {
  const proctypes = program.proctypes.map(splitAssertions);
  if (proctypes.includes(null)) return null;
  const changed = proctypes as readonly Proctype[];
  return {
    program: { ...program, proctypes: changed },
    isFailure: (proctype, location) => location >= program.proctypes[proctype]!.locations.length,
  };
}

function splitAssertions(proctype: Proctype): Proctype | null {
  const locations: Location[] = [...proctype.locations];
  const edges: Edge[] = [...proctype.edges];
  for (const edge of proctype.edges) {
    if (assertsInside(edge.statement)) return null;
    if (edge.statement.kind !== 'assert') continue;
    const { expression } = edge.statement;
    const from = locations[edge.from]!;
    const failure = locations.length as LocationId;
    const failing = edges.length as EdgeId;
    const negated = { kind: 'unary', operator: '!', operand: expression, span: expression.span } as const;
    edges[edge.id] = { ...edge, statement: { kind: 'condition', expression } };
    edges.push({
      ...edge,
      id: failing,
      to: failure,
      keepsControl: false,
      statement: { kind: 'condition', expression: negated },
    });
    // Beside the edge it belongs to: an `else` behind it stays out of reach.
    const at = from.edges.indexOf(edge.id) + 1;
    locations[edge.from] = { ...from, edges: from.edges.toSpliced(at, 0, failing) };
    locations.push({
      id: failure,
      edges: [],
      isEnd: false,
      isProgress: false,
      isAccept: false,
      isFinal: false,
      span: edge.span,
    });
  }
  return { ...proctype, locations, edges };
}

const assertsInside = (statement: Statement): boolean =>
  statement.kind === 'dstep' &&
  statement.body.edges.some(({ statement: inner }) => inner.kind === 'assert' || assertsInside(inner));
