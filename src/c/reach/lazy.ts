// Lazy abstraction (Henzinger, Jhala, Majumdar and Sutre, POPL 2002) over large blocks (Beyer, Keremoglu and Wendler, FMCAD 2010): a tree of arrivals at the heads
// of loops. Each has a formula over the predicates of its head, the best one that these can say about the passage it was arrived by. An arrival whose formula says
// nothing new at its head is not followed. A way to a target that cannot be taken gives each head on it predicates of its own (interpolants.ts, and
// conditions of the way pulled back); the tree is cut off behind the first arrival that would now be said more about, and the rest of it stays.
//
// Duty: a proof is what all arrivals at each head say together, which the audit checks; nothing else is concluded here. A way that can be taken, or that nothing new is
// learned from, or one too many, ends the search without an answer.

import type { Budget } from '../../base/budget.ts';
import type { CellSet } from '../program/cell-set.ts';
import type { Expr } from '../program/expr.ts';
import { symbolNumber } from '../program/expr.ts';
import { atomsOf, replaceSymbols, sizeOfExpr } from '../program/substitute.ts';
import type { Numbers } from './horn.ts';
import { bitVectors } from './horn-bits.ts';
import { integers } from './horn-integers.ts';
import { type Invariants, valueAfter } from './houdini.ts';
import { interpolantsOf } from './interpolants.ts';
import type { Oracle } from './oracle.ts';
import { instances } from './quantified.ts';
import { type Passage, type Regions, START } from './regions.ts';
import { FRESH } from './symbolic.ts';

interface Arrival {
  readonly at: number;
  readonly says: Expr;
  readonly parent: Arrival | null;
  readonly by: Passage | null;
  /** Cut off by a refinement. */
  isGone: boolean;
  /** What it says others say already. */
  isCovered: boolean;
}

/** Passages that an arrival has still to be followed along. */
interface Work {
  readonly from: Arrival;
  readonly along: readonly Passage[];
}

/** Predicates of one head: the formulas over them can be as many as their combinations. */
const MOST_PREDICATES = 30;
const MOST_COMBINATIONS = 120;
const MOST_ARRIVALS = 4000;
/** A proof that is found needs few ways, and short ones; else loops are gone through turn by turn. */
const MOST_WAYS = 40;
const MOST_PASSAGES = 20;
/** Parts of a predicate. */
const MOST_PARTS = 60;
/** Predicates that one way gives to one head. */
const AT_ONCE = 12;

/** For each head what holds there, so that no target is reached; null where that was not found out. `most`: combinations of predicates that are told apart. */
export const byLazyAbstraction = (
  regions: Regions,
  live: readonly CellSet[],
  known: Invariants,
  oracle: Oracle,
  budget: Budget,
  most = MOST_COMBINATIONS,
): Promise<Invariants | null> => new LazyAbstraction(regions, live, known, oracle, budget, most).run();

class LazyAbstraction {
  private readonly regions: Regions;
  private readonly live: readonly CellSet[];
  /** What is inductive by itself. */
  private readonly known: Invariants;
  private readonly oracle: Oracle;
  private readonly budget: Budget;
  private readonly most: number;
  private readonly passages = new Map<number, readonly Passage[]>();
  private readonly predicates = new Map<number, Expr[]>();
  private readonly arrivals = new Map<number, Arrival[]>();
  private readonly waiting: Work[] = [];
  private made = 0;
  private ways = 0;

  constructor(
    regions: Regions,
    live: readonly CellSet[],
    known: Invariants,
    oracle: Oracle,
    budget: Budget,
    most: number,
  ) {
    this.most = most;
    this.regions = regions;
    this.live = live;
    this.known = known;
    this.oracle = oracle;
    this.budget = budget;
    const isHead = new Set(regions.heads);
    for (const head of [START, ...regions.heads]) {
      const from = regions.passages.filter((passage) => passage.from === head);
      // Targets first: an arrival from where one seems to be reached is cut off anyway.
      this.passages.set(
        head,
        from.sort((a, b) => Number(isHead.has(a.to)) - Number(isHead.has(b.to))),
      );
      this.arrivals.set(head, []);
    }
    for (const head of regions.heads) this.predicates.set(head, []);
  }

  async run(): Promise<Invariants | null> {
    this.arrive(START, this.regions.program.pool.true, null, null);
    for (let work = this.waiting.shift(); work !== undefined; work = this.waiting.shift()) {
      if (!this.budget.timeLeft() || this.made > MOST_ARRIVALS) return null;
      if (work.from.isGone || (await this.isCovered(work.from))) continue;
      if (!(await this.follow(work))) return null;
    }
    return new Map(
      this.regions.heads.map((head) => [
        head,
        [...this.knownAt(head), this.together(this.arrivals.get(head)!)],
      ]),
    );
  }

  private knownAt(head: number): readonly Expr[] {
    return this.known.get(head) ?? [];
  }

  private together(arrivals: readonly Arrival[]): Expr {
    const { pool } = this.regions.program;
    return [...new Set(arrivals.map(({ says }) => says))].reduce((a, b) => pool.or(a, b), pool.false);
  }

  private arrive(at: number, says: Expr, parent: Arrival | null, by: Passage | null): void {
    const arrival: Arrival = { at, says, parent, by, isGone: false, isCovered: false };
    this.made++;
    this.arrivals.get(at)!.push(arrival);
    this.waiting.push({ from: arrival, along: this.passages.get(at)! });
  }

  private async isCovered(arrival: Arrival): Promise<boolean> {
    const { pool } = this.regions.program;
    const waiting = new Set(this.waiting.map(({ from }) => from));
    const others = this.arrivals
      .get(arrival.at)!
      .filter((other) => other !== arrival && !other.isCovered && !waiting.has(other));
    if (others.length === 0) return false;
    const tests = [...this.knownAt(arrival.at), arrival.says, pool.not(this.together(others))];
    arrival.isCovered = (await this.oracle.satisfiable(instances(pool, tests, []))) === 'unsat';
    return arrival.isCovered;
  }

  /** Everything that can be arrived at next. False where the search is over without an answer. */
  private async follow({ from, along }: Work): Promise<boolean> {
    const { pool } = this.regions.program;
    for (const passage of along) {
      const tests = [...this.knownAt(from.at), from.says, passage.guard];
      if ((await this.oracle.satisfiable(instances(pool, tests, []))) === 'unsat') continue;
      const predicates = this.predicates.get(passage.to);
      if (predicates === undefined) return this.learn(from, passage);
      const says = await this.after(tests, passage, predicates);
      if (says === null) return false;
      this.arrive(passage.to, says, from, passage);
    }
    return true;
  }

  /** What the predicates can say about the values after a passage: all of it, or where that is too much what holds of each of them. */
  private async after(
    tests: readonly Expr[],
    passage: Passage,
    predicates: readonly Expr[],
  ): Promise<Expr | null> {
    const { pool } = this.regions.program;
    const mayAsk = () => this.budget.timeLeft();
    const goals = predicates.map((predicate) => valueAfter(this.regions, passage, predicate));
    const before = instances(pool, tests, goals);
    const found = await this.oracle.combinations(before, goals, this.most, mayAsk);
    if (found === null) return null;
    const all = (literals: readonly Expr[]) => literals.reduce((a, b) => pool.and(a, b), pool.true);
    if (found !== 'more')
      return found
        .map((truth) => all(predicates.map((test, i) => (truth[i] ? test : pool.not(test)))))
        .reduce((a, b) => pool.or(a, b), pool.false);
    const literals = [...predicates, ...predicates.map((test) => pool.not(test))];
    const kept = await this.oracle.kept(
      before,
      literals.map((test) => valueAfter(this.regions, passage, test)),
      mayAsk,
    );
    return kept && all(literals.filter((_, i) => kept[i]));
  }

  /** Predicates from a way that cannot be taken; false where it can, or none is new. */
  private async learn(last: Arrival, end: Passage): Promise<boolean> {
    const on = arrivalsTo(last);
    const way = [...on.flatMap(({ by }) => by ?? []), end];
    if (way.length > MOST_PASSAGES || ++this.ways > MOST_WAYS) return false;
    if ((await this.oracle.satisfiable(conditionsOf(this.regions, way))) !== 'unsat') return false;
    const places = on.filter(({ by }) => by !== null);
    const between = async (numbers: Numbers) => {
      const found = await interpolantsOf(this.regions, this.live, way, numbers, this.budget);
      return found && this.learnAt(places, found);
    };
    const { program } = this.regions;
    // Over the integers they say most about ways that were not looked at; over bit-vectors they take long.
    const first =
      (await between(integers(program))) ??
      this.learnAt(places, pulledBack(this.regions, way)) ??
      (await between(bitVectors(program)));
    if (first === null) return false;
    this.cutOff(first);
    return true;
  }

  /** The first place on the way where something is new. */
  private learnAt(places: readonly Arrival[], tests: readonly (readonly Expr[])[]): Arrival | null {
    const { pool } = this.regions.program;
    const learned = places.filter(({ at }, i) => {
      const here = this.predicates.get(at)!;
      const atoms = new Set(tests[i]!.flatMap((test) => [...atomsOf(pool, test)]));
      const fresh = [...atoms].filter((atom) => isUsable(atom) && !here.includes(atom)).slice(0, AT_ONCE);
      if (here.length + fresh.length > MOST_PREDICATES) return false;
      here.push(...fresh);
      return fresh.length > 0;
    });
    return learned[0] ?? null;
  }

  /** What lies behind an arrival is gone, and so is itself: the one before it is followed there anew. */
  private cutOff(root: Arrival): void {
    root.isGone = true;
    const gone = new Set([root]);
    const heads = new Set<number>();
    for (const all of this.arrivals.values())
      for (const arrival of all) if (arrivalsTo(arrival).includes(root)) gone.add(arrival);
    for (const arrival of gone) {
      arrival.isGone = true;
      heads.add(arrival.at);
    }
    for (const head of heads) {
      const left = this.arrivals.get(head)!.filter(({ isGone }) => !isGone);
      this.arrivals.set(head, left);
      for (const arrival of left)
        if (arrival.isCovered) {
          arrival.isCovered = false;
          this.waiting.push({ from: arrival, along: this.passages.get(head)! });
        }
    }
    this.waiting.unshift({ from: root.parent!, along: [root.by!] });
  }
}

/** From the start to this one. */
function arrivalsTo(last: Arrival): readonly Arrival[] {
  const found: Arrival[] = [];
  for (let arrival: Arrival | null = last; arrival !== null; arrival = arrival.parent) found.push(arrival);
  return found.reverse();
}

const isUsable = (atom: Expr): boolean =>
  !atom.hasLoad &&
  !atom.hasArray &&
  atom.symbols.every((symbol) => symbolNumber(symbol) < FRESH) &&
  sizeOfExpr(atom, MOST_PARTS) <= MOST_PARTS;

/** What has to hold for a way to be taken, over the values before it. Unknown values are others at each passage. */
function conditionsOf({ program: { pool } }: Regions, way: readonly Passage[]): Expr[] {
  const conditions: Expr[] = [];
  let values: ReadonlyMap<number, Expr> = new Map();
  way.forEach(({ guard, env }, i) => {
    const before = values;
    const now = (expr: Expr) =>
      replaceSymbols(pool, expr, (symbol) => {
        const number = symbolNumber(symbol);
        return number < FRESH
          ? before.get(number)
          : pool.symbol(number + (i + 1) * UNKNOWN_APART, symbol.width);
      });
    conditions.push(now(guard));
    values = new Map([...before, ...[...env].map(([cell, value]) => [cell, now(value)] as const)]);
  });
  return conditions;
}

/** More than one set of passages has unknown values. */
const UNKNOWN_APART = 2 ** 22;

/** For each head on the way, the conditions behind it as they read there. */
function pulledBack(regions: Regions, way: readonly Passage[]): readonly (readonly Expr[])[] {
  const { pool } = regions.program;
  const tests: Expr[][] = [];
  let behind: readonly Expr[] = [];
  for (let i = way.length - 1; i > 0; i--) {
    const passage = way[i]!;
    const atoms = new Set(behind.flatMap((test) => [...atomsOf(pool, valueAfter(regions, passage, test))]));
    for (const atom of atomsOf(pool, passage.guard)) atoms.add(atom);
    behind = [...atoms].filter(isUsable).slice(0, AT_ONCE);
    tests.unshift([...behind]);
  }
  return tests;
}
