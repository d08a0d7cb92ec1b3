// Loops that end: measures at their heads that every turn makes smaller, in lexicographic order (Alias, Darte, Feautrier and Gonnord, SAS 2010, with guesses before the
// linear program). Guesses come first (rank-guesses.ts); where they fail linear measures are looked for (linear-ranks.ts); where these fail, turns that
// no other follows are left out, and at last heads are told apart by a test of the program, so that measures may differ (loops with phases: Ben-Amram and Genaim, CAV 2017, find
// such measures by linear programs). Each is asked of the bit-vectors themselves, in a
// width in which the measure cannot overflow, so wrap-around is seen as it is. A measure that no passage of a component makes larger, and that one makes smaller
// while it is not negative, takes away what makes it smaller; the rest must be ranked by others.

import { type Budget, fractionOf } from '../../base/budget.ts';
import type { InvariantsProof } from '../audit/invariants.ts';
import { RANK_WIDTH } from '../audit/ranks.ts';
import type { CellSet } from '../program/cell-set.ts';
import type { Expr, Pool } from '../program/expr.ts';
import type { Program } from '../program/program.ts';
import { guardAtoms, numbersAt } from './candidates.ts';
import { dividesHard } from './divisions.ts';
import { givenTests } from './given-tests.ts';
import { excludesTargets, type Invariants, inductivePart, valueAfter } from './houdini.ts';
import { allGuesses } from './invariants.ts';
import { LinearMeasures, type Measures } from './linear-ranks.ts';
import type { Oracle } from './oracle.ts';
import { goesOn, measureGuesses } from './rank-guesses.ts';
import { type Passage, type Regions, regionsOf } from './regions.ts';
import { writeInvariants, writeRanks } from './write.ts';

/** For each head its measures, the first one counting most. */
type Ranks = Map<number, Expr[]>;

const MOST_LEVELS = 5;
/** Variables of a linear measure at one head, and turns of which one is tried after the other. */
const MOST_LINEAR = 8;
const MOST_TURNS = 6;
/** Tests by which heads are told apart, one after the other. */
const MOST_SPLITS = 6;

/** Proofs that every run ends; null where none was found. What is found first costs little. */
export interface RankSearch {
  readonly simple: (budget: Budget) => Promise<InvariantsProof | null>;
  /** The simple measures have failed: others. */
  readonly thorough: (budget: Budget) => Promise<InvariantsProof | null>;
}

/** Null where the program goes on where it is not modelled, or is too large. */
export async function rankSearch(
  program: Program,
  live: readonly CellSet[],
  oracle: Oracle,
  budget: Budget,
): Promise<RankSearch | null> {
  const isCut = (location: number) => program.locations[location]!.kind === 'cut';
  const regions = regionsOf(program, isCut, fractionOf(budget, 0.3));
  if (regions === null) return null;
  const guesses = new Map(
    [...allGuesses(regions, live)].map(([at, tests]) => [at, [...tests, ...givenTests(regions, at)]]),
  );
  // Where the solver is at a loss with the guesses (division), loops may still end without any invariant.
  const held =
    (await inductivePart(regions, guesses, oracle, fractionOf(budget, 0.5))) ??
    new Map(regions.heads.map((head) => [head, []]));
  if (!(await excludesTargets(regions, held, oracle))) return null;
  const heads = new Set(regions.heads);
  const turns = regions.passages.filter(({ from, to }) => heads.has(from) && heads.has(to));
  const looped = { ...regions, passages: turns };
  const proofWith = (ranks: Ranks | null) =>
    ranks === null ? null : { ...writeInvariants(program, held), ranks: writeRanks(ranks) };
  return {
    simple: async (time) => proofWith(await ranked(looped, live, held, oracle, time, false)),
    thorough: async (time) =>
      proofWith(
        (await ranked(looped, live, held, oracle, fractionOf(time, 0.6), true)) ??
          (await rankedApart(looped, live, held, oracle, time)),
      ),
  };
}

async function ranked(
  regions: Regions,
  live: readonly CellSet[],
  held: Invariants,
  oracle: Oracle,
  budget: Budget,
  mayLookAhead: boolean,
): Promise<Ranks | null> {
  const ranking = new Ranking(regions, live, held, oracle, budget);
  const ranks = await ranking
    .of(regions.heads, regions.passages, 0, !mayLookAhead)
    .finally(() => ranking.dispose());
  if (ranks === null) return null;
  const length = Math.max(0, ...[...ranks.values()].map((measures) => measures.length));
  for (const measures of ranks.values())
    while (measures.length < length) measures.push(regions.program.pool.const(0n, RANK_WIDTH));
  return ranks;
}

/** Each head becomes two: one where a test holds, one where it does not. */
async function rankedApart(
  regions: Regions,
  live: readonly CellSet[],
  held: Invariants,
  oracle: Oracle,
  budget: Budget,
): Promise<Ranks | null> {
  const { program, heads, passages } = regions;
  const { pool, locations } = program;
  if (passages.length > MOST_TURNS) return null;
  const tests = [...guardAtoms(passages)].filter(({ symbols }) => symbols.length > 0).slice(0, MOST_SPLITS);
  for (const [i, test] of tests.entries()) {
    if (!budget.timeLeft()) return null;
    const cases = [
      { test, name: (head: number) => head },
      { test: pool.not(test), name: (head: number) => head + locations.length },
    ];
    const apart: Passage[] = [];
    for (const turn of passages)
      for (const before of cases)
        for (const after of cases) {
          const later = valueAfter(regions, turn, after.test);
          const guard = pool.and(pool.and(turn.guard, before.test), later);
          const known = held.get(turn.from) ?? [];
          if ((await oracle.satisfiable([...known, guard])) !== 'unsat')
            apart.push({ ...turn, from: before.name(turn.from), to: after.name(turn.to), guard });
        }
    const both = <T>(of: (head: number) => T) =>
      heads.flatMap((head) => cases.map(({ name }) => [name(head), of(head)] as const));
    const ranks = await ranked(
      { program, heads: both(() => null).map(([head]) => head), passages: apart },
      live,
      new Map(both((head) => held.get(head) ?? [])),
      oracle,
      fractionOf(budget, 1 / (tests.length - i)),
      true,
    );
    if (ranks === null) continue;
    const joined = (head: number) =>
      ranks.get(head)!.map((measure, at) => pool.ite(test, measure, ranks.get(cases[1]!.name(head))![at]!));
    return new Map(heads.map((head) => [head, joined(head)]));
  }
  return null;
}

/** Measures by head, and what is left of the turns when those that make them smaller are gone. */
interface Found {
  readonly measures: Measures;
  readonly rest: Passage[];
  /** What is left is followed by other turns, or that makes no difference. */
  readonly looksAhead: boolean;
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
      (head) => [head, numbersAt(regions, live[this.placeOf(head)]!).slice(0, MOST_LINEAR)] as const,
    );
    this.linear = new LinearMeasures(regions, held, new Map(cells), oracle, budget);
  }

  /** Heads that were told apart lie at the same place. */
  private placeOf(head: number): number {
    return head % this.regions.program.locations.length;
  }

  dispose(): void {
    this.linear.dispose();
  }

  /** Between components the number of heads that can still be reached becomes smaller; inside of them a measure is needed. */
  async of(
    heads: readonly number[],
    turns: readonly Passage[],
    level: number,
    looksAhead: boolean,
  ): Promise<Ranks | null> {
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
      const found = level < MOST_LEVELS ? await this.measure(component, inside, looksAhead) : null;
      const rest = found === null ? null : await this.of(component, found.rest, level + 1, found.looksAhead);
      if (rest === null) return null;
      for (const other of component) ranks.get(other)!.push(found!.measures.get(other)!, ...rest.get(other)!);
    }
    return ranks;
  }

  /** A measure that takes whole passages away, or else one that takes parts of them away. */
  private async measure(
    component: readonly number[],
    turns: readonly Passage[],
    looksAhead: boolean,
  ): Promise<Found | null> {
    let partial: Found | null = null;
    const locations = component.map((head) => this.placeOf(head));
    for (const measure of measureGuesses(this.regions, this.live, locations, turns)) {
      if (!this.budget.timeLeft()) return null;
      const measures = new Map(component.map((head) => [head, measure]));
      const rest = await this.without(measures, turns);
      if (rest === null) continue;
      if (rest.length < turns.length) return { measures, rest, looksAhead };
      if (partial === null && rest.some((turn, i) => turn !== turns[i]))
        partial = { measures, rest, looksAhead };
    }
    const found = await this.linearMeasure(turns);
    if (found !== null) return { ...found, looksAhead };
    return (looksAhead ? null : await this.lastTurns(component, turns)) ?? partial;
  }

  /** Turns after which no other follows need no measure: what wraps around at the end of a loop is no trouble. */
  private async lastTurns(component: readonly number[], turns: readonly Passage[]): Promise<Found | null> {
    const measures = goesOn(this.pool, component, turns);
    const rest = measures === null ? null : await this.without(measures, turns);
    if (rest === null || rest.every((turn, i) => turn === turns[i])) return null;
    return { measures: measures!, rest, looksAhead: true };
  }

  private async linearMeasure(turns: readonly Passage[]): Promise<Omit<Found, 'looksAhead'> | null> {
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
      const isHard = [...before, later].some(dividesHard);
      // With divisions that facts do not settle there are other measures to try.
      const can = (test: Expr) =>
        isHard ? oracle.satisfiableByFacts([...before, test]) : oracle.satisfiable([...before, test]);
      if ((await can(pool.not(isSmaller))) === 'unsat') continue;
      if ((await can(pool.compare('slt', measure, later))) !== 'unsat') return null;
      const helps = (await can(isSmaller)) === 'sat';
      rest.push(helps ? { ...turn, guard: pool.and(turn.guard, pool.not(isSmaller)) } : turn);
    }
    return rest;
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
