// Values of the expressions in a .lks file, and the unrolling of its `for` clauses.

import type { Diagnostic } from '../source/diagnostic.ts';
import { suggest } from '../source/diagnostic.ts';
import type { Span } from '../source/source.ts';
import { problem } from './lexer.ts';
import type { BinaryOperator, Expression, Reference, Replicated } from './syntax.ts';

/** Constants, parameters and loop variables in scope. */
export type Constants = ReadonlyMap<string, number>;

/** A problem found while expanding; caught where expansion can go on with the next piece. */
export class ExpansionProblem extends Error {
  readonly diagnostic: Diagnostic;
  constructor(diagnostic: Diagnostic) {
    super(diagnostic.message);
    this.diagnostic = diagnostic;
  }
}

export function evaluate(expression: Expression, scope: Constants): number {
  switch (expression.kind) {
    case 'number':
      return checked(expression.value, expression.span);
    case 'name': {
      const value = scope.get(expression.name);
      if (value !== undefined) return value;
      const near = suggest(expression.name, scope.keys());
      throw new ExpansionProblem(
        problem(
          'SPW3004',
          `there is no constant or parameter '${expression.name}'`,
          expression.span,
          near === null ? 'declare it: const NAME = 3;' : `did you mean '${near}'?`,
        ),
      );
    }
    case 'unary': {
      const value = evaluate(expression.operand, scope);
      return expression.operator === '-' ? -value : value === 0 ? 1 : 0;
    }
    case 'binary':
      return binary(
        expression.operator,
        evaluate(expression.left, scope),
        evaluate(expression.right, scope),
        expression.span,
      );
  }
}

function binary(operator: BinaryOperator, left: number, right: number, span: Span): number {
  switch (operator) {
    case '||':
      return left !== 0 || right !== 0 ? 1 : 0;
    case '&&':
      return left !== 0 && right !== 0 ? 1 : 0;
    case '==':
      return left === right ? 1 : 0;
    case '!=':
      return left !== right ? 1 : 0;
    case '<':
      return left < right ? 1 : 0;
    case '<=':
      return left <= right ? 1 : 0;
    case '>':
      return left > right ? 1 : 0;
    case '>=':
      return left >= right ? 1 : 0;
    case '+':
      return checked(left + right, span);
    case '-':
      return checked(left - right, span);
    case '*':
      return checked(left * right, span);
    default:
      if (right === 0) throw new ExpansionProblem(problem('SPW3005', 'a division by zero', span));
      // As in C: quotients are cut off towards zero, remainders keep the sign of the left side.
      return operator === '/' ? Math.trunc(left / right) + 0 : (left % right) + 0;
  }
}

function checked(value: number, span: Span): number {
  if (Number.isSafeInteger(value)) return value;
  throw new ExpansionProblem(problem('SPW3005', 'this number is too large', span));
}

/** `take[i][i + 1]` with i = 1: the text take[1][2]. */
export function nameOf(reference: Reference, scope: Constants): string {
  if (reference.indices.length === 0) return reference.name;
  return reference.name + reference.indices.map((index) => `[${evaluate(index, scope)}]`).join('');
}

/** How much unrolling one file may ask for: every visit of a loop body counts one. */
export class Allowance {
  private left: number;
  constructor(limit: number) {
    this.left = limit;
  }

  spend(span: Span | null, amount = 1): void {
    this.left -= amount;
    if (this.left < 0) {
      throw new ExpansionProblem(
        problem(
          'SPW3015',
          'this file unrolls to too many states and edges',
          span,
          'choose a smaller constant',
        ),
      );
    }
  }
}

/** Calls visit for every combination of the loop variables whose guards hold. */
export function unroll<T>(
  replicated: Replicated<T>,
  scope: Constants,
  allowance: Allowance,
  visit: (item: T, scope: Constants) => void,
): void {
  const enter = (depth: number, current: Constants): void => {
    const loop = replicated.loops[depth];
    if (loop === undefined) {
      if (replicated.guard === null || evaluate(replicated.guard, current) !== 0)
        visit(replicated.item, current);
      return;
    }
    const low = evaluate(loop.low, current);
    const high = evaluate(loop.high, current);
    const inner = new Map(current);
    for (let value = low; value <= high; value++) {
      allowance.spend(loop.span);
      inner.set(loop.variable, value);
      if (loop.guard === null || evaluate(loop.guard, inner) !== 0) enter(depth + 1, inner);
    }
  };
  enter(0, scope);
}
