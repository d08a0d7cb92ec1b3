// The shape of a logic as a graph with states inside states, for `graph` and reports.

import type { ControlGraph } from '../verdict/verdict.ts';
import type { Logic, StateNode, Transition } from './behaviour.ts';
import type { ActorSystem } from './system.ts';

type Location = ControlGraph['locations'][number];
type Edge = ControlGraph['edges'][number];

export const stateGraphs = (system: ActorSystem): ControlGraph[] => system.logics.map(pictureOf);

export function pictureOf(logic: Logic): ControlGraph {
  const numbers = new Map<string, number>();
  const locations: Location[] = [];
  const visit = (node: StateNode, parent: number | undefined): void => {
    const id = locations.length;
    numbers.set(node.name, id);
    locations.push({
      id,
      label: node.kind === 'history' ? 'H' : node.key,
      kind: node.kind,
      ...(parent === undefined ? {} : { parent }),
      ...(node.lines.length === 0 ? {} : { lines: node.lines }),
      ...(node.kind === 'final' ? { end: true } : {}),
      ...(node.tags.includes('progress') ? { progress: true } : {}),
      ...(node.at === null ? {} : { at: node.at }),
    });
    for (const child of node.states) visit(child, id);
  };
  for (const child of logic.root.states) visit(child, undefined);
  const entered = (node: StateNode): number | undefined => {
    const child = node.states.find(({ key }) => key === node.initial);
    return node.initial === null ? undefined : numbers.get(child?.name ?? node.initial);
  };
  withInitials(logic.root, locations, numbers, entered);
  const start = entered(logic.root);
  // A transition of the whole machine has no state to leave: it leaves the first one.
  const root = logic.root.states[0] === undefined ? undefined : numbers.get(logic.root.states[0].name);
  const edges = logic.transitions.flatMap((transition) => edgesOf(transition, numbers, locations, root));
  return { name: logic.name, initial: start === undefined ? [] : [start], locations, edges };
}

function withInitials(
  node: StateNode,
  locations: Location[],
  numbers: ReadonlyMap<string, number>,
  entered: (node: StateNode) => number | undefined,
): void {
  for (const child of node.states) {
    const id = numbers.get(child.name)!;
    const initial = child.states.length === 0 || child.kind === 'parallel' ? undefined : entered(child);
    if (initial !== undefined) locations[id] = { ...locations[id]!, initial };
    withInitials(child, locations, numbers, entered);
  }
}

/** With several targets the arrow parts at a point of its own. */
function edgesOf(
  { from, to, event, guard, actions, at }: Transition,
  numbers: ReadonlyMap<string, number>,
  locations: Location[],
  root: number | undefined,
): Edge[] {
  const source = numbers.get(from) ?? root;
  if (source === undefined) return [];
  // An arrow cannot begin at the border of the state that it stays inside: its label says whose it is.
  const inside = from !== '' && (to ?? []).some((name) => name.startsWith(`${from}.`));
  const whose = inside ? `${from.slice(from.lastIndexOf('.') + 1)}: ` : '';
  const label = `${whose}${event}${guard === null ? '' : ` [${guard}]`}${actions.length === 0 ? '' : ` / ${actions.join('; ')}`}`;
  const edge = (target: number, text: string, start = source): Edge => ({
    from: start,
    to: target,
    label: text,
    ...(at === null ? {} : { at }),
  });
  const targets = (to ?? []).flatMap((name) => numbers.get(name) ?? []);
  if (targets.length <= 1) return [edge(targets[0] ?? source, label)];
  const point = locations.length;
  locations.push({ id: point, label: '', kind: 'choice' });
  return [edge(point, label), ...targets.map((target) => edge(target, '', point))];
}
