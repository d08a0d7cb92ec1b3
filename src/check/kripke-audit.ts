// A certificate of deadlock-freedom, checked again against the structures it is about.

import { auditDeadlock } from '../deadlock/document.ts';
import { loadModel } from '../kripke/load.ts';
import { compose } from '../kripke/system.ts';
import type { Diagnostic } from '../source/diagnostic.ts';
import type { FileSystem } from '../source/source.ts';
import type { CertificateDocument } from '../verdict/verdict.ts';

export type KripkeAudit =
  | { readonly kind: 'accepted' }
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
  const reason = auditDeadlock(compose(model.components), document as CertificateDocument);
  return reason === null ? { kind: 'accepted' } : { kind: 'rejected', reason };
}
