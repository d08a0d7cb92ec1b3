// From the syntax tree of one body to its control flow, resolving names on the way.

import type { Expression } from '../process/expression.ts';
import type { Statement } from '../process/program.ts';
import type { Span } from '../source/source.ts';
import type { ExpressionNode, Name, Place, Reference, Sequence, StatementNode, Step } from './ast.ts';
import { containsRun, declareVariable } from './declare.ts';
import type { FlowKind, FlowNode, FlowSequence, Jump } from './flow.ts';
import { append, attachEscape, emptySequence, makeAtomic, nodesOf } from './flow.ts';
import { constant, ExpressionResolver, one } from './resolve-expression.ts';
import type { ProctypeEntry, Symbols, VariableEntry } from './symbols.ts';
import { Scope } from './symbols.ts';

export interface LabelEntry {
  readonly name: Name;
  readonly scope: Scope;
  node: FlowNode;
}

const SPECIAL_LABEL = /^(end|progress|accept)/;

type LabelContext = 'body' | 'unless' | 'escape' | 'atomic' | 'd_step' | 'block' | 'option' | 'loop';

export class FlowBuilder extends ExpressionResolver {
  readonly nodes: FlowNode[] = [];
  readonly labels: LabelEntry[] = [];
  /** Declared channels with `xr`/`xs` are checked, but the hints mean nothing to Spillway. */
  private readonly entry: ProctypeEntry;
  private sequence: FlowSequence = emptySequence();
  private readonly loops: { exit: FlowNode | null }[] = [];
  /** Declarations still come before the first statement: their initial values hold when the process starts. */
  private atStart = true;
  private dstep: number | null = null;
  private dsteps = 0;

  constructor(symbols: Symbols, owner: ProctypeEntry, scope: Scope) {
    super(symbols, owner, scope);
    this.entry = owner;
  }

  /** The whole body, closed by the node where the process ends. */
  body(node: Sequence): FlowSequence {
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

  // Sequences and scopes

  private inScope<T>(build: () => T): T {
    const outer = this.scope;
    this.scope = new Scope(outer);
    try {
      return build();
    } finally {
      this.scope = outer;
    }
  }

  /** Builds a new sequence; labels at its very start are misplaced in most contexts. */
  private collect(place: Place, context: LabelContext, build: () => void): FlowSequence {
    const outer = this.sequence;
    const sequence = emptySequence();
    this.sequence = sequence;
    this.atStart = false;
    build();
    this.sequence = outer;
    this.atStart = false;
    sequence.extent = sequence.last;
    if (sequence.first === null) {
      this.symbols.error('SPW1007', place, 'this sequence has no statement', {
        help: 'write skip if nothing is to be done',
      });
      append(sequence, this.step({ kind: 'condition', expression: one(place.span, 'skip') }, place.span));
      sequence.extent = sequence.last;
    }
    this.checkFirstLabel(sequence, context);
    return sequence;
  }

  private checkFirstLabel(sequence: FlowSequence, context: LabelContext): void {
    const label = sequence.first!.labels[0];
    if (label === undefined || context === 'body' || context === 'loop') return;
    const found = this.labels.find((entry) => entry.node === sequence.first);
    const place = found?.name ?? { span: sequence.first!.span, expansion: null };
    if (context === 'option') {
      this.symbols.warning(
        'SPW1004',
        place,
        `the label '${label}' at the start of an option has no location of its own`,
        {
          help: 'put the label before the whole if or do',
        },
      );
      return;
    }
    const where = context === 'escape' ? 'the start of an escape' : `the start of this ${context}`;
    this.symbols.error('SPW1004', place, `the label '${label}' cannot stand at ${where}`, {
      help:
        context === 'unless'
          ? `write ${label}: { … unless … }`
          : context === 'escape'
            ? 'an escape has no single location that a label could name'
            : `write ${label}: before the ${context}`,
    });
  }

  private steps(steps: readonly Step[]): void {
    for (const step of steps) {
      if (step.kind === 'declaration') this.declare(step.declaration);
      else if (step.kind === 'exclusive') for (const channel of step.channels) this.cell(channel);
      else {
        this.add(step, []);
        this.atStart = false;
      }
    }
  }

  // Nodes

  private node(kind: FlowKind, span: Span, extra: Partial<FlowNode> = {}): FlowNode {
    const node: FlowNode = {
      id: this.nodes.length,
      kind,
      statement: null,
      jump: null,
      next: null,
      parts: [],
      body: null,
      escapes: [],
      atomic: false,
      endsAtomic: false,
      labels: [],
      dstep: this.dstep,
      owner: null,
      span,
      ...extra,
    };
    this.nodes.push(node);
    return node;
  }

  private step(statement: Statement, span: Span): FlowNode {
    return this.node('step', span, { statement });
  }

  private label(node: FlowNode, labels: readonly Name[]): FlowNode {
    for (const name of labels) {
      if (this.scope.labels.has(name.text))
        this.symbols.error('SPW1102', name, `the label '${name.text}' is used twice`);
      if (this.scope.find(name.text) !== null)
        this.symbols.error('SPW1102', name, `the label '${name.text}' has the name of a variable`);
      this.scope.labels.add(name.text);
      node.labels.push(name.text);
      this.labels.push({ name, scope: this.scope, node });
    }
    return node;
  }

  private push(node: FlowNode, labels: readonly Name[]): void {
    append(this.sequence, this.label(node, labels));
  }

  /** Adds one statement to the current sequence. */
  private add(statement: StatementNode, labels: readonly Name[]): void {
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

  private goto(jump: Jump, span: Span, labels: readonly Name[]): void {
    const node = this.label(this.node('goto', span, { jump }), labels);
    if (labels.some((name) => SPECIAL_LABEL.test(name.text))) {
      const skip = this.step({ kind: 'condition', expression: one(span, 'skip') }, span);
      skip.labels.push(...node.labels.splice(0));
      for (const entry of this.labels) if (entry.node === node) entry.node = skip;
      append(this.sequence, skip);
    }
    append(this.sequence, node);
  }

  private breakLoop(place: Place, labels: readonly Name[]): void {
    const loop = this.loops.at(-1);
    if (loop === undefined) {
      this.symbols.error('SPW1008', place, 'a break outside a loop');
      return;
    }
    this.goto({ name: null, scope: null, loop, target: null }, place.span, labels);
  }

  // Structured statements

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

  private addChoice(
    options: readonly FlowSequence[],
    loop: { exit: FlowNode | null } | null,
    place: Place,
    labels: readonly Name[],
  ): void {
    const join = this.node('join', place.span);
    const choice = this.node('choice', place.span, { parts: this.elseLast(options) });
    for (const option of choice.parts) append(option, join);
    if (loop === null) {
      this.push(choice, labels);
      append(this.sequence, join);
      return;
    }
    append(this.sequence, join);
    loop.exit = this.node('exit', place.span);
    this.push(choice, labels);
    append(this.sequence, loop.exit);
  }

  private elseLast(options: readonly FlowSequence[]): FlowSequence[] {
    const isElse = (option: FlowSequence) => option.first?.statement?.kind === 'else';
    const elses = options.filter(isElse);
    const second = elses[1]?.first;
    if (second !== undefined && second !== null)
      this.symbols.error(
        'SPW1008',
        { span: second.span, expansion: null },
        "a second 'else' among these options",
      );
    return [...options.filter((option) => !isElse(option)), ...elses];
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
    if (main.kind === 'atomic') makeAtomic(wrapper);
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

  // Loops

  private loop(
    statement: StatementNode & { kind: 'for' | 'for-in' | 'select' },
    labels: readonly Name[],
  ): void {
    if (statement.kind === 'for-in') {
      this.forIn(statement, labels);
      return;
    }
    const { variable, from, to, span } = statement;
    const cell = this.cell(variable);
    const low = this.expression(from);
    const high = this.expression(to);
    this.checkIndex(variable, cell?.type.kind, low, high);
    if (cell === null) return;
    const read: Expression = { kind: 'read', cell, span: variable.span };
    const assign = (value: Expression): Statement => ({ kind: 'assign', target: cell, value });
    if (statement.kind === 'for') {
      append(this.sequence, this.step(assign(low), variable.span));
      const guard: Expression = { kind: 'binary', operator: '<=', left: read, right: high, span };
      this.countingLoop(guard, read, assign, statement.body, statement, labels);
      return;
    }
    const simple = variable.parts.length === 1 && variable.parts[0]!.index === null && !statement.inInline;
    if (simple && isPlain(from) && isPlain(to))
      this.selectConstant(assign, low, high, read, statement, labels);
    else {
      append(this.sequence, this.step(assign(low), variable.span));
      this.selectLoop(assign, read, high, statement, labels, true);
    }
  }

  private checkIndex(variable: Reference, kind: string | undefined, low: Expression, high: Expression): void {
    if (kind === 'chan') this.symbols.error('SPW1105', variable, 'a channel cannot count a loop');
    if (low.kind === 'constant' && high.kind === 'constant' && low.value > high.value)
      this.symbols.error('SPW1112', variable, `the range ${low.value} .. ${high.value} is empty`);
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
    labels: readonly Name[],
    before: () => void = () => {},
  ): void {
    const loop = { exit: null };
    this.loops.push(loop);
    const rounds = this.collect(place, 'loop', () => {
      append(this.sequence, this.step({ kind: 'condition', expression: guard }, guard.span));
      before();
      this.inScope(() => this.steps(body.steps));
      append(this.sequence, this.step(this.increment(read, assign), read.span));
    });
    this.loops.pop();
    const end = this.collect(place, 'loop', () => {
      append(this.sequence, this.step({ kind: 'else' }, place.span));
      this.goto({ name: null, scope: null, loop, target: null }, place.span, []);
    });
    this.addChoice([end, rounds], loop, place, labels);
  }

  /** SPIN writes out a choice of constants as an if, or as a loop when there are many. */
  private selectConstant(
    assign: (value: Expression) => Statement,
    low: Expression,
    high: Expression,
    read: Expression,
    place: Place,
    labels: readonly Name[],
  ): void {
    if (low.kind !== 'constant' || high.kind !== 'constant') return;
    if (high.value - low.value > 32) {
      this.push(this.step(assign(low), place.span), labels);
      this.selectLoop(assign, read, high, place, [], false);
      return;
    }
    const options: FlowSequence[] = [];
    for (let value = low.value; value <= high.value; value++)
      options.push(
        this.collect(place, 'option', () =>
          append(this.sequence, this.step(assign(constant(place.span, value)), place.span)),
        ),
      );
    if (options.length > 0) this.addChoice(options, null, place, labels);
  }

  private selectLoop(
    assign: (value: Expression) => Statement,
    read: Expression,
    high: Expression,
    place: Place,
    labels: readonly Name[],
    breakFirst: boolean,
  ): void {
    const loop = { exit: null };
    const { span } = place;
    const guard: Expression = { kind: 'binary', operator: '<', left: read, right: high, span };
    const more = this.collect(place, 'loop', () => {
      append(this.sequence, this.step({ kind: 'condition', expression: guard }, span));
      append(this.sequence, this.step(this.increment(read, assign), span));
    });
    const end = this.collect(place, 'loop', () =>
      this.goto({ name: null, scope: null, loop, target: null }, span, []),
    );
    this.addChoice(breakFirst ? [end, more] : [more, end], loop, place, labels);
  }

  private forIn(statement: StatementNode & { kind: 'for-in' }, labels: readonly Name[]): void {
    const { variable, collection, span } = statement;
    const target = this.scope.find(collection.parts[0]!.name.text);
    if (target === null) {
      this.symbols.undeclared(collection.parts[0]!.name, this.scope);
      return;
    }
    if (collection.parts.length > 1) {
      this.symbols.error('SPW1111', collection, 'for … in takes a whole array or channel, not a field');
      return;
    }
    const index = this.scope.find(variable.parts[0]!.name.text);
    if (index?.type.kind === 'struct') this.forMessages(statement, target, labels);
    else {
      if (target.length === null) {
        this.symbols.error('SPW1107', collection, `'${target.name}' is no array`);
        return;
      }
      const place = { span, expansion: statement.expansion };
      const number = (value: number): ExpressionNode => ({
        ...place,
        depth: 1,
        kind: 'number',
        value,
        text: String(value),
      });
      const { body } = statement;
      this.add(
        { ...place, kind: 'for', variable, from: number(0), to: number(target.length - 1), body },
        labels,
      );
    }
  }

  /** `for (m in q)`: every message is taken out, looked at and put back. */
  private forMessages(
    statement: StatementNode & { kind: 'for-in' },
    channel: VariableEntry,
    labels: readonly Name[],
  ): void {
    const { variable, collection, span, body } = statement;
    const site =
      channel.initial?.kind === 'channel' ? this.symbols.channelSites[channel.initial.site]! : null;
    if (channel.type.kind !== 'chan' || site === null || site.capacity === 0) {
      this.symbols.error(
        'SPW1105',
        collection,
        `'${channel.name}' is no buffered channel declared with its messages`,
      );
      return;
    }
    const type = { kind: site.capacity > 255 ? ('short' as const) : ('byte' as const) };
    const name: Name = { text: `_count_${this.symbols.variables.length}`, span, expansion: null };
    const counter = this.symbols.addVariable(name, this.scope, this.entry, {
      type,
      length: null,
      role: 'local',
      hidden: false,
      initial: null,
    });
    const cell = { variable: counter.id, path: [], type, span };
    const read: Expression = { kind: 'read', cell, span };
    const assign = (value: Expression): Statement => ({ kind: 'assign', target: cell, value });
    append(this.sequence, this.step(assign(constant(span, 0)), span));
    const queue = this.channel(collection);
    const length: Expression = { kind: 'channel-query', query: 'len', channel: queue, span };
    const guard: Expression = { kind: 'binary', operator: '<', left: read, right: length, span };
    const message: ExpressionNode = {
      span,
      expansion: null,
      depth: 1,
      kind: 'reference',
      reference: variable,
    };
    this.countingLoop(guard, read, assign, body, statement, labels, () => {
      const args = this.receiveArguments([{ kind: 'reference', reference: variable }]);
      append(
        this.sequence,
        this.step({ kind: 'receive', channel: queue, args, random: false, copy: false }, span),
      );
      const back = this.flatArguments([message]);
      append(this.sequence, this.step({ kind: 'send', channel: queue, args: back, sorted: false }, span));
    });
  }

  // Basic statements

  private basic(
    statement: Exclude<
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
    >,
  ): Statement {
    const { span } = statement;
    switch (statement.kind) {
      case 'assign':
        return this.assign(statement.target, statement.value, span);
      case 'send': {
        const channel = this.channel(statement.channel);
        for (const arg of statement.args)
          if (containsRun(arg)) this.symbols.error('SPW1111', arg, "'run' cannot stand in a message");
        const args = this.flatArguments(statement.args);
        this.checkCount(statement, channel, args.length, 'message');
        return { kind: 'send', channel, args, sorted: statement.sorted };
      }
      case 'receive': {
        const channel = this.channel(statement.channel);
        const args = this.receiveArguments(statement.args);
        this.checkCount(statement, channel, args.length, 'receive');
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
    const cell = this.cell(target);
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

  // Declarations in bodies

  private declare(declaration: Parameters<typeof declareVariable>[4]): void {
    for (const variable of declaration.variables) {
      const entry = declareVariable(
        this.symbols,
        this,
        this.scope,
        this.entry,
        declaration,
        variable,
        'local',
      );
      if (entry !== null && !this.atStart) this.initialiseHere(entry, variable.name);
    }
  }

  /** After the first statement a declaration is a step of its own that sets the initial value. */
  private initialiseHere(entry: VariableEntry, name: Name): void {
    const { span } = name;
    if (entry.initial?.kind === 'channel') {
      this.symbols.error(
        'SPW1110',
        name,
        `the channel '${name.text}' must be declared at the start of the proctype`,
      );
      return;
    }
    if (entry.initial?.kind === 'list') {
      this.symbols.error(
        'SPW1110',
        name,
        `the array '${name.text}' must be declared at the start of the proctype`,
        {
          help: 'a list of initial values works only there',
        },
      );
      return;
    }
    if (entry.type.kind === 'struct') {
      append(
        this.sequence,
        this.step({ kind: 'condition', expression: one(span, `declare ${name.text}`) }, span),
      );
      return;
    }
    const value = entry.initial?.kind === 'each' ? entry.initial.value : constant(span, 0);
    entry.initial = null;
    const path =
      entry.length === null
        ? []
        : [{ kind: 'index' as const, index: constant(span, 0), length: entry.length }];
    const target = { variable: entry.id, path, type: entry.type, span };
    append(this.sequence, this.step({ kind: 'assign', target, value }, span));
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

const isPlain = (node: ExpressionNode): boolean => node.kind === 'number' && /^[0-9]+$/.test(node.text);

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
