// Strongly connected components of a class, and their elementary cycles: what a link row speaks about.

import { components } from '../graph/components.ts';
import { elementaryCycles } from '../graph/cycles.ts';
import { digraph } from '../graph/digraph.ts';
import { cycleOf, type NetCycle } from '../net/cycles.ts';
import type { CodeContext } from './context.ts';

export interface Component {
  readonly class: number;
  /** Its smallest location stands for it. */
  readonly location: number;
  /** The transitions within it. */
  readonly transitions: readonly number[];
}

export function componentOf(context: CodeContext, netClass: number, location: number): Component {
  const { graph, transitions } = context.graphs[netClass]!;
  const { of, members } = components(graph);
  const inside = graph.arcs.flatMap(({ from, to }, arc) =>
    of[from] === of[location] && of[to] === of[location] ? [transitions[arc]!] : [],
  );
  return { class: netClass, location: Math.min(...members[of[location]!]!), transitions: inside };
}

/** Null when there are more than the limit. */
export function cyclesOfComponent(
  context: CodeContext,
  component: Component,
  maxCycles: number,
  goOn: () => boolean = () => true,
): NetCycle[] | null {
  const { net } = context;
  const graph = digraph(
    net.classes[component.class]!.locations.length,
    component.transitions.map((transition) => net.transitions[transition]!),
  );
  const found = elementaryCycles(graph, { maxCycles, goOn });
  if (!found.complete) return null;
  return found.cycles.map((arcs) =>
    cycleOf(
      net,
      component.class,
      arcs.map((arc) => component.transitions[arc]!),
    ),
  );
}

/** The same for every rotation. */
export function cycleKey(transitions: readonly number[]): string {
  const least = transitions.indexOf(Math.min(...transitions));
  return [...transitions.slice(least), ...transitions.slice(0, least)].join();
}
