// Linear equations among variables, guessed from executions: the states that some runs have at the head of a loop span an affine space (as the analysis
// of Karr, 1976, would find it); the equations of the space are the guesses. They are meant modulo 2^width, as the program computes, so wrap-around
// does not hurt them.

import { Random } from '../../base/random.ts';
import { gcd } from '../../base/rational.ts';
import type { Expr } from '../program/expr.ts';
import { Interpreter, outgoingEdges } from '../program/interpreter.ts';
import type { Cell, Program } from '../program/program.ts';

const RUNS = 30;
const STEPS = 500;
/** Of all runs, and of one: a long one would leave no place for others. */
const MOST_STATES = 160;
const MOST_OF_ONE = 12;
/** Larger factors are more likely chance than meaning. */
const LARGEST = 1000n;

/** The values of the cells (as signed numbers) in states that runs with chosen inputs meet, by location. */
export function statesMet(
  program: Program,
  cellsAt: ReadonlyMap<number, readonly Cell[]>,
): Map<number, bigint[][]> {
  const random = new Random(7);
  const outgoing = outgoingEdges(program);
  const met = new Map([...cellsAt.keys()].map((location) => [location, [] as bigint[][]]));
  for (let run = 0; run < RUNS; run++) {
    const reach = run % 3 === 0 ? 2 : 40;
    const machine = new Interpreter(program, (cell) =>
      BigInt.asUintN(cell.width, BigInt(random.below(2 * reach) - Math.floor(reach / 3))),
    );
    const visits = new Map<number, number>();
    for (let step = 0; step < STEPS; step++) {
      const states = met.get(machine.location);
      const visit = visits.get(machine.location) ?? 0;
      visits.set(machine.location, visit + 1);
      if (states !== undefined && states.length < MOST_STATES && isKept(visit))
        states.push(
          cellsAt.get(machine.location)!.map((cell) => BigInt.asIntN(cell.width, machine.value(cell))),
        );
      const edges = outgoing[machine.location]!;
      const first = edges.length > 1 ? random.below(edges.length) : 0;
      const taken = edges.some((_, i) => {
        const result = machine.take(edges[(first + i) % edges.length]!);
        return result === 'ok' || result === 'unmodelled';
      });
      if (!taken) break;
    }
  }
  return met;
}

/** The first few, then ever fewer. */
const isKept = (visit: number): boolean =>
  visit < MOST_OF_ONE / 2 || (visit < 2 ** (MOST_OF_ONE / 2) && Number.isInteger(Math.log2(visit)));

/** Equations over the cells that hold in all these states; cells of one width only. */
export function equationsOf(
  program: Program,
  cells: readonly Cell[],
  states: readonly (readonly bigint[])[],
): Expr[] {
  const found: Expr[] = [];
  for (const width of new Set(cells.map((cell) => cell.width))) {
    const columns = cells.flatMap((cell, i) => (cell.width === width ? [i] : []));
    const [first, ...others] = states.map((state) => columns.map((i) => state[i]!));
    if (first === undefined || others.length < columns.length) continue;
    const differences = others.map((state) => state.map((value, i) => value - first[i]!));
    for (const factors of nullSpace(differences, columns.length)) {
      if (factors.filter((factor) => factor !== 0n).length < 2) continue;
      if (factors.some((factor) => factor > LARGEST || factor < -LARGEST)) continue;
      const total = factors.reduce((sum, factor, i) => sum + factor * first[i]!, 0n);
      found.push(
        equation(
          program,
          columns.map((i) => cells[i]!),
          factors,
          total,
        ),
      );
    }
  }
  return found.filter(({ op }) => op !== 'const');
}

function equation(
  { pool }: Program,
  cells: readonly Cell[],
  factors: readonly bigint[],
  total: bigint,
): Expr {
  const { width } = cells[0]!;
  let [left, right] = [pool.const(0n, width), pool.const(total, width)];
  for (const [i, factor] of factors.entries()) {
    if (factor === 0n) continue;
    const symbol = pool.symbol(cells[i]!.id, width);
    const size = factor < 0n ? -factor : factor;
    const product = size === 1n ? symbol : pool.binary('mul', symbol, pool.const(size, width));
    if (factor > 0n) left = pool.binary('add', left, product);
    else right = pool.binary('add', right, product);
  }
  return pool.eq(left, right);
}

/** Integer vectors that span what is orthogonal to all rows: elimination without fractions. */
export function nullSpace(rows: readonly (readonly bigint[])[], columns: number): bigint[][] {
  const kept: bigint[][] = [];
  const pivots: number[] = [];
  for (const row of rows) {
    let rest = [...row];
    for (const [i, pivot] of pivots.entries()) rest = eliminated(rest, kept[i]!, pivot);
    const pivot = rest.findIndex((value) => value !== 0n);
    if (pivot < 0) continue;
    for (const [i, other] of kept.entries()) kept[i] = eliminated(other, rest, pivot);
    kept.push(rest);
    pivots.push(pivot);
    if (kept.length === columns) return [];
  }
  const free = Array.from({ length: columns }, (_, i) => i).filter((i) => !pivots.includes(i));
  return free.map((column) => {
    const common = kept.reduce((product, row, i) => {
      const value = row[pivots[i]!]!;
      return (product * value) / gcd(product, value);
    }, 1n);
    const vector = new Array<bigint>(columns).fill(0n);
    vector[column] = common;
    for (const [i, row] of kept.entries()) vector[pivots[i]!] = -(row[column]! * common) / row[pivots[i]!]!;
    return lowest(vector);
  });
}

function eliminated(row: readonly bigint[], by: readonly bigint[], pivot: number): bigint[] {
  if (row[pivot] === 0n) return [...row];
  return lowest(row.map((value, i) => value * by[pivot]! - by[i]! * row[pivot]!));
}

function lowest(vector: readonly bigint[]): bigint[] {
  const divisor = vector.reduce((a, b) => gcd(a, b), 0n);
  return divisor === 0n ? [...vector] : vector.map((value) => value / divisor);
}
