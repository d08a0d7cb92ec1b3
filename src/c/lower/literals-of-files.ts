// Equal string literals of two files: whether they are one object is up to the linker. Each file has its own here, and whether addresses inside of two such objects are
// equal is open. (Within one file equal literals are one object, as gcc has it.)

import type { Span } from '../../source/source.ts';
import type { Expr } from '../program/expr.ts';
import { INT, type WordSizes } from '../program/types.ts';
import type { Expression } from '../syntax/ast.ts';
import type { Unit } from '../syntax/parse.ts';
import type { Context } from './context.ts';
import { elementOfString, stringLiteral } from './literals.ts';
import { literalObject } from './places.ts';
import type { Scope } from './scope.ts';

type Literal = Extract<Expression, { kind: 'string' }>;

function literalsIn(unit: Unit, sizes: WordSizes): ReadonlyMap<string, Literal> {
  const found = new Map<string, Literal>();
  const walk = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return;
    const { kind } = node as { readonly kind?: unknown };
    if (kind === 'string' && 'text' in node) found.set(contentsOf(node as Literal, sizes), node as Literal);
    else for (const [key, child] of Object.entries(node)) if (key !== 'span') walk(child);
  };
  walk(unit.items);
  return found;
}

const contentsOf = ({ text, span }: Literal, sizes: WordSizes): string =>
  `${elementOfString(text, span, sizes).width}:${stringLiteral(text, span, sizes).join()}`;

/** Makes the objects of all literals that several files have, so that comparisons know them. */
export function shareLiterals(context: Context, units: readonly Unit[], scopes: readonly Scope[]): void {
  if (units.length < 2) return;
  const found = units.map((unit) => literalsIn(unit, context.sizes));
  found.forEach((literals, i) => {
    context.fileNumbers.set(scopes[i]!, i);
    for (const [contents, node] of literals)
      if (found.some((others, k) => k !== i && others.has(contents)))
        context.sharedLiterals.push(literalObject(context, node, `${i}`));
  });
}

/** Are the addresses equal? */
export function areSame(context: Context, a: Expr, b: Expr, span: Span): Expr {
  const { pool, sharedLiterals } = context;
  const same = pool.eq(a, b);
  const isIn = (address: Expr): Expr =>
    sharedLiterals.reduce((so, object) => {
      const offset = pool.binary('sub', address, pool.const(object.address, 64));
      return pool.or(so, pool.compare('ule', offset, pool.const(object.size, 64)));
    }, pool.false);
  const isOpen = pool.and(pool.not(same), pool.and(isIn(a), isIn(b)));
  if (isOpen === pool.false) return same;
  const why = 'whether equal string literals of two files are one object is open';
  const choice = context.unknown(span, INT, why, span);
  return pool.or(same, pool.and(isOpen, pool.not(pool.eq(choice, pool.const(0n, 32)))));
}
