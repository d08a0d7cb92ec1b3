// The graph in larger steps: a block is a straight stretch of edges between two cut points (entry, joins, events, labels, ends). Between
// cut points nothing is forgotten, so fewer predicates are needed than with single statements.

import { outgoingEdges } from '../program/interpreter.ts';
import type { Edge, Operation, Program } from '../program/program.ts';
import { used } from './uses.ts';

export interface Block {
  readonly id: number;
  readonly from: number;
  readonly to: number;
  readonly edges: readonly Edge[];
  readonly operations: readonly Operation[];
  readonly event: string | null;
  /** Cells whose value before the block matters to it. */
  readonly reads: readonly number[];
}

export interface BlockGraph {
  readonly program: Program;
  readonly blocks: readonly Block[];
  /** By location; empty for locations that are not cut points. */
  readonly outgoing: readonly (readonly Block[])[];
  readonly isCut: readonly boolean[];
}

/** Values of `observed` cells are visible to the property: every change of one ends a block. */
export function blockGraph(
  program: Program,
  isTarget: (location: number) => boolean,
  observed: ReadonlySet<number> = new Set(),
): BlockGraph {
  const edges = outgoingEdges(program);
  const isCut = cutPoints(program, edges, isTarget);
  if (observed.size > 0)
    for (const edge of program.edges) if (changes(edge.operation, observed)) isCut[edge.to] = true;
  const blocks: Block[] = [];
  const outgoing: Block[][] = program.locations.map(() => []);
  for (const location of program.locations) {
    if (!isCut[location.id]) continue;
    // Depth first; inner locations have one edge in, so every stretch is met once.
    const stack: Edge[][] = edges[location.id]!.map((edge) => [edge]).reverse();
    while (stack.length > 0) {
      program.pool.watch();
      const path = stack.pop()!;
      let last = path[path.length - 1]!;
      for (
        let [only, more] = edges[last.to]!;
        !isCut[last.to] && more === undefined;
        [only, more] = edges[last.to]!
      ) {
        last = only!;
        path.push(last);
      }
      if (isCut[last.to]) {
        const block = makeBlock(program, blocks.length, path);
        blocks.push(block);
        outgoing[location.id]!.push(block);
      } else for (const edge of [...edges[last.to]!].reverse()) stack.push([...path, edge]);
    }
  }
  return { program, blocks, outgoing, isCut };
}

function changes(operation: Operation, observed: ReadonlySet<number>): boolean {
  if (operation.kind === 'assign' || operation.kind === 'input') return observed.has(operation.cell.id);
  if (operation.kind === 'havoc') return operation.cells.some((cell) => observed.has(cell.id));
  if (operation.kind !== 'store') return false;
  return [...operation.site.cells, ...operation.site.blurred].some((cell) => observed.has(cell.id));
}

function cutPoints(
  program: Program,
  edges: readonly (readonly Edge[])[],
  isTarget: (location: number) => boolean,
): boolean[] {
  const incoming = new Array<number>(program.locations.length).fill(0);
  for (const edge of program.edges) incoming[edge.to]!++;
  const isCut = program.locations.map(
    (location) =>
      location.id === program.entry ||
      incoming[location.id] !== 1 ||
      edges[location.id]!.length === 0 ||
      location.kind !== 'inner' ||
      isTarget(location.id),
  );
  // Where a thread can wait, whatever else it can do is a block by itself, and always possible: no assumption that fails later takes it away.
  for (const edge of program.edges)
    if (edge.operation.kind === 'event') {
      isCut[edge.from] = true;
      for (const { to } of edges[edge.from]!) isCut[to] = true;
    }
  return isCut;
}

function makeBlock(program: Program, id: number, edges: readonly Edge[]): Block {
  const operations = edges.map((edge) => edge.operation);
  const kills = new Set<number>();
  const reads = new Set<number>();
  for (const operation of operations) {
    for (const cell of used(program, operation)) if (!kills.has(cell)) reads.add(cell);
    if (operation.kind === 'assign' || operation.kind === 'input') kills.add(operation.cell.id);
    else if (operation.kind === 'havoc') for (const cell of operation.cells) kills.add(cell.id);
  }
  const [only] = edges;
  const event = edges.length === 1 && only!.operation.kind === 'event' ? only!.operation.name : null;
  return {
    id,
    from: edges[0]!.from,
    to: edges[edges.length - 1]!.to,
    edges,
    operations,
    event,
    reads: [...reads],
  };
}
