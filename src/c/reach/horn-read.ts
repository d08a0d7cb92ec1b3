// Formulas of a solution as expressions: what both kinds of numbers have in common.

import type { Sexpr } from '../../smt/answer.ts';
import type { Expr, Pool } from '../program/expr.ts';

export type Bindings = ReadonlyMap<string, Expr>;

/** An operator over arguments that are read already; null when it is not known. */
export type Operators = (operator: Sexpr, args: readonly Expr[]) => Expr | null;
export type Leaf = (text: string) => Expr | null;

export function readFormula(
  pool: Pool,
  formula: Sexpr,
  scope: Bindings,
  leaf: Leaf,
  other: Operators,
): Expr | null {
  const memo = new Map<Sexpr, Expr | null>();
  const walk = (node: Sexpr, names: Bindings): Expr | null => {
    if (typeof node === 'string') {
      if (node === 'true') return pool.true;
      if (node === 'false') return pool.false;
      return names.get(node) ?? leaf(node);
    }
    if (names === scope && memo.has(node)) return memo.get(node)!;
    const result = inner(node, names);
    if (names === scope) memo.set(node, result);
    return result;
  };
  const inner = (node: readonly Sexpr[], names: Bindings): Expr | null => {
    const [head, ...rest] = node;
    if (head === 'let') {
      const more = new Map(names);
      for (const [name, value] of rest[0] as unknown as readonly (readonly [string, Sexpr])[]) {
        const bound = walk(value, names);
        if (bound === null) return null;
        more.set(name, bound);
      }
      return walk(rest[1]!, more);
    }
    if (head === '_') return other(node, []);
    const args: Expr[] = [];
    for (const part of rest) {
      const arg = walk(part, names);
      if (arg === null) return null;
      args.push(arg);
    }
    return connective(pool, head!, args) ?? other(head!, args);
  };
  return walk(formula, scope);
}

function connective(pool: Pool, head: Sexpr, args: readonly Expr[]): Expr | null {
  switch (head) {
    case 'and':
      return args.reduce((a, b) => pool.and(a, b), pool.true);
    case 'or':
      return args.reduce((a, b) => pool.or(a, b), pool.false);
    case 'not':
      return pool.not(args[0]!);
    case '=>':
      return pool.or(pool.not(args[0]!), args[1]!);
    case 'ite':
      return pool.ite(args[0]!, args[1]!, args[2]!);
    case '=':
      if (args[0]!.width !== 0) return null;
      return pool.or(pool.and(args[0]!, args[1]!), pool.and(pool.not(args[0]!), pool.not(args[1]!)));
    default:
      return null;
  }
}
