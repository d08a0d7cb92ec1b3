// The names of an .ecfsm file: machines with their states, registers and actions, message types, definitions, disjuncts and goals. Message types
// need no declaration: they are declared where they are first met.

import { NameBook, type PlacedName } from '../../source/name-book.ts';
import type { Names } from '../../source/names.ts';
import type { Span } from '../../source/source.ts';
import type {
  ActionNode,
  ComparisonNode,
  DefinitionNode,
  Expression,
  FileNode,
  FormulaNode,
  MachineNode,
  Name,
  RegexNode,
  SequenceArgument,
} from './ast.ts';

export function namesOfProtocol(tree: FileNode): Names {
  return new ProtocolNames(tree).all();
}

class ProtocolNames {
  private readonly tree: FileNode;
  private readonly book = new NameBook();
  private actions = 0;

  constructor(tree: FileNode) {
    this.tree = tree;
  }

  all(): Names {
    const { machines, initial, definitions, invariants, goals, lossy, duplicating } = this.tree;
    for (const machine of machines) this.machine(machine);
    for (const definition of definitions) this.definition(definition);
    for (const { control, condition } of initial) {
      this.controls(control);
      this.comparisons(condition);
    }
    for (const { disjuncts } of invariants)
      for (const { name, formula, span } of disjuncts) {
        this.book.declare('constant', name, `disjunct ${name.text}`, {
          detail: `disjunct ${name.text}`,
          extent: span,
        });
        this.formula(formula);
      }
    for (const { name, patterns, control, span } of goals) {
      this.book.declare('formula', name, `goal ${name.text}`, { detail: text(span), extent: span });
      this.controls(control);
      for (const pattern of patterns) this.pattern(pattern);
    }
    for (const { from, to } of [...lossy, ...duplicating]) this.channel(from, to);
    return this.book.finish();
  }

  /** `machine B like A` has the states and registers of A. */
  private owner(machine: string): string {
    const like = this.tree.machines.find(({ name }) => name.text === machine)?.like ?? null;
    return like === null || like.text === machine ? machine : like.text;
  }

  private machine(node: MachineNode): void {
    const { name, like, renamed, states, registers, finals, defers, inits, actions, span } = node;
    const detail = `machine ${name.text}${like === null ? '' : ` like ${like.text}`}`;
    const id = this.book.declare('process', name, `machine ${name.text}`, { detail, extent: span });
    if (like !== null) this.book.use(`machine ${like.text}`, like);
    for (const { old, now } of renamed) this.channel(old, now);
    for (const state of states)
      this.book.declare('state', state, `state ${name.text}.${state.text}`, {
        detail: `state of ${name.text}`,
        container: id,
      });
    for (const register of registers)
      this.book.declare('variable', register, `register ${name.text}.${register.text}`, {
        detail: `register of ${name.text}`,
        container: id,
      });
    for (const state of finals) this.state(name, state);
    for (const { peer, states: waiting } of defers) {
      this.book.use(`machine ${peer.text}`, peer);
      for (const state of waiting) this.state(name, state);
    }
    for (const { state, condition } of inits) {
      this.state(name, state);
      this.comparisons(condition, name.text);
    }
    for (const action of actions) this.action(action, name, id);
  }

  private action(action: ActionNode, machine: Name, container: number): void {
    const { name, from, to, type, parameters, peer, condition, updates, kind, span } = action;
    const key = `action ${machine.text}.${name.text}`;
    this.book.meet('function', name, key, { detail: text(span), container, extent: span });
    this.state(machine, from);
    if (to !== from) this.state(machine, to);
    if (type !== null) this.type(type, kind === 'send' ? 'send' : 'receive');
    if (peer !== null) this.book.use(`machine ${peer.text}`, peer);
    const known = new Map<string, string>();
    for (const parameter of parameters) {
      const local = `parameter ${this.actions++}`;
      const detail = `value of ${type?.text ?? ''}`;
      this.book.declare('parameter', parameter, local, { detail, container });
      known.set(parameter.text, local);
    }
    this.comparisons(condition, machine.text, known);
    for (const { register, value } of updates) {
      this.book.use(`register ${this.owner(machine.text)}.${register.text}`, register, 'write', container);
      this.expression(value, machine.text, known);
    }
  }

  private definition({ kind, name, sequence, rules, span }: DefinitionNode): void {
    const key = `definition ${name.text}`;
    const id = this.book.declare('function', name, key, {
      detail: `${kind} ${name.text}`,
      extent: span,
      parameters: [sequence.text],
    });
    const parameter = `sequence ${name.text}`;
    this.book.declare('parameter', sequence, parameter, {
      detail: `the sequence of ${name.text}`,
      container: id,
    });
    for (const { body, condition, element } of rules) {
      const known = new Map([[sequence.text, parameter]]);
      if (element !== null) {
        const own = `element ${this.actions++}`;
        this.book.declare('parameter', element, own, { detail: 'an element', container: id });
        known.set(element.text, own);
      }
      this.comparisons(condition, null, known);
      if (body.kind === 'value') this.expression(body.value, null, known);
      if (body.kind === 'atoms') for (const atom of body.atoms) this.formula(atom, known);
    }
  }

  private state(machine: Name, state: Name): void {
    this.book.use(`state ${this.owner(machine.text)}.${state.text}`, state);
  }

  private type(type: Name, role: 'read' | 'send' | 'receive' = 'read'): void {
    this.book.meet('event', type, `type ${type.text}`, { detail: `message ${type.text}` }, role);
  }

  private channel(from: Name, to: Name): void {
    this.book.use(`machine ${from.text}`, from);
    this.book.use(`machine ${to.text}`, to);
  }

  private controls(control: readonly { readonly machine: Name; readonly states: readonly Name[] }[]): void {
    for (const { machine, states } of control) {
      this.book.use(`machine ${machine.text}`, machine);
      for (const state of states) this.state(machine, state);
    }
  }

  private pattern({ text: words, span }: Name): void {
    const first: PlacedName = { text: words.split(/[.*]/)[0]!, span };
    if (first.text !== '') this.book.use(`disjunct ${first.text}`, first);
  }

  private comparisons(
    list: readonly ComparisonNode[],
    machine: string | null = null,
    known: ReadonlyMap<string, string> = new Map(),
  ): void {
    for (const { left, right } of list) {
      this.expression(left, machine, known);
      this.expression(right, machine, known);
    }
  }

  private expression(
    expression: Expression,
    machine: string | null,
    known: ReadonlyMap<string, string>,
  ): void {
    switch (expression.kind) {
      case 'name': {
        const { name } = expression;
        const register = machine === null ? null : `register ${this.owner(machine)}.${name.text}`;
        const key = known.get(name.text) ?? register;
        if (key !== null) this.book.use(key, name);
        return;
      }
      case 'register':
        this.book.use(`machine ${expression.machine.text}`, expression.machine);
        this.book.use(
          `register ${this.owner(expression.machine.text)}.${expression.register.text}`,
          expression.register,
        );
        return;
      case 'call':
        this.book.use(`definition ${expression.name.text}`, expression.name);
        this.argument(expression.argument, known);
        return;
      case 'negate':
        this.expression(expression.of, machine, known);
        return;
      case 'add':
      case 'subtract':
      case 'multiply':
        this.expression(expression.left, machine, known);
        this.expression(expression.right, machine, known);
        return;
      case 'number':
        return;
    }
  }

  private argument(argument: SequenceArgument, known: ReadonlyMap<string, string>): void {
    if (argument.kind === 'sequence') {
      const key = known.get(argument.name.text);
      if (key !== undefined) this.book.use(key, argument.name);
      return;
    }
    this.channel(argument.from, argument.to);
    for (const { type } of argument.types ?? []) this.type(type);
  }

  private formula(formula: FormulaNode, known: ReadonlyMap<string, string> = new Map()): void {
    switch (formula.kind) {
      case 'and':
      case 'or':
        for (const part of formula.parts) this.formula(part, known);
        return;
      case 'label':
        this.formula(formula.body, known);
        return;
      case 'control':
        this.controls([formula]);
        return;
      case 'channel':
        this.channel(formula.from, formula.to);
        this.regex(formula.regex);
        return;
      case 'predicate':
        this.book.use(`definition ${formula.name.text}`, formula.name);
        this.argument(formula.argument, known);
        return;
      case 'compare':
        this.comparisons([formula.comparison], null, known);
        return;
    }
  }

  private regex(regex: RegexNode): void {
    if (regex.kind === 'type') this.type(regex.name);
    else if ('parts' in regex) for (const part of regex.parts) this.regex(part);
    else if ('body' in regex) this.regex(regex.body);
  }
}

const text = ({ file, start, end }: Span): string => file.text.slice(start, end).replace(/\s+/g, ' ');
