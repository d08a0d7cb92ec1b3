// `for` and `select`: SPIN writes them out as loops of basic statements, and so do we, step by step the same.

import type { Expression } from '../process/expression.ts';
import type { Statement } from '../process/program.ts';
import { placeStorage } from '../process/storage.ts';
import type { ExpressionNode, Name, Place, Reference, Sequence, StatementNode, Step } from './ast.ts';
import type { FlowNode, FlowSequence } from './flow.ts';
import { append } from './flow.ts';
import type { Deferred, Flow } from './flow-pieces.ts';
import { constant } from './resolve-reference.ts';
import type { VariableEntry } from './symbols.ts';

/** Counts the messages of `for (m in q)`; the loops of one block share it, as in SPIN. */
export const LOOP_COUNTER = '_for_count';

export class Loops {
  /** The loops around the current statement, for break. */
  readonly around: { exit: FlowNode | null }[] = [];
  private readonly flow: Flow;
  /** Adds the steps of a body to the current sequence. */
  private readonly addSteps: (steps: readonly Step[]) => void;

  constructor(flow: Flow, addSteps: (steps: readonly Step[]) => void) {
    this.flow = flow;
    this.addSteps = addSteps;
  }

  loop(statement: StatementNode & { kind: 'for' | 'for-in' | 'select' }): Deferred {
    if (statement.kind === 'for-in') return this.forIn(statement);
    const { variable, from, to, span } = statement;
    const cell = this.flow.resolver.cell(variable, 'write');
    const low = this.flow.resolver.expression(from);
    const high = this.flow.resolver.expression(to);
    this.checkIndex(variable, cell?.type.kind, from, to);
    if (cell === null) return NOTHING;
    const read: Expression = { kind: 'read', cell, span: variable.span };
    const assign = (value: Expression): Statement => ({ kind: 'assign', target: cell, value });
    if (statement.kind === 'for') {
      append(this.flow.sequence, this.flow.step(assign(low), variable.span));
      const guard: Expression = { kind: 'binary', operator: '<=', left: read, right: high, span };
      return this.countingLoop(guard, read, assign, statement.body, statement);
    }
    // SPIN's lexer writes the choice out when it sees a plain name and plain numbers.
    const simple = /^[A-Za-z0-9]+$/.test(variable.parts[0]!.name.text) && !statement.inInline;
    if (simple && isPlain(from) && isPlain(to))
      return this.selectConstant(assign, low, high, read, statement);
    append(this.flow.sequence, this.flow.step(assign(low), variable.span));
    return this.selectLoop(assign, read, high, statement, true);
  }

  private checkIndex(
    variable: Reference,
    kind: string | undefined,
    low: ExpressionNode,
    high: ExpressionNode,
  ): void {
    const plain = variable.parts.length === 1 && variable.parts[0]!.index === null;
    if (kind === 'chan' || !plain)
      this.flow.resolver.symbols.error(
        'SPW1105',
        variable,
        'a loop counts with a plain variable, no element, field or channel',
      );
    if (low.kind === 'number' && high.kind === 'number' && low.value > high.value)
      this.flow.resolver.symbols.error(
        'SPW1112',
        variable,
        `the range ${low.value} .. ${high.value} is empty`,
      );
  }

  private increment(read: Expression, assign: (value: Expression) => Statement): Statement {
    const right = constant(read.span, 1);
    return assign({ kind: 'binary', operator: '+', left: read, right, span: read.span });
  }

  /** `else -> break` first in the text, last among the options; then guard, body, increment. */
  private countingLoop(
    guard: Expression,
    read: Expression,
    assign: (value: Expression) => Statement,
    body: Sequence,
    place: Place,
    before: () => void = () => {},
  ): Deferred {
    const loop = { exit: null };
    this.around.push(loop);
    const rounds = this.flow.collect(place, 'loop', () => {
      append(this.flow.sequence, this.flow.step({ kind: 'condition', expression: guard }, guard.span));
      before();
      this.flow.inScope(() => this.addSteps(body.steps));
      append(this.flow.sequence, this.flow.step(this.increment(read, assign), read.span));
    });
    this.around.pop();
    const end = this.flow.collect(place, 'loop', () => {
      append(this.flow.sequence, this.flow.step({ kind: 'else' }, place.span));
      this.flow.goto({ name: null, scope: null, loop, target: null }, place.span, []);
    });
    return (labels) => this.flow.addChoice([end, rounds], loop, place, labels);
  }

  /** SPIN writes out a choice of constants as an if, or as a loop when there are many. */
  private selectConstant(
    assign: (value: Expression) => Statement,
    low: Expression,
    high: Expression,
    read: Expression,
    place: Place,
  ): Deferred {
    if (low.kind !== 'constant' || high.kind !== 'constant' || low.value > high.value) return NOTHING;
    if (high.value - low.value > 32) {
      return (labels) => {
        this.flow.push(this.flow.step(assign(low), place.span), labels);
        this.selectLoop(assign, read, high, place, false)([]);
      };
    }
    const options: FlowSequence[] = [];
    for (let value = low.value; value <= high.value; value++)
      options.push(
        this.flow.collect(place, 'option', () =>
          append(this.flow.sequence, this.flow.step(assign(constant(place.span, value)), place.span)),
        ),
      );
    return (labels) => this.flow.addChoice(options, null, place, labels);
  }

  private selectLoop(
    assign: (value: Expression) => Statement,
    read: Expression,
    high: Expression,
    place: Place,
    breakFirst: boolean,
  ): Deferred {
    const loop = { exit: null };
    const { span } = place;
    const guard: Expression = { kind: 'binary', operator: '<', left: read, right: high, span };
    const more = this.flow.collect(place, 'loop', () => {
      append(this.flow.sequence, this.flow.step({ kind: 'condition', expression: guard }, span));
      append(this.flow.sequence, this.flow.step(this.increment(read, assign), span));
    });
    const end = this.flow.collect(place, 'loop', () =>
      this.flow.goto({ name: null, scope: null, loop, target: null }, span, []),
    );
    return (labels) => this.flow.addChoice(breakFirst ? [end, more] : [more, end], loop, place, labels);
  }

  private forIn(statement: StatementNode & { kind: 'for-in' }): Deferred {
    const { variable, collection, span, body } = statement;
    const target = this.flow.resolver.scope.find(collection.parts[0]!.name.text);
    if (target === null) {
      this.flow.resolver.symbols.undeclared(collection.parts[0]!.name, this.flow.resolver.scope);
      return NOTHING;
    }
    if (collection.parts.length === 1)
      this.flow.resolver.symbols.names?.useVariable(
        target,
        collection.parts[0]!.name,
        'read',
        this.flow.resolver.entry,
      );
    else {
      this.flow.resolver.symbols.error(
        'SPW1111',
        collection,
        'for … in takes a whole array or channel, not a field',
      );
      return NOTHING;
    }
    const index = this.flow.resolver.scope.find(variable.parts[0]!.name.text);
    if (index?.type.kind === 'struct') return this.forMessages(statement, target);
    if (target.length === null) {
      this.flow.resolver.symbols.error('SPW1107', collection, `'${target.name}' is no array`);
      return NOTHING;
    }
    const place = { span, expansion: statement.expansion };
    const number = (value: number): ExpressionNode => {
      return { ...place, depth: 1, kind: 'number', value, text: String(value) };
    };
    return this.loop({
      ...place,
      kind: 'for',
      variable,
      from: number(0),
      to: number(target.length - 1),
      body,
    });
  }

  /** `for (m in q)`: every message is taken out, looked at and put back. */
  private forMessages(statement: StatementNode & { kind: 'for-in' }, channel: VariableEntry): Deferred {
    const { variable, collection, span, body } = statement;
    const site =
      channel.initial?.kind === 'channel'
        ? this.flow.resolver.symbols.channelSites[channel.initial.site]!
        : null;
    if (channel.type.kind !== 'chan' || site === null || site.capacity === 0) {
      this.flow.resolver.symbols.error(
        'SPW1105',
        collection,
        `'${channel.name}' is no buffered channel declared with its messages`,
      );
      return NOTHING;
    }
    const type = { kind: site.capacity > 255 ? ('short' as const) : ('byte' as const) };
    const name: Name = { text: LOOP_COUNTER, span, expansion: null };
    const counter =
      this.flow.resolver.scope.names.get(LOOP_COUNTER) ??
      this.flow.resolver.symbols.addVariable(name, this.flow.resolver.scope, this.flow.resolver.entry, {
        type,
        length: null,
        role: 'local',
        hidden: false,
        initial: null,
      });
    const storage = placeStorage(type, { isElement: false });
    const cell = { variable: counter.id, path: [], type, storage, span };
    const read: Expression = { kind: 'read', cell, span };
    const assign = (value: Expression): Statement => ({ kind: 'assign', target: cell, value });
    append(this.flow.sequence, this.flow.step(assign(constant(span, 0)), span));
    const queue = this.flow.resolver.channel(collection);
    const length: Expression = { kind: 'channel-query', query: 'len', channel: queue, span };
    const guard: Expression = { kind: 'binary', operator: '<', left: read, right: length, span };
    const message: ExpressionNode = {
      span,
      expansion: null,
      depth: 1,
      kind: 'reference',
      reference: variable,
    };
    return this.countingLoop(guard, read, assign, body, statement, () => {
      const args = this.flow.resolver.receiveArguments([{ kind: 'reference', reference: variable }]);
      append(
        this.flow.sequence,
        this.flow.step({ kind: 'receive', channel: queue, args, random: false, copy: false }, span),
      );
      const back = this.flow.resolver.flatArguments([message]);
      append(
        this.flow.sequence,
        this.flow.step({ kind: 'send', channel: queue, args: back, sorted: false }, span),
      );
    });
  }
}

/** Stands for a loop that could not be resolved. */
const NOTHING: Deferred = () => {};

const isPlain = (node: ExpressionNode): boolean => node.kind === 'number' && /^[0-9]+$/.test(node.text);
