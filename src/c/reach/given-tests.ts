// What inputs were compared with before they came to a loop: tests of the way into it, said of the variables that hold the inputs there (`assume(n < 1000); for (i = 0; …)`).

import type { Expr } from '../program/expr.ts';
import { replaceSymbols } from '../program/substitute.ts';
import type { Regions } from './regions.ts';

const MOST = 12;

export function givenTests({ program, passages }: Regions, head: number): Expr[] {
  const { pool, cells } = program;
  const found = new Set<Expr>();
  for (const { from, to, guard, env } of passages) {
    if (to !== head || from === head) continue;
    const holders = new Map<Expr, Expr[]>();
    for (const [cell, value] of env) {
      const { type, width, object } = cells[cell]!;
      if (value.op === 'symbol' && type.kind === 'int' && object.kind !== 'temporary')
        holders.set(value, [...(holders.get(value) ?? []), pool.symbol(cell, width)]);
    }
    for (const test of conjuncts(guard)) {
      const [first] = test.symbols;
      if (first === undefined || !test.symbols.every((symbol) => holders.has(symbol))) continue;
      // Of the others the first one is taken.
      for (const one of holders.get(first)!)
        found.add(replaceSymbols(pool, test, (symbol) => (symbol === first ? one : holders.get(symbol)![0])));
    }
  }
  return [...found].slice(0, MOST);
}

function conjuncts(test: Expr): Expr[] {
  return test.op === 'conj' ? test.args.flatMap(conjuncts) : [test];
}
