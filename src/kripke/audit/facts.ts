// What every certificate about structures says of its model, so that a certificate of another model is recognised. The audits trust none of it.

import { BROKEN_SEAL, isIntact, sealed } from '../../base/digest.ts';
import type { CertificateDocument } from '../../verdict/verdict.ts';
import { stateCount } from '../structure.ts';
import type { System } from '../system.ts';

const factsOf = ({ components, events }: System) => ({
  components: components.map(({ name }) => name),
  events,
  states: components.map(stateCount),
});

export const documentOf = (
  system: System,
  kind: string,
  property: string,
  content: object,
): CertificateDocument =>
  sealed({
    format: 'spillway-certificate' as const,
    version: 1 as const,
    property,
    kind,
    ...factsOf(system),
    ...content,
  });

/** Null when the certificate is of this kind and about this model; else why it is refused outright. */
export function refusal(system: System, document: CertificateDocument, kind: string): string | null {
  if (document.kind !== kind) return `not a certificate of kind ${kind}`;
  if (!isIntact(document)) return BROKEN_SEAL;
  for (const [key, value] of Object.entries(factsOf(system)))
    if (JSON.stringify(document[key]) !== JSON.stringify(value))
      return 'the certificate is about another model';
  return null;
}
