// What the audit of a proof means for the verdict: a proof that does not pass it is not reported.

import type { Classes } from '../../kripke/audit/lump.ts';
import type { CertificateDocument, Note, PropertyResult } from '../../verdict/verdict.ts';
import type { AuditResult } from './audit.ts';
import type { ComponentProof } from './proof.ts';
import { CERTIFICATE_KIND } from './proof.ts';

export function certificateOf(
  property: string,
  components: readonly ComponentProof[],
  more: { readonly linear?: CertificateDocument; readonly classes?: Classes } = {},
): CertificateDocument {
  return {
    format: 'spillway-certificate',
    version: 1,
    property,
    kind: CERTIFICATE_KIND,
    components,
    ...more,
  };
}

type Proved = Pick<PropertyResult, 'verdict' | 'method' | 'reason' | 'reasonCode' | 'evidence' | 'notes'>;

export function provedIf(
  audit: AuditResult,
  certificate: CertificateDocument,
  notes: readonly Note[],
): Proved {
  const method = 'abstraction';
  switch (audit.kind) {
    case 'accepted':
      return { verdict: 'proved', method, evidence: { kind: 'certificate', certificate }, notes };
    case 'unfinished':
      return {
        verdict: 'unknown',
        method,
        reasonCode: 'unchecked-proof',
        reason: `the proof could not be checked a second time: ${audit.reason}`,
        notes,
      };
    case 'rejected':
      return {
        verdict: 'unknown',
        method,
        reasonCode: 'no-certificate',
        reason: `the proof does not pass its check (please report this): ${audit.reason}`,
        notes,
      };
  }
}
