// From control flow to the automaton that SPIN would build without statement merging (`spin -o3 -a`, `./pan -d`).
//
// A location is a node where the process can stand. Jumps, joins and exits are passed through on the way to it, unless the
// process would leave an atomic sequence while passing: then it stands there, and the jump is a step of its own. The edges of a choice
// or a block are those of its options' first nodes. The escapes of `unless` go before all others, outermost first.

import type { Edge, EdgeId, Location, LocationId, Statement } from '../process/program.ts';
import { dstepBody } from './dstep.ts';
import type { FlowNode } from './flow.ts';
import { flatten, hunt, stepOf } from './walk.ts';

export interface Automaton {
  readonly locations: readonly Location[];
  readonly edges: readonly Edge[];
  readonly initial: LocationId;
  readonly locationOf: (node: FlowNode) => LocationId;
}

interface Draft {
  readonly node: FlowNode;
  readonly from: FlowNode;
  readonly to: FlowNode;
  readonly through: readonly FlowNode[];
  /** The location whose edges the escape borrows; null for edges of the location itself. */
  readonly escape: FlowNode | null;
}

function ownDrafts(location: FlowNode): Draft[] {
  return flatten(location).map(({ node, through }) => {
    const next = node.kind === 'goto' ? node.jump!.target! : node.next;
    const to = next === null ? node : hunt(next, node.atomic);
    return { node, from: location, to, through, escape: null };
  });
}

/**
 * The edges of a location with its escapes in front. SPIN adds the escapes to one state after the other, in the order of the nodes: what an
 * escape borrows from an earlier state has that state's escapes already. The order decides which escapes block which, so it is kept.
 */
function drafts(location: FlowNode): Draft[] {
  let list = ownDrafts(location);
  for (const own of [...list]) {
    if (own.node.kind === 'join') continue;
    for (const way of [...own.node.escapes].reverse()) {
      const entry = hunt(way.first!, own.node.atomic);
      const borrowed = entry.id < location.id ? drafts(entry) : ownDrafts(entry);
      for (const draft of borrowed) {
        if (list.some((known) => known.node === draft.node)) continue;
        list = [{ ...draft, from: location, escape: entry }, ...list];
      }
    }
  }
  return list;
}

/** `firstElement`: how many nodes SPIN has made before those of this body; null where that is not known. */
export function buildAutomaton(
  start: FlowNode,
  labelled: Iterable<FlowNode>,
  firstElement: number | null,
): Automaton {
  const numbering = new Map<FlowNode, LocationId>();
  const order: FlowNode[] = [];
  const number = (node: FlowNode): LocationId => {
    const known = numbering.get(node);
    if (known !== undefined) return known;
    const id = order.length as LocationId;
    numbering.set(node, id);
    order.push(node);
    return id;
  };
  const edges: Edge[] = [];
  const outgoing: EdgeId[][] = [];
  const flags = new Map<FlowNode, Flags>();
  const initial = number(hunt(start, start.atomic));

  for (let i = 0; i < order.length; i++) {
    const location = order[i]!;
    const list = drafts(location);
    const first = edges.length;
    outgoing.push(list.map((_, j) => (first + j) as EdgeId));
    for (const [j, draft] of list.entries()) {
      for (const node of draft.through)
        if (node.labels.length > 0) addFlags(flags, draft.to, labelFlags(node));
      edges.push({
        id: (first + j) as EdgeId,
        from: i as LocationId,
        to: number(draft.to),
        statement: statementOf(draft.node),
        keepsControl: draft.node.atomic,
        blockedBy: blockers(list, j, first),
        span: draft.node.span,
        ...(firstElement === null ? {} : { element: firstElement + draft.node.id }),
      });
    }
  }
  const reached = order.length;
  for (const node of labelled) number(node);
  for (const node of order) if (node.labels.length > 0) addFlags(flags, node, labelFlags(node));
  for (const node of order.slice(0, reached))
    if (node.kind === 'join' && flags.get(node)?.end) addFlags(flags, drafts(node)[0]!.to, END_ONLY);
  const locations = order.map(
    (node, i): Location => ({
      id: i as LocationId,
      edges: outgoing[i] ?? [],
      isEnd: (flags.get(node)?.end ?? false) || node.kind === 'stop',
      isProgress: flags.get(node)?.progress ?? false,
      isAccept: flags.get(node)?.accept ?? false,
      isFinal: node.kind === 'stop',
      span: node.span,
    }),
  );
  return { locations, edges, initial, locationOf: (node) => numbering.get(node)! };
}

const NO_EDGES: readonly EdgeId[] = [];

/** The escapes before an edge, except those of its own escape. */
function blockers(list: readonly Draft[], index: number, first: number): readonly EdgeId[] {
  if (index === 0 || list[0]!.escape === null) return NO_EDGES;
  const found: EdgeId[] = [];
  for (let i = 0; i < index; i++) {
    const { escape: way } = list[i]!;
    if (way !== null && way !== list[index]!.escape) found.push((first + i) as EdgeId);
  }
  return found;
}

interface Flags {
  readonly end: boolean;
  readonly progress: boolean;
  readonly accept: boolean;
}

const END_ONLY: Flags = { end: true, progress: false, accept: false };

function labelFlags(node: FlowNode): Flags {
  const has = (prefix: string) => node.labels.some((label) => label.startsWith(prefix));
  return { end: has('end'), progress: has('progress'), accept: has('accept') };
}

function addFlags(flags: Map<FlowNode, Flags>, node: FlowNode, more: Flags): void {
  if (!more.end && !more.progress && !more.accept) return;
  const known = flags.get(node) ?? { end: false, progress: false, accept: false };
  flags.set(node, {
    end: known.end || more.end,
    progress: known.progress || more.progress,
    accept: known.accept || more.accept,
  });
}

function statementOf(node: FlowNode): Statement {
  if (node.kind === 'stop') return { kind: 'end' };
  if (node.kind === 'dstep') return { kind: 'dstep', body: dstepBody(node) };
  return stepOf(node);
}
