// Ways through the control flow: where a process stands that goes to a node, and which steps can be taken from there.

import type { Statement } from '../process/program.ts';
import type { Span } from '../source/source.ts';
import type { FlowNode, FlowSequence } from './flow.ts';
import { one } from './resolve-reference.ts';

/** Jumps that only lead to each other. */
export class EndlessJump extends Error {
  readonly span: Span;

  constructor(span: Span) {
    super('endless jump');
    this.span = span;
  }
}

export const LONGEST_HUNT = 100_000;

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

export function passes(node: FlowNode): FlowNode | null {
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
function firstOf(sequence: FlowSequence): FlowNode {
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
export function flatten(node: FlowNode, through: readonly FlowNode[] = []): Flat[] {
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

/** What a step or a jump does. */
export function stepOf(node: FlowNode): Statement {
  if (node.kind !== 'goto')
    return node.statement ?? { kind: 'condition', expression: one(node.span, 'goto') };
  const text = node.jump!.name === null ? 'break' : `goto ${node.jump!.name.text}`;
  return { kind: 'condition', expression: one(node.span, text) };
}
