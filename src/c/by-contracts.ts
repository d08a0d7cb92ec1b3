// Programs with functions that call themselves as deep as inputs say: guesses at contracts, each of which is put into the program and proved there, and checked
// by the audit as any other proof.

import { fractionOf } from '../base/budget.ts';
import type { Answer } from '../verdict/answer.ts';
import { auditProgram } from './audit/audit.ts';
import { contractsCertificate, invariantsCertificate, provedIf } from './audit/verdict.ts';
import type { CRequest, LoadedC } from './check-c.ts';
import { lowerWithContracts, MAIN_ENTRY } from './lower/lower.ts';
import { isRecursionCut } from './lower/recursion.ts';
import type { Program } from './program/program.ts';
import { contractsOf } from './reach/contracts.ts';
import { proofByInvariants } from './reach/invariants.ts';
import { notesOf } from './report/notes.ts';

/** Of the time that is left, for guessing and for all of it. */
const SHARE = 0.35;
const SHARE_OF_GUESSES = 0.5;

export interface Asked {
  readonly property: string;
  /** The program whose errors are what the property excludes. */
  readonly programFor: (program: Program) => Program;
  readonly isError: (program: Program) => (location: number) => boolean;
}

/** A proof, or nothing. */
export async function byContracts(
  { units, program }: LoadedC,
  { property, programFor, isError }: Asked,
  { budget: whole, observer }: CRequest,
): Promise<Answer | null> {
  if (!program.locations.some(({ kind, why }) => kind === 'cut' && isRecursionCut(why))) return null;
  const begin = observer.now();
  const budget = fractionOf(whole, SHARE);
  const written = lowerWithContracts(units, MAIN_ENTRY, null, budget);
  if (written === null) return null;
  const open = programFor(written);
  for await (const contracts of contractsOf(open, isError(open), fractionOf(budget, SHARE_OF_GUESSES))) {
    const closed = lowerWithContracts(units, MAIN_ENTRY, contracts, budget);
    if (closed === null) continue;
    const looked = programFor(closed);
    const isBad = isError(looked);
    const isTarget = (location: number) => isBad(location) || looked.locations[location]!.kind === 'cut';
    const proof = await proofByInvariants(looked, isTarget, budget);
    if (proof === null) continue;
    const inner = invariantsCertificate(property, proof);
    const result = await auditProgram(looked, isBad, inner, budget);
    if (result.kind !== 'accepted') continue;
    const stats = {
      locations: looked.locations.length,
      edges: looked.edges.length,
      audit: { ...result.stats },
      milliseconds: { check: observer.now() - begin },
    };
    const certificate = contractsCertificate(property, contracts, inner);
    return provedIf(result, certificate, { stats, notes: notesOf(looked) });
  }
  return null;
}
