// What one step of a thread is: an event, or the code from one cut point to the next. Cut points are the entry, joins, ends, places where the thread can
// wait for an event and all that follow them, and wherever a cell that a proposition mentions may have changed. So between cut points nothing
// visible happens, and what a thread can do instead of waiting is one operation.

import type { Edge, Operation, Program } from '../program/program.ts';

export interface Stretch {
  readonly from: number;
  readonly to: number;
  readonly edges: readonly Edge[];
  /** Null for a step of the thread's own. An event is a stretch by itself: it is possible in every state of its location. */
  readonly event: string | null;
}

/** By location and by their last edge; `isStop`: locations at which the property looks no further. */
export function stretchesOf(
  program: Program,
  observed: ReadonlySet<number>,
  isStop: (location: number) => boolean,
): readonly ReadonlyMap<number, Stretch>[] {
  const outgoing: Edge[][] = program.locations.map(() => []);
  const incoming = program.locations.map(() => 0);
  for (const edge of program.edges) {
    outgoing[edge.from]!.push(edge);
    incoming[edge.to]!++;
  }
  const isCut = program.locations.map(
    ({ id, kind }) =>
      id === program.entry ||
      incoming[id] !== 1 ||
      outgoing[id]!.length === 0 ||
      kind !== 'inner' ||
      isStop(id),
  );
  for (const { from, to, operation } of program.edges) {
    if (mayChange(operation, observed)) isCut[to] = true;
    if (operation.kind !== 'event') continue;
    isCut[from] = true;
    for (const edge of outgoing[from]!) isCut[edge.to] = true;
  }
  return program.locations.map(({ id, kind }) => {
    const stretches = new Map<number, Stretch>();
    if (!isCut[id] || kind !== 'inner' || isStop(id)) return stretches;
    // A location that is no cut point has one edge in: every way to it is met once, and a loop through none of them is not reached.
    const open: Edge[][] = outgoing[id]!.map((edge) => [edge]);
    for (let path = open.pop(); path !== undefined; path = open.pop()) {
      const last = path[path.length - 1]!;
      if (!isCut[last.to]) for (const edge of outgoing[last.to]!) open.push([...path, edge]);
      else {
        const event = last.operation.kind === 'event' ? last.operation.name : null;
        stretches.set(last.id, { from: id, to: last.to, edges: path, event });
      }
    }
    return stretches;
  });
}

function mayChange(operation: Operation, observed: ReadonlySet<number>): boolean {
  switch (operation.kind) {
    case 'assign':
    case 'input':
      return observed.has(operation.cell.id);
    case 'havoc':
      return operation.cells.some(({ id }) => observed.has(id));
    case 'store':
      return [...operation.site.cells, ...operation.site.blurred].some(({ id }) => observed.has(id));
    default:
      return false;
  }
}
