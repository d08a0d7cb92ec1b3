// A certificate of deadlock-freedom or of a formula, checked again against the structures it is about.

import { auditDeadlock } from '../deadlock/document.ts';
import { auditLtl, CERTIFICATE_KIND as LTL_KIND } from '../kripke/audit/document.ts';
import { resolveFormula } from '../kripke/formulas.ts';
import { loadModel } from '../kripke/load.ts';
import type { KripkeModel } from '../kripke/model.ts';
import type { System } from '../kripke/system.ts';
import { compose } from '../kripke/system.ts';
import type { Diagnostic } from '../source/diagnostic.ts';
import { hasErrors } from '../source/diagnostic.ts';
import type { FileSystem } from '../source/source.ts';
import type { CertificateDocument } from '../verdict/verdict.ts';

export type KripkeAudit =
  | { readonly kind: 'accepted'; readonly property: string }
  | { readonly kind: 'rejected'; readonly reason: string }
  | { readonly kind: 'errors'; readonly diagnostics: readonly Diagnostic[] };

/** Several paths are one composed system, as for the check. */
export function auditKripke(
  document: object,
  paths: readonly string[],
  files: FileSystem,
  defines: readonly string[],
): KripkeAudit {
  const { model, diagnostics } = loadModel(paths, files, defines);
  if (model === null) return { kind: 'errors', diagnostics };
  const system = compose(model.components);
  const certificate = document as CertificateDocument;
  if (certificate.kind === LTL_KIND) return auditFormulaOf(model, system, certificate);
  const reason = auditDeadlock(system, certificate);
  return reason === null ? { kind: 'accepted', property: 'deadlock-free' } : { kind: 'rejected', reason };
}

function auditFormulaOf(model: KripkeModel, system: System, certificate: CertificateDocument): KripkeAudit {
  const property = String(certificate.property);
  const found: Diagnostic[] = [];
  const formula = property.startsWith('ltl:')
    ? resolveFormula(model, system, property.slice(4), found)
    : null;
  if (formula === null || hasErrors(found))
    return { kind: 'rejected', reason: 'the model has no such formula' };
  const audit = auditLtl(system, formula, certificate, () => true);
  if (typeof audit === 'string') return { kind: 'rejected', reason: audit };
  switch (audit.result) {
    case 'holds':
      return { kind: 'accepted', property };
    case 'violated':
      return { kind: 'rejected', reason: 'a path violates the formula' };
    case 'bad classes':
      return { kind: 'rejected', reason: 'the classes are not those of the structures' };
    case 'limit':
      return { kind: 'rejected', reason: 'the composition is too large to go through' };
  }
}
