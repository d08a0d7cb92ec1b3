// Why no way to a goal was found: what can happen in a disjunct without one, and whether a reachable state of it gets to the goal all the same.

import { startOf } from '../../source/source.ts';
import type { Note } from '../../verdict/verdict.ts';
import { explore } from '../concrete/explore.ts';
import type { GlobalState } from '../concrete/state.ts';
import { Judge, showState } from '../concrete/state.ts';
import type { Goal, Model } from '../model.ts';
import { channelName, receptionName } from '../model.ts';
import type { DegeneratedGraph } from './graph.ts';
import type { LivenessResult } from './live.ts';

const MOST_NOTES = 3;
const SEARCHED = 1500;
const MOST_STEPS = 8;

export function lostNotes(
  model: Model,
  graph: DegeneratedGraph,
  { moves }: LivenessResult,
  goal: Goal,
  reached: readonly GlobalState[],
): Note[] {
  const lost = moves.flatMap((move, node) => (move === null ? [node] : []));
  return lost.slice(0, MOST_NOTES).map((node) => {
    const { name, span } = model.invariant[node]!;
    const lines = [
      `no way from ${name}`,
      ...sendings(model, graph, node),
      ...receivings(model, graph, node),
      ...concrete(model, node, goal, reached),
    ];
    return {
      severity: 'hint',
      message: lines.join('\n'),
      ...(span === null ? {} : { at: startOf(span) }),
    };
  });
}

function sendings({ protocol, invariant }: Model, graph: DegeneratedGraph, node: number): string[] {
  const { control } = invariant[node]!;
  const certain = graph.options[node]!;
  return protocol.machines.flatMap(({ name, actions }, side) => {
    return actions
      .filter((action) => action.kind === 'send' && action.from === control[side]!)
      .map((action) => {
        const effect = certain.find((one) => one.action === action);
        return effect === undefined
          ? `${name}.${action.name} is not executable in every state of it`
          : `${name}.${action.name} leads to ${several(effect.may.map((target) => invariant[target]!.name))}`;
      });
  });
}

function receivings({ protocol, invariant }: Model, graph: DegeneratedGraph, node: number): string[] {
  return graph.receptions.flatMap(({ channel, empty, next }) => {
    if (empty[node]) return [];
    const ahead = next[node]!;
    const passes =
      ahead >= 0
        ? `passes ${invariant[ahead]!.name} before ${channelName(protocol, channel)} is empty`
        : 'passes no disjunct for certain';
    return [`${receptionName(protocol, channel).replace('receives', 'receiving')} ${passes}`];
  });
}

function several(names: readonly string[]): string {
  if (names.length === 1) return names[0]!;
  return `one of ${names.slice(0, 4).join(', ')}${names.length > 4 ? ', …' : ''}`;
}

/** Does some reachable state of the disjunct get to the goal? */
function concrete(
  { protocol, invariant }: Model,
  node: number,
  goal: Goal,
  reached: readonly GlobalState[],
): string[] {
  const start = reached.find((state) => new Judge(protocol.definitions, state).satisfies(invariant[node]!));
  if (start === undefined) return [`none of the ${reached.length} reachable states that were tried is in it`];
  const wanted = goal.disjuncts.map((index) => invariant[index]!);
  const { found } = explore(
    protocol,
    SEARCHED,
    (state) => {
      const judge = new Judge(protocol.definitions, state);
      return wanted.some((disjunct) => judge.satisfies(disjunct)) ? { kind: 'outside' } : null;
    },
    start,
  );
  const from = `from ${showState(protocol, start)}`;
  if (found === null) return [`${from}, the goal was not met within ${SEARCHED} states`];
  const steps = found.run.steps.map(({ action }) => `${protocol.machines[action.side]!.name}.${action.name}`);
  return [
    `${from}, the goal is reached by ${steps.slice(0, MOST_STEPS).join(', ')}${steps.length > MOST_STEPS ? ', …' : ''}: a way that the graph does not show`,
  ];
}
