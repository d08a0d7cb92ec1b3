// Formulas as a user wrote them, names resolved; and their core form.

import { impossible } from '../base/result.ts';
import type { Span } from '../source/source.ts';
import type { Formula, FormulaFactory } from './formula.ts';
import type { Atom } from './structure.ts';

export type UnaryOperator = 'not' | 'next' | 'always' | 'eventually';
export type BinaryOperator =
  | 'and'
  | 'or'
  | 'xor'
  | 'implies'
  | 'equivalent'
  | 'until'
  | 'weak-until'
  | 'release'
  | 'strong-release';

export type Syntax = { readonly span: Span } & (
  | { readonly kind: 'constant'; readonly value: boolean }
  | { readonly kind: 'atom'; readonly atom: Atom }
  | { readonly kind: 'unary'; readonly operator: UnaryOperator; readonly operand: Syntax }
  | {
      readonly kind: 'binary';
      readonly operator: BinaryOperator;
      readonly left: Syntax;
      readonly right: Syntax;
    }
);

/** What the names of formulas stand for. */
export interface Vocabulary {
  /**
   * The structure's number, null when there is no such proposition or event.
   * `explicit`: the user said which kind is meant (`state:a`, `event:a`).
   */
  find(kind: Atom['kind'], name: string, explicit: boolean): number | null;
  /** All names, for suggestions. */
  names(): Iterable<string>;
}

/** Without a model: every name is a proposition, `event:a` is an event. */
export function openVocabulary(): Vocabulary {
  const known = new Map<string, number>();
  return {
    find: (kind, name, explicit) => {
      const key = `${kind} ${name}`;
      if (kind === 'event' && !explicit) return null;
      if (!known.has(key)) known.set(key, known.size);
      return known.get(key)!;
    },
    names: () => [],
  };
}

/** The negation normal form over the factory's shared nodes. */
export function toFormula(factory: FormulaFactory, syntax: Syntax): Formula {
  switch (syntax.kind) {
    case 'constant':
      return syntax.value ? factory.true : factory.false;
    case 'atom':
      return factory.atom(syntax.atom);
    case 'unary':
      return unary(factory, syntax.operator, toFormula(factory, syntax.operand));
    case 'binary':
      if (syntax.operator === 'and' || syntax.operator === 'or')
        return factory[syntax.operator](
          chain(syntax, syntax.operator).map((part) => toFormula(factory, part)),
        );
      return binary(
        factory,
        syntax.operator,
        toFormula(factory, syntax.left),
        toFormula(factory, syntax.right),
      );
    default:
      return impossible(syntax, 'every kind of syntax has a meaning');
  }
}

/** The operands of `a && b && c && …`, which may be many: no recursion along the chain. */
function chain(syntax: Syntax, operator: 'and' | 'or'): Syntax[] {
  const parts: Syntax[] = [];
  let rest = syntax;
  while (rest.kind === 'binary' && rest.operator === operator) {
    parts.push(rest.right);
    rest = rest.left;
  }
  return [...parts, rest].reverse();
}

export function unary(factory: FormulaFactory, operator: UnaryOperator, operand: Formula): Formula {
  switch (operator) {
    case 'not':
      return factory.not(operand);
    case 'next':
      return factory.next(operand);
    case 'always':
      return factory.always(operand);
    case 'eventually':
      return factory.eventually(operand);
    default:
      return impossible(operator, 'every operator has a meaning');
  }
}

export function binary(
  factory: FormulaFactory,
  operator: BinaryOperator,
  left: Formula,
  right: Formula,
): Formula {
  switch (operator) {
    case 'and':
      return factory.and([left, right]);
    case 'or':
      return factory.or([left, right]);
    case 'xor':
      return factory.equivalent(left, factory.not(right));
    case 'implies':
      return factory.implies(left, right);
    case 'equivalent':
      return factory.equivalent(left, right);
    case 'until':
      return factory.until(left, right);
    case 'weak-until':
      return factory.weakUntil(left, right);
    case 'release':
      return factory.release(left, right);
    case 'strong-release':
      return factory.strongRelease(left, right);
    default:
      return impossible(operator, 'every operator has a meaning');
  }
}
