// Proofs by invariants at the heads of loops, for programs in large blocks: what is inductive of many simple guesses first; then, together with
// those, what lazy abstraction finds (lazy.ts); later what z3's solver for Horn clauses finds over the integers, at last over bit-vectors. Whatever
// comes out is written as a proof and goes through the audit.

import { type Budget, fractionOf, TimeOver, watchOf } from '../../base/budget.ts';
import type { InvariantsProof } from '../audit/invariants.ts';
import type { CellSet } from '../program/cell-set.ts';
import type { Expr } from '../program/expr.ts';
import type { Cell, Program } from '../program/program.ts';
import { equationsOf, statesMet } from './affine.ts';
import { arrayGuesses } from './array-guesses.ts';
import { unrefutedGuesses } from './array-states.ts';
import { candidatesAt, guardAtoms, laterCandidatesAt, numbersAt } from './candidates.ts';
import { guessesFrom } from './candidates-by-states.ts';
import { definitionsAt } from './definitions.ts';
import { hornInvariants } from './horn.ts';
import { bitVectors } from './horn-bits.ts';
import { integers } from './horn-integers.ts';
import { canHold, excludesTargets, type Invariants, inductivePart } from './houdini.ts';
import { byLazyAbstraction } from './lazy.ts';
import { liveCells } from './liveness.ts';
import { Oracle } from './oracle.ts';
import { type Regions, regionsOf } from './regions.ts';
import { unrefuted } from './unrefuted.ts';
import { writeInvariants } from './write.ts';

const MOST_MILLISECONDS = 60_000;

export class InvariantSearch {
  private readonly program: Program;
  private readonly live: readonly CellSet[];
  private readonly oracle: Oracle;
  private readonly regions: Regions | null;
  private guessed: Guessed | null = null;
  /** What was found to be inductive, though it did not exclude the targets. */
  private known: Invariants = new Map();

  constructor(
    program: Program,
    isTarget: (location: number) => boolean,
    live: readonly CellSet[],
    oracle: Oracle,
    budget: Budget,
  ) {
    this.program = program;
    this.live = live;
    this.oracle = oracle;
    this.regions = regionsOf(program, isTarget, budget);
  }

  /** From simple guesses. */
  async bySimpleGuesses(budget: Budget): Promise<InvariantsProof | null> {
    const { regions } = this;
    if (regions === null) return null;
    const guesses = this.guesses(regions);
    const proof = await this.inductive(regions, guesses.simple, fractionOf(budget, 0.5));
    if (proof !== null) return proof;
    const later = withLater(regions, guesses);
    const arrays = hasArrays(this.program);
    if (!arrays) return this.inductive(regions, later, budget);
    const held = await inductivePart(regions, later, this.oracle, fractionOf(budget, 0.3));
    if (held !== null && (await excludesTargets(regions, held, this.oracle)))
      return writeInvariants(this.program, held);
    if (held !== null) this.learn(held);
    return this.inductive(regions, await this.withArrays(regions, guesses, later, held), budget);
  }

  /** With what may hold of all elements of arrays. */
  private async withArrays(
    regions: Regions,
    { cells }: Guessed,
    others: Invariants,
    held: Invariants | null,
  ): Promise<Invariants> {
    const left = unrefutedGuesses(this.program, arrayGuesses(regions, this.live, cells));
    const all = new Map<number, readonly Expr[]>();
    for (const [head, tests] of others) {
      // Places that are always in the wrong order make guesses that say nothing.
      const isSome = new Map<Expr, boolean>();
      const guesses: Expr[] = [];
      for (const { isIn, whole } of left.get(head)!) {
        const sure = held?.get(head) ?? [];
        const known = isSome.get(isIn) ?? (await canHold(regions, [...sure, isIn], this.oracle));
        isSome.set(isIn, known);
        if (known) guesses.push(whole);
      }
      all.set(head, [...tests, ...guesses]);
    }
    return all;
  }

  /** From more guesses, and from what the solver for Horn clauses finds, with the simple guesses. */
  async byClauses(budget: Budget): Promise<InvariantsProof | null> {
    const { regions } = this;
    // Without loops there is nothing to find.
    if (regions === null || regions.heads.length === 0) return null;
    const rich = withStates(regions, this.guesses(regions));
    const guessed = await this.inductive(regions, rich, fractionOf(budget, 0.4));
    if (guessed !== null) return guessed;
    const limit = () => Math.min(MOST_MILLISECONDS, budget.remaining() * 0.5);
    // Of arrays, clauses over bit-vectors would have to know more than numbers.
    const kinds = hasArrays(this.program) ? [integers] : [integers, bitVectors];
    for (const numbers of kinds.map((kind) => kind(this.program))) {
      const found = await hornInvariants(regions, this.live, numbers, limit(), budget);
      if (found === null) continue;
      const { simple } = this.guesses(regions);
      const all = new Map(
        regions.heads.map((head) => [head, [...(found.get(head) ?? []), ...(simple.get(head) ?? [])]]),
      );
      const proof =
        (await this.inductive(regions, found, fractionOf(budget, 0.3))) ??
        (await this.inductive(regions, all, fractionOf(budget, 0.5)));
      if (proof !== null) return proof;
    }
    return null;
  }

  /** From predicates of single heads, with what is known to be inductive. */
  async lazily(budget: Budget): Promise<InvariantsProof | null> {
    const { regions } = this;
    if (regions === null || regions.heads.length === 0) return null;
    try {
      const found = await byLazyAbstraction(regions, this.live, this.known, this.oracle, budget);
      return found && writeInvariants(this.program, found);
    } catch (error) {
      // Formulas along a long way can be nested deeper than the call stack.
      if (error instanceof RangeError) return null;
      throw error;
    }
  }

  private async inductive(
    regions: Regions,
    guesses: Invariants,
    budget: Budget,
  ): Promise<InvariantsProof | null> {
    const held = await inductivePart(regions, guesses, this.oracle, budget);
    if (held === null) return null;
    if (await excludesTargets(regions, held, this.oracle)) return writeInvariants(this.program, held);
    this.learn(held);
    return null;
  }

  /** Two sets that are inductive are so together. */
  private learn(held: Invariants): void {
    const { known } = this;
    this.known = new Map(
      [...held].map(([head, tests]) => [head, [...new Set([...(known.get(head) ?? []), ...tests])]]),
    );
  }

  private guesses(regions: Regions): Guessed {
    this.guessed ??= simpleGuesses(regions, this.live);
    return this.guessed;
  }
}

export const hasArrays = ({ cells }: Program): boolean => cells.some(({ array }) => array !== undefined);

/** A proof for a program by itself; null when none is found. */
export async function proofByInvariants(
  program: Program,
  isTarget: (location: number) => boolean,
  budget: Budget,
): Promise<InvariantsProof | null> {
  const oracle = new Oracle(budget);
  try {
    return await program.pool.watched(watchOf(budget), async () => {
      const live = liveCells(program, []);
      const search = new InvariantSearch(program, isTarget, live, oracle, budget);
      return (
        (await search.bySimpleGuesses(fractionOf(budget, 0.5))) ??
        (await search.lazily(fractionOf(budget, 0.4))) ??
        (await search.byClauses(budget))
      );
    });
  } catch (error) {
    if (error instanceof TimeOver || error instanceof RangeError) return null;
    throw error;
  } finally {
    oracle.dispose();
  }
}

/** For each head its numbers, their values in some executions, and guesses. */
interface Guessed {
  readonly cells: ReadonlyMap<number, readonly Cell[]>;
  readonly met: ReadonlyMap<number, readonly bigint[][]>;
  readonly simple: Invariants;
}

function simpleGuesses(regions: Regions, live: readonly CellSet[]): Guessed {
  const { program, heads } = regions;
  const cells = new Map(heads.map((head) => [head, numbersAt(regions, live[head]!)] as const));
  const met = statesMet(program, cells);
  const definitions = definitionsAt(regions, live);
  const simple = new Map(
    [...cells].map(([head, here]) => {
      const states = met.get(head)!;
      return [
        head,
        [
          ...unrefuted([...candidatesAt(regions, here), ...definitions.get(head)!], here, states),
          ...equationsOf(program, here, states),
        ],
      ] as const;
    }),
  );
  return { cells, met, simple };
}

const withLater = (regions: Regions, { cells, met, simple }: Guessed): Invariants =>
  new Map(
    regions.heads.map((head) => {
      const here = cells.get(head)!;
      const later = unrefuted(laterCandidatesAt(regions, head, here), here, met.get(head)!);
      return [head, [...simple.get(head)!, ...later]] as const;
    }),
  );

/** With what the states themselves suggest. */
const withStates = (regions: Regions, guessed: Guessed): Invariants =>
  new Map(
    [...withLater(regions, guessed)].map(([head, guesses]) => {
      const states = guessed.met.get(head)!;
      const tests = guardAtoms(regions.passages);
      return [head, [...guesses, ...guessesFrom(regions.program, guessed.cells.get(head)!, states, tests)]];
    }),
  );

/** Everything that is worth guessing without a solver. */
export const allGuesses = (regions: Regions, live: readonly CellSet[]): Invariants =>
  withLater(regions, simpleGuesses(regions, live));
