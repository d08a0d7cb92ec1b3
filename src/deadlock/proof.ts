// What a linear proof of deadlock-freedom is, and its checker in exact integers.
//
// A proof is a list of blocks and a tree. A leaf `empty` says that narrowing leaves some component no state; a leaf `farkas` gives
// multipliers for the rows of encode.ts whose combination no non-negative point satisfies; a `split` makes two cases of where a
// component stands. The checker shares no code with what finds proofs (blocks, domains, encoding, solver): it explores the
// blocks by its own plain search and adds up the combination column by column in BigInt.

import type { System } from '../kripke/system.ts';
import type { RowKey } from './encode.ts';
import { contradicts } from './farkas.ts';
import type { CheckedBlock, Graph } from './proof-graph.ts';
import { allowedEnds, readGraph, stuckJointStates } from './proof-graph.ts';

export interface LinearProof {
  readonly blocks: readonly (readonly number[])[];
  readonly tree: ProofTree;
}

export type ProofTree =
  | { readonly kind: 'empty' }
  | { readonly kind: 'farkas'; readonly rows: readonly (readonly [RowKey, bigint])[] }
  | {
      readonly kind: 'split';
      readonly component: number;
      /** The first case: the component stands in one of these states; the second: in none of them. */
      readonly states: readonly number[];
      readonly inside: ProofTree;
      readonly outside: ProofTree;
    };

/** True only when the proof shows that the composition has no reachable deadlock. */
export function checkProof(system: System, proof: LinearProof): boolean {
  const graph = readGraph(system);
  const blocks: CheckedBlock[] = [];
  for (const members of proof.blocks) {
    const joint = stuckJointStates(graph, members);
    if (joint === null) return false;
    blocks.push({ members, joint });
  }
  return checkTree(graph, blocks, allowedEnds(graph), proof.tree);
}

function checkTree(
  graph: Graph,
  blocks: readonly CheckedBlock[],
  ends: readonly ReadonlySet<number>[],
  tree: ProofTree,
): boolean {
  const narrowed = narrow(blocks, ends);
  if (narrowed.some((states) => states.size === 0)) return true;
  switch (tree.kind) {
    case 'empty':
      return false;
    case 'farkas':
      return contradicts(graph, blocks, narrowed, tree.rows);
    case 'split': {
      if (!(tree.component in graph.components)) return false;
      const chosen = new Set(tree.states);
      const restrict = (keep: (state: number) => boolean) =>
        narrowed.map((states, index) =>
          index === tree.component ? new Set([...states].filter(keep)) : states,
        );
      return (
        checkTree(
          graph,
          blocks,
          restrict((state) => chosen.has(state)),
          tree.inside,
        ) &&
        checkTree(
          graph,
          blocks,
          restrict((state) => !chosen.has(state)),
          tree.outside,
        )
      );
    }
  }
}

/** Drops end states that occur in no joint state of a block, until nothing changes. */
function narrow(blocks: readonly CheckedBlock[], ends: readonly ReadonlySet<number>[]): Set<number>[] {
  const current = ends.map((states) => new Set(states));
  const blocksOf: CheckedBlock[][] = ends.map(() => []);
  for (const block of blocks) for (const member of block.members) blocksOf[member]!.push(block);
  const waiting = [...blocks];
  for (let block = waiting.pop(); block !== undefined; block = waiting.pop()) {
    const { members, joint } = block;
    const alive = joint.filter((states) => members.every((member, i) => current[member]!.has(states[i]!)));
    members.forEach((member, i) => {
      const supported = new Set(alive.map((states) => states[i]!));
      const lost = [...current[member]!].filter((state) => !supported.has(state));
      for (const state of lost) current[member]!.delete(state);
      if (lost.length > 0) waiting.push(...blocksOf[member]!);
    });
  }
  return current;
}
