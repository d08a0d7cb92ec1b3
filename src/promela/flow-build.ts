// From the syntax tree of one body to its control flow, resolving names on the way.

import type { Span } from '../source/source.ts';
import type { Name, Place, Sequence, StatementNode, Step } from './ast.ts';
import type { FlowNode, FlowSequence } from './flow.ts';
import { append, attachEscape, makeAtomic, nodesOf } from './flow.ts';
import { Loops } from './flow-loops.ts';
import { type Deferred, Flow } from './flow-pieces.ts';
import { one } from './resolve-reference.ts';
import { StatementResolver } from './resolve-statement.ts';
import type { ProctypeEntry, Scope, Symbols } from './symbols.ts';

export class FlowBuilder {
  readonly flow: Flow;
  private readonly loops: Loops;
  private dsteps = 0;

  constructor(symbols: Symbols, owner: ProctypeEntry, scope: Scope) {
    this.flow = new Flow(new StatementResolver(symbols, owner, scope));
    this.loops = new Loops(this.flow, (steps) => this.steps(steps));
  }

  /** The whole body, closed by the node where the process ends. */
  body(node: Sequence): FlowSequence {
    if (node.steps.length === 0)
      this.flow.resolver.symbols.error('SPW1007', node, 'this body is empty', {
        help: 'write skip if nothing is to be done',
      });
    const sequence = this.flow.inScope(() =>
      this.flow.collect(node, 'body', () => {
        this.flow.atStart = true;
        this.steps(node.steps);
        const close = {
          file: node.span.file,
          start: Math.max(node.span.start, node.span.end - 1),
          end: node.span.end,
        };
        append(this.flow.sequence, this.flow.node('stop', close));
      }),
    );
    return sequence;
  }

  private steps(steps: readonly Step[]): void {
    for (const step of steps) {
      if (step.kind === 'declaration') this.flow.declare(step.declaration);
      else if (step.kind === 'exclusive')
        for (const channel of step.channels) this.flow.resolver.cell(channel);
      else {
        this.prepare(step)([]);
        this.flow.atStart = false;
      }
    }
  }

  /** Builds what is inside a statement; the statement's own nodes come when the result is called. SPIN numbers them in this order. */
  private prepare(statement: StatementNode): Deferred {
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
        return this.loops.loop(statement);
      case 'atomic':
      case 'block': {
        const body = this.blockSequence(statement);
        return (labels) => this.flow.push(this.flow.node('block', span, { body }), labels);
      }
      case 'd_step':
        return this.dStep(statement);
      case 'unless':
        return this.unless(statement);
      case 'goto': {
        const jump = { name: statement.label, scope: this.flow.resolver.scope, loop: null, target: null };
        return (labels) => this.flow.goto(jump, span, labels);
      }
      case 'break':
        return this.breakLoop(statement);
      default: {
        const resolved = this.flow.resolver.basic(statement);
        return (labels) => this.flow.push(this.flow.step(resolved, span), labels);
      }
    }
  }

  private prepareSkip(span: Span): Deferred {
    return (labels) =>
      this.flow.push(this.flow.step({ kind: 'condition', expression: one(span, 'skip') }, span), labels);
  }

  private breakLoop(place: Place): Deferred {
    const loop = this.loops.around.at(-1);
    if (loop === undefined) {
      const what = this.flow.resolver.dstep === null ? 'outside a loop' : 'out of a d_step';
      this.flow.resolver.symbols.error('SPW1008', place, `a break ${what}`);
      return this.prepareSkip(place.span);
    }
    return (labels) => this.flow.goto({ name: null, scope: null, loop, target: null }, place.span, labels);
  }

  private choice(statement: StatementNode & { kind: 'if' | 'do' }): Deferred {
    const loop = statement.kind === 'do' ? { exit: null } : null;
    if (loop !== null) this.loops.around.push(loop);
    const options = statement.options.map((option) =>
      this.prune(this.flow.collect(option, 'option', () => this.steps(option.steps))),
    );
    if (loop !== null) this.loops.around.pop();
    return (labels) => this.flow.addChoice(options, loop, statement, labels);
  }

  /** SPIN drops repeated skips inside options (but not in never claims). */
  private prune(sequence: FlowSequence): FlowSequence {
    if (this.flow.resolver.entry.node.kind === 'never') return sequence;
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
    const body = this.flow.inScope(() =>
      this.flow.collect(statement.body, statement.kind, () => this.steps(statement.body.steps)),
    );
    if (statement.kind === 'atomic' && this.flow.resolver.dstep === null) makeAtomic(body);
    return body;
  }

  private dStep(statement: StatementNode & { kind: 'd_step' }): Deferred {
    const build = () =>
      this.flow.inScope(() =>
        this.flow.collect(statement.body, 'd_step', () => this.steps(statement.body.steps)),
      );
    const { span } = statement;
    if (this.flow.resolver.dstep !== null) {
      const body = build();
      return (labels) => this.flow.push(this.flow.node('block', span, { body }), labels);
    }
    const loops = this.loops.around.splice(0);
    this.flow.resolver.dstep = this.dsteps++;
    const body = build();
    this.flow.resolver.dstep = null;
    this.loops.around.push(...loops);
    return (labels) => this.flow.push(this.flow.node('dstep', span, { body }), labels);
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
      const wrapper = this.flow.collect(statement, 'loop', () =>
        this.addUnless(bodySequence, escapeSequence, statement),
      );
      this.flow.push(this.flow.node('block', statement.span, { body: wrapper }), [...labels, ...outer]);
    };
  }

  private partOf(part: FlowSequence | Deferred, place: Place, context: 'unless' | 'escape'): FlowSequence {
    return typeof part === 'function' ? this.flow.collect(place, context, () => part([])) : part;
  }

  private addUnless(main: FlowSequence, way: FlowSequence, { span }: Place): void {
    const unless = this.flow.node('unless', span, { parts: [main, way] });
    const join = this.flow.node('join', span);
    append(main, join);
    append(way, join);
    attachEscape(main, way);
    append(this.flow.sequence, unless);
    append(this.flow.sequence, join);
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
