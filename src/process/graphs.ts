// Process graphs for pictures: locations with their labels, edges with the text of their statements.

import { startOf } from '../source/source.ts';
import type { ControlGraph } from '../verdict/verdict.ts';
import type { LocationId, Proctype, Program } from './program.ts';
import { showStatement } from './show.ts';

export function controlGraphs(program: Program): ControlGraph[] {
  return [...program.proctypes, ...program.claims].map((proctype) => controlGraph(program, proctype));
}

function controlGraph(program: Program, proctype: Proctype): ControlGraph {
  const edges = proctype.edges.filter((edge) => edge.statement.kind !== 'end');
  const drawn = new Set<LocationId>([proctype.initial]);
  for (const { from, to } of edges) drawn.add(from).add(to);
  const names = new Map<number, string[]>();
  for (const [label, location] of proctype.labels)
    names.set(location, [...(names.get(location) ?? []), label]);
  return {
    name: proctype.name,
    initial: [proctype.initial],
    locations: proctype.locations
      .filter(({ id }) => drawn.has(id))
      .map((location) => ({
        id: location.id,
        label: (names.get(location.id) ?? []).join(', '),
        at: startOf(location.span),
        ...(location.isEnd ? { end: true } : {}),
        ...(location.isProgress ? { progress: true } : {}),
      })),
    edges: edges.map(({ from, to, statement, keepsControl, span }) => ({
      from,
      to,
      label: showStatement(program, statement),
      at: startOf(span),
      ...(statement.kind === 'send' || statement.kind === 'receive' ? { kind: statement.kind } : {}),
      ...(keepsControl ? { atomic: true } : {}),
    })),
  };
}
