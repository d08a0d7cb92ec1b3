// The second look at a program whose loops all end: its unrolled graph. What is written are places in an order, each with its location and, for each edge that
// leaves the location, the later place it leads to, or none. Each place is gone through once, with formulas for the values that all ways to it bring along; ways that lead
// nowhere, to an error or out of the model must be impossible. Since edges lead to later places only there is no loop, so every run is followed to its end.

import type { Budget } from '../../base/budget.ts';
import { watchOf } from '../../base/budget.ts';
import { BROKEN_SEAL, isIntact } from '../../base/digest.ts';
import { Solver } from '../../smt/solver.ts';
import { usesFloats } from '../program/expressions.ts';
import { outgoingEdges } from '../program/interpreter.ts';
import type { Edge, Program } from '../program/program.ts';
import type { AuditResult, AuditStats } from './audit.ts';
import { startOf } from './execute.ts';
import type { Formula } from './formula.ts';
import { Formulas } from './formula.ts';
import { Obligations } from './obligations.ts';
import { isIndex, isListOf } from './proof.ts';
import type { Arrival } from './region.ts';
import { Ways } from './region.ts';

export const UNROLLING_KIND = 'c-unrolling';

/** Location, and for each edge that leaves it the place where it leads, -1 where there is none. */
export interface UnrollingProof {
  readonly places: readonly (readonly number[])[];
}

type Trouble = { readonly kind: 'rejected' | 'unfinished'; readonly reason: string };
const rejected = (reason: string): Trouble => ({ kind: 'rejected', reason });

export async function lookAtUnrolling(
  program: Program,
  isError: (location: number) => boolean,
  document: unknown,
  budget: Budget,
  stats: AuditStats,
): Promise<AuditResult> {
  const trouble = await troubleWith(program, isError, document, budget, stats);
  return trouble === null ? { kind: 'accepted', stats } : { ...trouble, stats };
}

async function troubleWith(
  program: Program,
  isError: (location: number) => boolean,
  document: unknown,
  budget: Budget,
  stats: AuditStats,
): Promise<Trouble | null> {
  if (!isIntact(document as object)) return rejected(BROKEN_SEAL);
  if (program.threads !== undefined) return rejected('a program with threads takes turns');
  const outgoing = outgoingEdges(program);
  const wrong = wrongIn(document, program, outgoing);
  if (wrong !== null) return rejected(wrong);
  const reader = new Reader(
    program,
    isError,
    (document as UnrollingProof).places,
    new Formulas(watchOf(budget)),
  );
  const formulas = reader.impossible();
  const obligations = new Obligations(reader.formulas);
  obligations.impossible(formulas, () => 'a way that is said to be impossible can be taken');
  stats.obligations += reader.ends;
  stats.solverCalls += obligations.asked;
  const logic = usesFloats(program) ? 'QF_FPBV' : 'QF_BV';
  const timeout = Math.min(budget.remaining(), 2 ** 31 - 1);
  const solver = new Solver({ timeout, logic, remaining: budget.remaining });
  try {
    return await obligations.settle(solver, budget, timeout);
  } finally {
    solver.dispose();
  }
}

/** Is it a graph of this program at all? */
function wrongIn(document: unknown, program: Program, outgoing: readonly (readonly Edge[])[]): string | null {
  const { places } = document as Record<string, unknown>;
  const isPlace = (place: unknown): boolean =>
    isListOf(place, (number) => number === -1 || isIndex(number, 2 ** 31)) &&
    isIndex((place as readonly unknown[])[0], program.locations.length);
  if (!isListOf(places, isPlace)) return 'it is a certificate of something else';
  const all = places as UnrollingProof['places'];
  if (all[0]?.[0] !== program.entry) return 'it does not begin where the program does';
  for (const [i, [location, ...targets]] of all.entries()) {
    const edges = outgoing[location!]!;
    if (edges.length !== targets.length) return `place ${i} has other ways than its location`;
    for (const [k, target] of targets.entries()) {
      if (target === -1) continue;
      if (target <= i) return `place ${i} leads back`;
      if (all[target]?.[0] !== edges[k]!.to) return `place ${i} leads elsewhere`;
    }
  }
  return null;
}

class Reader {
  readonly formulas: Formulas;
  private readonly program: Program;
  private readonly isError: (location: number) => boolean;
  private readonly places: UnrollingProof['places'];
  private readonly ways: Ways;
  /** What names stand for: each is new, so that they exclude nothing. */
  private readonly definitions: Formula[] = [];
  /** Ways that must be impossible. */
  ends = 0;

  constructor(
    program: Program,
    isError: (location: number) => boolean,
    places: UnrollingProof['places'],
    formulas: Formulas,
  ) {
    this.program = program;
    this.isError = isError;
    this.places = places;
    this.formulas = formulas;
    this.ways = new Ways(program, formulas);
  }

  /** Formulas that must contradict each other. */
  impossible(): readonly Formula[] {
    const { formulas, program } = this;
    const waiting = new Map<number, Arrival[]>();
    const initial = startOf(program, formulas);
    waiting.set(0, [{ at: program.entry, when: formulas.true, values: initial }]);
    let bad: Formula[] = [];
    for (const [i, [location, ...targets]] of this.places.entries()) {
      const arrivals = waiting.get(i);
      waiting.delete(i);
      if (arrivals === undefined) continue;
      if (this.isBad(location!)) return [formulas.true];
      const here = this.named(this.ways.joined(arrivals), arrivals.length > 1);
      for (const [k, arrival] of this.ways.from(here)) {
        const target = targets[k]!;
        if (target >= 0) waiting.set(target, [...(waiting.get(target) ?? []), arrival]);
        else if (program.locations[arrival.at]!.kind === 'inner' || this.isBad(arrival.at)) {
          this.ends++;
          bad.push(arrival.when);
        }
      }
    }
    // In pairs, so that the formula is not as deep as the list is long.
    while (bad.length > 1)
      bad = Array.from({ length: Math.ceil(bad.length / 2) }, (_, i) =>
        bad[2 * i + 1] === undefined
          ? bad[2 * i]!
          : formulas.apply('disj', 0, [bad[2 * i]!, bad[2 * i + 1]!]),
      );
    return [...this.definitions, bad[0] ?? formulas.false];
  }

  private isBad(location: number): boolean {
    return this.isError(location) || this.program.locations[location]!.kind === 'cut';
  }

  /** Short names keep formulas flat, however long the way to a place is. */
  private named(arrival: Arrival, isJoin: boolean): Arrival {
    const values = new Map(arrival.values);
    // Arrays have none: what is read of them is a number.
    for (const [cell, value] of values)
      if (value.op !== 'const' && value.op !== 'variable' && value.width > 0)
        values.set(cell, this.name(value));
    const when = isJoin && arrival.when.op === 'disj' ? this.nameOfTest(arrival.when) : arrival.when;
    return { ...arrival, when, values };
  }

  private name(value: Formula): Formula {
    const name = this.ways.unknown(value.width);
    this.definitions.push(this.formulas.equal(name, value));
    return name;
  }

  private nameOfTest(test: Formula): Formula {
    const { formulas } = this;
    const one = formulas.constant(1n, 1);
    const bit = formulas.apply('ite', 1, [test, one, formulas.constant(0n, 1)]);
    return formulas.equal(this.name(bit), one);
  }
}
