// A proof of a formula as a certificate: the classes of states that are enough, or nothing where the composition itself is gone through.

import type { Syntax } from '../../ltl/syntax.ts';
import type { CertificateDocument } from '../../verdict/verdict.ts';
import type { System } from '../system.ts';
import { documentOf, refusal } from './facts.ts';
import type { FormulaAudit } from './formula.ts';
import { auditFormula } from './formula.ts';
import type { Classes } from './lump.ts';
import { isClasses } from './lump.ts';

export const CERTIFICATE_KIND = 'ltl-classes';

export const toDocument = (system: System, property: string, classes: Classes | null): CertificateDocument =>
  documentOf(system, CERTIFICATE_KIND, property, classes === null ? {} : { classes });

/** A text says why it is refused outright. */
export function auditLtl(
  system: System,
  formula: Syntax,
  document: CertificateDocument,
  timeLeft: () => boolean,
): FormulaAudit | string {
  const refused = refusal(system, document, CERTIFICATE_KIND);
  if (refused !== null) return refused;
  const classes = document['classes'];
  if (classes !== undefined && !isClasses(classes)) return 'the certificate is malformed';
  return auditFormula(system.components, formula, classes ?? null, timeLeft);
}
