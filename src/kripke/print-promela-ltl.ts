// A formula in SPIN's notation: [] <> U W V && || ! -> <->. Most builds of SPIN do not accept X, and its translation
// of nested formulas takes for ever: such a formula becomes a never claim, made of the automaton of its negation.

import type { BuchiAutomaton } from '../ltl/automaton.ts';
import { atomsOf } from '../ltl/conjuncts.ts';
import { degeneralise } from '../ltl/degeneralise.ts';
import { FormulaFactory } from '../ltl/formula.ts';
import type { Syntax } from '../ltl/syntax.ts';
import { toFormula } from '../ltl/syntax.ts';
import { translate } from '../ltl/translate.ts';
import { writeNever } from '../ltl/write.ts';
import type { AtomText, PromelaFormula } from './promela.ts';

export function promelaFormula(name: string, syntax: Syntax): PromelaFormula {
  const claim = (atom: AtomText): string =>
    `ltl ${name} { ([]<> started) -> ((!started) U (started && (${print(syntax, atom)}))) }`;
  return {
    claim: (atom) => (isHard(syntax) ? (neverClaim(name, syntax, atom) ?? claim(atom)) : claim(atom)),
    ...atomsOf(syntax),
  };
}

/** SPIN writes `p W q` as `([] p) || (p U q)`, and both directions of an equivalence: it would take minutes for `p W [] q`. */
const WEIGHT: Readonly<Record<string, number>> = {
  and: 0,
  or: 0,
  implies: 0,
  equivalent: 0,
  xor: 0,
  'weak-until': 2,
};
const COPIES: Readonly<Record<string, number>> = {
  equivalent: 2,
  xor: 2,
  'weak-until': 2,
  'strong-release': 2,
};

/** With X, or with more temporal operators than SPIN translates quickly. */
const isHard = (syntax: Syntax): boolean => operatorsOf(syntax) > 2;

function operatorsOf(syntax: Syntax): number {
  switch (syntax.kind) {
    case 'unary':
      if (syntax.operator === 'next') return Number.POSITIVE_INFINITY;
      return (syntax.operator === 'not' ? 0 : 1) + operatorsOf(syntax.operand);
    case 'binary': {
      const inside = operatorsOf(syntax.left) + operatorsOf(syntax.right);
      return inside * (COPIES[syntax.operator] ?? 1) + (WEIGHT[syntax.operator] ?? 1);
    }
    default:
      return 0;
  }
}

/** Null when the automaton would be too large. */
function neverClaim(name: string, syntax: Syntax, atom: AtomText): string | null {
  const factory = new FormulaFactory();
  const automaton = translate(factory, factory.not(toFormula(factory, syntax)));
  if (automaton === null) return null;
  const waiting = afterTheStart(degeneralise(automaton));
  const atoms = waiting.atoms.map((one, index) => ({
    ...one,
    name: index < automaton.atoms.length ? atom(one.kind, one.id) : 'started',
  }));
  return writeNever({ ...waiting, atoms }, name)
    .replace('never {', `never ${name} {`)
    .trimEnd();
}

/** The same automaton, which waits for the model's first step before it reads anything. */
function afterTheStart(automaton: BuchiAutomaton): BuchiAutomaton {
  const { guards, atoms, edges, accepting, letters } = automaton;
  const started = guards.variable(atoms.length);
  const wait = edges.length;
  const first = edges[automaton.initial]!.map((edge) => ({
    ...edge,
    guard: guards.and(started, edge.guard),
  }));
  return {
    ...automaton,
    atoms: [...atoms, { kind: 'proposition', id: -1, name: 'started' }],
    letters,
    initial: wait,
    accepting: [...accepting, false],
    edges: [...edges, [{ guard: guards.not(started), target: wait }, ...first]],
  };
}

function print(syntax: Syntax, atom: AtomText): string {
  const inner = (part: Syntax): string => print(part, atom);
  switch (syntax.kind) {
    case 'constant':
      return String(syntax.value);
    case 'atom':
      return atom(syntax.atom.kind, syntax.atom.id);
    case 'unary': {
      const operator = { not: '!', next: 'X ', always: '[] ', eventually: '<> ' }[syntax.operator];
      return `(${operator}${inner(syntax.operand)})`;
    }
    case 'binary': {
      const left = inner(syntax.left);
      const right = inner(syntax.right);
      switch (syntax.operator) {
        case 'xor':
          return `(!(${left} <-> ${right}))`;
        case 'strong-release':
          return `(${right} U (${left} && ${right}))`;
        case 'and':
          return `(${left} && ${right})`;
        case 'or':
          return `(${left} || ${right})`;
        case 'implies':
          return `(${left} -> ${right})`;
        case 'equivalent':
          return `(${left} <-> ${right})`;
        case 'until':
          return `(${left} U ${right})`;
        case 'weak-until':
          return `(${left} W ${right})`;
        case 'release':
          return `(${left} V ${right})`;
      }
    }
  }
}
