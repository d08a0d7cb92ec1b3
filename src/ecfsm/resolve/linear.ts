// Expressions to linear sums, comparisons to `sum <= 0` and `sum = 0`. What a name means is the caller's business.

import type { Diagnostic } from '../../source/diagnostic.ts';
import { problem } from '../codes.ts';
import type { Comparison, Linear } from '../model.ts';
import type { ComparisonNode, Expression } from '../syntax/ast.ts';
import { MAX_CONSTANT } from '../syntax/token.ts';

/** The variable a leaf of an expression stands for; null after reporting why there is none. */
export type Lookup<V> = (leaf: Expression & { kind: 'name' | 'register' | 'call' }) => V | null;

export interface Resolution<V> {
  readonly lookup: Lookup<V>;
  readonly same: (a: V, b: V) => boolean;
  readonly diagnostics: Diagnostic[];
}

export function toLinear<V>(expression: Expression, scope: Resolution<V>): Linear<V> | null {
  switch (expression.kind) {
    case 'number':
      return { terms: [], constant: expression.value };
    case 'name':
    case 'register':
    case 'call': {
      const variable = scope.lookup(expression);
      return variable === null ? null : { terms: [[variable, 1]], constant: 0 };
    }
    case 'negate': {
      const of = toLinear(expression.of, scope);
      return of === null ? null : combine({ terms: [], constant: 0 }, of, -1, scope);
    }
    case 'add':
    case 'subtract': {
      const left = toLinear(expression.left, scope);
      const right = toLinear(expression.right, scope);
      if (left === null || right === null) return null;
      return limited(combine(left, right, expression.kind === 'add' ? 1 : -1, scope), expression, scope);
    }
    case 'multiply':
      return toProduct(expression.left, expression.right, expression, scope);
  }
}

function toProduct<V>(
  a: Expression,
  b: Expression,
  expression: Expression,
  scope: Resolution<V>,
): Linear<V> | null {
  const left = toLinear(a, scope);
  const right = toLinear(b, scope);
  if (left === null || right === null) return null;
  const [factor, of] = left.terms.length === 0 ? [left, right] : [right, left];
  if (factor.terms.length > 0) {
    scope.diagnostics.push(
      problem('SPW4108', expression.span, 'only a number times a variable is linear', {
        help: 'one side of * must be a constant',
      }),
    );
    return null;
  }
  return limited(combine({ terms: [], constant: 0 }, of, factor.constant, scope), expression, scope);
}

/** Products of two factors, or of a factor and a constant, stay exact. */
const MAX_FACTOR = 1_000_000;

function limited<V>(linear: Linear<V>, expression: Expression, scope: Resolution<V>): Linear<V> | null {
  const largest = Math.max(0, ...linear.terms.map(([, factor]) => Math.abs(factor)));
  if (Math.abs(linear.constant) <= MAX_CONSTANT && largest <= MAX_FACTOR) return linear;
  scope.diagnostics.push(
    problem(
      'SPW4004',
      expression.span,
      `numbers above ${MAX_CONSTANT}, or factors above ${MAX_FACTOR}, are not exact here`,
    ),
  );
  return null;
}

/** a + factor · b, with equal variables gathered. */
export function combine<V>(
  a: Linear<V>,
  b: Linear<V>,
  factor: number,
  { same }: Pick<Resolution<V>, 'same'>,
): Linear<V> {
  const terms: [V, number][] = a.terms.map(([variable, coefficient]) => [variable, coefficient]);
  for (const [variable, coefficient] of b.terms) {
    const known = terms.find(([candidate]) => same(candidate, variable));
    if (known === undefined) terms.push([variable, factor * coefficient]);
    else known[1] += factor * coefficient;
  }
  return {
    terms: terms.filter(([, coefficient]) => coefficient !== 0),
    constant: a.constant + factor * b.constant,
  };
}

/** The alternatives of a comparison: two for `!=`, one for all others. */
export function toComparisons<V>(node: ComparisonNode, scope: Resolution<V>): Comparison<V>[] | null {
  const left = toLinear(node.left, scope);
  const right = toLinear(node.right, scope);
  if (left === null || right === null) return null;
  const difference = combine(left, right, -1, scope);
  const opposite = combine(right, left, -1, scope);
  const below = (sum: Linear<V>): Comparison<V> => ({
    sum: { ...sum, constant: sum.constant + 1 },
    relation: '<=',
  });
  switch (node.relation) {
    case '=':
      return [{ sum: difference, relation: '=' }];
    case '<=':
      return [{ sum: difference, relation: '<=' }];
    case '<':
      return [below(difference)];
    case '>=':
      return [{ sum: opposite, relation: '<=' }];
    case '>':
      return [below(opposite)];
    case '!=':
      return [below(difference), below(opposite)];
  }
}

/** Comparisons where `!=` is not allowed: the conditions of actions, initial states and rules are conjunctions. */
export function toConjunction<V>(nodes: readonly ComparisonNode[], scope: Resolution<V>): Comparison<V>[] {
  return nodes.flatMap((node) => {
    if (node.relation === '!=') {
      scope.diagnostics.push(
        problem(
          'SPW4110',
          node.span,
          "'!=' cannot stand in a condition, which is a conjunction of inequalities",
          {
            help: 'write two actions (or rules), one with < and one with >',
          },
        ),
      );
      return [];
    }
    return toComparisons(node, scope) ?? [];
  });
}
