// Values for what comes from outside. Where a value is only ever compared with constants, those constants and one other value stand for all.

import { InputValues } from '../probe/values.ts';
import type { Expr } from '../program/expr.ts';
import { symbolNumber } from '../program/expr.ts';
import { expressionsOf } from '../program/expressions.ts';
import type { Cell, Operation, Program } from '../program/program.ts';

export interface Tried {
  readonly values: readonly bigint[];
  /** They stand for all values. */
  readonly complete: boolean;
}

/** Inputs of this width are tried in full. */
const ALL_UP_TO = 8;

export class Inputs {
  private readonly program: Program;
  private readonly candidates: InputValues;
  private readonly uses = new Map<number, Operation[]>();
  private readonly known = new Map<number, Tried>();

  constructor(program: Program) {
    this.program = program;
    this.candidates = new InputValues(program);
    for (const { operation } of program.edges)
      for (const expr of expressionsOf(operation))
        for (const symbol of expr.symbols) {
          const cell = symbolNumber(symbol);
          const list = this.uses.get(cell);
          if (list === undefined) this.uses.set(cell, [operation]);
          else list.push(operation);
        }
  }

  of(cell: Cell): Tried {
    let tried = this.known.get(cell.id);
    if (tried === undefined) this.known.set(cell.id, (tried = this.choose(cell)));
    return tried;
  }

  private choose(cell: Cell): Tried {
    const constants = this.comparedWith(cell, new Set());
    if (constants !== null) {
      const values = [...constants];
      let other = 0n;
      while (constants.has(other)) other++;
      return { values: [...values, other], complete: true };
    }
    if (cell.width <= ALL_UP_TO)
      return { values: Array.from({ length: 1 << cell.width }, (_, i) => BigInt(i)), complete: true };
    return { values: this.candidates.of(cell.id, cell.width).slice(0, 12), complete: false };
  }

  /** The constants, when nothing else is done with it and its copies; null when something is. */
  private comparedWith(cell: Cell, seen: Set<number>): Set<bigint> | null {
    if (seen.has(cell.id)) return new Set();
    seen.add(cell.id);
    // Memory that can be reached by an address may be read in ways that no symbol shows.
    if (cell.object.kind !== 'temporary')
      return this.program.sites.some(({ objects }) => objects.includes(cell.object))
        ? null
        : this.constantsOf(cell, seen);
    return this.constantsOf(cell, seen);
  }

  private constantsOf(cell: Cell, seen: Set<number>): Set<bigint> | null {
    const constants = new Set<bigint>();
    for (const operation of this.uses.get(cell.id) ?? []) {
      const isCopy = operation.kind === 'assign' && operation.value.op === 'symbol';
      const found = isCopy
        ? this.comparedWith(operation.cell, seen)
        : operation.kind === 'assume' || operation.kind === 'defined'
          ? equalities(operation.test, cell.id)
          : null;
      if (found === null) return null;
      for (const value of found) constants.add(value);
    }
    return constants;
  }
}

/** The constants that the cell is compared with for equality; null when it occurs in another way. */
function equalities(test: Expr, cell: number): Set<bigint> | null {
  const found = new Set<bigint>();
  const isCell = (expr: Expr) => expr.op === 'symbol' && symbolNumber(expr) === cell;
  const walk = (expr: Expr): boolean => {
    if (!expr.symbols.some((symbol) => symbolNumber(symbol) === cell)) return true;
    if (expr.op === 'not' || expr.op === 'conj' || expr.op === 'disj') return expr.args.every(walk);
    const [a, b] = expr.args;
    if (expr.op !== 'eq' || a === undefined || b === undefined) return false;
    const constant = isCell(a) ? b : isCell(b) ? a : null;
    if (constant?.op !== 'const') return false;
    found.add(constant.value);
    return true;
  };
  return walk(test) ? found : null;
}
