// An `ltl` block as a never claim: the Büchi automaton of the negated formula, written in the program IR. From here on a formula
// and a claim the user wrote are the same thing: a claim that moves along with the system and must not be accepted.

import { impossible } from '../base/result.ts';
import type { BuchiAutomaton } from '../ltl/automaton.ts';
import { degeneralise } from '../ltl/degeneralise.ts';
import type { Formula as CoreFormula } from '../ltl/formula.ts';
import { FormulaFactory } from '../ltl/formula.ts';
import { translate } from '../ltl/translate.ts';
import type { Expression } from '../process/expression.ts';
import type {
  Edge,
  EdgeId,
  Formula,
  FormulaNode,
  Location,
  LocationId,
  Proctype,
  ProctypeId,
  Program,
} from '../process/program.ts';
import type { Span } from '../source/source.ts';

/** The automaton of a formula over Promela expressions; null when it would be too large. */
export interface FormulaAutomaton {
  readonly automaton: BuchiAutomaton;
  /** By index of the atom. */
  readonly expressions: readonly Expression[];
}

export function automatonOf(core: FormulaCore, negated: boolean): FormulaAutomaton | null {
  const { factory, formula, expressions } = core;
  const automaton = translate(factory, negated ? factory.not(formula) : formula);
  return automaton === null ? null : { automaton: degeneralise(automaton), expressions };
}

/** A formula in the ltl room's terms; its atoms are numbered as the expressions are. */
export interface FormulaCore {
  readonly factory: FormulaFactory;
  readonly formula: CoreFormula;
  readonly expressions: readonly Expression[];
}

export function coreOf(formula: Formula): FormulaCore {
  const factory = new FormulaFactory();
  const atoms = new AtomTable(factory);
  return { factory, formula: toCore(factory, atoms, formula.root), expressions: atoms.expressions };
}

/** The never claim that a violation of the formula drives to acceptance; null when it would be too large. */
export function claimOf(program: Program, formula: Formula, core: FormulaCore): Proctype | null {
  const found = automatonOf(core, true);
  return found === null ? null : asClaim(program, formula, found);
}

/** A claim with these locations and edges (given per location), and nothing else. */
export function bareClaim(
  program: Program,
  name: string,
  span: Span,
  states: readonly ClaimState[],
  initial: number,
): Proctype {
  const edges: Edge[] = [];
  for (const [from, state] of states.entries()) {
    for (const { to, expression } of state.edges) {
      edges.push({
        id: edges.length as EdgeId,
        from: from as LocationId,
        to: to as LocationId,
        statement: { kind: 'condition', expression },
        keepsControl: false,
        blockedBy: [],
        span,
      });
    }
  }
  const locations = states.map(
    ({ isAccept, isFinal }, state): Location => ({
      id: state as LocationId,
      edges: edges.filter((edge) => edge.from === state).map((edge) => edge.id),
      isEnd: isFinal,
      isProgress: false,
      isAccept,
      isFinal,
      span,
    }),
  );
  return {
    id: (program.proctypes.length + program.claims.length) as ProctypeId,
    name,
    kind: 'never',
    parameters: [],
    locals: [],
    active: 1,
    priority: null,
    provided: null,
    deterministic: false,
    locations,
    edges,
    initial: initial as LocationId,
    labels: new Map(),
    span,
  };
}

export interface ClaimState {
  readonly isAccept: boolean;
  /** Reaching it is a violation. */
  readonly isFinal: boolean;
  readonly edges: readonly { readonly to: number; readonly expression: Expression }[];
}

class AtomTable {
  readonly expressions: Expression[] = [];
  private readonly factory: FormulaFactory;
  private readonly numbers = new Map<string, number>();

  constructor(factory: FormulaFactory) {
    this.factory = factory;
  }

  atom(expression: Expression): CoreFormula {
    if (expression.kind === 'unary' && expression.operator === '!')
      return this.factory.not(this.atom(expression.operand));
    if (expression.kind === 'constant')
      return expression.value !== 0 ? this.factory.true : this.factory.false;
    // Equal expressions are one atom, wherever they stand.
    const key = JSON.stringify(expression, (name, value) => (name === 'span' ? undefined : value));
    let id = this.numbers.get(key);
    if (id === undefined) {
      id = this.expressions.push(expression) - 1;
      this.numbers.set(key, id);
    }
    return this.factory.atom({ kind: 'proposition', id, name: textOf(expression.span) });
  }
}

function textOf(span: Span): string {
  return span.file.text.slice(span.start, span.end);
}

function toCore(factory: FormulaFactory, atoms: AtomTable, node: FormulaNode): CoreFormula {
  const core = (part: FormulaNode) => toCore(factory, atoms, part);
  switch (node.kind) {
    case 'atom':
      return atoms.atom(node.expression);
    case 'true':
    case 'false':
      return factory[node.kind];
    case 'not':
      return factory.not(core(node.operand));
    case 'next':
      return factory.next(core(node.operand));
    case 'always':
      return factory.always(core(node.operand));
    case 'eventually':
      return factory.eventually(core(node.operand));
    case 'and':
      return factory.and([core(node.left), core(node.right)]);
    case 'or':
      return factory.or([core(node.left), core(node.right)]);
    case 'implies':
      return factory.implies(core(node.left), core(node.right));
    case 'equivalent':
      return factory.equivalent(core(node.left), core(node.right));
    case 'until':
      return factory.until(core(node.left), core(node.right));
    case 'weak-until':
      return factory.weakUntil(core(node.left), core(node.right));
    case 'release':
      return factory.release(core(node.left), core(node.right));
    default:
      return impossible(node, 'every kind of formula has a meaning');
  }
}

function asClaim(program: Program, formula: Formula, { automaton, expressions }: FormulaAutomaton): Proctype {
  const { span } = formula;
  const states = automaton.edges.map((edges, state): ClaimState => {
    const isAccept = automaton.accepting[state]!;
    // Whatever comes now, the formula is violated: the claim has ended, no cycle need be found.
    const acceptsAll = edges.some((edge) => edge.target === state && edge.guard === automaton.letters);
    return {
      isAccept,
      isFinal: isAccept && acceptsAll,
      edges: edges.map((edge) => ({
        to: edge.target,
        expression: guardOf(automaton, edge.guard, expressions, span),
      })),
    };
  });
  return bareClaim(program, formula.name, span, states, automaton.initial);
}

/**
 * The guard as an expression that asks for the atoms in their order in the formula, and only for those that matter:
 * in `i < N && a[i]` the array is not touched when the index is too large.
 */
function guardOf(
  { guards }: BuchiAutomaton,
  guard: number,
  expressions: readonly Expression[],
  span: Span,
): Expression {
  const not = (operand: Expression): Expression => ({ kind: 'unary', operator: '!', operand, span });
  const both = (left: Expression, operator: '&&' | '||', right: Expression): Expression => ({
    kind: 'binary',
    operator,
    left,
    right,
    span,
  });
  const build = (node: number): Expression => {
    if (node <= 1) return { kind: 'constant', value: node, type: { kind: 'bool' }, span };
    const atom = expressions[guards.top(node)]!;
    const [low, high] = [guards.low(node), guards.high(node)];
    if (low === 0) return high === 1 ? atom : both(atom, '&&', build(high));
    if (high === 0) return low === 1 ? not(atom) : both(not(atom), '&&', build(low));
    if (low === 1) return both(not(atom), '||', build(high));
    if (high === 1) return both(atom, '||', build(low));
    return { kind: 'conditional', condition: atom, whenTrue: build(high), whenFalse: build(low), span };
  };
  return build(guard);
}
