// An answer that comes from elsewhere (a folder of remembered answers, another machine) is never believed: certificates are audited against
// the model as it is now, runs are taken again. What cannot be looked at again without the whole work (an exhausted search, an induction, a
// run against a formula) is `possible`: whether that is enough depends on who said it, and is the caller's to decide.

import type { Language, QueueBound, WorkRequest } from '../engine/language.ts';
import { missingBacking } from '../verdict/answer.ts';
import type { Run } from '../verdict/run.ts';
import type { ProofEvidence, PropertyResult, QueueResult } from '../verdict/verdict.ts';

export type SecondLook =
  | { readonly kind: 'sure' }
  /** Nothing speaks against it, but not all of it was looked at. */
  | { readonly kind: 'possible'; readonly reason: string }
  | { readonly kind: 'refused'; readonly reason: string };

const SURE: SecondLook = { kind: 'sure' };
const refused = (reason: string): SecondLook => ({ kind: 'refused', reason });
const possible = (reason: string): SecondLook => ({ kind: 'possible', reason });

/** `isTrusted`: who said it is believed where a look would take as long as the work. */
export async function lookAgain(
  language: Language<unknown>,
  result: PropertyResult,
  request: WorkRequest,
  isTrusted = false,
): Promise<SecondLook> {
  const missing = missingBacking(result);
  if (missing !== null) return refused(missing);
  switch (result.verdict) {
    case 'unknown':
      return hasSettledRows(result.queues) ? possible('bounds of an open model have no certificate') : SURE;
    case 'refuted':
      return refutation(language, result, result.evidence.run, request);
    case 'proved':
      return proof(language, result, result.evidence, request, isTrusted);
  }
}

const hasSettledRows = (queues: readonly QueueResult[] = []): boolean =>
  queues.some(({ verdict, exact }) => verdict !== 'unknown' || exact !== null);

async function refutation(
  language: Language<unknown>,
  { id, queues = [] }: PropertyResult,
  recorded: Run,
  request: WorkRequest,
): Promise<SecondLook> {
  if (language.replay === undefined) return possible('runs of this language are not taken again');
  const { model: again } = await language.replay(recorded, request);
  if (again === null) return refused('the run cannot be taken on this model');
  if (again.failedAt !== null) return refused(`step ${again.failedAt + 1} of the run is not possible`);
  if (again.refused !== undefined) return refused(again.refused);
  if (!isSameRun(again.run, recorded)) return refused('the model does something else in this run');
  if (language.shows?.(id, recorded) !== true)
    return possible('the run is possible; what it shows was not judged');
  const grown = new Set((recorded.growth ?? []).map(({ queue }) => queue));
  const unbacked = queues.some(({ name, verdict, exact }) =>
    verdict === 'refuted' ? !grown.has(name) : verdict === 'proved' || exact !== null,
  );
  return unbacked ? possible('the run says nothing about the other queues') : SURE;
}

const isSameRun = (run: Run, recorded: Run): boolean =>
  run.steps.length === recorded.steps.length &&
  run.steps.every((step, index) => step.text === recorded.steps[index]!.text);

async function proof(
  language: Language<unknown>,
  { id, queues = [] }: PropertyResult,
  evidence: ProofEvidence,
  request: WorkRequest,
  isTrusted: boolean,
): Promise<SecondLook> {
  const parts = evidence.kind === 'parts' ? evidence.parts.map((part) => part.evidence) : [evidence];
  const bounds = new Map<string, bigint>();
  let open: SecondLook | null = null;
  for (const part of parts) {
    if (part.kind !== 'certificate' && !(part.kind === 'induction' && part.certificate !== undefined)) {
      open = possible(
        part.kind === 'induction' ? 'an induction leaves no certificate' : 'a search leaves no certificate',
      );
      continue;
    }
    // To go through an induction again takes as long as the proof did.
    if (part.kind === 'induction' && isTrusted) {
      open = possible('the induction was not gone through again');
      continue;
    }
    const certificate = part.certificate!;
    if (certificate.property !== id) return refused(`the certificate is about ${certificate.property}`);
    if (language.audit === undefined) return refused('there are no certificates in this language');
    const audited = await language.audit(certificate, request);
    if (audited.kind === 'errors') return refused('the certificate does not fit the model');
    if (audited.kind === 'rejected') return refused(audited.reason);
    if (audited.kind === 'accepted') for (const one of audited.bounds ?? []) lower(bounds, one);
    else open = possible(audited.reason);
  }
  return open ?? rowsWithin(queues, bounds);
}

const lower = (bounds: Map<string, bigint>, { name, bound }: QueueBound): void => {
  const known = bounds.get(name);
  if (known === undefined || BigInt(bound) < known) bounds.set(name, BigInt(bound));
};

/** Does every row of the table rest on a bound that was audited? */
function rowsWithin(queues: readonly QueueResult[], bounds: ReadonlyMap<string, bigint>): SecondLook {
  for (const { name, bound, certifiedBound, exact, verdict } of queues) {
    const audited = bounds.get(name);
    if (verdict !== 'proved' || exact !== null) return possible(`not all is known of ${name}`);
    if (audited === undefined) return refused(`the certificate does not bound ${name}`);
    const claimed = [bound, certifiedBound].filter((one) => one !== null);
    if (claimed.some((one) => BigInt(one) < audited))
      return refused(
        `${name} is said to hold at most ${Math.min(...claimed)}; the certificate shows ${audited}`,
      );
  }
  return SURE;
}
