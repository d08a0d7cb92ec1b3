// Proofs by decision diagrams as certificates.

import type { CertificateDocument } from '../../verdict/verdict.ts';
import type { SymbolicRecord } from '../symbolic/proof.ts';
import type { System } from '../system.ts';
import { documentOf, refusal } from './facts.ts';

export const SYMBOLIC_KIND = 'decision-diagrams';

export const symbolicDocument = (
  system: System,
  property: string,
  record: SymbolicRecord,
): CertificateDocument => documentOf(system, SYMBOLIC_KIND, property, record);

/** The certificate's proof, or a text that says why it is refused outright. */
export function readSymbolic(system: System, document: CertificateDocument): SymbolicRecord | string {
  const refused = refusal(system, document, SYMBOLIC_KIND);
  if (refused !== null) return refused;
  return isRecord(document) ? document : 'the certificate is malformed';
}

const isIndex = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;
const isIndices = (value: unknown): value is number[] => Array.isArray(value) && value.every(isIndex);

function isRecord(value: object): value is SymbolicRecord {
  const { plain, proofs } = value as Record<string, unknown>;
  return (
    (plain === null || isSets(plain)) &&
    Array.isArray(proofs) &&
    proofs.every((proof) => proof === null || isWatched(proof))
  );
}

function isSets(value: unknown): boolean {
  const { order, nodes, reached } = (value ?? {}) as Record<string, unknown>;
  return isIndices(order) && Array.isArray(nodes) && nodes.every(isIndices) && isIndex(reached);
}

function isWatched(value: unknown): boolean {
  const { steps } = (value ?? {}) as Record<string, unknown>;
  return isSets(value) && Array.isArray(steps) && steps.every(isStep);
}

function isStep(value: unknown): boolean {
  const { fair, followed, recurring, set } = (value ?? {}) as Record<string, unknown>;
  const kinds = [isIndex(fair), followed === true, recurring === true];
  return isIndex(set) && kinds.filter(Boolean).length === 1;
}
