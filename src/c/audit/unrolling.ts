// The second look at a program that was unrolled: its loops end after so many turns, whatever the inputs are. What is written is the order in which to go on from the
// heads of loops; whatever has arrived at a head by then is gone on from together. Each error on the way is impossible, and so is what is written
// to be, and what is left waiting in the end; so every run has been followed to where it ends.

import { type Budget, watchOf } from '../../base/budget.ts';
import { BROKEN_SEAL, isIntact } from '../../base/digest.ts';
import { Solver } from '../../smt/solver.ts';
import { usesFloats } from '../program/expressions.ts';
import type { Program } from '../program/program.ts';
import type { AuditResult, AuditStats } from './audit.ts';
import { type Formula, Formulas } from './formula.ts';
import { Obligations } from './obligations.ts';
import { isIndex, isListOf } from './proof.ts';
import { type Arrival, RegionReader } from './region.ts';

export const UNROLLING_KIND = 'c-unrolling';

/** What is written: heads of loops, one after the other, and for each whether it is left (0), or nothing can arrive there (1). */
export interface UnrollingProof {
  readonly turns: readonly (readonly [location: number, isImpossible: 0 | 1])[];
}

export async function lookAtUnrolling(
  program: Program,
  isError: (location: number) => boolean,
  document: unknown,
  budget: Budget,
  stats: AuditStats,
): Promise<AuditResult> {
  const rejected = (reason: string): AuditResult => ({ kind: 'rejected', reason, stats });
  if (!isIntact(document as object)) return rejected(BROKEN_SEAL);
  const { turns } = document as Record<string, unknown>;
  const isTurn = (turn: unknown): boolean =>
    Array.isArray(turn) &&
    turn.length === 2 &&
    isIndex(turn[0], program.locations.length) &&
    isIndex(turn[1], 2);
  if (!isListOf(turns, isTurn)) return rejected('it is a certificate of something else');
  const unrolled = new Unrolled(program, isError, new Formulas(watchOf(budget)));
  const wrong = unrolled.follow(turns as UnrollingProof['turns']);
  if (wrong !== null) return rejected(wrong);
  stats.obligations += unrolled.obligations.stated;
  stats.solverCalls += unrolled.obligations.asked;
  const logic = usesFloats(program) ? 'QF_FPBV' : 'QF_BV';
  const solver = new Solver({ timeout: 120_000, logic, remaining: budget.remaining });
  try {
    const trouble = await unrolled.obligations.settle(solver, budget);
    return trouble === null ? { kind: 'accepted', stats } : { ...trouble, stats };
  } finally {
    solver.dispose();
  }
}

class Unrolled {
  readonly obligations: Obligations;
  private readonly program: Program;
  private readonly isError: (location: number) => boolean;
  private readonly formulas: Formulas;
  private readonly waiting = new Map<number, Arrival[]>();
  /** When an error is reached, by its location. */
  private readonly errors = new Map<number, Formula>();

  constructor(program: Program, isError: (location: number) => boolean, formulas: Formulas) {
    this.program = program;
    this.isError = isError;
    this.formulas = formulas;
    this.obligations = new Obligations(formulas);
  }

  /** A text says what is wrong. */
  follow(turns: UnrollingProof['turns']): string | null {
    const { program, formulas, obligations } = this;
    const heads = new Set(turns.map(([location]) => location));
    for (const head of heads)
      if (program.locations[head]!.kind !== 'inner' || this.isBad(head))
        return `location ${head} is no place to go on from`;
    const reader = new RegionReader(
      program,
      formulas,
      (location) => heads.has(location) || this.isBad(location),
    );
    const initial = new Map<number, Formula>();
    for (const [cell, { value, width }] of program.initial)
      initial.set(cell, formulas.constant(value, width));
    const { entry } = program;
    let wrong =
      heads.has(entry) || this.isBad(entry)
        ? this.arrive([{ at: entry, when: formulas.true, values: initial }], formulas.true)
        : this.arrive(reader.from(entry, initial), formulas.true);
    for (const [head, isImpossible] of turns) {
      const arrivals = this.waiting.get(head);
      if (wrong !== null || arrivals === undefined) continue;
      this.waiting.delete(head);
      const { when, values } = reader.joined(arrivals);
      if (isImpossible === 0) wrong = this.arrive(reader.from(head, values), when);
      else obligations.impossible([when], () => `location ${head} can be reached once more`);
    }
    for (const [head, arrivals] of this.waiting)
      for (const { when } of arrivals)
        obligations.impossible([when], () => `it is not said how it goes on from location ${head}`);
    for (const [at, when] of this.errors)
      obligations.impossible([when], () => `an error can be reached (location ${at})`);
    return wrong;
  }

  private isBad(location: number): boolean {
    return this.isError(location) || this.program.locations[location]!.kind === 'cut';
  }

  private arrive(arrivals: readonly Arrival[] | string, before: Formula): string | null {
    if (typeof arrivals === 'string') return arrivals;
    const { formulas } = this;
    for (const { at, when: after, values } of arrivals) {
      const when = formulas.apply('conj', 0, [before, after]);
      if (this.isBad(at))
        this.errors.set(at, formulas.apply('disj', 0, [this.errors.get(at) ?? formulas.false, when]));
      else if (this.program.locations[at]!.kind === 'inner' && when !== formulas.false)
        this.waiting.set(at, [...(this.waiting.get(at) ?? []), { at, when, values }]);
    }
    return null;
  }
}
