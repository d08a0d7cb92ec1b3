// The composition as the checker of proofs reads it, and the stuck joint states of a block by plain search. Deliberately shares nothing
// with blocks.ts and domains.ts, which found what is checked here.

import type { System } from '../kripke/system.ts';

/** The composition in the plainest form: edges as triples of numbers, per component and state. */
export interface Graph {
  readonly participants: readonly (readonly number[])[];
  readonly components: readonly {
    readonly initial: readonly number[];
    readonly out: readonly (readonly { readonly event: number; readonly target: number }[])[];
  }[];
}

export interface CheckedBlock {
  readonly members: readonly number[];
  readonly joint: readonly (readonly number[])[];
}

export function readGraph(system: System): Graph {
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
export function allowedEnds(graph: Graph): Set<number>[] {
  return graph.components.map(
    ({ out }) =>
      new Set(
        [...out.keys()].filter((state) =>
          out[state]!.every(({ event }) => graph.participants[event]!.length > 1),
        ),
      ),
  );
}

const MAX_WIDTH = 8;
const MAX_JOINT_STATES = 200_000;

/**
 * Reachable joint states of the block alone, less those that enable an event of block members only. Null for a block that no proof of ours
 * would have: too wide, too large, or no block at all.
 */
export function stuckJointStates(graph: Graph, members: readonly number[]): number[][] | null {
  const known = members.every((member) => graph.components[member] !== undefined);
  if (!known || members.length === 0 || members.length > MAX_WIDTH) return null;
  if (new Set(members).size < members.length) return null;
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
    if (seen.size > MAX_JOINT_STATES) return null;
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
