// The second look at invariants (Floyd's method, with anchors at the heads of loops): what is written at an anchor holds when it is first arrived at, and
// whenever it is arrived at from an anchor where what is written holds; and from none an error, or a way out of the model, is arrived at. Where
// measures are written, they become smaller on every way between anchors (ranks.ts). What is written may hold for any number `k`: to show it, k is a number that nobody knows;
// to use it, it is taken for that number and for some others (for-any.ts).

import type { Budget } from '../../base/budget.ts';
import { watchOf } from '../../base/budget.ts';
import { BROKEN_SEAL, isIntact } from '../../base/digest.ts';
import { Solver } from '../../smt/solver.ts';
import { usesFloats } from '../program/expressions.ts';
import type { Program } from '../program/program.ts';
import type { AuditResult, AuditStats } from './audit.ts';
import { startOf } from './execute.ts';
import { forSome } from './for-any.ts';
import type { Formula } from './formula.ts';
import { Formulas } from './formula.ts';
import { Obligations } from './obligations.ts';
import { isIndex, isListOf, readTest } from './proof.ts';
import { isSmaller, type RankProof, readRanks } from './ranks.ts';
import { type Arrival, RegionReader } from './region.ts';

export const INVARIANTS_KIND = 'c-invariants';

/** What is written: tests in prefix notation as in `proof.ts`, and at which locations which of them hold. */
export interface InvariantsProof {
  readonly cells: Readonly<Record<string, string>>;
  readonly tests: readonly string[];
  /** Location, and the numbers of the tests that hold there. */
  readonly invariants: readonly (readonly [location: number, tests: readonly number[]])[];
  /** Of a proof that every run ends. */
  readonly ranks?: readonly RankProof[];
}

type Trouble = { readonly kind: 'rejected' | 'unfinished'; readonly reason: string };
const rejected = (reason: string): Trouble => ({ kind: 'rejected', reason });

/** `ends`: it is to be shown that every run ends, too. */
export async function lookAtInvariants(
  program: Program,
  isError: (location: number) => boolean,
  document: unknown,
  budget: Budget,
  stats: AuditStats,
  ends = false,
): Promise<AuditResult> {
  const trouble = await troubleWith(program, isError, document, budget, stats, ends);
  return trouble === null ? { kind: 'accepted', stats } : { ...trouble, stats };
}

async function troubleWith(
  program: Program,
  isError: (location: number) => boolean,
  document: unknown,
  budget: Budget,
  stats: AuditStats,
  ends: boolean,
): Promise<Trouble | null> {
  if (!isIntact(document as object)) return rejected(BROKEN_SEAL);
  const formulas = new Formulas(watchOf(budget));
  const held = readInvariants(document, program, formulas);
  if (typeof held === 'string') return rejected(held);
  const ranks = ends ? readRanks(document, new Set(held.keys()), program, formulas) : null;
  if (typeof ranks === 'string') return rejected(ranks);
  const obligations = new Obligations(formulas);
  const isBad = (location: number) => isError(location) || program.locations[location]!.kind === 'cut';
  const reader = new RegionReader(program, formulas, (location) => held.has(location) || isBad(location));
  const check = (
    assumptions: readonly Formula[],
    arrivals: readonly Arrival[] | string,
    from: number | null = null,
  ): string | null => {
    if (typeof arrivals === 'string') return arrivals;
    for (const { at, when, values } of arrivals) {
      const then = (formula: Formula) =>
        formulas.substitute(formula, (variable) => values.get(Number(variable.value)) ?? variable);
      const suppose = (...more: readonly Formula[]) => [
        ...forSome(formulas, assumptions, [when, ...more]),
        when,
        ...more,
      ];
      if (isBad(at)) obligations.impossible(suppose(), () => `an error can be reached (location ${at})`);
      if (ranks !== null && from !== null && held.has(at)) {
        const smaller = isSmaller(formulas, ranks.get(from)!, ranks.get(at)!.map(then));
        obligations.impossible(
          suppose(formulas.not(smaller)),
          () => `from location ${from} to ${at} the measures do not become smaller`,
        );
      }
      const tests = (held.get(at) ?? []).map(then);
      if (tests.length === 0) continue;
      const all = tests.reduce((a, b) => formulas.apply('conj', 0, [a, b]));
      obligations.impossible(
        suppose(formulas.not(all)),
        () => `what is written at location ${at} does not stay true`,
      );
    }
    return null;
  };
  const initial = startOf(program, formulas);
  const { entry } = program;
  const begin =
    held.has(entry) || isBad(entry)
      ? [{ at: entry, when: formulas.true, values: initial }]
      : reader.from(entry, initial);
  let wrong = check([], begin);
  for (const [location, tests] of held) wrong ??= check(tests, reader.from(location, new Map()), location);
  if (wrong !== null) return rejected(wrong);
  stats.obligations += obligations.stated;
  stats.solverCalls += obligations.asked;
  const logic = usesFloats(program) ? 'QF_FPBV' : 'QF_BV';
  const solver = new Solver({ timeout: 120_000, logic, remaining: budget.remaining });
  try {
    return await obligations.settle(solver, budget);
  } finally {
    solver.dispose();
  }
}

/** By location; a text says what is wrong with the document. */
function readInvariants(
  document: unknown,
  program: Program,
  formulas: Formulas,
): Map<number, readonly Formula[]> | string {
  const { tests, invariants } = document as Record<string, unknown>;
  const count = Array.isArray(tests) ? tests.length : 0;
  const isGood =
    isListOf(tests, (test) => typeof test === 'string') &&
    isListOf(
      invariants,
      (item) =>
        Array.isArray(item) &&
        item.length === 2 &&
        isIndex(item[0], program.locations.length) &&
        isListOf(item[1], (test) => isIndex(test, count)),
    );
  if (!isGood) return 'it is a certificate of something else';
  const { tests: texts, invariants: written } = document as InvariantsProof;
  const read = texts.map((text) => readTest(text, program, formulas, true));
  const bad = read.indexOf(null);
  if (bad >= 0) return `the test '${texts[bad]}' is not understood`;
  const held = new Map<number, readonly Formula[]>();
  for (const [location, numbers] of written) {
    if (held.has(location)) return `location ${location} has two invariants`;
    if (program.locations[location]!.kind !== 'inner')
      return `location ${location} is no place to go on from`;
    held.set(
      location,
      numbers.map((number) => read[number]!),
    );
  }
  return held;
}
