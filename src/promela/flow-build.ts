// From the syntax tree of one body to its control flow, resolving names on the way.

import type { Name, Place, Sequence, StatementNode, Step } from './ast.ts';
import type { FlowNode, FlowSequence } from './flow.ts';
import { append, attachEscape, makeAtomic, nodesOf } from './flow.ts';
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
        this.add(step, []);
        this.atStart = false;
      }
    }
  }

  /** Adds one statement to the current sequence. */
  protected add(statement: StatementNode, labels: readonly Name[]): void {
    const { span } = statement;
    switch (statement.kind) {
      case 'labelled': {
        const all = [...labels, statement.label];
        if (statement.statement !== null) this.add(statement.statement, all);
        else this.push(this.step({ kind: 'condition', expression: one(span, 'skip') }, span), all);
        return;
      }
      case 'if':
      case 'do':
        this.choice(statement, labels);
        return;
      case 'for':
      case 'for-in':
      case 'select':
        this.loop(statement, labels);
        return;
      case 'atomic':
      case 'block':
        this.push(this.block(statement), labels);
        return;
      case 'd_step':
        this.push(this.dStep(statement), labels);
        return;
      case 'unless':
        this.unless(statement, labels);
        return;
      case 'goto':
        this.goto({ name: statement.label, scope: this.scope, loop: null, target: null }, span, labels);
        return;
      case 'break':
        this.breakLoop(statement, labels);
        return;
      default:
        this.push(this.step(this.basic(statement), span), labels);
    }
  }

  private breakLoop(place: Place, labels: readonly Name[]): void {
    const loop = this.loops.at(-1);
    if (loop === undefined) {
      const what = this.dstep === null ? 'outside a loop' : 'out of a d_step';
      this.symbols.error('SPW1008', place, `a break ${what}`);
      return;
    }
    this.goto({ name: null, scope: null, loop, target: null }, place.span, labels);
  }

  private choice(statement: StatementNode & { kind: 'if' | 'do' }, labels: readonly Name[]): void {
    const loop = statement.kind === 'do' ? { exit: null } : null;
    if (loop !== null) this.loops.push(loop);
    const options = statement.options.map((option) =>
      this.prune(this.collect(option, 'option', () => this.steps(option.steps))),
    );
    if (loop !== null) this.loops.pop();
    this.addChoice(options, loop, statement, labels);
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

  private block(statement: StatementNode & { kind: 'atomic' | 'block' }): FlowNode {
    const body = this.blockSequence(statement);
    return this.node('block', statement.span, { body });
  }

  private blockSequence(statement: StatementNode & { kind: 'atomic' | 'block' }): FlowSequence {
    const body = this.inScope(() =>
      this.collect(statement.body, statement.kind, () => this.steps(statement.body.steps)),
    );
    if (statement.kind === 'atomic' && this.dstep === null) makeAtomic(body);
    return body;
  }

  private dStep(statement: StatementNode & { kind: 'd_step' }): FlowNode {
    if (this.dstep !== null) {
      const body = this.inScope(() =>
        this.collect(statement.body, 'd_step', () => this.steps(statement.body.steps)),
      );
      return this.node('block', statement.span, { body });
    }
    const loops = this.loops.splice(0);
    this.dstep = this.dsteps++;
    const body = this.inScope(() =>
      this.collect(statement.body, 'd_step', () => this.steps(statement.body.steps)),
    );
    this.dstep = null;
    this.loops.push(...loops);
    return this.node('dstep', statement.span, { body });
  }

  private unless(statement: StatementNode & { kind: 'unless' }, labels: readonly Name[]): void {
    let main = statement.body;
    const outer: Name[] = [...labels];
    while (main.kind === 'labelled' && main.statement !== null && isBlock(innermost(main))) {
      outer.push(main.label);
      main = main.statement;
    }
    if (outer.length === 0) {
      this.addUnless(this.unlessPart(main, 'unless'), statement);
      return;
    }
    // A label before a block with an escape names the whole.
    const wrapper = this.collect(statement, 'loop', () => this.addUnless(this.bodyOfBlock(main), statement));
    this.push(this.node('block', statement.span, { body: wrapper }), outer);
  }

  private bodyOfBlock(main: StatementNode): FlowSequence {
    if (main.kind === 'block' || main.kind === 'atomic') return this.blockSequence(main);
    return this.unlessPart(main, 'unless');
  }

  private unlessPart(part: StatementNode, context: 'unless' | 'escape'): FlowSequence {
    if (part.kind === 'block') return this.blockSequence(part);
    return this.collect(part, context, () => this.add(part, []));
  }

  private addUnless(main: FlowSequence, statement: StatementNode & { kind: 'unless' }): void {
    const way = this.unlessPart(statement.escape, 'escape');
    const join = this.node('join', statement.span);
    const unless = this.node('unless', statement.span, { parts: [main, way] });
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
