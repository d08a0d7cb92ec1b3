// A proof about a protocol as JSON: the formula, one line for each disjunct, and for a goal the rank of each (liveness/ranks.ts). It is bound to the text
// of the machines, and sealed, so that a change of any part is noticed before anything else is looked at. The seal protects from accidents; what makes a
// wrong certificate fail is that every step is proved again (audit.ts).

import { sha256Hex } from '../../base/sha256.ts';
import type { CertificateDocument } from '../../verdict/verdict.ts';
import type { Disjunct, Model } from '../model.ts';
import { showAtoms } from '../report/print.ts';

const PROOF_KIND = 'invariant';

export interface ProofDocument extends CertificateDocument {
  readonly kind: typeof PROOF_KIND;
  /** Of the text of the machines. */
  readonly protocol: string;
  readonly formula: readonly string[];
  /** Only for goals. */
  readonly ranks?: readonly number[];
  readonly seal: string;
}

export function proofDocument(
  model: Model,
  property: string,
  invariant: readonly Disjunct[],
  ranks: readonly number[] | null,
): ProofDocument {
  const document = {
    format: 'spillway-certificate',
    version: 1,
    property,
    kind: PROOF_KIND,
    protocol: protocolDigest(model),
    formula: invariant.map((disjunct) => showAtoms(model.protocol, disjunct).join(', ')),
    ...(ranks === null ? {} : { ranks }),
  } as const;
  return { ...document, seal: sealOf(document) };
}

export const protocolDigest = ({ frame }: Model): string => sha256Hex(frame.replaceAll(/\s+/g, ' ').trim());

export function sealOf(document: object): string {
  const entries = Object.entries(document).filter(([key]) => key !== 'seal');
  return sha256Hex(JSON.stringify(entries.sort(([a], [b]) => (a < b ? -1 : 1))));
}

/** A sentence where the document is none of ours. */
export function readProof(model: Model, document: CertificateDocument): ProofDocument | string {
  const { format, version, property, kind, protocol, formula, ranks, seal, ...rest } = document as Partial<
    Record<string, unknown>
  >;
  if (format !== 'spillway-certificate' || version !== 1) return 'not a certificate of this version';
  if (kind !== PROOF_KIND || typeof property !== 'string') return `not a proof about a protocol`;
  if (Object.keys(rest).length > 0) return `unknown entries: ${Object.keys(rest).join(', ')}`;
  if (seal !== sealOf(document)) return 'the seal does not fit: the certificate was changed';
  if (protocol !== protocolDigest(model)) return 'it is about other machines';
  const lines = Array.isArray(formula) && formula.length > 0 && formula.every(isOneDisjunct);
  if (!lines) return 'the formula cannot be read';
  const wantsRanks = property !== 'safe';
  const fits =
    Array.isArray(ranks) &&
    ranks.length === formula.length &&
    ranks.every((rank) => Number.isInteger(rank) && rank >= 0 && rank <= formula.length);
  if (wantsRanks ? !fits : ranks !== undefined) return 'the ranks do not fit the formula';
  return document as ProofDocument;
}

/** Nothing but atoms: no end of statement, no brace that closes what it did not open, no comment. */
function isOneDisjunct(line: unknown): line is string {
  if (typeof line !== 'string' || /[;#[\]]|\/\/|\/\*|\n/.test(line)) return false;
  let depth = 0;
  for (const character of line) {
    if (character === '{') depth++;
    if (character === '}' && --depth < 0) return false;
  }
  return depth === 0;
}
