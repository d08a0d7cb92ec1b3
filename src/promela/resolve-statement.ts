// Basic statements: what they mean once names are resolved, and what SPIN forbids in them.

import type { Expression, ReceiveArgument } from '../process/expression.ts';
import type { Statement, VariableId } from '../process/program.ts';
import type { Span } from '../source/source.ts';
import type { ExpressionNode, Place, Reference, StatementNode } from './ast.ts';
import { containsRun } from './declare.ts';
import { ExpressionResolver } from './resolve-expression.ts';
import { one } from './resolve-reference.ts';
import type { ProctypeEntry, Scope, Symbols, VariableEntry } from './symbols.ts';

/** Statements that are one step of the automaton each. */
type BasicNode = Exclude<
  StatementNode,
  {
    kind:
      | 'labelled'
      | 'if'
      | 'do'
      | 'for'
      | 'for-in'
      | 'select'
      | 'atomic'
      | 'block'
      | 'd_step'
      | 'unless'
      | 'goto'
      | 'break';
  }
>;

export class StatementResolver extends ExpressionResolver {
  readonly entry: ProctypeEntry;

  constructor(symbols: Symbols, owner: ProctypeEntry, scope: Scope) {
    super(symbols, owner, scope);
    this.entry = owner;
  }

  basic(statement: BasicNode): Statement {
    const { span } = statement;
    switch (statement.kind) {
      case 'assign':
        return this.assign(statement.target, statement.value, span);
      case 'send': {
        const channel = this.channel(statement.channel, 'send');
        for (const arg of statement.args)
          if (containsRun(arg)) this.symbols.error('SPW1111', arg, "'run' cannot stand in a message");
        const args = this.flatArguments(statement.args);
        this.checkCount(statement, channel, args.length, 'message');
        if (this.isKnown(channel)) this.checkLength(statement, args.length);
        this.noCommunication(statement);
        return { kind: 'send', channel, args, sorted: statement.sorted };
      }
      case 'receive': {
        const channel = this.channel(statement.channel, 'receive');
        const args = this.receiveArguments(statement.args);
        this.checkCount(statement, channel, args.length, 'receive');
        this.checkTwice(statement, args);
        this.noCommunication(statement);
        return { kind: 'receive', channel, args, random: statement.random, copy: statement.copy };
      }
      case 'expression':
        this.checkRuns(statement.expression);
        return { kind: 'condition', expression: this.expression(statement.expression) };
      case 'else':
        return { kind: 'else' };
      case 'assert':
        return { kind: 'assert', expression: this.expression(statement.expression) };
      case 'print':
        return {
          kind: 'print',
          format: statement.format,
          args: statement.args.map((arg) => this.expression(arg)),
        };
      case 'c_code': {
        const code = { kind: 'c_code' as const, text: statement.text, span };
        this.symbols.opaque.push(code);
        return { kind: 'opaque', code };
      }
      case 'set_priority': {
        const process = this.expression(statement.process);
        const priority = this.expression(statement.priority);
        return { kind: 'condition', expression: { kind: 'set_priority', process, priority, span } };
      }
    }
  }

  private noCommunication(place: Place): void {
    if (this.entry.node.kind === 'never')
      this.symbols.error('SPW1111', place, 'a never claim cannot send or receive', {
        help: 'poll the channel instead: q?[…]',
      });
  }

  /** No channel of the model has messages that long. */
  private checkLength(place: Place, length: number): void {
    this.symbols.fixups.push(() => {
      const longest = Math.max(0, ...this.symbols.channelSites.map((site) => site.fields.length));
      if (length > longest)
        this.symbols.error(
          'SPW1104',
          place,
          `this message has ${length} values, but no channel takes more than ${longest}`,
        );
    });
  }

  private checkTwice(place: Place, args: readonly ReceiveArgument[]): void {
    const seen = new Set<VariableId>();
    for (const arg of args) {
      if (arg.kind !== 'store' || arg.target.path.length > 0) continue;
      const { variable } = arg.target;
      if (seen.has(variable))
        this.symbols.error(
          'SPW1111',
          place,
          `'${this.symbols.variables[variable]!.name}' receives two fields of one message`,
        );
      seen.add(variable);
    }
  }

  /** SPIN wants `run` alone, or as the one operand of an assignment. */
  private checkRuns(node: ExpressionNode): void {
    if (node.kind === 'run' || !containsRun(node)) return;
    this.symbols.error('SPW1111', node, "'run' cannot stand inside a larger expression", {
      help: 'assign its value to a variable first',
    });
  }

  private assign(target: Reference, value: ExpressionNode, span: Span): Statement {
    const first = target.parts[0]!;
    const name = first.name.text;
    const resolved = this.expression(value);
    if (target.parts.length === 1 && this.scope.find(name) === null) {
      if (name === '_') return { kind: 'condition', expression: one(span, '_ = …') };
      if (['_pid', '_nr_pr', '_p', '_last'].includes(name)) {
        this.symbols.error('SPW1109', target, `'${name}' cannot be assigned`);
        return { kind: 'condition', expression: one(span) };
      }
      if (name === '_priority') {
        const process: Expression = { kind: '_pid', span };
        return { kind: 'condition', expression: { kind: 'set_priority', process, priority: resolved, span } };
      }
    }
    const cell = this.cell(target, 'write');
    if (cell === null) return { kind: 'condition', expression: one(span) };
    this.checkAssignment(target, this.symbols.variables[cell.variable]!, value, resolved);
    return { kind: 'assign', target: cell, value: resolved };
  }

  private checkAssignment(place: Place, entry: VariableEntry, node: ExpressionNode, value: Expression): void {
    if (entry.type.kind === 'struct') return;
    if (entry.type.kind === 'chan' && node.kind === 'number')
      this.symbols.error('SPW1105', place, `'${entry.name}' is a channel and cannot be set to a number`);
    if (computesWithChannel(value, true))
      this.symbols.error('SPW1105', node, 'channels cannot be computed with');
    if (value.kind !== 'constant' || value.type.kind !== 'mtype') return;
    if (entry.mtypeSet === null) entry.mtypeSet = value.type.set;
    else if (entry.mtypeSet !== value.type.set)
      this.symbols.error(
        'SPW1113',
        node,
        `'${value.name}' is of ${setName(value.type.set)}, but '${entry.name}' holds ${setName(entry.mtypeSet)}`,
      );
  }
}

const setName = (set: string): string => (set === '' ? 'mtype' : `mtype:${set}`);

/** A channel inside an arithmetic expression; by itself a channel may be copied. */
function computesWithChannel(value: Expression, atTop: boolean): boolean {
  switch (value.kind) {
    case 'read':
      return !atTop && value.cell.type.kind === 'chan';
    case 'unary':
      return computesWithChannel(value.operand, false);
    case 'binary':
      return computesWithChannel(value.left, false) || computesWithChannel(value.right, false);
    default:
      return false;
  }
}
