// What a linear proof of deadlock-freedom is, and its checker in exact integers.
//
// A proof is a list of blocks and a tree. A leaf `empty` says that narrowing leaves some component no state; a leaf `farkas` gives
// multipliers for the rows of encode.ts whose combination no non-negative point satisfies; a `split` makes two cases of where a
// component stands. The checker shares no code with what finds proofs (blocks, domains, encoding, solver): it explores the
// blocks by its own plain search and adds up the combination column by column in BigInt.

import type { System } from '../kripke/system.ts';
import type { RowKey } from './encode.ts';

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
  if (!proof.blocks.every((block) => block.length > 0 && block.every((index) => index in graph.components)))
    return false;
  const blocks = proof.blocks.map((members) => ({ members, joint: stuckJointStates(graph, members) }));
  return checkTree(graph, blocks, allowedEnds(graph), proof.tree);
}

/** The composition in the plainest form: edges as triples of numbers, per component and state. */
interface Graph {
  readonly participants: readonly (readonly number[])[];
  readonly components: readonly {
    readonly initial: readonly number[];
    readonly out: readonly (readonly { readonly event: number; readonly target: number }[])[];
  }[];
}

interface CheckedBlock {
  readonly members: readonly number[];
  readonly joint: readonly (readonly number[])[];
}

function readGraph(system: System): Graph {
  return {
    participants: system.participants,
    components: system.components.map((structure, index) => ({
      initial: structure.initial,
      out: structure.stateNames.map((_, state) => {
        const { first, event, target } = structure.edges;
        const out = [];
        for (let i = first[state]!; i < first[state + 1]!; i++)
          out.push({ event: system.globalIds[index]![event[i]!]!, target: target[i]! });
        return out;
      }),
    })),
  };
}

/** States without an event that needs nobody else. */
function allowedEnds(graph: Graph): Set<number>[] {
  return graph.components.map(
    ({ out }) =>
      new Set(
        [...out.keys()].filter((state) =>
          out[state]!.every(({ event }) => graph.participants[event]!.length > 1),
        ),
      ),
  );
}

/** Reachable joint states of the block alone, less those that enable an event of block members only. */
function stuckJointStates(graph: Graph, members: readonly number[]): number[][] {
  const views = members.map((member) => viewOf(graph, members, member));
  const seen = new Set<string>();
  const queue: number[][] = [];
  const meet = (joint: number[]): void => {
    const key = joint.join();
    if (seen.has(key)) return;
    seen.add(key);
    queue.push(joint);
  };
  combinations(members.map((member) => graph.components[member]!.initial)).forEach(meet);
  const stuck: number[][] = [];
  for (let joint = queue.pop(); joint !== undefined; joint = queue.pop()) {
    const current = joint;
    const locals = views.map((view, i) => view[current[i]!]!);
    locals.forEach(({ alone }, i) => {
      for (const target of alone) meet(current.with(i, target));
    });
    let free = locals.some(({ independent }) => independent);
    for (const event of new Set(locals.flatMap(({ shared }) => [...shared.keys()]))) {
      const concerned = [...members.keys()].filter((i) => graph.participants[event]!.includes(members[i]!));
      const choices = concerned.map((i) => locals[i]!.shared.get(event) ?? []);
      if (choices.some((targets) => targets.length === 0)) continue;
      if (concerned.length === graph.participants[event]!.length) free = true;
      for (const choice of combinations(choices))
        meet(current.map((state, i) => choice[concerned.indexOf(i)] ?? state));
    }
    if (!free) stuck.push(current);
  }
  return stuck;
}

/** What one member does in a state as the block sees it: events shared inside the block, and targets of all the others. */
interface LocalView {
  readonly shared: ReadonlyMap<number, readonly number[]>;
  readonly alone: ReadonlySet<number>;
  /** Some event here needs nobody else at all. */
  readonly independent: boolean;
}

function viewOf(graph: Graph, members: readonly number[], member: number): readonly LocalView[] {
  const known = new Map<number, boolean>();
  const isShared = (event: number): boolean => {
    let answer = known.get(event);
    if (answer === undefined) {
      answer = members.some((other) => other !== member && graph.participants[event]!.includes(other));
      known.set(event, answer);
    }
    return answer;
  };
  return graph.components[member]!.out.map((edges) => {
    const shared = new Map<number, number[]>();
    const alone = new Set<number>();
    let independent = false;
    for (const { event, target } of edges) {
      if (graph.participants[event]!.length === 1) independent = true;
      if (!isShared(event)) alone.add(target);
      else shared.set(event, [...(shared.get(event) ?? []), target]);
    }
    return { shared, alone, independent };
  });
}

function combinations(choices: readonly (readonly number[])[]): number[][] {
  return choices.reduce<number[][]>(
    (done, next) => done.flatMap((head) => next.map((item) => [...head, item])),
    [[]],
  );
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

/**
 * Farkas: the multipliers of equations are free, those of `≥ 1` are not negative; their combination has no positive coefficient on any
 * column, yet its right-hand side is positive. No non-negative point satisfies that.
 */
function contradicts(
  graph: Graph,
  blocks: readonly CheckedBlock[],
  ends: readonly ReadonlySet<number>[],
  rows: readonly (readonly [RowKey, bigint])[],
): boolean {
  const flow = new Table();
  const start = new Table();
  const sync = new Table();
  const refusal = new Table();
  const mix = new Table();
  for (const [[kind, ...place], value] of rows) {
    if (kind === 'refusal' && value < 0n) return false;
    const table = { flow, start, sync, refusal, mix }[kind];
    if (table === undefined || typeof value !== 'bigint') return false;
    // Rows with a right-hand side must exist; an invented one of the others is never looked at.
    if (kind === 'start' && !((graph.components[place[0]!]?.initial.length ?? 0) > 1)) return false;
    if (kind === 'refusal' && graph.participants[place[0]!] === undefined) return false;
    table.set(place, value);
  }
  const right =
    refusal.sum() +
    start.sum() -
    graph.components.reduce(
      (sum, { initial }, index) => sum + (initial.length === 1 ? flow.get([index, initial[0]!]) : 0n),
      0n,
    );
  return (
    right > 0n &&
    edgesFit(graph, flow, sync) &&
    startsFit(graph, flow, start) &&
    endsFit(graph, blocks, ends, flow, refusal, mix) &&
    blocks.every(({ members, joint }, block) =>
      joint
        .filter((states) => members.every((member, i) => ends[member]!.has(states[i]!)))
        .every(
          (states) =>
            members.reduce((sum, member, i) => sum + mix.get([block, member, states[i]!]), 0n) <= 0n,
        ),
    )
  );
}

class Table {
  private readonly values = new Map<string, bigint>();
  set(place: readonly number[], value: bigint): void {
    this.values.set(place.join(), value);
  }
  get(place: readonly number[]): bigint {
    return this.values.get(place.join()) ?? 0n;
  }
  sum(): bigint {
    return [...this.values.values()].reduce((sum, value) => sum + value, 0n);
  }
}

/** x: +flow at the target, −flow at the source; the first participant counts for every sync row of the event, the others against theirs. */
function edgesFit(graph: Graph, flow: Table, sync: Table): boolean {
  return graph.components.every(({ out }, index) => {
    const levels = out.map((_, state) => flow.get([index, state]));
    return out.every((edges, state) =>
      edges.every(({ event, target }) => {
        const [first, ...others] = graph.participants[event]!;
        const counted =
          index === first
            ? others.reduce((sum, other) => sum + sync.get([event, other]), 0n)
            : -sync.get([event, index]);
        return levels[target]! - levels[state]! + counted <= 0n;
      }),
    );
  });
}

function startsFit(graph: Graph, flow: Table, start: Table): boolean {
  return graph.components.every(
    ({ initial }, index) =>
      initial.length === 1 || initial.every((state) => start.get([index]) + flow.get([index, state]) <= 0n),
  );
}

/** z: −flow, +refusal of every event that the state refuses, −mix in each of its blocks. */
function endsFit(
  graph: Graph,
  blocks: readonly CheckedBlock[],
  ends: readonly ReadonlySet<number>[],
  flow: Table,
  refusal: Table,
  mix: Table,
): boolean {
  const eventsOf: number[][] = graph.components.map(() => []);
  graph.participants.forEach((participants, event) => {
    if (refusal.get([event]) !== 0n) for (const index of participants) eventsOf[index]!.push(event);
  });
  const blocksOf: number[][] = graph.components.map(() => []);
  blocks.forEach(({ members }, block) => {
    for (const member of members) blocksOf[member]!.push(block);
  });
  return ends.every((states, index) =>
    [...states].every((state) => {
      const offered = new Set(graph.components[index]!.out[state]!.map(({ event }) => event));
      let sum = -flow.get([index, state]);
      for (const event of eventsOf[index]!) if (!offered.has(event)) sum += refusal.get([event]);
      for (const block of blocksOf[index]!) sum -= mix.get([block, index, state]);
      return sum <= 0n;
    }),
  );
}
