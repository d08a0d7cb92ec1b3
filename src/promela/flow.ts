// The control flow of one body before it becomes an automaton, in the shape that SPIN gives it: a node per statement, linked in
// sequences. Which places of the text are locations of the automaton, where labels land and where `atomic` ends all follow from
// this shape, so it is kept faithfully:
//
// - a choice (if, do) holds its options; every option ends in the choice's `join`;
// - a `do` is: join, choice, exit; a `break` jumps to the exit;
// - blocks ({…}, atomic) hold a sequence and are locations of their own;
// - `unless` holds two sequences; its escapes are attached to every node of the first.

import type { Statement } from '../process/program.ts';
import type { Span } from '../source/source.ts';
import type { Name } from './ast.ts';
import type { Scope } from './symbols.ts';

export type FlowKind = 'step' | 'goto' | 'join' | 'exit' | 'choice' | 'block' | 'dstep' | 'unless' | 'stop';

export interface FlowNode {
  readonly id: number;
  kind: FlowKind;
  /** Of steps. */
  statement: Statement | null;
  /** Of gotos: the label, or the loop that a break leaves. */
  jump: Jump | null;
  next: FlowNode | null;
  /** Of choices the options; of unless the body and the escape. */
  readonly parts: FlowSequence[];
  /** Of blocks and d_steps. */
  readonly body: FlowSequence | null;
  escapes: FlowSequence[];
  /** The process keeps control after it. */
  atomic: boolean;
  /** The last node of an atomic sequence. */
  endsAtomic: boolean;
  readonly labels: string[];
  /** The d_step it stands in. */
  readonly dstep: number | null;
  owner: FlowSequence | null;
  readonly span: Span;
}

export interface Jump {
  readonly name: Name | null;
  readonly scope: Scope | null;
  readonly loop: { exit: FlowNode | null } | null;
  target: FlowNode | null;
}

export interface FlowSequence {
  first: FlowNode | null;
  last: FlowNode | null;
  /** The last node of its own, without the join of the choice around it. */
  extent: FlowNode | null;
}

export const emptySequence = (): FlowSequence => ({ first: null, last: null, extent: null });

export function append(sequence: FlowSequence, node: FlowNode): void {
  if (sequence.last === null) sequence.first = node;
  else sequence.last.next = node;
  sequence.last = node;
  node.owner ??= sequence;
}

/** The nodes of a sequence, from its first to its last. */
export function* nodesOf(sequence: FlowSequence, last = sequence.last): Iterable<FlowNode> {
  for (let node = sequence.first; node !== null; node = node.next) {
    yield node;
    if (node === last) return;
  }
}

// Atomic sequences

export function makeAtomic(sequence: FlowSequence): void {
  markAtomic(sequence);
  endAtomic(sequence);
}

function markAtomic(sequence: FlowSequence): void {
  for (const node of nodesOf(sequence)) {
    node.atomic = true;
    if (node.kind === 'block') markAtomic(node.body!);
    for (const part of node.parts) markAtomic(part);
  }
}

function endAtomic(sequence: FlowSequence): void {
  const last = sequence.last!;
  if (last.kind === 'block') {
    markAtomic(last.body!);
    endAtomic(last.body!);
  } else if (last.kind === 'unless') {
    markAtomic(last.parts[0]!);
    endAtomic(last.parts[0]!);
  } else {
    last.atomic = false;
    last.endsAtomic = true;
  }
}

/** A jump out of an atomic sequence ends it; a jump from its end into another one bridges them. */
export function patchAtomic(sequence: FlowSequence): void {
  for (const node of nodesOf(sequence, sequence.extent)) {
    const target = node.kind === 'goto' ? node.jump!.target : null;
    if (target !== null) {
      const into = target.atomic || target.endsAtomic;
      if ((node.atomic || node.endsAtomic) && !into) {
        node.atomic = false;
        node.endsAtomic = true;
      } else if (node.endsAtomic && into) {
        node.endsAtomic = false;
        node.atomic = true;
      }
    } else for (const part of node.parts) patchAtomic(part);
  }
}

// Escapes

/** From every node of the sequence the escape can be taken. */
export function attachEscape(sequence: FlowSequence, way: FlowSequence): void {
  for (const node of nodesOf(sequence, sequence.extent)) attachToNode(node, way);
}

function attachToNode(node: FlowNode, way: FlowSequence): void {
  if (node.escapes.includes(way)) return;
  for (const inner of node.escapes) attachEscape(inner, way);
  node.escapes = [way, ...node.escapes];
  if (node.kind === 'unless') attachEscape(node.parts[0]!, way);
  else if (node.kind === 'choice') for (const part of node.parts) attachEscape(part, way);
  else if (node.kind === 'block') attachEscape(node.body!, way);
}
