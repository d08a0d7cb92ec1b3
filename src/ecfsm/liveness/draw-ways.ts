// A picture of a proof of liveness: the degenerated reachability graph with the goal filled and the edges that the ways use marked.
// A large graph is drawn by control states: one node for all disjuncts at a pair of them, and of the edges only those that ways use.

import { startOf } from '../../source/source.ts';
import type { ControlGraph } from '../../verdict/verdict.ts';
import type { Model } from '../model.ts';
import { controlNames, receptionName } from '../model.ts';
import { drawGraph } from './draw.ts';
import type { DegeneratedGraph } from './graph.ts';
import type { LivenessResult, Move } from './live.ts';

const MOST_NODES = 30;

export function drawWays(
  model: Model,
  graph: DegeneratedGraph,
  { moves }: LivenessResult,
  property: string,
): ControlGraph {
  return graph.nodes <= MOST_NODES ? whole(model, graph, moves, property) : byControl(model, moves, property);
}

function whole(
  model: Model,
  graph: DegeneratedGraph,
  moves: LivenessResult['moves'],
  property: string,
): ControlGraph {
  const drawn = drawGraph(model, graph);
  const uses = (from: number, to: number, kind: 'send' | 'receive'): boolean => {
    const move = moves[from];
    return move !== null && move !== undefined && kindOf(move) === kind && targetsOf(move).includes(to);
  };
  const edges = drawn.edges.map((edge) => ({
    ...edge,
    onPath: uses(edge.from, edge.to, edge.kind === 'receive' ? 'receive' : 'send'),
  }));
  // Edges of the ways that the picture leaves out: receiving past the nearest disjunct, or with several outcomes.
  for (const [from, move] of moves.entries()) {
    if (move === null) continue;
    for (const to of targetsOf(move)) {
      if (edges.some((edge) => edge.from === from && edge.to === to && edge.onPath)) continue;
      edges.push({ from, to, label: labelOf(model, move), kind: kindOf(move), onPath: true });
    }
  }
  return {
    ...drawn,
    name: 'ways to the goal',
    property,
    locations: drawn.locations.map((one) => ({ ...one, progress: moves[one.id]?.kind === 'goal' })),
    edges,
  };
}

function byControl(model: Model, moves: LivenessResult['moves'], property: string): ControlGraph {
  const { protocol, invariant } = model;
  const places = new Map<string, { id: number; disjuncts: number[] }>();
  const placeOf = invariant.map(({ control }, index) => {
    const key = control.join();
    const place = places.get(key) ?? { id: places.size, disjuncts: [] };
    places.set(key, place);
    place.disjuncts.push(index);
    return place.id;
  });
  const edges = new Map<
    string,
    { from: number; to: number; kind: 'send' | 'receive'; labels: Set<string> }
  >();
  for (const [index, move] of moves.entries()) {
    if (move === null) continue;
    for (const target of targetsOf(move)) {
      const [from, to, kind] = [placeOf[index]!, placeOf[target]!, kindOf(move)];
      if (from === to) continue;
      const key = `${from} ${to} ${kind}`;
      const edge = edges.get(key) ?? { from, to, kind, labels: new Set() };
      edge.labels.add(labelOf(model, move));
      edges.set(key, edge);
    }
  }
  const begin = protocol.initial.map(({ control }) => places.get(control.join())?.id);
  return {
    name: `ways to the goal, by control states: ${places.size} places for ${invariant.length} disjuncts`,
    property,
    initial: [...new Set(begin.filter((id) => id !== undefined))],
    locations: [...places.values()].map(({ id, disjuncts }) => {
      const { control, span } = invariant[disjuncts[0]!]!;
      const states = controlNames(protocol, control).join(' ');
      return {
        id,
        label: disjuncts.length === 1 ? states : `${states}\n${disjuncts.length} disjuncts`,
        progress: disjuncts.some((index) => moves[index]?.kind === 'goal'),
        ...(span === null ? {} : { at: startOf(span) }),
      };
    }),
    edges: [...edges.values()].map(({ labels, ...edge }) => ({ ...edge, label: [...labels].join('\n') })),
  };
}

const targetsOf = (move: Move): readonly number[] =>
  move.kind === 'goal' || move.kind === 'empty' ? [] : move.to;

const kindOf = (move: Move): 'send' | 'receive' => (move.kind === 'receive' ? 'receive' : 'send');

function labelOf({ protocol }: Model, move: Move): string {
  switch (move.kind) {
    case 'receive':
      return receptionName(protocol, move.channel);
    case 'send':
      return `${protocol.machines[move.action.side]!.name}.${move.action.name}`;
    case 'repeat':
      return `${protocol.machines[move.action.side]!.name}.${move.action.name} repeated`;
    default:
      return '';
  }
}
