// Replaces symbols in an expression, and simplifies on the way.

import type { Expr, Pool } from './expr.ts';
import type { Cell } from './program.ts';

export function replaceSymbols(
  pool: Pool,
  expr: Expr,
  replacement: (symbol: Expr) => Expr | undefined,
): Expr {
  const memo = new Map<Expr, Expr>();
  const walk = (node: Expr): Expr => {
    if (node.symbols.length === 0 && !node.hasLoad) return node;
    if (node.op === 'symbol') return replacement(node) ?? node;
    const known = memo.get(node);
    if (known !== undefined) return known;
    const result = pool.rebuild(node, node.args.map(walk));
    memo.set(node, result);
    return result;
  };
  return walk(expr);
}

/** The tests without boolean structure inside an expression, each once, in their positive form. */
export function atomsOf(pool: Pool, whole: Expr, into: Set<Expr> = new Set()): Set<Expr> {
  // Parts that are shared are looked at once.
  const seen = new Set<Expr>();
  const walk = (expr: Expr): void => {
    if (seen.has(expr)) return;
    seen.add(expr);
    if (expr.width !== 0 || ['not', 'conj', 'disj'].includes(expr.op)) {
      for (const arg of expr.args) walk(arg);
      return;
    }
    if (expr.op === 'const') return;
    // A comparison of a choice between values is better seen as tests of its own.
    const negation = pool.not(expr);
    into.add(negation.op !== 'not' && negation.id < expr.id ? negation : expr);
  };
  walk(whole);
  return into;
}

/** How many nodes an expression has, up to a limit. */
export function sizeOfExpr(expr: Expr, limit: number): number {
  const seen = new Set<Expr>();
  const stack = [expr];
  while (stack.length > 0 && seen.size <= limit) {
    const node = stack.pop()!;
    if (seen.has(node)) continue;
    seen.add(node);
    stack.push(...node.args);
  }
  return seen.size;
}

/** What lies at an address that is one of these cells'; `otherwise` where it is none of them. */
export function cellAt(pool: Pool, address: Expr, cells: readonly Cell[], otherwise: Expr): Expr {
  let result = otherwise;
  for (const cell of cells)
    result = pool.ite(
      pool.eq(address, pool.const(cell.address, 64)),
      pool.symbol(cell.id, cell.width),
      result,
    );
  return result;
}
