// The control flow graph of C code as a picture. Steps that show nothing are left out, and a straight stretch of statements is one
// edge; events keep an edge of their own, because a thread may stop before one.

import { startOf } from '../../source/source.ts';
import type { ControlGraph } from '../../verdict/verdict.ts';
import type { Edge, Location, Program } from '../program/program.ts';
import { stepText } from './show.ts';

/** Of a long stretch of statements so many are shown. */
const MOST_LINES = 8;

/** `path`: the edges that a run, or the path of an unknown, takes. */
export function controlGraphOf(name: string, program: Program, path: ReadonlySet<number>): ControlGraph {
  const goal = silentGoals(program);
  const edges = program.edges.filter((edge) => goal[edge.from] === edge.from);
  const leaving = groupBy(edges, (edge) => edge.from);
  const entering = groupBy(edges, (edge) => goal[edge.to]!);
  const entry = goal[program.entry]!;
  const isKept = (location: number): boolean => {
    const out = leaving.get(location) ?? [];
    const into = entering.get(location) ?? [];
    return (
      location === entry ||
      isNamed(program.locations[location]!) ||
      out.length !== 1 ||
      into.length !== 1 ||
      [...out, ...into].some(isEvent)
    );
  };
  const drawn: ControlGraph['edges'][number][] = [];
  const reached = new Set([entry]);
  const open = [entry];
  while (open.length > 0) {
    for (const first of leaving.get(open.pop()!) ?? []) {
      const stretch = [first];
      while (!isKept(goal[stretch.at(-1)!.to]!)) stretch.push(leaving.get(goal[stretch.at(-1)!.to]!)![0]!);
      const to = goal[stretch.at(-1)!.to]!;
      drawn.push({
        from: first.from,
        to,
        label: labelOf(stretch),
        at: startOf(first.span),
        onPath: stretch.some((edge) => path.has(edge.id)),
        ...(isEvent(first) ? { kind: 'event' as const } : {}),
      });
      if (!reached.has(to)) open.push(to);
      reached.add(to);
    }
  }
  return {
    name,
    initial: [entry],
    locations: [...reached]
      .sort((a, b) => a - b)
      .map((id) => ({
        id,
        label: id === entry ? 'start' : placeName(program.locations[id]!, leaving.get(id)?.[0]),
        at: startOf(program.locations[id]!.span),
        ...(program.locations[id]!.kind === 'end' ? { end: true } : {}),
      })),
    edges: drawn,
  };
}

const isEvent = (edge: Edge): boolean => edge.operation.kind === 'event';

const isNamed = ({ kind, labels }: Location): boolean => kind !== 'inner' || labels.length > 0;

/** For each location where control surely comes next, skipping steps that show nothing; itself when it is drawn. */
function silentGoals(program: Program): number[] {
  const leaving = groupBy(program.edges, (edge) => edge.from);
  const skip = (location: number): number => {
    const [only, second] = leaving.get(location) ?? [];
    const silent = only !== undefined && second === undefined && stepText(only) === null;
    return silent && !isNamed(program.locations[location]!) ? only.to : location;
  };
  return program.locations.map(({ id }) => {
    const seen = new Set<number>();
    let at = id;
    while (!seen.has(at) && skip(at) !== at) {
      seen.add(at);
      at = skip(at);
    }
    // A circle of silent steps: its smallest location stands for all.
    return seen.has(at) ? Math.min(...circle(at, skip)) : at;
  });
}

function circle(start: number, next: (location: number) => number): number[] {
  const round = [start];
  for (let at = next(start); at !== start; at = next(at)) round.push(at);
  return round;
}

function labelOf(stretch: readonly Edge[]): string {
  const texts = stretch.map(stepText).filter((text) => text !== null);
  // Several operations of one statement are one line.
  const lines = texts.filter((text, index) => text !== texts[index - 1]);
  if (lines.length <= MOST_LINES) return lines.join('\n');
  return [...lines.slice(0, MOST_LINES - 2), '…', lines.at(-1)!].join('\n');
}

/** Inner locations are named after the line of what happens next. */
function placeName({ kind, labels, span }: Location, next: Edge | undefined): string {
  if (kind === 'error') return 'error';
  if (kind === 'end') return 'end';
  if (kind === 'cut') return 'not modelled';
  return labels.length > 0 ? labels.join(', ') : String(startOf((next ?? { span }).span).line);
}

function groupBy<T>(items: readonly T[], key: (item: T) => number): Map<number, T[]> {
  const groups = new Map<number, T[]>();
  for (const item of items) {
    const group = groups.get(key(item));
    if (group === undefined) groups.set(key(item), [item]);
    else group.push(item);
  }
  return groups;
}
