// From formulas to generalised Büchi automata by derivatives: Couvreur's construction ("On-the-fly verification of linear
// temporal logic", FM'99), with decision diagrams.
//
// The transition function of a formula is a boolean function over the atoms (now), variables Next[f] (what must hold of the
// rest) and promises (an until that was put off, named after its right-hand side). For example
//   f U g  =  g ∨ (f ∧ promise[g] ∧ Next[f U g]).
// Each prime implicant of it is an edge: atoms are the guard, the Next variables together the target, and a mark for every
// promise that it does not contain. Two formulas with the same function are one state.

import { impossible } from '../base/result.ts';
import type { Automaton, AutomatonEdge } from './automaton.ts';
import { allMarks, MAX_MARKS, mergeEdges } from './automaton.ts';
import { Bdd, TooManyNodes } from './bdd.ts';
import type { Formula, FormulaFactory } from './formula.ts';

export interface DeriveLimits {
  readonly maxStates: number;
  readonly maxEdges: number;
  readonly maxNodes: number;
}

const DERIVE_LIMITS: DeriveLimits = { maxStates: 5_000, maxEdges: 100_000, maxNodes: 500_000 };

/** Null when the automaton would be larger than the limits. */
export function derive(
  factory: FormulaFactory,
  formula: Formula,
  limits: DeriveLimits = DERIVE_LIMITS,
): Automaton | null {
  try {
    return new Derivation(factory, limits).run(formula);
  } catch (error) {
    if (error instanceof TooManyNodes) return null;
    throw error;
  }
}

type Meaning =
  | { readonly kind: 'next'; readonly formula: Formula }
  | { readonly kind: 'promise'; readonly mark: number };

class Derivation {
  private readonly factory: FormulaFactory;
  private readonly limits: DeriveLimits;
  private readonly bdd: Bdd;
  private readonly letters: number;
  /** The variable of a Next or a promise is the number of atoms plus its index here. */
  private readonly meanings: Meaning[] = [];
  private readonly nextVariables = new Map<Formula, number>();
  private readonly promiseVariables = new Map<Formula, number>();
  private readonly functions = new Map<Formula, number>();
  private promises = 0;

  constructor(factory: FormulaFactory, limits: DeriveLimits) {
    this.factory = factory;
    this.limits = limits;
    this.bdd = new Bdd(limits.maxNodes);
    this.letters = atMostOneEvent(this.bdd, factory);
  }

  run(formula: Formula): Automaton | null {
    const numbers = new Map<number, number>();
    const work: number[] = [];
    const numberOf = (target: Formula): number => {
      const key = this.bdd.and(this.functionOf(target), this.letters);
      let number = numbers.get(key);
      if (number === undefined) {
        number = work.push(key) - 1;
        numbers.set(key, number);
      }
      return number;
    };
    numberOf(formula);
    const edges: AutomatonEdge[][] = [];
    let edgeTotal = 0;
    for (let state = 0; state < work.length; state++) {
      const found = mergeEdges(this.bdd, this.edgesOf(work[state]!, numberOf));
      edges.push(found);
      edgeTotal += found.length;
      if (work.length > this.limits.maxStates || edgeTotal > this.limits.maxEdges) return null;
    }
    if (this.promises > MAX_MARKS) return null;
    // A promise made after an edge was built is not on that edge: the edge keeps it.
    const full = allMarks(this.promises);
    const marked = edges.map((list) => list.map((edge) => ({ ...edge, marks: full & ~edge.marks })));
    return {
      atoms: [...this.factory.atoms],
      guards: this.bdd,
      letters: this.letters,
      initial: 0,
      marks: this.promises,
      edges: marked,
    };
  }

  /** Edges whose `marks` are, for now, the promises they contain. */
  private *edgesOf(key: number, numberOf: (formula: Formula) => number): Generator<AutomatonEdge> {
    const atomCount = this.factory.atoms.length;
    for (const [leaf, guard] of this.bdd.leaves(key, atomCount)) {
      for (const term of this.bdd.monotoneTerms(leaf, this.limits.maxEdges)) {
        const targets: Formula[] = [];
        let marks = 0;
        for (const variable of term) {
          const meaning = this.meanings[variable - atomCount]!;
          if (meaning.kind === 'next') targets.push(meaning.formula);
          else marks |= 2 ** meaning.mark;
        }
        yield { guard, target: numberOf(this.factory.and(targets)), marks };
      }
    }
  }

  private functionOf(formula: Formula): number {
    let result = this.functions.get(formula);
    if (result === undefined) {
      result = this.derivative(formula);
      this.functions.set(formula, result);
    }
    return result;
  }

  private derivative(formula: Formula): number {
    const { bdd } = this;
    const [left, right] = formula.operands;
    switch (formula.kind) {
      case 'true':
        return 1;
      case 'false':
        return 0;
      case 'literal':
        return bdd.literal(formula.atom, formula.positive);
      case 'and':
        return bdd.andAll(formula.operands.map((part) => this.functionOf(part)));
      case 'or':
        return bdd.orAll(formula.operands.map((part) => this.functionOf(part)));
      case 'next':
        return this.next(left!);
      case 'until': {
        const later = bdd.andAll([this.functionOf(left!), this.promise(right!), this.next(formula)]);
        return bdd.or(this.functionOf(right!), later);
      }
      case 'release':
        return bdd.and(this.functionOf(right!), bdd.or(this.functionOf(left!), this.next(formula)));
      default:
        return impossible(formula.kind, 'every kind of formula has a derivative');
    }
  }

  private next(formula: Formula): number {
    if (formula.kind === 'true') return 1;
    if (formula.kind === 'false') return 0;
    if (formula.kind === 'and') return this.bdd.andAll(formula.operands.map((part) => this.next(part)));
    let variable = this.nextVariables.get(formula);
    if (variable === undefined) {
      variable = this.newVariable({ kind: 'next', formula });
      this.nextVariables.set(formula, variable);
    }
    return this.bdd.variable(variable);
  }

  private promise(right: Formula): number {
    let variable = this.promiseVariables.get(right);
    if (variable === undefined) {
      variable = this.newVariable({ kind: 'promise', mark: this.promises++ });
      this.promiseVariables.set(right, variable);
    }
    return this.bdd.variable(variable);
  }

  private newVariable(meaning: Meaning): number {
    return this.factory.atoms.length + this.meanings.push(meaning) - 1;
  }
}

/** A step bears exactly one event, so no letter has two ([MAGIC] section 4: x̃); it may have none of those the formula names. */
function atMostOneEvent(bdd: Bdd, factory: FormulaFactory): number {
  let none = 1;
  let atMostOne = 1;
  for (let atom = factory.atoms.length - 1; atom >= 0; atom--) {
    if (factory.atoms[atom]!.kind !== 'event') continue;
    atMostOne = bdd.node(atom, atMostOne, none);
    none = bdd.node(atom, none, 0);
  }
  return atMostOne;
}
