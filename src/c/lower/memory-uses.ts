// Where an operation reads and writes memory through addresses.

import type { Expr } from '../program/expr.ts';
import { expressionsOf } from '../program/expressions.ts';
import type { Operation, Program, Site } from '../program/program.ts';

export interface Use {
  readonly site: Site;
  readonly address: Expr;
  readonly how: 'a read of' | 'a write to';
  /** It is made where this holds only; null: whatever the rest of the expression is. */
  readonly when: Expr | null;
}

/** Inner ones first. */
export function usesOf({ pool, sites }: Program, operation: Operation): Use[] {
  const uses: Use[] = [];
  const seen = new Map<Expr | null, Set<Expr>>();
  const read = (expr: Expr, when: Expr | null): void => {
    const here = seen.get(when) ?? new Set();
    seen.set(when, here);
    if (!expr.hasLoad || here.has(expr)) return;
    here.add(expr);
    const [first, ...others] = expr.args as [Expr, ...Expr[]];
    read(first, when);
    const isLazy = expr.op === 'ite' || expr.op === 'conj' || expr.op === 'disj';
    for (const [i, arg] of others.entries()) {
      const test = expr.op === 'disj' || i === 1 ? pool.not(first) : first;
      read(arg, !isLazy ? when : when === null ? test : pool.and(when, test));
    }
    if (expr.op === 'load')
      uses.push({ site: sites[Number(expr.value) - 1]!, address: first, how: 'a read of', when });
  };
  for (const expr of expressionsOf(operation)) read(expr, null);
  if (operation.kind === 'store')
    uses.push({ site: operation.site, address: operation.address, how: 'a write to', when: null });
  return uses;
}
