// Faults that only the whole graph shows: cycles without end or progress, actors that wait and can never move again.

import { components } from '../graph/components.ts';
import { digraph } from '../graph/digraph.ts';
import type { Move, StateGraph } from './graph.ts';
import type { Finding } from './search.ts';
import { OFF, type SystemState } from './state.ts';
import type { ActorSystem } from './system.ts';

/** A step of the graph. */
export interface Taken {
  readonly from: number;
  readonly to: number;
  /** May it be part of a livelock? */
  readonly inner: boolean;
  /** Actors that took something. */
  readonly moved: readonly number[];
  readonly move: Move;
}

export function standing({ actors }: ActorSystem, actor: number, state: SystemState): string {
  const slot = state.slots[actor]!;
  const id = typeof slot === 'number' ? slot : slot[0]!;
  return `${actors[actor]!.name} waits in ${actors[actor]!.states[id]!.text}`;
}

/** Who runs and is not where it may rest. */
export function waitingActors({ actors }: ActorSystem, state: SystemState): number[] {
  return state.slots.flatMap((slot, actor) => {
    const ids = typeof slot === 'number' ? (slot === OFF ? [] : [slot]) : slot;
    return ids.some((id) => !actors[actor]!.states[id]!.rests) ? [actor] : [];
  });
}

/** A cycle of steps that may all be part of a livelock. `marked`: progress is what the model says it is. */
export function endlessCycle(graph: StateGraph, edges: readonly Taken[], marked: boolean): Finding | null {
  const inner = edges.filter((edge) => edge.inner);
  const { of } = components(digraph(graph.states.length, inner));
  const entry = inner.find((edge) => of[edge.from] === of[edge.to]);
  if (entry === undefined) return null;
  const loop = pathInside(
    inner.filter((edge) => of[edge.from] === of[entry.from] && of[edge.to] === of[entry.from]),
    entry.to,
    entry.from,
  );
  const prefix = graph.pathTo(entry.from);
  return {
    text: marked
      ? 'the system goes on for ever without progress'
      : 'the actors send to each other for ever, without anything from outside',
    moves: [...prefix, entry.move, ...loop.map((edge) => edge.move)],
    loopStart: prefix.length,
    spins: false,
  };
}

/** Somebody who waits somewhere, and moves in nothing that follows. */
export function stuckActor(graph: StateGraph, edges: readonly Taken[]): Finding | null {
  const { system } = graph;
  const before: number[][] = graph.states.map(() => []);
  for (const [index, { to }] of edges.entries()) before[to]!.push(index);
  for (const actor of system.actors.keys()) {
    const alive = new Uint8Array(graph.states.length);
    const work: number[] = [];
    const mark = (state: number): void => {
      if (alive[state] === 1) return;
      alive[state] = 1;
      work.push(state);
    };
    for (const edge of edges) if (edge.moved.includes(actor)) mark(edge.from);
    for (let at = work.pop(); at !== undefined; at = work.pop())
      for (const index of before[at]!) mark(edges[index]!.from);
    const stuck = graph.states.findIndex(
      (state, id) =>
        alive[id] === 0 && state.slots.length > 0 && waitingActors(system, state).includes(actor),
    );
    if (stuck < 0) continue;
    const text = `${standing(system, actor, graph.states[stuck]!)} and can never move again`;
    return { text, moves: graph.pathTo(stuck), loopStart: null, spins: false };
  }
  return null;
}

/** A path of the edges from one state to another. */
function pathInside<E extends { readonly from: number; readonly to: number }>(
  edges: readonly E[],
  from: number,
  to: number,
): E[] {
  const came = new Map<number, E>();
  const work = [from];
  for (let at = work.shift(); at !== undefined && at !== to; at = work.shift())
    for (const edge of edges) {
      if (edge.from !== at || edge.to === from || came.has(edge.to)) continue;
      came.set(edge.to, edge);
      work.push(edge.to);
    }
  const path: E[] = [];
  for (let at = to; at !== from; at = came.get(at)!.from) path.unshift(came.get(at)!);
  return path;
}
