// The degenerated reachability graph: a finite graph on the disjuncts whose paths are promises about all states.
//
// [QLive] Definition 5 and 4.3. An edge (i, j) says: from every state of P_i some state of P_j is reachable. E_S has the certain sendings.
// For receivings, G_A has every *possible* reception of A. Since no state is an unspecified reception, A can go on receiving until its
// channel is empty, and the disjuncts it passes form a path in G_A from P_i to a disjunct with that channel empty. So a node on all such
// paths is passed for certain (Lemma 1): exactly the nodes that dominate i in the reversed graph, seen from one common exit.
// In a network there is one such graph for each channel: whoever receives can go on with this channel alone, until it is empty or its messages have to wait.
//
// What this rests on, re-derived: (1) the formula is proved safe and invariant; (2) "possible" is over-approximated, so that every real
// reception is an edge; (3) every disjunct has each channel always empty or never empty (`split` by emptiness sees to it); a state may
// lie in several disjuncts, any choice of them gives a path. If a node cannot reach the exit, no state satisfies its disjunct.

import type { Budget } from '../../base/budget.ts';
import { digraph } from '../../graph/digraph.ts';
import { dominators } from '../../graph/dominators.ts';
import { containsEmpty, isOnlyEmpty } from '../language/language.ts';
import type { Action } from '../model.ts';
import { byReceiver, isDeferred } from '../model.ts';
import type { Induction } from '../safety/induction.ts';
import type { Decider } from '../solver/decider.ts';
import type { ActionEffect } from './edges.ts';
import { effectOf, receptionsOf } from './edges.ts';

export interface SendEdge {
  readonly from: number;
  readonly to: number;
  readonly action: Action;
}

export interface ReceiveEdge {
  readonly from: number;
  readonly to: number;
  /** The channel that is received from until it gets there. */
  readonly channel: number;
}

/** Possible receptions from one channel. */
export interface ReceptionGraph {
  readonly channel: number;
  readonly successors: readonly (readonly number[])[];
  /** Per node and type of message that may come next: the ways to receive it, each with the nodes that it may lead to. */
  readonly ways: readonly (readonly Ways[])[];
  /** Is the channel empty in this disjunct, or does what is in it have to wait? Receiving may end here. */
  readonly empty: readonly boolean[];
  /** The next node that every path to an empty channel passes; -1 at the end, -2 where no state can be. */
  readonly next: readonly number[];
}

export type Ways = readonly (readonly number[])[];

export interface DegeneratedGraph {
  readonly nodes: number;
  readonly sends: readonly SendEdge[];
  readonly receives: readonly ReceiveEdge[];
  readonly receptions: readonly ReceptionGraph[];
  /** Per node: the sendings that are always possible there, with everything they may lead to. */
  readonly options: readonly (readonly ActionEffect[])[];
  /** Per node: every disjunct that some step of some action may lead to. */
  readonly successors: readonly (readonly number[])[];
}

/** Null when time ran out. */
export async function buildGraph(
  induction: Induction,
  decider: Decider,
  budget: Budget,
  progress: (done: number) => void,
): Promise<DegeneratedGraph | null> {
  const { protocol, disjuncts } = induction.formula;
  if (disjuncts.some(({ languages }) => languages.some((one) => containsEmpty(one) && !isOnlyEmpty(one))))
    throw new Error('impossible: a channel that may be empty or not; split the formula by emptiness first');
  const sends: SendEdge[] = [];
  const options: ActionEffect[][] = disjuncts.map(() => []);
  const successors = disjuncts.map(() => new Set<number>());
  const possible = protocol.channels.map(() => disjuncts.map(() => new Set<number>()));
  const ways = protocol.channels.map(() => disjuncts.map((): Ways[] => []));
  for (const [index, disjunct] of disjuncts.entries()) {
    if (!budget.timeLeft()) return null;
    for (const [side, { actions }] of protocol.machines.entries()) {
      const receptions = new Map<string, ActionEffect[]>();
      for (const action of actions) {
        if (action.from !== disjunct.control[side]!) continue;
        if (!budget.timeLeft()) return null;
        const effect = await effectOf(induction, decider, index, action);
        for (const to of effect.may) successors[index]!.add(to);
        // A copy need not come: nobody counts on it.
        if (action.silent === 'again') continue;
        if (action.kind === 'receive') {
          for (const to of effect.may) possible[action.channel]![index]!.add(to);
          const key = `${action.channel} ${action.type}`;
          receptions.set(key, [...(receptions.get(key) ?? []), effect]);
        } else if (effect.always) {
          options[index]!.push(effect);
          sends.push(...effect.must.map((to) => ({ from: index, to, action })));
        }
      }
      for (const effects of receptions.values()) {
        const alike = effects.map(({ action }) => action);
        const { channel } = alike[0]!;
        ways[channel]![index]!.push(await receptionsOf(induction, decider, index, alike, effects));
      }
    }
    progress(index + 1);
  }
  const receptions = byReceiver(protocol).map((channel) =>
    receptionGraph(
      channel,
      possible[channel]!.map((set) => [...set]),
      ways[channel]!,
      disjuncts.map(
        ({ languages, control }) =>
          isOnlyEmpty(languages[channel]!) || isDeferred(protocol, control, channel),
      ),
    ),
  );
  const receives = receptions.flatMap((graph) =>
    disjuncts.flatMap((_, from) => passed(graph, from).map((to) => ({ from, to, channel: graph.channel }))),
  );
  return {
    nodes: disjuncts.length,
    sends,
    receives,
    receptions,
    options,
    successors: successors.map((targets) => [...targets]),
  };
}

function receptionGraph(
  channel: number,
  successors: number[][],
  ways: readonly (readonly Ways[])[],
  empty: boolean[],
): ReceptionGraph {
  const exit = successors.length;
  const arcs = [
    ...successors.flatMap((targets, from) =>
      empty[from] ? [] : targets.map((to) => ({ from: to, to: from })),
    ),
    ...empty.flatMap((isEmpty, node) => (isEmpty ? [{ from: exit, to: node }] : [])),
  ];
  const { immediate } = dominators(digraph(exit + 1, arcs), exit);
  const next = successors.map((_, node) =>
    immediate[node] === -1 ? -2 : immediate[node] === exit ? -1 : immediate[node]!,
  );
  return { channel, successors, ways, empty, next };
}

/** The nodes that every way of receiving passes, the node itself left out. */
function passed(graph: ReceptionGraph, from: number): number[] {
  const result: number[] = [];
  for (let node = graph.next[from]!; node >= 0; node = graph.next[node]!) result.push(node);
  return result;
}
