// Process graphs for pictures: locations with their labels, edges with the text of their statements.

import { startOf } from '../source/source.ts';
import type { ControlGraph } from '../verdict/verdict.ts';
import type { Proctype, Program } from './program.ts';
import { showStatement } from './show.ts';

export function controlGraphs(program: Program): ControlGraph[] {
  return [...program.proctypes, ...program.claims].map((proctype) => controlGraph(program, proctype));
}

export function controlGraph(program: Program, proctype: Proctype): ControlGraph {
  const names = new Map<number, string[]>();
  for (const [label, location] of proctype.labels)
    names.set(location, [...(names.get(location) ?? []), label]);
  return {
    name: proctype.name,
    initial: [proctype.initial],
    locations: proctype.locations.map((location) => ({
      id: location.id,
      label: (names.get(location.id) ?? []).join(', '),
      at: startOf(location.span),
      ...(location.isEnd ? { end: true } : {}),
      ...(location.isProgress ? { progress: true } : {}),
    })),
    edges: proctype.edges
      .filter((edge) => edge.statement.kind !== 'end')
      .map((edge) => ({
        from: edge.from,
        to: edge.to,
        label: showStatement(program, edge.statement),
        at: startOf(edge.span),
      })),
  };
}
