// Breadth-first search of the abstract states until a target is met or nothing is left.

import type { Budget } from '../../base/budget.ts';
import type { Abstraction, AbstractState } from './abstraction.ts';
import type { Block, BlockGraph } from './blocks.ts';
import type { AbstractGraph } from './write.ts';

export interface Node {
  readonly id: number;
  readonly state: AbstractState;
  readonly parent: Node | null;
  readonly block: Block | null;
}

export type Exploration =
  | { readonly kind: 'target'; readonly node: Node; readonly states: number }
  | { readonly kind: 'exhausted'; readonly states: number; readonly graph: AbstractGraph }
  /** A tracked cell takes more values than following them is worth. */
  | { readonly kind: 'too-many-values'; readonly cell: number; readonly node: Node; readonly states: number }
  | { readonly kind: 'budget'; readonly states: number };

export async function explore(
  graph: BlockGraph,
  abstraction: Abstraction,
  isTarget: (location: number) => boolean,
  valueLimit: (cell: number) => number,
  budget: Budget,
  isPassedOver: (node: Node) => boolean = () => false,
): Promise<Exploration> {
  const seen = new Map<string, number>();
  const steps: { from: number; edge: number; to: number[] }[] = [];
  const queue: Node[] = [];
  const valuesSeen = new Map<number, Set<bigint>>();
  const add = (state: AbstractState, parent: Node | null, block: Block | null): Node | null => {
    if (seen.has(state.key)) return null;
    const node = { id: queue.length, state, parent, block };
    seen.set(state.key, node.id);
    queue.push(node);
    return node;
  };
  for (const state of await abstraction.initial()) add(state, null, null);
  const initial = queue.map(({ id }) => id);
  for (let head = 0; head < queue.length; head++) {
    const node = queue[head]!;
    if (isTarget(node.state.location)) {
      if (!isPassedOver(node)) return { kind: 'target', node, states: seen.size };
      continue;
    }
    if (!budget.timeLeft() || seen.size > budget.maxStates) return { kind: 'budget', states: seen.size };
    for (const block of graph.outgoing[node.state.location]!) {
      const step = { from: node.id, edge: block.edges.at(-1)!.id, to: [] as number[] };
      for (const next of await abstraction.post(node.state, block)) {
        const made = add(next, node, block);
        step.to.push(seen.get(next.key)!);
        if (made === null) continue;
        for (const [cell, value] of next.values) {
          let values = valuesSeen.get(cell);
          if (values === undefined) valuesSeen.set(cell, (values = new Set()));
          values.add(value.value);
          if (values.size > valueLimit(cell))
            return { kind: 'too-many-values', cell, node: made, states: seen.size };
        }
      }
      if (step.to.length > 0) steps.push(step);
    }
  }
  const found = { states: queue.map(({ state }) => state), initial, steps };
  return { kind: 'exhausted', states: seen.size, graph: found };
}

export function pathTo(node: Node): Block[] {
  const blocks: Block[] = [];
  for (let at: Node | null = node; at?.block != null; at = at.parent) blocks.push(at.block);
  return blocks.reverse();
}
