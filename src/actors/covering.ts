// Runs that together take every transition that any run takes: the shortest way to each, without those that others contain.

import type { Budget } from '../base/budget.ts';
import { type Move, StateGraph, type Successor } from './graph.ts';
import type { ActorSystem, Scheduler } from './system.ts';

export function coveringRuns(system: ActorSystem, scheduler: Scheduler, budget: Budget): Move[][] {
  const graph = new StateGraph(system, scheduler);
  const first = new Map<string, { from: number; move: Move }>();
  const note = (from: number, successor: Successor): void => {
    for (const fact of successor.result.facts) {
      if (fact.kind !== 'react') continue;
      const { logic } = system.actors[fact.actor]!;
      for (const transition of fact.reaction.transitions) {
        const key = `${logic} ${transition}`;
        if (!first.has(key)) first.set(key, { from, move: successor });
      }
    }
  };
  for (const successor of graph.initial()) note(-1, successor);
  const most = Math.min(budget.maxStates, 20_000);
  for (let at = 0; at < graph.states.length && graph.states.length < most && budget.timeLeft(); at++) {
    if (graph.states[at]!.slots.length === 0) continue;
    for (const successor of graph.successors(at)) if (successor.result.end === 'quiet') note(at, successor);
  }
  const runs = [...first.values()].map(({ from, move }) => [...(from < 0 ? [] : graph.pathTo(from)), move]);
  const key = (move: Move): string => JSON.stringify([move.stimulus, move.choices]);
  const texts = runs.map((run) => run.map(key).join('\n'));
  return runs.filter(
    (_, index) =>
      !texts.some(
        (other, at) =>
          at !== index && other.startsWith(texts[index]!) && (other !== texts[index] || at < index),
      ),
  );
}
