// Pictures: the machines, and the degenerated reachability graph of [QLive] Figure 1. Edges of kind `send` are those of E_S. Of the
// receiving edges, which are closed under composition, only the nearest are drawn. Self loops are left out, as in the figure.

import { startOf } from '../../source/source.ts';
import type { ControlGraph } from '../../verdict/verdict.ts';
import { initialStates } from '../concrete/explore.ts';
import { satisfying } from '../concrete/state.ts';
import type { Model, Protocol } from '../model.ts';
import { receptionName } from '../model.ts';
import type { DegeneratedGraph } from './graph.ts';

export function drawMachines(protocol: Protocol): ControlGraph[] {
  return protocol.machines.map(({ name, states, actions }, side) => {
    return {
      name,
      initial: [...new Set(protocol.initial.map(({ control }) => control[side]!))],
      locations: states.map((label, id) => ({ id, label })),
      edges: actions.map(({ from, to, kind, text, span }) => ({
        from,
        to,
        label: text,
        kind,
        at: startOf(span),
      })),
    };
  });
}

export function drawGraph({ protocol, invariant }: Model, graph: DegeneratedGraph): ControlGraph {
  const edges: ControlGraph['edges'][number][] = [];
  const labels = new Map<string, { from: number; to: number; names: string[] }>();
  for (const { from, to, action } of graph.sends) {
    if (from === to) continue;
    const known = labels.get(`${from} ${to}`) ?? { from, to, names: [] };
    known.names.push(`${protocol.machines[action.side]!.name}.${action.name}`);
    labels.set(`${from} ${to}`, known);
  }
  for (const { from, to, names } of labels.values())
    edges.push({ from, to, label: names.join(', '), kind: 'send' });
  for (const { channel, next } of graph.receptions) {
    const label = receptionName(protocol, channel);
    next.forEach((to, from) => {
      if (to >= 0) edges.push({ from, to, label, kind: 'receive' });
    });
  }
  const begin = initialStates(protocol).states.flatMap((state) =>
    satisfying(protocol.definitions, invariant, state),
  );
  return {
    name: 'formula',
    initial: [...new Set(begin)],
    locations: invariant.map(({ name, span }, id) => ({
      id,
      label: name,
      ...(span === null ? {} : { at: startOf(span) }),
    })),
    edges,
  };
}
