// A proof of a formula as a certificate: the classes of states that are enough, or nothing where the composition itself is gone through. Names and sizes
// are written along, so that a certificate of another model is recognised; the audit trusts none of it.

import type { Syntax } from '../../ltl/syntax.ts';
import type { CertificateDocument } from '../../verdict/verdict.ts';
import { stateCount } from '../structure.ts';
import type { System } from '../system.ts';
import type { FormulaAudit } from './formula.ts';
import { auditFormula } from './formula.ts';
import type { Classes } from './lump.ts';
import { isClasses } from './lump.ts';

export const CERTIFICATE_KIND = 'ltl-classes';

export function toDocument(system: System, property: string, classes: Classes | null): CertificateDocument {
  return {
    format: 'spillway-certificate',
    version: 1,
    property,
    kind: CERTIFICATE_KIND,
    ...facts(system),
    ...(classes === null ? {} : { classes }),
  };
}

const facts = ({ components, events }: System) => ({
  components: components.map(({ name }) => name),
  events,
  states: components.map(stateCount),
});

/** A text says why it is refused outright. */
export function auditLtl(
  system: System,
  formula: Syntax,
  document: CertificateDocument,
  timeLeft: () => boolean,
): FormulaAudit | string {
  if (document.kind !== CERTIFICATE_KIND) return `not a certificate of kind ${CERTIFICATE_KIND}`;
  for (const [key, value] of Object.entries(facts(system)))
    if (JSON.stringify(document[key]) !== JSON.stringify(value))
      return 'the certificate is about another model';
  const classes = document['classes'];
  if (classes !== undefined && !isClasses(classes)) return 'the certificate is malformed';
  return auditFormula(system.components, formula, classes ?? null, timeLeft);
}
