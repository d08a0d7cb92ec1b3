// The linear proof as a certificate on disk, and back. The proof speaks of components, states and events by their numbers; names and
// sizes are written along, so that a certificate of another model is recognised. The audit itself trusts none of it.

import { BROKEN_SEAL, isIntact, sealed } from '../base/digest.ts';
import type { System } from '../kripke/system.ts';
import type { CertificateDocument } from '../verdict/verdict.ts';
import type { RowKey } from './encode.ts';
import type { LinearProof, ProofTree } from './proof.ts';
import { checkProof } from './proof.ts';

export const CERTIFICATE_KIND = 'deadlock-linear';

export function toDocument(system: System, proof: LinearProof): CertificateDocument {
  return sealed({
    format: 'spillway-certificate' as const,
    version: 1 as const,
    property: 'deadlock-free',
    kind: CERTIFICATE_KIND,
    components: system.components.map(({ name }) => name),
    events: system.events,
    states: system.components.map(({ stateNames }) => stateNames.length),
    blocks: proof.blocks,
    tree: treeOut(proof.tree),
  });
}

function treeOut(tree: ProofTree): unknown {
  switch (tree.kind) {
    case 'empty':
      return { kind: 'empty' };
    case 'farkas':
      return { kind: 'farkas', rows: tree.rows.map(([key, value]) => [...key, String(value)]) };
    case 'split':
      return { ...tree, inside: treeOut(tree.inside), outside: treeOut(tree.outside) };
  }
}

/** Checks the certificate against the system, in exact integers and without a solver; null: it proves deadlock-freedom. */
export function auditDeadlock(system: System, document: CertificateDocument): string | null {
  if (document.kind !== CERTIFICATE_KIND) return `not a certificate of kind ${CERTIFICATE_KIND}`;
  if (!isIntact(document)) return BROKEN_SEAL;
  const same = (key: string, expected: readonly unknown[]): boolean =>
    JSON.stringify(document[key]) === JSON.stringify(expected);
  if (
    !same(
      'components',
      system.components.map(({ name }) => name),
    ) ||
    !same('events', system.events) ||
    !same(
      'states',
      system.components.map(({ stateNames }) => stateNames.length),
    )
  )
    return 'the certificate is about another model';
  const blocks = document['blocks'];
  const tree = treeIn(document['tree'], 0);
  if (!isBlocks(blocks) || tree === null) return 'the certificate is malformed';
  return checkProof(system, { blocks, tree }) ? null : 'the certificate does not prove deadlock-freedom';
}

const isIndex = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;
const isIndices = (value: unknown): value is number[] => Array.isArray(value) && value.every(isIndex);
const isBlocks = (value: unknown): value is number[][] => Array.isArray(value) && value.every(isIndices);

const WIDTHS: Readonly<Record<RowKey[0], number>> = { flow: 2, start: 1, sync: 2, refusal: 1, mix: 3 };

function treeIn(value: unknown, depth: number): ProofTree | null {
  if (typeof value !== 'object' || value === null || depth > 1000) return null;
  const node = value as Readonly<Record<string, unknown>>;
  if (node['kind'] === 'empty') return { kind: 'empty' };
  if (node['kind'] === 'farkas') {
    const rows = Array.isArray(node['rows']) ? node['rows'].map(rowIn) : [null];
    return rows.includes(null) ? null : { kind: 'farkas', rows: rows as [RowKey, bigint][] };
  }
  const { component, states } = node;
  const inside = treeIn(node['inside'], depth + 1);
  const outside = treeIn(node['outside'], depth + 1);
  if (node['kind'] !== 'split' || !isIndex(component) || !isIndices(states) || !inside || !outside)
    return null;
  return { kind: 'split', component, states, inside, outside };
}

function rowIn(value: unknown): [RowKey, bigint] | null {
  if (!Array.isArray(value)) return null;
  const [kind, ...rest] = value as unknown[];
  const multiplier = rest.pop();
  if (typeof kind !== 'string' || !Object.hasOwn(WIDTHS, kind) || !isIndices(rest)) return null;
  if (rest.length !== WIDTHS[kind as RowKey[0]]) return null;
  if (typeof multiplier !== 'string' || !/^-?\d+$/.test(multiplier)) return null;
  return [[kind, ...rest] as unknown as RowKey, BigInt(multiplier)];
}
