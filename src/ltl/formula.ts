// Formulas of state/event linear temporal logic in negation normal form, [MAGIC] section 4.
//
// Nodes are shared: a factory never makes two equal ones, so equality is identity and derived facts are keyed by id.
// The core has literals, conjunction, disjunction, X, U and R; the other operators are defined through them:
// F f = true U f, G f = false R f, f W g = g R (f ∨ g), f M g = g U (f ∧ g).

import { impossible } from '../base/result.ts';
import type { Atom } from './structure.ts';

export interface Formula {
  readonly id: number;
  readonly kind: 'true' | 'false' | 'literal' | 'and' | 'or' | 'next' | 'until' | 'release';
  /** Literals only: index into the factory's atoms; −1 elsewhere. */
  readonly atom: number;
  /** Literals only: false for a negated atom. */
  readonly positive: boolean;
  /** Ordered by id for and, or; [left, right] for until, release. */
  readonly operands: readonly Formula[];
  /** Pure eventuality: when it holds of a suffix, it holds of the whole word. */
  readonly eventual: boolean;
  /** Purely universal: when it holds of a word, it holds of every suffix. */
  readonly universal: boolean;
  /** No temporal operator in it: it speaks of the first letter only. */
  readonly propositional: boolean;
}

export class FormulaFactory {
  readonly atoms: Atom[] = [];
  readonly true: Formula;
  readonly false: Formula;
  private readonly known = new Map<string, Formula>();
  private readonly negations = new Map<Formula, Formula>();
  private readonly atomIndex = new Map<string, number>();

  constructor() {
    this.true = this.make('true', [], true, true);
    this.false = this.make('false', [], true, true);
  }

  atom(atom: Atom): Formula {
    const key = `${atom.kind} ${atom.id}`;
    let index = this.atomIndex.get(key);
    if (index === undefined) {
      index = this.atoms.push(atom) - 1;
      this.atomIndex.set(key, index);
    }
    return this.literal(index, true);
  }

  literal(atom: number, positive: boolean): Formula {
    return this.make('literal', [], false, false, atom, positive);
  }

  not(formula: Formula): Formula {
    let result = this.negations.get(formula);
    if (result === undefined) {
      result = this.negate(formula);
      this.negations.set(formula, result);
      this.negations.set(result, formula);
    }
    return result;
  }

  and(operands: readonly Formula[]): Formula {
    return this.junction('and', operands);
  }

  or(operands: readonly Formula[]): Formula {
    return this.junction('or', operands);
  }

  implies(left: Formula, right: Formula): Formula {
    return this.or([this.not(left), right]);
  }

  equivalent(left: Formula, right: Formula): Formula {
    return this.or([this.and([left, right]), this.and([this.not(left), this.not(right)])]);
  }

  next(operand: Formula): Formula {
    if (operand.kind === 'true' || operand.kind === 'false') return operand;
    return this.make('next', [operand], operand.eventual, operand.universal);
  }

  until(left: Formula, right: Formula): Formula {
    if (right.kind === 'true' || right.kind === 'false' || left.kind === 'false' || left === right)
      return right;
    const eventual = left.kind === 'true' || (left.eventual && right.eventual) || right.eventual;
    return this.make('until', [left, right], eventual, left.universal && right.universal);
  }

  release(left: Formula, right: Formula): Formula {
    if (right.kind === 'true' || right.kind === 'false' || left.kind === 'true' || left === right)
      return right;
    const universal = left.kind === 'false' || right.universal;
    return this.make('release', [left, right], left.eventual && right.eventual, universal);
  }

  eventually(operand: Formula): Formula {
    return this.until(this.true, operand);
  }

  always(operand: Formula): Formula {
    return this.release(this.false, operand);
  }

  weakUntil(left: Formula, right: Formula): Formula {
    return this.release(right, this.or([left, right]));
  }

  strongRelease(left: Formula, right: Formula): Formula {
    return this.until(right, this.and([left, right]));
  }

  private negate(formula: Formula): Formula {
    const [left, right] = formula.operands;
    switch (formula.kind) {
      case 'true':
        return this.false;
      case 'false':
        return this.true;
      case 'literal':
        return this.literal(formula.atom, !formula.positive);
      case 'and':
        return this.or(formula.operands.map((operand) => this.not(operand)));
      case 'or':
        return this.and(formula.operands.map((operand) => this.not(operand)));
      case 'next':
        return this.next(this.not(left!));
      case 'until':
        return this.release(this.not(left!), this.not(right!));
      case 'release':
        return this.until(this.not(left!), this.not(right!));
      default:
        return impossible(formula.kind, 'every kind of formula has a dual');
    }
  }

  private junction(kind: 'and' | 'or', operands: readonly Formula[]): Formula {
    const neutral = kind === 'and' ? this.true : this.false;
    const dominant = kind === 'and' ? this.false : this.true;
    const parts = new Set<Formula>();
    for (const operand of operands) {
      for (const part of operand.kind === kind ? operand.operands : [operand]) {
        if (part === dominant) return dominant;
        if (part !== neutral) parts.add(part);
      }
    }
    for (const part of parts) {
      if (part.kind === 'literal' && parts.has(this.literal(part.atom, !part.positive))) return dominant;
    }
    if (parts.size === 0) return neutral;
    const ordered = [...parts].sort((a, b) => a.id - b.id);
    if (ordered.length === 1) return ordered[0]!;
    return this.make(
      kind,
      ordered,
      ordered.every((part) => part.eventual),
      ordered.every((part) => part.universal),
    );
  }

  private make(
    kind: Formula['kind'],
    operands: readonly Formula[],
    eventual: boolean,
    universal: boolean,
    atom = -1,
    positive = true,
  ): Formula {
    const key = `${kind} ${atom} ${positive} ${operands.map((operand) => operand.id).join(' ')}`;
    let formula = this.known.get(key);
    if (formula === undefined) {
      const propositional =
        kind !== 'next' &&
        kind !== 'until' &&
        kind !== 'release' &&
        operands.every((part) => part.propositional);
      formula = { id: this.known.size, kind, atom, positive, operands, eventual, universal, propositional };
      this.known.set(key, formula);
    }
    return formula;
  }
}

export const isEventually = (formula: Formula): boolean =>
  formula.kind === 'until' && formula.operands[0]!.kind === 'true';
export const isAlways = (formula: Formula): boolean =>
  formula.kind === 'release' && formula.operands[0]!.kind === 'false';
