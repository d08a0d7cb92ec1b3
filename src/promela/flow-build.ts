// From the syntax tree of one body to its control flow, resolving names on the way.

import type { Span } from '../source/source.ts';
import type { Name, Place, Sequence, StatementNode, Step } from './ast.ts';
import type { FlowNode, FlowSequence } from './flow.ts';
import { append, attachEscape, makeAtomic, nodesOf } from './flow.ts';
import type { Deferred } from './flow-base.ts';
import { LoopBuilder } from './flow-loops.ts';
import { one } from './resolve-reference.ts';

export class FlowBuilder extends LoopBuilder {
  private dsteps = 0;

  /** The whole body, closed by the node where the process ends. */
  body(node: Sequence): FlowSequence {
    if (node.steps.length === 0)
      this.symbols.error('SPW1007', node, 'this body is empty', {
        help: 'write skip if nothing is to be done',
      });
    const sequence = this.inScope(() =>
      this.collect(node, 'body', () => {
        this.atStart = true;
        this.steps(node.steps);
        const close = {
          file: node.span.file,
          start: Math.max(node.span.start, node.span.end - 1),
          end: node.span.end,
        };
        append(this.sequence, this.node('stop', close));
      }),
    );
    return sequence;
  }

  protected steps(steps: readonly Step[]): void {
    for (const step of steps) {
      if (step.kind === 'declaration') this.declare(step.declaration);
      else if (step.kind === 'exclusive') for (const channel of step.channels) this.cell(channel);
      else {
        this.prepare(step)([]);
        this.atStart = false;
      }
    }
  }

  protected prepare(statement: StatementNode): Deferred {
    const { span } = statement;
    switch (statement.kind) {
      case 'labelled': {
        const { label, statement: inner } = statement;
        const add = inner === null ? this.prepareSkip(span) : this.prepare(inner);
        return (labels) => add([...labels, label]);
      }
      case 'if':
      case 'do':
        return this.choice(statement);
      case 'for':
      case 'for-in':
      case 'select':
        return this.loop(statement);
      case 'atomic':
      case 'block': {
        const body = this.blockSequence(statement);
        return (labels) => this.push(this.node('block', span, { body }), labels);
      }
      case 'd_step':
        return this.dStep(statement);
      case 'unless':
        return this.unless(statement);
      case 'goto': {
        const jump = { name: statement.label, scope: this.scope, loop: null, target: null };
        return (labels) => this.goto(jump, span, labels);
      }
      case 'break':
        return this.breakLoop(statement);
      default: {
        const resolved = this.basic(statement);
        return (labels) => this.push(this.step(resolved, span), labels);
      }
    }
  }

  private prepareSkip(span: Span): Deferred {
    return (labels) =>
      this.push(this.step({ kind: 'condition', expression: one(span, 'skip') }, span), labels);
  }

  private breakLoop(place: Place): Deferred {
    const loop = this.loops.at(-1);
    if (loop === undefined) {
      const what = this.dstep === null ? 'outside a loop' : 'out of a d_step';
      this.symbols.error('SPW1008', place, `a break ${what}`);
      return this.prepareSkip(place.span);
    }
    return (labels) => this.goto({ name: null, scope: null, loop, target: null }, place.span, labels);
  }

  private choice(statement: StatementNode & { kind: 'if' | 'do' }): Deferred {
    const loop = statement.kind === 'do' ? { exit: null } : null;
    if (loop !== null) this.loops.push(loop);
    const options = statement.options.map((option) =>
      this.prune(this.collect(option, 'option', () => this.steps(option.steps))),
    );
    if (loop !== null) this.loops.pop();
    return (labels) => this.addChoice(options, loop, statement, labels);
  }

  /** SPIN drops repeated skips inside options (but not in never claims). */
  private prune(sequence: FlowSequence): FlowSequence {
    if (this.entry.node.kind === 'never') return sequence;
    let skips = 0;
    let before: FlowNode | null = null;
    for (const node of [...nodesOf(sequence)]) {
      const print = node.statement?.kind === 'print';
      if (node.labels.length > 0 || !(print || isSkip(node))) skips = 0;
      else if (++skips > 1 && !print && before !== null && node !== sequence.last) {
        before.next = node.next;
        continue;
      }
      before = node;
    }
    return sequence;
  }

  private blockSequence(statement: StatementNode & { kind: 'atomic' | 'block' }): FlowSequence {
    const body = this.inScope(() =>
      this.collect(statement.body, statement.kind, () => this.steps(statement.body.steps)),
    );
    if (statement.kind === 'atomic' && this.dstep === null) makeAtomic(body);
    return body;
  }

  private dStep(statement: StatementNode & { kind: 'd_step' }): Deferred {
    const build = () =>
      this.inScope(() => this.collect(statement.body, 'd_step', () => this.steps(statement.body.steps)));
    const { span } = statement;
    if (this.dstep !== null) {
      const body = build();
      return (labels) => this.push(this.node('block', span, { body }), labels);
    }
    const loops = this.loops.splice(0);
    this.dstep = this.dsteps++;
    const body = build();
    this.dstep = null;
    this.loops.push(...loops);
    return (labels) => this.push(this.node('dstep', span, { body }), labels);
  }

  private unless(statement: StatementNode & { kind: 'unless' }): Deferred {
    let main = statement.body;
    const outer: Name[] = [];
    while (main.kind === 'labelled' && main.statement !== null && isBlock(innermost(main))) {
      outer.push(main.label);
      main = main.statement;
    }
    const labelled = outer.length > 0;
    // A label before a block with an escape names the whole, and the block's sequence is the body.
    const body =
      main.kind === 'block' || (labelled && main.kind === 'atomic')
        ? this.blockSequence(main)
        : this.prepare(main);
    const way =
      statement.escape.kind === 'block'
        ? this.blockSequence(statement.escape)
        : this.prepare(statement.escape);
    const escapeSequence = this.partOf(way, statement.escape, 'escape');
    const bodySequence = this.partOf(body, main, 'unless');
    if (!labelled) return () => this.addUnless(bodySequence, escapeSequence, statement);
    return (labels) => {
      const wrapper = this.collect(statement, 'loop', () =>
        this.addUnless(bodySequence, escapeSequence, statement),
      );
      this.push(this.node('block', statement.span, { body: wrapper }), [...labels, ...outer]);
    };
  }

  private partOf(part: FlowSequence | Deferred, place: Place, context: 'unless' | 'escape'): FlowSequence {
    return typeof part === 'function' ? this.collect(place, context, () => part([])) : part;
  }

  private addUnless(main: FlowSequence, way: FlowSequence, { span }: Place): void {
    const unless = this.node('unless', span, { parts: [main, way] });
    const join = this.node('join', span);
    append(main, join);
    append(way, join);
    attachEscape(main, way);
    append(this.sequence, unless);
    append(this.sequence, join);
  }
}

const isBlock = (statement: StatementNode): boolean =>
  statement.kind === 'block' || statement.kind === 'atomic' || statement.kind === 'd_step';

function innermost(statement: StatementNode): StatementNode {
  return statement.kind === 'labelled' && statement.statement !== null
    ? innermost(statement.statement)
    : statement;
}

function isSkip(node: FlowNode): boolean {
  const statement = node.statement;
  if (statement?.kind !== 'condition') return false;
  return statement.expression.kind === 'constant' && statement.expression.value === 1;
}
