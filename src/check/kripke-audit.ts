// A certificate of deadlock-freedom or of a formula, checked again against the structures it is about.

import { auditDeadlock } from '../deadlock/document.ts';
import type { Audited } from '../engine/language.ts';
import {
  auditComposedDeadlock,
  auditComposedFormula,
  COMPOSITION_KIND,
  readComposition,
} from '../kripke/audit/composition-document.ts';
import { auditDeadlockDocument, DEADLOCK_KIND } from '../kripke/audit/deadlock.ts';
import { auditLtl, CERTIFICATE_KIND as LTL_KIND } from '../kripke/audit/document.ts';
import {
  auditReducedDeadlock,
  auditReducedFormula,
  REDUCED_KIND,
  refusalOfReduced,
} from '../kripke/audit/stubborn.ts';
import { auditSymbolicDeadlock, auditSymbolicFormula } from '../kripke/audit/symbolic.ts';
import { readSymbolic, SYMBOLIC_KIND } from '../kripke/audit/symbolic-document.ts';
import { resolveFormula } from '../kripke/formulas.ts';
import { loadModel } from '../kripke/load.ts';
import type { KripkeModel } from '../kripke/model.ts';
import type { System } from '../kripke/system.ts';
import { compose } from '../kripke/system.ts';
import type { Syntax } from '../ltl/syntax.ts';
import type { Diagnostic } from '../source/diagnostic.ts';
import { hasErrors } from '../source/diagnostic.ts';
import type { FileSystem } from '../source/source.ts';
import type { CertificateDocument } from '../verdict/verdict.ts';

/** Several paths are one composed system, as for the check. */
export function auditKripke(
  certificate: CertificateDocument,
  paths: readonly string[],
  files: FileSystem,
  defines: readonly string[],
): Audited {
  const { model, diagnostics } = loadModel(paths, files, defines);
  if (model === null) return { kind: 'errors', diagnostics };
  const system = compose(model.components);
  if (certificate.kind === LTL_KIND) return auditFormulaOf(model, system, certificate);
  if (certificate.kind === COMPOSITION_KIND) return auditCompositionOf(model, system, certificate);
  if (certificate.kind === SYMBOLIC_KIND) return auditSetsOf(model, system, certificate);
  if (certificate.kind === REDUCED_KIND) return auditReducedOf(model, system, certificate);
  if (certificate.kind === DEADLOCK_KIND) return auditWholeDeadlock(system, certificate);
  const reason = auditDeadlock(system, certificate);
  return reason === null ? accepted('deadlock-free') : { kind: 'rejected', reason };
}

function auditFormulaOf(model: KripkeModel, system: System, certificate: CertificateDocument): Audited {
  const formula = formulaOf(model, system, certificate);
  if (formula === null) return { kind: 'rejected', reason: 'the model has no such formula' };
  const audit = auditLtl(system, formula, certificate, () => true);
  return typeof audit === 'string'
    ? { kind: 'rejected', reason: audit }
    : outcome(audit.result, certificate.property);
}

function auditCompositionOf(model: KripkeModel, system: System, certificate: CertificateDocument): Audited {
  const record = readComposition(system, certificate);
  if (typeof record === 'string') return { kind: 'rejected', reason: record };
  const { property } = certificate;
  if (property === 'deadlock-free')
    return outcome(
      auditComposedDeadlock(system.components, record, () => true),
      property,
    );
  const formula = formulaOf(model, system, certificate);
  if (formula === null) return { kind: 'rejected', reason: 'the model has no such formula' };
  return outcome(
    auditComposedFormula(system, formula, record, () => true),
    property,
  );
}

function auditSetsOf(model: KripkeModel, system: System, certificate: CertificateDocument): Audited {
  const record = readSymbolic(system, certificate);
  if (typeof record === 'string') return { kind: 'rejected', reason: record };
  const { property } = certificate;
  const always = (): boolean => true;
  if (property === 'deadlock-free') return outcome(auditSymbolicDeadlock(system, record, always), property);
  const formula = formulaOf(model, system, certificate);
  if (formula === null) return { kind: 'rejected', reason: 'the model has no such formula' };
  return outcome(auditSymbolicFormula(system, formula, record, always), property);
}

function auditReducedOf(model: KripkeModel, system: System, certificate: CertificateDocument): Audited {
  const reason = refusalOfReduced(system, certificate);
  if (reason !== null) return { kind: 'rejected', reason };
  const { property } = certificate;
  const always = (): boolean => true;
  if (property === 'deadlock-free') return outcome(auditReducedDeadlock(system.components, always), property);
  const formula = formulaOf(model, system, certificate);
  if (formula === null) return { kind: 'rejected', reason: 'the model has no such formula' };
  return outcome(auditReducedFormula(system, formula, always), property);
}

function auditWholeDeadlock(system: System, certificate: CertificateDocument): Audited {
  const result = auditDeadlockDocument(system, certificate, () => true);
  if (result === 'bad classes' || result === 'limit') return outcome(result, 'deadlock-free');
  if (result === 'free') return accepted('deadlock-free');
  return { kind: 'rejected', reason: result === 'deadlock' ? 'the proof leaves a deadlock open' : result };
}

function formulaOf(model: KripkeModel, system: System, { property }: CertificateDocument): Syntax | null {
  const found: Diagnostic[] = [];
  const name = String(property);
  const formula = name.startsWith('ltl:') ? resolveFormula(model, system, name.slice(4), found) : null;
  return hasErrors(found) ? null : formula;
}

const accepted = (property: string): Audited => ({
  kind: 'accepted',
  says: [
    property === 'deadlock-free'
      ? 'the composition has no deadlock'
      : `${property} holds on every infinite path`,
  ],
});

function outcome(
  result: 'holds' | 'violated' | 'limit' | 'bad classes' | 'bad sets',
  property: string,
): Audited {
  switch (result) {
    case 'holds':
      return accepted(property);
    case 'violated':
      return { kind: 'rejected', reason: 'a path violates the property' };
    case 'bad classes':
      return { kind: 'rejected', reason: 'the classes are not those of the structures' };
    case 'bad sets':
      return { kind: 'rejected', reason: 'the sets do not follow from each other' };
    case 'limit':
      return { kind: 'rejected', reason: 'the composition is too large to go through' };
  }
}
