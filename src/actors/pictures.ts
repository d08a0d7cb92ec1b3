// Pictures of actors as flat graphs: one per logic, states as locations. Statecharts as such are drawn from their `Logic` (statechart.ts).

import type { ControlGraph } from '../verdict/verdict.ts';
import type { Logic, StateNode } from './behaviour.ts';
import type { ActorSystem } from './system.ts';

export const stateGraphs = (system: ActorSystem): ControlGraph[] => system.logics.map(stateGraph);

function stateGraph(logic: Logic): ControlGraph {
  const nodes: StateNode[] = [];
  const visit = (node: StateNode): void => {
    nodes.push(node);
    for (const inner of node.states) visit(inner);
  };
  visit(logic.root);
  const number = new Map(nodes.map((node, id) => [node.name, id]));
  return {
    name: logic.name,
    initial: [0],
    locations: nodes.map((node, id) => ({
      id,
      label: node.name === '' ? logic.name : node.name,
      ...(node.kind === 'final' ? { end: true } : {}),
      ...(node.at === null ? {} : { at: node.at }),
    })),
    edges: [
      ...nodes.flatMap((node, from) =>
        node.states
          .filter(({ key }) => node.kind === 'parallel' || key === node.initial)
          .map((inner) => ({ from, to: number.get(inner.name)!, label: '' })),
      ),
      ...logic.transitions.flatMap(({ from, to, event, guard, at }) =>
        (to ?? [from]).map((target) => ({
          from: number.get(from)!,
          to: number.get(target)!,
          label: guard === null ? event : `${event} [${guard}]`,
          ...(at === null ? {} : { at }),
        })),
      ),
    ],
  };
}
