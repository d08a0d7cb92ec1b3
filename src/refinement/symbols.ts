// Terms over 32-bit integers as Promela computes with them: wrapping arithmetic, stores that truncate. Terms live in an arena, each
// once, so that sharing is kept; a term's arguments come before it, so that one pass evaluates all of them.

import { computeBinary, computeUnary, INT_MIN } from '../process/arithmetic.ts';
import type { BinaryOperator } from '../process/expression.ts';
import { INT, rangeOf, type Storage, truncate } from '../process/storage.ts';
import type { Interval } from './intervals.ts';

/** The number of a term in its arena. */
export type TermId = number;

export type SymbolicTerm =
  | { readonly op: 'constant'; readonly value: number }
  /** An unknown number, by its index in `inputs`. */
  | { readonly op: 'input'; readonly input: number }
  | { readonly op: 'unary'; readonly operator: '-' | '!' | '~'; readonly a: TermId }
  | { readonly op: 'binary'; readonly operator: BinaryOperator; readonly a: TermId; readonly b: TermId }
  | { readonly op: 'choice'; readonly test: TermId; readonly a: TermId; readonly b: TermId }
  | { readonly op: 'truncate'; readonly storage: Storage; readonly a: TermId };

export class Arena {
  readonly terms: SymbolicTerm[] = [];
  /** The least and the most each unknown can be. */
  readonly inputs: Interval[] = [];
  private readonly known = new Map<string, TermId>();

  constant(value: number): TermId {
    return this.intern({ op: 'constant', value: value | 0 });
  }

  unknown(range: Interval): TermId {
    if (range.least === range.most) return this.constant(range.least);
    return this.intern({ op: 'input', input: this.inputs.push(range) - 1 });
  }

  unknownOf(storage: Storage): TermId {
    const { min, max } = rangeOf(storage);
    return this.unknown({ least: min, most: max });
  }

  anything(): TermId {
    return this.unknownOf(INT);
  }

  unary(operator: '-' | '!' | '~', a: TermId): TermId {
    return this.intern({ op: 'unary', operator, a });
  }

  binary(operator: BinaryOperator, a: TermId, b: TermId): TermId {
    if (operator !== '/' && operator !== '%') return this.intern({ op: 'binary', operator, a, b });
    const divisor = this.constantOf(b);
    if (divisor === 0) return this.anything();
    const quotient = this.intern({ op: 'binary', operator, a, b });
    // A division by zero is an error of the model: whatever comes out counts as possible.
    return divisor === null ? this.choice(b, quotient, this.anything()) : quotient;
  }

  choice(test: TermId, a: TermId, b: TermId): TermId {
    const known = this.constantOf(test);
    if (known !== null) return known === 0 ? b : a;
    return a === b ? a : this.intern({ op: 'choice', test, a, b });
  }

  truncated(storage: Storage, a: TermId): TermId {
    const term = this.terms[a]!;
    const { min, max } = rangeOf(storage);
    if (term.op === 'input') {
      const { least, most } = this.inputs[term.input]!;
      if (least >= min && most <= max) return a;
    }
    return this.intern({ op: 'truncate', storage, a });
  }

  constantOf(id: TermId): number | null {
    const term = this.terms[id]!;
    return term.op === 'constant' ? term.value : null;
  }

  /** Terms of constants alone are computed at once. */
  private intern(term: SymbolicTerm): TermId {
    const parts = argumentsOf(term).map((id) => this.constantOf(id));
    if (term.op !== 'constant' && parts.length > 0 && parts.every((value) => value !== null))
      return this.constant(apply(term, (id) => this.constantOf(id)!, []));
    const key = JSON.stringify(term);
    let id = this.known.get(key);
    if (id === undefined) {
      id = this.terms.push(term) - 1;
      this.known.set(key, id);
    }
    return id;
  }
}

function argumentsOf(term: SymbolicTerm): readonly TermId[] {
  switch (term.op) {
    case 'constant':
    case 'input':
      return [];
    case 'unary':
    case 'truncate':
      return [term.a];
    case 'binary':
      return [term.a, term.b];
    case 'choice':
      return [term.test, term.a, term.b];
  }
}

/** The terms that these are made of, themselves included, in an order in which they can be evaluated. */
export function coneOf(terms: readonly SymbolicTerm[], roots: readonly TermId[]): TermId[] {
  const needed = new Set(roots);
  for (let id = terms.length - 1; id >= 0; id--)
    if (needed.has(id)) for (const argument of argumentsOf(terms[id]!)) needed.add(argument);
  return [...needed].sort((a, b) => a - b);
}

/** The term's value, from its arguments' and the unknowns' values. */
export function apply(term: SymbolicTerm, of: (id: TermId) => number, inputs: readonly number[]): number {
  switch (term.op) {
    case 'constant':
      return term.value;
    case 'input':
      return inputs[term.input]!;
    case 'unary':
      return computeUnary(term.operator, of(term.a));
    case 'binary':
      return computeBinary(term.operator, of(term.a), of(term.b)) ?? withoutResult(term.operator, of(term.b));
    case 'choice':
      return of(term.test) === 0 ? of(term.b) : of(term.a);
    case 'truncate':
      return truncate(term.storage, of(term.a));
  }
}

/** A division without a result ends the run, so of this nothing is used; it is what a solver's bit vectors have. */
const withoutResult = (operator: BinaryOperator, divisor: number): number =>
  operator === '/' && divisor !== 0 ? INT_MIN : 0;
