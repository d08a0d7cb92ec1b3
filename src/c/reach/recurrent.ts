// Loops that are never left, though no state comes again soon: a run that is still going after many steps is looked at. What was true in all its later states at
// the heads of loops is guessed to stay true; what is inductive of that (houdini.ts), from there on, is a set of states; when no exit can be taken in it, the run goes on for
// ever. The audit looks at the set again (audit/recurrent.ts), and the run that leads into it is executed once more.

import type { Budget } from '../../base/budget.ts';
import { Random } from '../../base/random.ts';
import { isRecurrent } from '../audit/recurrent.ts';
import type { CellSet } from '../program/cell-set.ts';
import type { Expr } from '../program/expr.ts';
import { Interpreter, outgoingEdges } from '../program/interpreter.ts';
import type { Cell, Edge, Program } from '../program/program.ts';
import { candidatesAt, numbersAt } from './candidates.ts';
import { type Invariants, inductivePart } from './houdini.ts';
import type { Oracle } from './oracle.ts';
import { type Regions, regionsOf } from './regions.ts';
import { unrefuted } from './unrefuted.ts';
import { writeInvariants } from './write.ts';

export interface GoesOn {
  readonly edges: readonly Edge[];
  readonly inputs: readonly bigint[];
  /** The edges from this one on lead back to the same head. */
  readonly loopAt: number;
  /** What stays true there. */
  readonly stays: readonly Expr[];
}

const RUNS = 60;
const STEPS = 2500;
const MOST_TRIED = 8;
/** Masks of low bits: remainders that steps of more than one keep. */
const MASKS = [1n, 3n];

interface Visit {
  readonly head: number;
  readonly step: number;
  readonly values: readonly bigint[];
}

interface LongRun {
  readonly edges: readonly Edge[];
  readonly inputs: readonly bigint[];
  readonly visits: readonly Visit[];
}

export async function recurrentRun(
  program: Program,
  live: readonly CellSet[],
  oracle: Oracle,
  budget: Budget,
): Promise<GoesOn | null> {
  const regions = regionsOf(program, (location) => program.locations[location]!.kind === 'cut', budget);
  if (regions === null) return null;
  const cells = new Map(regions.heads.map((head) => [head, numbersAt(regions, live[head]!)] as const));
  const random = new Random(11);
  const tried = new Set<string>();
  for (let number = 0; number < RUNS && tried.size < MOST_TRIED && budget.timeLeft(); number++) {
    const run = longRun(program, cells, (cell) => chosen(cell, random, number));
    if (run === null) continue;
    const later = run.visits.slice(run.visits.length >> 1);
    const heads = [...new Set(later.map(({ head }) => head))];
    const guesses = new Map(heads.map((head) => [head, guessesAt(regions, head, cells.get(head)!, later)]));
    const key = [...guesses].map(([head, tests]) => `${head}:${tests.map(({ id }) => id).join()}`).join(' ');
    if (tried.has(key)) continue;
    tried.add(key);
    const turns = regions.passages.filter(({ from, to }) => heads.includes(from) && heads.includes(to));
    const held = await inductivePart({ ...regions, heads, passages: turns }, guesses, oracle, budget);
    if (held === null || !(await neverLeft({ ...regions, passages: turns }, held, oracle))) continue;
    if (!(await isRecurrent(program, writeInvariants(program, held), budget))) continue;
    const found = shown(run, cells, held);
    if (found !== null && isInside(program, found)) return found;
  }
  return null;
}

/** The run, executed once more, does come into the set. */
function isInside(program: Program, { edges, inputs, loopAt, stays }: GoesOn): boolean {
  let next = 0;
  const machine = new Interpreter(program, (_, operation) =>
    operation?.kind === 'input' ? inputs[next++]! : 0n,
  );
  return (
    edges.slice(0, loopAt).every((edge) => edge.from === machine.location && machine.take(edge) === 'ok') &&
    stays.every((test) => machine.holds(test) === true)
  );
}

/** From each head, where its tests hold, a passage leads to one of the heads. */
async function neverLeft({ program, passages }: Regions, held: Invariants, oracle: Oracle): Promise<boolean> {
  const { pool } = program;
  for (const [head, tests] of held) {
    const guards = passages.filter(({ from }) => from === head).map(({ guard }) => guard);
    const ends = pool.not(guards.reduce((a, b) => pool.or(a, b), pool.false));
    if ((await oracle.satisfiable([...tests, ends])) !== 'unsat') return false;
  }
  return true;
}

/** The way to the first visit of the set, and from there the first turn. */
function shown(
  { edges, inputs, visits }: LongRun,
  cells: ReadonlyMap<number, readonly Cell[]>,
  held: Invariants,
): GoesOn | null {
  const isIn = ({ head, values }: Visit) => {
    const tests = held.get(head);
    return tests !== undefined && unrefuted(tests, cells.get(head)!, [values]).length === tests.length;
  };
  const first = visits.find(isIn);
  const back = visits.find(({ head, step }) => head === first?.head && step > first.step);
  if (first === undefined || back === undefined) return null;
  return { edges: edges.slice(0, back.step), inputs, loopAt: first.step, stays: held.get(first.head)! };
}

/** Extremes and small numbers; the same ones every time. */
function chosen({ width }: Cell, random: Random, number: number): bigint {
  const largest = (1n << BigInt(width - 1)) - 1n;
  const some = [0n, 1n, largest, -1n, 2n, -largest - 1n, 7n, largest - 1n, 10n, -2n, 100n];
  const of = number < some.length ? number : random.below(some.length + 4);
  return BigInt.asUintN(width, some[of] ?? BigInt(random.below(2000) - 500));
}

/** A run that is still going; null when it ends, or does something that is not modelled. */
function longRun(
  program: Program,
  cells: ReadonlyMap<number, readonly Cell[]>,
  input: (cell: Cell) => bigint,
): LongRun | null {
  const outgoing = outgoingEdges(program);
  const inputs: bigint[] = [];
  const machine = new Interpreter(program, (cell, operation) => {
    if (operation?.kind !== 'input') return 0n;
    const value = input(cell);
    inputs.push(value);
    return value;
  });
  const edges: Edge[] = [];
  const visits: Visit[] = [];
  while (edges.length < STEPS) {
    const here = cells.get(machine.location);
    if (here !== undefined)
      visits.push({
        head: machine.location,
        step: edges.length,
        values: here.map((cell) => BigInt.asIntN(cell.width, machine.value(cell))),
      });
    const taken = outgoing[machine.location]!.find((edge) => machine.take(edge) === 'ok');
    if (taken === undefined) return null;
    edges.push(taken);
  }
  return visits.length < 4 ? null : { edges, inputs, visits };
}

function guessesAt(
  regions: Regions,
  head: number,
  cells: readonly Cell[],
  visits: readonly Visit[],
): readonly Expr[] {
  const { pool } = regions.program;
  const states = visits.filter((visit) => visit.head === head).map(({ values }) => values);
  const found = candidatesAt(regions, cells);
  for (const [i, cell] of cells.entries()) {
    const symbol = pool.symbol(cell.id, cell.width);
    const value = pool.const(BigInt.asUintN(cell.width, states[0]![i]!), cell.width);
    found.push(pool.eq(symbol, value));
    for (const mask of MASKS) {
      const low = pool.const(mask, cell.width);
      found.push(pool.eq(pool.binary('and', symbol, low), pool.binary('and', value, low)));
    }
    for (const [j, other] of cells.slice(0, i).entries()) {
      if (other.width !== cell.width) continue;
      // One goes up while the other goes down: they are never equal where their sum is odd.
      const sum = pool.binary('add', symbol, pool.symbol(other.id, other.width));
      const total = pool.const(BigInt.asUintN(cell.width, states[0]![i]! + states[0]![j]!), cell.width);
      const low = pool.const(1n, cell.width);
      found.push(pool.eq(sum, total));
      found.push(pool.eq(pool.binary('and', sum, low), pool.binary('and', total, low)));
    }
  }
  return unrefuted([...new Set(found)], cells, states);
}
