// Programs that nothing from outside decides have one run: it is executed, and the audit goes through it again with a machine of its own. Where the audit finds
// that something open decides after all, nothing is said, and the other analyses are asked.

import { fractionOf } from '../base/budget.ts';
import type { Answer } from '../verdict/answer.ts';
import type { AuditResult } from './audit/audit.ts';
import { provedIf, runCertificate } from './audit/verdict.ts';
import type { CRequest } from './load-c.ts';
import { singleRun } from './probe/single-run.ts';
import type { Confirmed } from './program/confirmed.ts';
import type { Program } from './program/program.ts';
import { notesOf } from './report/notes.ts';

/** Of the time that is left, for executing and for checking it. */
const SHARE = 0.15;

export interface Question {
  readonly program: Program;
  readonly property: string;
  readonly isError: (location: number) => boolean;
  readonly audit: (certificate: object, budget: CRequest['budget']) => Promise<AuditResult>;
}

/** A proof, or a run to an error, or nothing. */
export async function bySingleRun(
  { program, property, isError, audit }: Question,
  { budget, observer }: CRequest,
): Promise<{ readonly proof: Answer } | { readonly failing: Confirmed } | null> {
  const begin = observer.now();
  const single = singleRun(program, isError, fractionOf(budget, SHARE));
  if (single === null) return null;
  if (single.kind === 'error') return { failing: single.run };
  const check = observer.now() - begin;
  observer.stage('audit');
  const certificate = runCertificate(property, single);
  const result = await audit(certificate, fractionOf(budget, SHARE));
  observer.stage('check');
  if (result.kind !== 'accepted') return null;
  const stats = {
    locations: program.locations.length,
    edges: program.edges.length,
    audit: { ...result.stats },
    milliseconds: { check, audit: observer.now() - begin - check },
  };
  return { proof: provedIf(result, certificate, { stats, notes: notesOf(program) }) };
}
