// Can a program start processes without end? Only if some `run` lies on a cycle of its own control graph or of the relation
// 'an instance of this may start an instance of that'.

import type { Proctype, Program } from '../process/program.ts';
import { walkStatement } from '../process/walk.ts';

export function createsWithoutEnd(program: Program): boolean {
  const starts = program.proctypes.map((proctype) => new Set(runsOf(proctype).map(({ target }) => target)));
  const reaches = (from: number, to: number): boolean => {
    const seen = new Set<number>();
    const work = [...starts[from]!];
    for (let at = work.pop(); at !== undefined; at = work.pop()) {
      if (at === to) return true;
      if (seen.has(at)) continue;
      seen.add(at);
      work.push(...starts[at]!);
    }
    return false;
  };
  return program.proctypes.some(
    (proctype) =>
      reaches(proctype.id, proctype.id) ||
      runsOf(proctype).some(({ from, to }) => canReturn(proctype, from, to)),
  );
}

/** Where processes are started, by which step, and of which proctype. */
export function runsOf(proctype: Proctype): { from: number; to: number; target: number }[] {
  return proctype.edges.flatMap((edge) => {
    const found: { from: number; to: number; target: number }[] = [];
    walkStatement(edge.statement, {
      expression: (expression) => {
        if (expression.kind === 'run')
          found.push({ from: edge.from, to: edge.to, target: expression.proctype });
      },
    });
    return found;
  });
}

/** Is the step from the one to the other on a cycle of control? */
export function canReturn(proctype: Proctype, from: number, to: number): boolean {
  const seen = new Set<number>([to]);
  const work = [to];
  for (let at = work.pop(); at !== undefined; at = work.pop()) {
    if (at === from) return true;
    for (const id of proctype.locations[at]!.edges) {
      const next = proctype.edges[id]!.to;
      if (seen.has(next)) continue;
      seen.add(next);
      work.push(next);
    }
  }
  return false;
}
