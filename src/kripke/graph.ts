// Pictures of components: the graph of the reports, and DOT.

import type { ControlGraph } from '../verdict/verdict.ts';
import type { Kripke } from './structure.ts';
import { eachEdge, stateCount } from './structure.ts';

const MANY_EVENTS = 6;

/** One edge for each pair of states, with its set of events. */
export function graphOf(structure: Kripke): ControlGraph {
  const edges: ControlGraph['edges'][number][] = [];
  for (let state = 0; state < stateCount(structure); state++) {
    const events = new Map<number, string[]>();
    eachEdge(structure, state, (event, target) => {
      const names = events.get(target) ?? [];
      names.push(structure.events[event]!);
      events.set(target, names);
    });
    for (const [to, names] of events) edges.push({ from: state, to, label: eventsText(names) });
  }
  return {
    name: structure.name,
    initial: structure.initial,
    locations: structure.stateNames.map((name, id) => {
      const propositions = structure.labels[id]!.map((local) => structure.propositions[local]!);
      const at = structure.places[id] ?? null;
      const label = propositions.length === 0 ? name : `${name} {${propositions.join(', ')}}`;
      return { id, label, ...(at === null ? {} : { at }) };
    }),
    edges,
  };
}

function eventsText(names: readonly string[]): string {
  const shown = names.slice(0, MANY_EVENTS).join(', ');
  return names.length > MANY_EVENTS ? `${shown}, … ${names.length - MANY_EVENTS} more` : shown;
}

/** Initial states are doubly circled, as in the paper. */
export function printDot(structures: readonly Kripke[]): string {
  const lines = ['digraph structures {', '  rankdir=LR;', '  node [shape=circle];'];
  structures.forEach((structure, index) => {
    const { locations, edges, initial } = graphOf(structure);
    lines.push(`  subgraph cluster_${index} {`, `    label=${quote(structure.name)};`);
    for (const { id, label } of locations) {
      const shape = initial.includes(id) ? ', shape=doublecircle' : '';
      lines.push(`    s${index}_${id} [label=${quote(label)}${shape}];`);
    }
    for (const { from, to, label } of edges)
      lines.push(`    s${index}_${from} -> s${index}_${to} [label=${quote(label)}];`);
    lines.push('  }');
  });
  lines.push('}');
  return `${lines.join('\n')}\n`;
}

const quote = (text: string): string => `"${text.replace(/[\\"]/g, '\\$&')}"`;
