// From control flow to the automaton that SPIN would build without statement merging (`spin -o3 -a`, `./pan -d`).
//
// A location is a node where the process can stand. Jumps, joins and exits are passed through on the way to it, unless the
// process would leave an atomic sequence while passing: then it stands there, and the jump is a step of its own. The edges of a choice
// or a block are those of its options' first nodes. The escapes of `unless` go before all others, outermost first.

import type { DStepBody, Edge, EdgeId, Location, LocationId, Statement } from '../process/program.ts';
import type { Span } from '../source/source.ts';
import type { FlowNode, FlowSequence } from './flow.ts';
import { one } from './resolve-reference.ts';

export interface Automaton {
  readonly locations: readonly Location[];
  readonly edges: readonly Edge[];
  readonly initial: LocationId;
  readonly locationOf: (node: FlowNode) => LocationId;
}

/** Jumps that only lead to each other. */
export class EndlessJump extends Error {
  readonly span: Span;

  constructor(span: Span) {
    super('endless jump');
    this.span = span;
  }
}

const LONGEST_HUNT = 100_000;

/** Where a process stands that goes to the node; `atomic`: it comes from inside an atomic sequence. */
export function hunt(node: FlowNode, atomic: boolean): FlowNode {
  let at = node;
  for (let steps = 0; steps < LONGEST_HUNT; steps++) {
    const next = passes(at);
    if (next === null || (atomic && !next.atomic && at.kind !== 'unless')) return at;
    at = next;
  }
  throw new EndlessJump(node.span);
}

function passes(node: FlowNode): FlowNode | null {
  switch (node.kind) {
    case 'goto':
      return node.jump!.target;
    case 'join':
    case 'exit':
      return node.next;
    case 'unless':
      return node.parts[0]!.first;
    default:
      return null;
  }
}

/** The first node of an option or block: joins and unless are looked through, jumps are not. */
export function firstOf(sequence: FlowSequence): FlowNode {
  let at = sequence.first!;
  for (let steps = 0; steps < LONGEST_HUNT; steps++) {
    if (at.kind === 'join' && at.next !== null) at = at.next;
    else if (at.kind === 'unless') at = at.parts[0]!.first!;
    else return at;
  }
  throw new EndlessJump(at.span);
}

interface Flat {
  readonly node: FlowNode;
  /** Nodes between the location and this one: their labels count for where the edge leads. */
  readonly through: readonly FlowNode[];
}

/** The nodes whose steps can be taken from a location. */
function flatten(node: FlowNode, through: readonly FlowNode[] = []): Flat[] {
  const parts = node.kind === 'choice' ? node.parts : node.kind === 'block' ? [node.body!] : null;
  if (parts === null) return [{ node, through }];
  const flat: Flat[] = [];
  for (const part of parts) {
    const first = firstOf(part);
    if (node.kind === 'choice' && isNeverTaken(first)) continue;
    flat.push(...flatten(first, [...through, first]));
  }
  return flat;
}

/** SPIN drops an option whose guard is the constant 0. */
function isNeverTaken(node: FlowNode): boolean {
  const statement = node.statement;
  if (statement?.kind !== 'condition' || node.escapes.length > 0) return false;
  return statement.expression.kind === 'constant' && statement.expression.value === 0;
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

export function buildAutomaton(start: FlowNode, labelled: Iterable<FlowNode>): Automaton {
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
  switch (node.kind) {
    case 'goto': {
      const text = node.jump!.name === null ? 'break' : `goto ${node.jump!.name.text}`;
      return { kind: 'condition', expression: one(node.span, text) };
    }
    case 'stop':
      return { kind: 'end' };
    case 'dstep':
      return { kind: 'dstep', body: dstepBody(node) };
    default:
      return node.statement ?? { kind: 'condition', expression: one(node.span, 'goto') };
  }
}

// d_step

const bodies = new WeakMap<FlowNode, DStepBody>();

/** The graph inside a d_step; everything outside is its one exit. */
function dstepBody(dstep: FlowNode): DStepBody {
  const known = bodies.get(dstep);
  if (known !== undefined) return known;
  const inside = insideOf(dstep);
  const order: (FlowNode | null)[] = [];
  const number = (node: FlowNode | null): LocationId => {
    const at = order.indexOf(node);
    return (at >= 0 ? at : order.push(node) - 1) as LocationId;
  };
  const enter = (node: FlowNode | null): FlowNode | null => huntInside(node, inside);
  const edges: Edge[] = [];
  const locations: Location[] = [];
  const initial = number(enter(dstep.body!.first));
  for (let i = 0; i < order.length; i++) {
    const node = order[i]!;
    const first = edges.length;
    const nodes = node === null ? [] : flatten(node).map((flat) => flat.node);
    for (const [j, step] of nodes.entries()) {
      const next = step.kind === 'goto' ? step.jump!.target : step.next;
      edges.push({
        id: (first + j) as EdgeId,
        from: i as LocationId,
        to: number(enter(next)),
        statement: statementOf(step),
        keepsControl: true,
        blockedBy: [],
        span: step.span,
      });
    }
    locations.push({
      id: i as LocationId,
      edges: nodes.map((_, j) => (first + j) as EdgeId),
      isEnd: false,
      isProgress: false,
      isAccept: false,
      isFinal: false,
      span: node?.span ?? dstep.span,
    });
  }
  const body = { initial, locations, edges };
  bodies.set(dstep, body);
  return body;
}

function insideOf(dstep: FlowNode): (node: FlowNode) => boolean {
  const id = dstep.body!.first!.dstep;
  return (node) => node.dstep === id;
}

function huntInside(from: FlowNode | null, inside: (node: FlowNode) => boolean): FlowNode | null {
  let at = from;
  for (let steps = 0; steps < LONGEST_HUNT; steps++) {
    if (at === null || !inside(at)) return null;
    const next =
      at.kind === 'block' ? at.body!.first : at.kind === 'unless' ? at.parts[0]!.first : passes(at);
    if (next === null && (at.kind === 'step' || at.kind === 'choice')) return at;
    if (next === null) return null;
    at = next;
  }
  throw new EndlessJump(from!.span);
}
