// Values worth trying for an input: the constants that it, or what it is copied to, is compared with, and their neighbours.

import type { Expr } from '../program/expr.ts';
import { symbolNumber } from '../program/expr.ts';
import type { Program } from '../program/program.ts';

const MOST = 64;

export class InputValues {
  private readonly constants: ReadonlyMap<number, ReadonlySet<bigint>>;
  private readonly copies: ReadonlyMap<number, ReadonlySet<number>>;
  private readonly found = new Map<number, readonly bigint[]>();

  constructor(program: Program) {
    const constants = new Map<number, Set<bigint>>();
    const copies = new Map<number, Set<number>>();
    for (const { operation } of program.edges) {
      program.pool.watch();
      if (operation.kind === 'assume' || operation.kind === 'defined') comparisons(operation.test, constants);
      if (operation.kind !== 'assign') continue;
      comparisons(operation.value, constants);
      for (const from of flowsInto(operation.value)) {
        if (!copies.has(from)) copies.set(from, new Set());
        copies.get(from)!.add(operation.cell.id);
      }
    }
    this.constants = constants;
    this.copies = copies;
  }

  /** As unsigned numbers; the most telling ones first. */
  of(cell: number, width: number): readonly bigint[] {
    const known = this.found.get(cell);
    if (known !== undefined) return known;
    const reached = new Set([cell]);
    for (const at of reached) for (const next of this.copies.get(at) ?? []) reached.add(next);
    const exact = new Set<bigint>([0n, 1n]);
    for (const at of reached) for (const value of this.constants.get(at) ?? []) exact.add(value);
    const all = new Set([...exact].slice(0, MOST).map((value) => BigInt.asUintN(width, value)));
    for (const value of [...all])
      for (const near of [value - 1n, value + 1n]) all.add(BigInt.asUintN(width, near));
    const values = [...all].slice(0, 2 * MOST);
    this.found.set(cell, values);
    return values;
  }
}

/** Cells whose value goes through unchanged, or nearly so. */
function flowsInto(value: Expr): number[] {
  if (value.op === 'symbol') return [symbolNumber(value)];
  if (value.op === 'load' || value.op === 'const') return [];
  if (value.op === 'ite') return [...flowsInto(value.args[1]!), ...flowsInto(value.args[2]!)];
  return value.args.flatMap((arg) => (arg.width === 0 ? [] : flowsInto(arg)));
}

function comparisons(root: Expr, into: Map<number, Set<bigint>>): void {
  const seen = new Set<Expr>();
  const stack = [root];
  while (stack.length > 0) {
    const node = stack.pop()!;
    if (seen.has(node)) continue;
    seen.add(node);
    const [a, b] = node.args;
    if (node.width === 0 && a !== undefined && b !== undefined && a.width > 0)
      for (const [side, other] of [
        [a, b],
        [b, a],
      ] as const)
        if (other.op === 'const')
          for (const cell of flowsInto(side)) {
            if (!into.has(cell)) into.set(cell, new Set());
            into.get(cell)!.add(other.value);
          }
    stack.push(...node.args);
  }
}
