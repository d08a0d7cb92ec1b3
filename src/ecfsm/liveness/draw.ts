// The degenerated reachability graph as DOT: [QLive] Figure 1. Solid edges are sendings, dashed ones receivings of one machine. Of the
// receiving edges, which are transitively closed, only the nearest are drawn. Self loops are left out, as in the figure.

import type { Model } from '../model.ts';
import { SIDES } from '../model.ts';
import type { DegeneratedGraph } from './graph.ts';

export function drawGraph({ protocol, invariant }: Model, graph: DegeneratedGraph): string {
  const quote = (text: string): string => `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
  const stateOf = (index: number): string =>
    SIDES.map((side) => protocol.machines[side].states[invariant[index]!.control[side]]).join(', ');
  const lines = [
    `digraph ${quote(protocol.name)} {`,
    '  rankdir=LR;',
    '  node [shape=box, fontname="sans-serif"];',
  ];
  invariant.forEach((disjunct, i) => {
    lines.push(`  n${i} [label=${quote(disjunct.name)}, tooltip=${quote(stateOf(i))}];`);
  });
  const labels = new Map<string, string[]>();
  for (const { from, to, action } of graph.sends) {
    if (from === to) continue;
    const key = `n${from} -> n${to}`;
    labels.set(key, [...(labels.get(key) ?? []), `${protocol.machines[action.side].name}.${action.name}`]);
  }
  for (const [edge, names] of labels) lines.push(`  ${edge} [label=${quote(names.join('\n'))}];`);
  for (const { receiver, next } of graph.receptions) {
    const label = quote(`${protocol.machines[receiver].name} receives`);
    next.forEach((to, from) => {
      if (to >= 0) lines.push(`  n${from} -> n${to} [style=dashed, label=${label}];`);
    });
  }
  return `${[...lines, '}'].join('\n')}\n`;
}
