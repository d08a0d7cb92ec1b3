// Loops that end: measures at their heads that every turn makes smaller, in lexicographic order (Alias, Darte, Feautrier and Gonnord, SAS 2010, with guesses before the
// linear program). The guesses are differences of what the guards compare, variables, their sizes and lowest bits; where they fail linear measures are looked for
// (linear-ranks.ts). Each is asked of the bit-vectors themselves, in a
// width in which the measure cannot overflow, so wrap-around is seen as it is. A measure that no passage of a component makes larger, and that one makes smaller
// while it is not negative, takes away what makes it smaller; the rest must be ranked by others.

import { type Budget, fractionOf } from '../../base/budget.ts';
import type { InvariantsProof } from '../audit/invariants.ts';
import { RANK_WIDTH } from '../audit/ranks.ts';
import type { CellSet } from '../program/cell-set.ts';
import type { Expr, Pool } from '../program/expr.ts';
import type { Cell, Program } from '../program/program.ts';
import { guardAtoms, isSigned, numbersAt } from './candidates.ts';
import { excludesTargets, type Invariants, inductivePart, valueAfter } from './houdini.ts';
import { allGuesses } from './invariants.ts';
import { LinearMeasures, type Measures } from './linear-ranks.ts';
import type { Oracle } from './oracle.ts';
import { type Passage, type Regions, regionsOf } from './regions.ts';
import { writeInvariants, writeRanks } from './write.ts';

/** For each head its measures, the first one counting most. */
type Ranks = Map<number, Expr[]>;

const MOST_LEVELS = 5;
const MOST_MEASURES = 60;
const MOST_SUMMED = 4;
/** Variables of a linear measure at one head, and turns of which one is tried after the other. */
const MOST_LINEAR = 8;
const MOST_TURNS = 6;

/** A proof that every run ends; null when none was found, or the program goes on where it is not modelled. */
export async function rankedProof(
  program: Program,
  live: readonly CellSet[],
  oracle: Oracle,
  budget: Budget,
): Promise<InvariantsProof | null> {
  const isCut = (location: number) => program.locations[location]!.kind === 'cut';
  const regions = regionsOf(program, isCut, fractionOf(budget, 0.3));
  if (regions === null) return null;
  // Where the solver is at a loss with the guesses (division), loops may still end without any invariant.
  const guesses = allGuesses(regions, live);
  const held =
    (await inductivePart(regions, guesses, oracle, fractionOf(budget, 0.5))) ??
    new Map(regions.heads.map((head) => [head, []]));
  if (!(await excludesTargets(regions, held, oracle))) return null;
  const heads = new Set(regions.heads);
  const turns = regions.passages.filter(({ from, to }) => heads.has(from) && heads.has(to));
  const ranking = new Ranking(regions, live, held, oracle, budget);
  const ranks = await ranking.of(regions.heads, turns, 0).finally(() => ranking.dispose());
  if (ranks === null) return null;
  const length = Math.max(0, ...[...ranks.values()].map((measures) => measures.length));
  for (const measures of ranks.values())
    while (measures.length < length) measures.push(program.pool.const(0n, RANK_WIDTH));
  return { ...writeInvariants(program, held), ranks: writeRanks(ranks) };
}

/** Measures by head, and what is left of the turns when those that make them smaller are gone. */
interface Found {
  readonly measures: Measures;
  readonly rest: Passage[];
}

class Ranking {
  private readonly regions: Regions;
  private readonly live: readonly CellSet[];
  private readonly held: Invariants;
  private readonly oracle: Oracle;
  private readonly budget: Budget;
  private readonly pool: Pool;
  private readonly linear: LinearMeasures;

  constructor(regions: Regions, live: readonly CellSet[], held: Invariants, oracle: Oracle, budget: Budget) {
    this.regions = regions;
    this.live = live;
    this.held = held;
    this.oracle = oracle;
    this.budget = budget;
    this.pool = regions.program.pool;
    const cells = regions.heads.map(
      (head) => [head, numbersAt(regions, live[head]!).slice(0, MOST_LINEAR)] as const,
    );
    this.linear = new LinearMeasures(regions, held, new Map(cells), oracle, budget);
  }

  dispose(): void {
    this.linear.dispose();
  }

  /** Between components the number of heads that can still be reached becomes smaller; inside of them a measure is needed. */
  async of(heads: readonly number[], turns: readonly Passage[], level: number): Promise<Ranks | null> {
    const { pool } = this;
    const reached = new Map(heads.map((head) => [head, reachable(head, turns)] as const));
    const ranks: Ranks = new Map(
      heads.map((head) => [head, [pool.const(BigInt(reached.get(head)!.size), RANK_WIDTH)]]),
    );
    const done = new Set<number>();
    for (const head of heads) {
      if (done.has(head)) continue;
      const component = heads.filter(
        (other) => other === head || (reached.get(head)!.has(other) && reached.get(other)!.has(head)),
      );
      for (const other of component) done.add(other);
      const inside = turns.filter(({ from, to }) => component.includes(from) && component.includes(to));
      if (inside.length === 0) continue;
      const found = level < MOST_LEVELS ? await this.measure(component, inside) : null;
      const rest = found === null ? null : await this.of(component, found.rest, level + 1);
      if (rest === null) return null;
      for (const other of component) ranks.get(other)!.push(found!.measures.get(other)!, ...rest.get(other)!);
    }
    return ranks;
  }

  /** A measure that takes whole passages away, or else one that takes parts of them away. */
  private async measure(component: readonly number[], turns: readonly Passage[]): Promise<Found | null> {
    let partial: Found | null = null;
    for (const measure of this.guesses(component, turns)) {
      if (!this.budget.timeLeft()) return null;
      const measures = new Map(component.map((head) => [head, measure]));
      const rest = await this.without(measures, turns);
      if (rest === null) continue;
      if (rest.length < turns.length) return { measures, rest };
      if (partial === null && rest.some((turn, i) => turn !== turns[i])) partial = { measures, rest };
    }
    return (await this.linearMeasure(turns)) ?? partial;
  }

  private async linearMeasure(turns: readonly Passage[]): Promise<Found | null> {
    const one = turns.length > 1 && turns.length <= MOST_TURNS ? turns.map((turn) => [turn]) : [];
    for (const smaller of [turns, ...one]) {
      const measures = await this.linear.find(turns, smaller);
      const rest = measures === null ? null : await this.without(measures, turns);
      if (rest !== null && rest.length < turns.length) return { measures: measures!, rest };
    }
    return null;
  }

  /** What is left of the passages when those that make the measure smaller are gone; null when one makes it larger. */
  private async without(measures: Measures, turns: readonly Passage[]): Promise<Passage[] | null> {
    const { pool, oracle } = this;
    const rest: Passage[] = [];
    for (const turn of turns) {
      const measure = measures.get(turn.from)!;
      const later = valueAfter(this.regions, turn, measures.get(turn.to)!);
      const before = [...(this.held.get(turn.from) ?? []), turn.guard];
      const isSmaller = pool.and(
        pool.compare('slt', later, measure),
        pool.compare('sle', pool.const(0n, RANK_WIDTH), measure),
      );
      if ((await oracle.satisfiable([...before, pool.not(isSmaller)])) === 'unsat') continue;
      if ((await oracle.satisfiable([...before, pool.compare('slt', measure, later)])) !== 'unsat')
        return null;
      const helps = (await oracle.satisfiable([...before, isSmaller])) === 'sat';
      rest.push(helps ? { ...turn, guard: pool.and(turn.guard, pool.not(isSmaller)) } : turn);
    }
    return rest;
  }

  private guesses(component: readonly number[], turns: readonly Passage[]): Expr[] {
    const { pool, regions } = this;
    const found = new Set<Expr>();
    const wide = (expr: Expr, signed: boolean) => pool.resize(expr, RANK_WIDTH, signed);
    const both = (a: Expr, b: Expr, signed: boolean) => {
      found.add(pool.binary('sub', wide(b, signed), wide(a, signed)));
      found.add(pool.binary('sub', wide(a, signed), wide(b, signed)));
    };
    for (const { op, args } of guardAtoms(turns)) {
      const [a, b] = args as [Expr, Expr];
      if (b === undefined || a.width === 0 || a.width > 64) continue;
      if (op !== 'ult' && op !== 'ule') both(a, b, true);
      if (op !== 'slt' && op !== 'sle') both(a, b, false);
    }
    for (const head of component) {
      const values = numbersAt(regions, this.live[head]!).map((cell) =>
        wide(pool.symbol(cell.id, cell.width), isSigned(cell)),
      );
      for (const value of values) {
        found.add(value);
        found.add(pool.binary('sub', pool.const(0n, RANK_WIDTH), value));
      }
      for (const cell of numbersAt(regions, this.live[head]!)) {
        const changes = turns.map(({ env }) => env.get(cell.id));
        if (changes.some((change) => change !== undefined && contains(change, 'sdiv')))
          found.add(sizeOf(pool, cell));
        if (changes.some((change) => change !== undefined && contains(change, 'shl')))
          found.add(bitsAbove(pool, cell));
      }
      for (const a of values.slice(0, MOST_SUMMED))
        for (const b of values.slice(0, MOST_SUMMED)) if (a.id < b.id) found.add(pool.binary('add', a, b));
    }
    return [...found].filter(({ op }) => op !== 'const').slice(0, MOST_MEASURES);
  }
}

function reachable(head: number, turns: readonly Passage[]): Set<number> {
  const reached = new Set<number>();
  const open = [head];
  for (let at = open.pop(); at !== undefined; at = open.pop())
    for (const { from, to } of turns)
      if (from === at && !reached.has(to)) {
        reached.add(to);
        open.push(to);
      }
  return reached.add(head);
}

/** Without its sign: what divisions make smaller. */
function sizeOf(pool: Pool, cell: Cell): Expr {
  const value = pool.resize(pool.symbol(cell.id, cell.width), RANK_WIDTH, isSigned(cell));
  const zero = pool.const(0n, RANK_WIDTH);
  return pool.ite(pool.compare('slt', value, zero), pool.binary('sub', zero, value), value);
}

/** How far the lowest bit is from the top, as a number: what shifts to the left make smaller; 0 where there is no bit. */
function bitsAbove(pool: Pool, { id, width }: Cell): Expr {
  const symbol = pool.symbol(id, width);
  const zero = pool.const(0n, width);
  const lowest = pool.resize(pool.binary('and', symbol, pool.binary('sub', zero, symbol)), RANK_WIDTH, false);
  const above = pool.binary('sub', pool.const(1n << BigInt(width), RANK_WIDTH), lowest);
  return pool.ite(pool.eq(symbol, zero), pool.const(0n, RANK_WIDTH), above);
}

function contains(expr: Expr, op: Expr['op'], seen = new Set<Expr>()): boolean {
  if (expr.op === op) return true;
  if (seen.has(expr)) return false;
  seen.add(expr);
  return expr.args.some((arg) => contains(arg, op, seen));
}
