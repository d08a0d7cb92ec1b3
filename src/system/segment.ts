// Fused transitions. Inside `atomic` a process goes on alone while it can, so a first statement and the later ones that cannot
// block are one transition; a `d_step` always is. Splitting is always sound; fusing is sound because
//   - a location is passed through only if one of its edges is certainly executable (channels being unlimited: `assumedNeverFull`),
//   - receives, rendezvous, `run` and d_steps end the segment before them, so no queue shrinks after it grew: no peak is hidden,
//   - proctypes with `provided` and programs with priorities are not fused: there another process may step in.
// After a rendezvous the other side may go first, so nothing is fused behind one.

import type { PathStep } from '../process/expression.ts';
import type { Edge, EdgeId, LocationId } from '../process/program.ts';
import { hasRun } from '../process/uses.ts';
import type { ProcessClass } from './classes.ts';
import { alwaysSends, execute, mayBlock, type Siblings } from './execute.ts';
import type { Run } from './run.ts';

/** Where a process stands: a location of its control graph, or a location inside an opened d_step edge. */
export interface Point {
  readonly location: LocationId;
  readonly inside: { readonly edge: EdgeId; readonly location: LocationId } | null;
}

export interface Segment {
  readonly end: Point;
  /** Edges of the control graph, in order. */
  readonly edges: readonly EdgeId[];
  /** Locations passed through. */
  readonly through: readonly LocationId[];
}

/** One way through a segment that begins with the edge; null when blocked. */
export function runSegment(run: Run, point: Point, edge: Edge, fuse: boolean): Segment | null {
  if (point.inside !== null) return innerStep(run, point, edge);
  const { proctype } = run.process;
  const edges = [edge.id];
  const through: LocationId[] = [];
  if (edge.statement.kind === 'dstep') {
    if (isOpened(run, edge)) return enterDstep(edge);
    if (!wholeDstep(run, edge)) return null;
  } else if (!execute(run, edge, siblingsAt(run, edge))) return null;
  let last = edge;
  const fusable = fuse && run.view.atomicHolds && proctype.provided === null;
  while (fusable && last.keepsControl && !isRendezvous(run)) {
    if (through.includes(last.to) || last.to === edge.from) break;
    if (edges.length >= run.view.limits.segmentLength || !passable(run, last.to)) break;
    const options = proctype.locations[last.to]!.edges;
    through.push(last.to);
    last = proctype.edges[options[run.choose(options.length)]!]!;
    edges.push(last.id);
    if (!execute(run, last, siblingsAt(run, last))) return null;
  }
  return { end: { location: last.to, inside: null }, edges, through };
}

function siblingsAt(run: Run, edge: Edge): Siblings {
  const { proctype } = run.process;
  return {
    edges: proctype.edges,
    here: proctype.locations[edge.from]!.edges,
    liveAfter: run.view.livenessOf(run.process).at[edge.to]!,
  };
}

const isRendezvous = (run: Run): boolean => run.effects.some(({ queue }) => queue.capacity === 0);

/** Does the process certainly go on from here, and with nothing that must begin a segment of its own? */
function passable(run: Run, location: LocationId): boolean {
  const { proctype } = run.process;
  const edges = proctype.locations[location]!.edges.map((id) => proctype.edges[id]!);
  return edges.every((edge) => mayContinue(run, edge)) && edges.some((edge) => cannotBlock(run, edge));
}

function mayContinue(run: Run, edge: Edge): boolean {
  const { statement } = edge;
  switch (statement.kind) {
    case 'condition':
      return !hasRun(statement.expression);
    case 'assign':
      return !hasRun(statement.value) && !statement.target.path.some(startsProcess);
    case 'send':
      return alwaysSends(run, statement);
    case 'assert':
      return !hasRun(statement.expression);
    case 'print':
      return !statement.args.some(hasRun);
    case 'else':
      return true;
    default:
      return false;
  }
}

const startsProcess = (step: PathStep): boolean => step.kind === 'index' && hasRun(step.index);

/** With an `else` some edge is executable; a send that is blocked by an escape still leaves the escape. */
const cannotBlock = (run: Run, edge: Edge): boolean =>
  edge.statement.kind === 'else' || !mayBlock(run, edge.statement);

/** How the plan names an edge. */
export const edgeKey = (process: ProcessClass, edge: Edge): string => `${process.proctype.id}:${edge.id}`;
const isOpened = (run: Run, edge: Edge): boolean => run.view.plan.opened.has(edgeKey(run.process, edge));

/** The whole d_step as one step: a choice takes its first executable edge. */
function wholeDstep(run: Run, edge: Edge): boolean {
  if (edge.statement.kind !== 'dstep') throw new Error('impossible: not a d_step');
  const { body } = edge.statement;
  let at = body.initial;
  for (let steps = 0; body.locations[at]!.edges.length > 0; steps++) {
    if (steps > run.view.limits.dstepLength) {
      run.updates.wish({ kind: 'open', dstep: edgeKey(run.process, edge) });
      return false;
    }
    run.work++;
    const here = body.locations[at]!.edges;
    const taken = run.choose(here.length);
    if (!here.slice(0, taken).every((id) => mayBlock(run, body.edges[id]!.statement))) return false;
    const inner = body.edges[here[taken]!]!;
    if (!execute(run, inner, { edges: body.edges, here, liveAfter: null })) {
      // A d_step that has begun must not block.
      if (steps > 0) run.updates.mayFail = true;
      return false;
    }
    at = inner.to;
  }
  // After a rendezvous the other side may go on first: then the rest is not one step with it.
  if (hidesPeak(run) || (isRendezvous(run) && body.edges.length > 1)) {
    run.updates.wish({ kind: 'open', dstep: edgeKey(run.process, edge) });
    return false;
  }
  return true;
}

/** A queue that grew and then shrank was longer in between. */
function hidesPeak(run: Run): boolean {
  const grown = new Set<number>();
  return run.effects.some(({ queue, kind }) => {
    if (kind === 'send') grown.add(queue.id);
    return kind === 'receive' && grown.has(queue.id);
  });
}

function enterDstep(edge: Edge): Segment {
  if (edge.statement.kind !== 'dstep') throw new Error('impossible: not a d_step');
  const end = { location: edge.from, inside: { edge: edge.id, location: edge.statement.body.initial } };
  return { end, edges: [edge.id], through: [] };
}

/** One step inside an opened d_step. */
function innerStep(run: Run, point: Point, inner: Edge): Segment | null {
  const outer = run.process.proctype.edges[point.inside!.edge]!;
  if (outer.statement.kind !== 'dstep') throw new Error('impossible: not a d_step');
  const { body } = outer.statement;
  const here = body.locations[point.inside!.location]!.edges;
  const earlier = here.slice(0, here.indexOf(inner.id));
  if (!earlier.every((id) => mayBlock(run, body.edges[id]!.statement))) return null;
  if (!execute(run, inner, { edges: body.edges, here, liveAfter: null })) return null;
  const isOver = body.locations[inner.to]!.edges.length === 0;
  const end: Point = isOver
    ? { location: outer.to, inside: null }
    : { location: outer.from, inside: { edge: outer.id, location: inner.to } };
  return { end, edges: [outer.id], through: [] };
}
