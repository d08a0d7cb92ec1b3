// Which classes have at most one instance in every run: started once, at the start or by a transition that lies on no cycle of a
// class with one instance itself.

import { components } from '../graph/components.ts';
import { digraph } from '../graph/digraph.ts';
import type { ClassGraph } from './class-graph.ts';

export function singleInstances(graphs: readonly ClassGraph[]): ReadonlySet<number> {
  const starts = new Map<number, { readonly by: number; readonly repeats: boolean }[]>();
  for (const graph of graphs) {
    if (graph.steps.every((step) => step.spawns.length === 0)) continue;
    const { of } = components(digraph(graph.states.length, graph.steps));
    for (const step of graph.steps) {
      for (const process of step.spawns) {
        const start = { by: graph.process.id, repeats: of[step.from] === of[step.to] };
        const others = starts.get(process.id);
        if (others === undefined) starts.set(process.id, [start]);
        else others.push(start);
      }
    }
  }
  const byId = new Map(graphs.map((graph) => [graph.process.id, graph.process]));
  const answers = new Map<number, boolean>();
  const isSingle = (id: number): boolean => {
    const known = answers.get(id);
    if (known !== undefined) return known;
    answers.set(id, false); // a class that starts itself is not single
    const started = starts.get(id) ?? [];
    const atStart = byId.get(id)?.instances ?? 0;
    const answer =
      atStart + started.length <= 1 && started.every(({ by, repeats }) => !repeats && isSingle(by));
    answers.set(id, answer);
    return answer;
  };
  return new Set(graphs.map((graph) => graph.process.id).filter(isSingle));
}
