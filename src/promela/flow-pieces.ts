// The pieces that control flow is built from: nodes, labels, sequences, scopes, choices, and declarations among statements.

import type { Statement } from '../process/program.ts';
import { placeStorage } from '../process/storage.ts';
import type { Span } from '../source/source.ts';
import type { Declaration, Name, Place } from './ast.ts';
import { declareVariable } from './declare.ts';
import type { FlowKind, FlowNode, FlowSequence, Jump } from './flow.ts';
import { append, emptySequence } from './flow.ts';
import { constant, one } from './resolve-reference.ts';
import type { StatementResolver } from './resolve-statement.ts';
import type { VariableEntry } from './symbols.ts';
import { Scope } from './symbols.ts';

export interface LabelEntry {
  readonly name: Name;
  readonly scope: Scope;
  node: FlowNode;
}

const SPECIAL_LABEL = /^(end|progress|accept)/;

export type LabelContext = 'body' | 'unless' | 'escape' | 'atomic' | 'd_step' | 'block' | 'option' | 'loop';

/** Adds a prepared statement to the current sequence, under these labels. */
export type Deferred = (labels: readonly Name[]) => void;

export class Flow {
  /** What names mean here. */
  readonly resolver: StatementResolver;
  readonly nodes: FlowNode[] = [];
  readonly labels: LabelEntry[] = [];
  sequence: FlowSequence = emptySequence();
  /** Declarations still come before the first statement: their initial values hold when the process starts. */
  atStart = true;

  constructor(resolver: StatementResolver) {
    this.resolver = resolver;
  }

  // Scopes and sequences

  inScope<T>(build: () => T): T {
    const outer = this.resolver.scope;
    this.resolver.scope = new Scope(outer);
    try {
      return build();
    } finally {
      this.resolver.scope = outer;
    }
  }

  /** Builds a new sequence; labels at its very start are misplaced in most contexts. */
  collect(place: Place, context: LabelContext, build: () => void): FlowSequence {
    const outer = this.sequence;
    const sequence = emptySequence();
    this.sequence = sequence;
    this.atStart = false;
    build();
    this.sequence = outer;
    this.atStart = false;
    sequence.extent = sequence.last;
    if (sequence.first === null) {
      this.resolver.symbols.error('SPW1007', place, 'this sequence has no statement', {
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
      this.resolver.symbols.warning(
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
    this.resolver.symbols.error('SPW1004', place, `the label '${label}' cannot stand at ${where}`, {
      help:
        context === 'unless'
          ? `write ${label}: { … unless … }`
          : context === 'escape'
            ? 'an escape has no single location that a label could name'
            : `write ${label}: before the ${context}`,
    });
  }

  // Nodes and labels

  node(kind: FlowKind, span: Span, extra: Partial<FlowNode> = {}): FlowNode {
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
      dstep: this.resolver.dstep,
      owner: null,
      span,
      ...extra,
    };
    this.nodes.push(node);
    return node;
  }

  step(statement: Statement, span: Span): FlowNode {
    return this.node('step', span, { statement });
  }

  private label(node: FlowNode, labels: readonly Name[]): FlowNode {
    for (const name of labels) {
      this.resolver.symbols.names?.label(name, this.resolver.entry);
      if (this.resolver.scope.labels.has(name.text))
        this.resolver.symbols.error('SPW1102', name, `the label '${name.text}' is used twice`);
      if (this.resolver.scope.find(name.text) !== null)
        this.resolver.symbols.error('SPW1102', name, `the label '${name.text}' has the name of a variable`);
      this.resolver.scope.labels.add(name.text);
      node.labels.push(name.text);
      this.labels.push({ name, scope: this.resolver.scope, node });
    }
    return node;
  }

  push(node: FlowNode, labels: readonly Name[]): void {
    append(this.sequence, this.label(node, labels));
  }

  goto(jump: Jump, span: Span, labels: readonly Name[]): void {
    const node = this.label(this.node('goto', span, { jump }), labels);
    if (labels.some((name) => SPECIAL_LABEL.test(name.text))) {
      const skip = this.step({ kind: 'condition', expression: one(span, 'skip') }, span);
      skip.labels.push(...node.labels.splice(0));
      for (const entry of this.labels) if (entry.node === node) entry.node = skip;
      append(this.sequence, skip);
    }
    append(this.sequence, node);
  }

  // Choices

  addChoice(
    options: readonly FlowSequence[],
    loop: { exit: FlowNode | null } | null,
    place: Place,
    labels: readonly Name[],
  ): void {
    const choice = this.node('choice', place.span, { parts: this.elseLast(options) });
    const join = this.node('join', place.span);
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
      this.resolver.symbols.error(
        'SPW1008',
        { span: second.span, expansion: null },
        "a second 'else' among these options",
      );
    return [...options.filter((option) => !isElse(option)), ...elses];
  }

  // Declarations

  declare(declaration: Declaration): void {
    for (const variable of declaration.variables) {
      const entry = declareVariable(
        this.resolver.symbols,
        this.resolver,
        this.resolver.scope,
        this.resolver.entry,
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
      this.resolver.symbols.error(
        'SPW1110',
        name,
        `the channel '${name.text}' must be declared at the start of the proctype`,
      );
      return;
    }
    if (entry.initial?.kind === 'list') {
      this.resolver.symbols.error(
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
    const storage = placeStorage(entry.type, { isElement: entry.length !== null });
    const target = { variable: entry.id, path, type: entry.type, storage, span };
    append(this.sequence, this.step({ kind: 'assign', target, value }, span));
  }
}
