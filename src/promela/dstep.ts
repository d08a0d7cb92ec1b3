// The inside of a d_step: a small graph, run as one step.

import type { DStepBody, Edge, EdgeId, Location, LocationId } from '../process/program.ts';
import type { FlowNode } from './flow.ts';
import { EndlessJump, flatten, LONGEST_HUNT, passes, stepOf } from './walk.ts';

const bodies = new WeakMap<FlowNode, DStepBody>();

/** The graph inside a d_step; everything outside is its one exit. */
export function dstepBody(dstep: FlowNode): DStepBody {
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
        statement: stepOf(step),
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
