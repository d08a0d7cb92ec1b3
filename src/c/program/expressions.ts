// What an operation reads.

import type { Expr } from './expr.ts';
import type { Operation, Program } from './program.ts';

export function expressionsOf(operation: Operation): readonly Expr[] {
  switch (operation.kind) {
    case 'assign':
      return [operation.value];
    case 'store':
      return [operation.address, operation.value];
    case 'assume':
    case 'defined':
      return [operation.test];
    case 'release':
      return [operation.address];
    case 'touch':
      return typeof operation.extent === 'string'
        ? [operation.address]
        : [operation.address, operation.extent];
    default:
      return [];
  }
}

/** They, what they are made of, and so on; of those that count in what they are part of. */
export function partsOf(
  roots: Iterable<Expr>,
  counts: (part: Expr, whole: Expr) => boolean = () => true,
): readonly Expr[] {
  const found = new Set(roots);
  for (const expr of found) for (const arg of expr.args) if (counts(arg, expr)) found.add(arg);
  return [...found];
}

/** Is the load somewhere in it? */
export function contains(expr: Expr, load: Expr, seen = new Set<Expr>()): boolean {
  if (expr === load) return true;
  if (!expr.hasLoad || seen.has(expr)) return false;
  seen.add(expr);
  return expr.args.some((arg) => contains(arg, load, seen));
}

/** Does it compute with floating-point numbers? */
export const usesFloats = ({ edges }: Program): boolean =>
  edges.some(({ operation }) => expressionsOf(operation).some(({ hasFloat }) => hasFloat));
