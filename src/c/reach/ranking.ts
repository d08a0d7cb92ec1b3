// Loops that end: measures at their heads that every turn makes smaller, in lexicographic order (Alias, Darte, Feautrier and Gonnord, SAS 2010, with guesses in the
// place of a linear program). The guesses are differences of what the guards compare, and variables; each is asked of the bit-vectors themselves, in a
// width in which the measure cannot overflow, so wrap-around is seen as it is. A measure that no passage of a component makes larger, and that one makes smaller
// while it is not negative, takes away what makes it smaller; the rest must be ranked by others.

import { type Budget, fractionOf } from '../../base/budget.ts';
import type { InvariantsProof } from '../audit/invariants.ts';
import { RANK_WIDTH } from '../audit/ranks.ts';
import type { CellSet } from '../program/cell-set.ts';
import type { Expr, Pool } from '../program/expr.ts';
import type { Program } from '../program/program.ts';
import { guardAtoms, isSigned, numbersAt } from './candidates.ts';
import { excludesTargets, type Invariants, inductivePart, valueAfter } from './houdini.ts';
import { allGuesses } from './invariants.ts';
import type { Oracle } from './oracle.ts';
import { type Passage, type Regions, regionsOf } from './regions.ts';
import { writeInvariants, writeRanks } from './write.ts';

/** For each head its measures, the first one counting most. */
type Ranks = Map<number, Expr[]>;

const MOST_LEVELS = 5;
const MOST_MEASURES = 60;
const MOST_SUMMED = 4;

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
  const ranks = await new Ranking(regions, live, held, oracle, budget).of(regions.heads, turns, 0);
  if (ranks === null) return null;
  const length = Math.max(0, ...[...ranks.values()].map((measures) => measures.length));
  for (const measures of ranks.values())
    while (measures.length < length) measures.push(program.pool.const(0n, RANK_WIDTH));
  return { ...writeInvariants(program, held), ranks: writeRanks(ranks) };
}

class Ranking {
  private readonly regions: Regions;
  private readonly live: readonly CellSet[];
  private readonly held: Invariants;
  private readonly oracle: Oracle;
  private readonly budget: Budget;
  private readonly pool: Pool;

  constructor(regions: Regions, live: readonly CellSet[], held: Invariants, oracle: Oracle, budget: Budget) {
    this.regions = regions;
    this.live = live;
    this.held = held;
    this.oracle = oracle;
    this.budget = budget;
    this.pool = regions.program.pool;
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
      for (const other of component) ranks.get(other)!.push(found!.measure, ...rest.get(other)!);
    }
    return ranks;
  }

  /** A measure that takes whole passages away, or else one that takes parts of them away. */
  private async measure(
    component: readonly number[],
    turns: readonly Passage[],
  ): Promise<{ measure: Expr; rest: Passage[] } | null> {
    let partial: { measure: Expr; rest: Passage[] } | null = null;
    for (const measure of this.guesses(component, turns)) {
      if (!this.budget.timeLeft()) return null;
      const rest = await this.without(measure, turns);
      if (rest === null) continue;
      if (rest.length < turns.length) return { measure, rest };
      if (partial === null && rest.some((turn, i) => turn !== turns[i])) partial = { measure, rest };
    }
    return partial;
  }

  /** What is left of the passages when those that make the measure smaller are gone; null when one makes it larger. */
  private async without(measure: Expr, turns: readonly Passage[]): Promise<Passage[] | null> {
    const { pool, oracle } = this;
    const rest: Passage[] = [];
    for (const turn of turns) {
      const later = valueAfter(this.regions, turn, measure);
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
