// What the audit of a proof means for the verdict: a proof that does not pass it is not reported.

import { sealed } from '../../base/digest.ts';
import type { Classes } from '../../kripke/audit/lump.ts';
import { type Answer, proved, unknown } from '../../verdict/answer.ts';
import type { CertificateDocument, Method, Note, Stats } from '../../verdict/verdict.ts';
import type { AuditResult } from './audit.ts';
import { CONTRACTS_KIND } from './contracts.ts';
import { INVARIANTS_KIND, type InvariantsProof } from './invariants.ts';
import type { ComponentProof } from './proof.ts';
import { CERTIFICATE_KIND } from './proof.ts';
import { RUN_KIND, type RunProof } from './single-run.ts';
import { UNROLLING_KIND, type UnrollingProof } from './unrolling.ts';

export function certificateOf(
  property: string,
  components: readonly ComponentProof[],
  more: { readonly linear?: CertificateDocument; readonly classes?: Classes } = {},
): CertificateDocument {
  return sealed({
    format: 'spillway-certificate' as const,
    version: 1 as const,
    property,
    kind: CERTIFICATE_KIND,
    components,
    ...more,
  });
}

export const invariantsCertificate = (property: string, proof: InvariantsProof): CertificateDocument =>
  sealed({
    format: 'spillway-certificate' as const,
    version: 1 as const,
    property,
    kind: INVARIANTS_KIND,
    ...proof,
  });

export const runCertificate = (property: string, { steps, repeats }: RunProof): CertificateDocument =>
  sealed({
    format: 'spillway-certificate' as const,
    version: 1 as const,
    property,
    kind: RUN_KIND,
    steps,
    repeats,
  });

export const unrollingCertificate = (property: string, { places }: UnrollingProof): CertificateDocument =>
  sealed({
    format: 'spillway-certificate' as const,
    version: 1 as const,
    property,
    kind: UNROLLING_KIND,
    places,
  });

/** `proof`: the certificate of the program that is read with these contracts. */
export const contractsCertificate = (
  property: string,
  contracts: readonly object[],
  proof: CertificateDocument,
): CertificateDocument =>
  sealed({
    format: 'spillway-certificate' as const,
    version: 1 as const,
    property,
    kind: CONTRACTS_KIND,
    contracts,
    proof,
  });

const METHODS: Readonly<Record<string, Method>> = {
  [CONTRACTS_KIND]: 'induction',
  [INVARIANTS_KIND]: 'induction',
  [RUN_KIND]: 'exhaustive',
  [UNROLLING_KIND]: 'exhaustive',
};

export function provedIf(
  audit: AuditResult,
  certificate: CertificateDocument,
  beside: { readonly notes: readonly Note[]; readonly stats: Stats },
): Answer {
  const method = METHODS[certificate.kind] ?? 'abstraction';
  switch (audit.kind) {
    case 'accepted':
      return proved(method, { kind: 'certificate', certificate }, 'states and SMT', beside);
    case 'unfinished':
      return unknown('unchecked-proof', `the proof could not be checked a second time: ${audit.reason}`, {
        method,
        ...beside,
      });
    case 'rejected':
      return unknown(
        'no-certificate',
        `the proof does not pass its check (please report this): ${audit.reason}`,
        { method, ...beside },
      );
  }
}
