// One body on its way to an automaton: its control flow first, its jumps when all bodies are read, its graph when formulas and other
// processes have said which of its labels they refer to.

import type { LocationId, Proctype } from '../process/program.ts';
import { suggest } from '../source/diagnostic.ts';
import type { ExpressionNode, ProctypeNode, ReceiveNode } from './ast.ts';
import { buildAutomaton } from './automaton.ts';
import { arrayInside, constantValue, declareVariable } from './declare.ts';
import type { FlowNode, FlowSequence } from './flow.ts';
import { nodesOf, patchAtomic } from './flow.ts';
import { FlowBuilder } from './flow-build.ts';
import type { Flow, LabelEntry } from './flow-pieces.ts';
import { ExpressionResolver } from './resolve-expression.ts';
import { one } from './resolve-reference.ts';
import type { ProctypeEntry, Symbols } from './symbols.ts';
import { Scope } from './symbols.ts';
import { EndlessJump, hunt } from './walk.ts';

/** A body whose control flow is known, but not yet its automaton: remote references may still ask for locations. */
export class ProctypeBody {
  private readonly symbols: Symbols;
  private readonly entry: ProctypeEntry;
  private readonly flow: Flow;
  private readonly sequence: FlowSequence;
  private readonly firstElement: number;
  private readonly header: Pick<Proctype, 'active' | 'priority' | 'provided'>;

  constructor(symbols: Symbols, entry: ProctypeEntry) {
    this.symbols = symbols;
    this.entry = entry;
    const scope = new Scope(symbols.global);
    const resolver = new ExpressionResolver(symbols, entry, scope);
    this.declareParameters(scope, resolver);
    if (symbols.receivesPid && receivesPid(entry.node.body)) this.declarePid(scope);
    this.header = this.lowerHeader(entry.node, resolver);
    const builder = new FlowBuilder(symbols, entry, scope);
    this.flow = builder.flow;
    this.sequence = builder.body(entry.node.body);
    this.firstElement = symbols.elements;
    symbols.elements += this.flow.nodes.length;
  }

  private declareParameters(scope: Scope, resolver: ExpressionResolver): void {
    for (const declaration of this.entry.node.parameters)
      for (const variable of declaration.variables) {
        if (variable.initial !== null)
          this.symbols.error('SPW1110', variable.name, 'a parameter cannot have an initial value');
        if (variable.length !== null)
          this.symbols.error('SPW1110', variable.name, 'an array cannot be a parameter', {
            help: 'make the array global',
          });
        const { symbols, entry } = this;
        const declared = declareVariable(symbols, resolver, scope, entry, declaration, variable, 'parameter');
        if (declared !== null && arrayInside(symbols.structs, declared.type) !== null)
          symbols.error('SPW1110', variable.name, 'a structure with an array inside cannot be a parameter', {
            help: 'pass what is needed one by one, or make the structure global',
          });
      }
  }

  /**
   * SPIN lets a process receive into its `_pid`: what it reads there is then another number, which processes it talks about stays the same. So
   * `_pid` is a variable of this proctype that begins with the number.
   */
  private declarePid(scope: Scope): void {
    const { span, expansion } = this.entry.node.name;
    const name = { text: '_pid', span, expansion };
    this.symbols.addVariable(name, scope, this.entry, {
      type: { kind: 'pid' },
      length: null,
      role: 'local',
      hidden: false,
      initial: { kind: 'each', value: { kind: '_pid', span } },
    });
    this.symbols.warning('SPW1109', this.entry.node.name, "this process receives into its own '_pid'", {
      help: 'write eval(_pid) to match its value',
    });
  }

  private lowerHeader(
    node: ProctypeNode,
    resolver: ExpressionResolver,
  ): Pick<Proctype, 'active' | 'priority' | 'provided'> {
    const active = node.active === null ? 0 : this.instances(node.active.count);
    const priority = node.priority === null ? null : constantValue(this.symbols, node.priority, 'a priority');
    if (priority !== null && (priority < 1 || priority > 255))
      this.symbols.error('SPW1112', node.priority!, 'a priority is a number from 1 to 255');
    const provided = node.provided === null ? null : resolver.expression(node.provided);
    return { active, priority, provided };
  }

  private instances(count: ExpressionNode | null): number {
    if (count === null) return 1;
    const named =
      count.kind === 'reference' ? this.symbols.global.find(count.reference.parts[0]!.name.text) : null;
    if (named !== null && count.kind === 'reference')
      this.symbols.names?.useVariable(named, count.reference.parts[0]!.name, 'read', null);
    const initial = named?.initial?.kind === 'each' ? named.initial.value : null;
    const value =
      initial?.kind === 'constant'
        ? initial.value
        : constantValue(this.symbols, count, 'the number of instances');
    if (value === null) return 1;
    if (value > 255) this.symbols.error('SPW1112', count, 'there can be 255 processes at most');
    return Math.max(0, value);
  }

  /** Ties up the ends of blocks and settles the jumps. */
  finish(): void {
    for (const node of this.flow.nodes) if (node.jump !== null) node.jump.target = this.targetOf(node);
    this.keepRemoteLabels();
    tieEnds(this.sequence);
    for (const node of this.flow.nodes) if (node.body !== null) patchAtomic(node.body);
  }

  private targetOf(node: FlowNode): FlowNode | null {
    const jump = node.jump!;
    const target = jump.loop === null ? this.findLabel(node) : jump.loop.exit;
    if (target !== null && target.dstep !== node.dstep) {
      const place = jump.name ?? { span: node.span, expansion: null };
      const into = target.dstep !== null && node.dstep === null;
      this.symbols.error('SPW1008', place, into ? 'a jump into a d_step' : 'a jump out of a d_step');
    }
    return target;
  }

  /** The label in the nearest block around the goto, else anywhere in the proctype. */
  private findLabel(node: FlowNode): FlowNode | null {
    const { name, scope: from } = node.jump!;
    this.symbols.names?.useLabel(this.entry.node.name.text, name!, this.entry);
    const known = this.flow.labels.filter((entry) => entry.name.text === name!.text);
    for (let scope: Scope | null = from; scope !== null; scope = scope.parent) {
      const here = known.find((entry: LabelEntry) => entry.scope === scope);
      if (here !== undefined) return here.node;
    }
    if (known.length > 0) return known.at(-1)!.node;
    const near = suggest(
      name!.text,
      this.flow.labels.map((entry) => entry.name.text),
    );
    this.symbols.error(
      'SPW1103',
      name!,
      `there is no label '${name!.text}' in '${this.entry.node.name.text}'`,
      {
        ...(near === null ? {} : { help: `did you mean '${near}'?` }),
      },
    );
    return null;
  }

  /** A label before a goto names no location, unless somebody asks for it: then the goto becomes a step. */
  private keepRemoteLabels(): void {
    for (const { name, node } of this.flow.labels) {
      const wanted = this.symbols.remoteLabels.get(`${this.entry.node.name.text}@${name.text}`);
      if (wanted === undefined || node.kind !== 'goto') continue;
      const jump: FlowNode = { ...node, labels: [], escapes: [...node.escapes] };
      node.kind = 'step';
      node.statement = { kind: 'condition', expression: one(node.span, 'skip') };
      node.jump = null;
      node.next = jump;
      if (node.owner?.last === node) node.owner.last = jump;
      this.flow.nodes.push(jump);
      // SPIN makes the node where it reads the reference, and counts it there.
      this.symbols.elementsUntil = Math.min(this.symbols.elementsUntil, wanted);
    }
  }

  build(): void {
    if (this.symbols.diagnostics.errors > 0) return;
    const { node } = this.entry;
    try {
      const labelled = this.flow.labels.map((entry) => this.locationNode(entry.node));
      const automaton = buildAutomaton(
        this.sequence.first!,
        labelled,
        this.firstElement < this.symbols.elementsUntil ? this.firstElement : null,
      );
      const labels = new Map<string, LocationId>();
      for (const entry of this.flow.labels)
        if (!labels.has(entry.name.text))
          labels.set(entry.name.text, automaton.locationOf(this.locationNode(entry.node)));
      this.entry.lowered = {
        id: this.entry.id,
        name: node.name.text,
        kind: node.kind,
        parameters: this.entry.parameters.map((variable) => variable.id),
        locals: this.entry.locals.map((variable) => variable.id),
        ...this.header,
        deterministic: node.deterministic,
        locations: automaton.locations,
        edges: automaton.edges,
        initial: automaton.initial,
        labels,
        span: node.name.span,
      };
    } catch (problem) {
      if (!(problem instanceof EndlessJump)) throw problem;
      this.symbols.error(
        'SPW1008',
        { span: problem.span, expansion: null },
        'the jumps from here only lead to each other',
      );
    }
  }

  private locationNode(node: FlowNode): FlowNode {
    return node.kind === 'goto' ? hunt(node, false) : node;
  }
}

/** The end of a block leads to what follows the block. */
function tieEnds(sequence: FlowSequence): void {
  for (const node of nodesOf(sequence)) {
    if (node.body !== null) {
      if (node.body.last !== null) node.body.last.next = node.next;
      tieEnds(node.body);
    }
    for (const part of node.parts) tieEnds(part);
  }
}

/** Does the body receive into `_pid`, anywhere? (Polls store nothing.) */
function receivesPid(part: unknown): boolean {
  if (Array.isArray(part)) return part.some(receivesPid);
  if (typeof part !== 'object' || part === null) return false;
  if ('kind' in part && part.kind === 'receive' && 'copy' in part) {
    const { args } = part as unknown as { readonly args: readonly ReceiveNode[] };
    const isPid = (arg: ReceiveNode): boolean =>
      arg.kind === 'reference' &&
      arg.reference.parts.length === 1 &&
      arg.reference.parts[0]!.name.text === '_pid';
    if (args.some(isPid)) return true;
  }
  return Object.entries(part).some(
    ([key, inner]) => key !== 'span' && key !== 'expansion' && receivesPid(inner),
  );
}
