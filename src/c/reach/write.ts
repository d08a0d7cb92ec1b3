// From the analysis to the proof: the abstract states it found, as `proof.ts` describes them. What is wrong here the audit notices.

import type { InvariantsProof } from '../audit/invariants.ts';
import type { ComponentProof, StateProof } from '../audit/proof.ts';
import { ANY } from '../audit/proof.ts';
import type { RankProof } from '../audit/ranks.ts';
import type { Expr } from '../program/expr.ts';
import { symbolNumber } from '../program/expr.ts';
import type { Program } from '../program/program.ts';
import type { AbstractState } from './abstraction.ts';
import { isAnyNumber, isNumberOfAny } from './quantified.ts';

/** What an exhausted search leaves. */
export interface AbstractGraph {
  readonly states: readonly AbstractState[];
  readonly initial: readonly number[];
  /** `edge`: the last one of the block. */
  readonly steps: readonly { readonly from: number; readonly edge: number; readonly to: readonly number[] }[];
}

/** What holds at the heads of loops, as `invariants.ts` of the audit describes it. */
export function writeInvariants(
  { cells }: Program,
  held: ReadonlyMap<number, readonly Expr[]>,
): InvariantsProof {
  const tests = [...new Set([...held.values()].flat())];
  const used = new Set(
    tests.flatMap(({ symbols }) => symbols.map(symbolNumber)).filter((n) => !isNumberOfAny(n)),
  );
  return {
    cells: namesOf(used, cells),
    tests: tests.map(writeTest),
    invariants: [...held].map(([location, here]) => [location, here.map((test) => tests.indexOf(test))]),
  };
}

export const writeRanks = (ranks: ReadonlyMap<number, readonly Expr[]>): RankProof[] =>
  [...ranks].map(([location, measures]) => [location, measures.map(writeTest)]);

const namesOf = (used: ReadonlySet<number>, cells: Program['cells']): Record<string, string> =>
  Object.fromEntries([...used].sort((a, b) => a - b).map((cell) => [`c${cell}`, cells[cell]!.name]));

export function writeComponent(
  name: string,
  { cells }: Program,
  graph: AbstractGraph,
  labels: (state: number) => readonly string[],
  order?: readonly number[],
): ComponentProof {
  const tests = new Map<Expr, number>();
  const used = new Set<number>();
  const testNumber = (test: Expr): number => {
    let number = tests.get(test);
    if (number === undefined) {
      number = tests.size;
      tests.set(test, number);
      for (const symbol of test.symbols) used.add(symbolNumber(symbol));
    }
    return number;
  };
  const states = graph.states.map(({ location, values, literals }, i): StateProof => {
    for (const cell of values.keys()) used.add(cell);
    const known = [...values].flatMap(([cell, { value }]) => [cell, numeral(value)]);
    return [location, known, literals.map(testNumber), labels(i)];
  });
  return {
    name,
    cells: namesOf(used, cells),
    tests: [...tests.keys()].map(writeTest),
    states,
    initial: graph.initial,
    steps: graph.steps.map(({ from, edge, to }) => [from, edge, ...to]),
    ...(order === undefined ? {} : { order }),
  };
}

const numeral = (value: bigint): number | string =>
  value <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(value) : String(value);

export function writeTest(expr: Expr): string {
  switch (expr.op) {
    case 'const':
      return `${expr.value}:${expr.width}`;
    case 'symbol':
      return isAnyNumber(expr) ? ANY : `c${symbolNumber(expr)}`;
    case 'zext':
    case 'sext':
    case 'trunc':
    case 'ftof':
    case 'sitof':
    case 'uitof':
    case 'ftosi':
    case 'ftoui':
      return `(${expr.op}:${expr.width} ${writeTest(expr.args[0]!)})`;
    default:
      return `(${expr.op} ${expr.args.map(writeTest).join(' ')})`;
  }
}
