// A saved certificate against the text of the program: everything is read and lowered anew.

import type { Budget } from '../base/budget.ts';
import type { Diagnostic } from '../source/diagnostic.ts';
import { hasErrors } from '../source/diagnostic.ts';
import type { FileSystem } from '../source/source.ts';
import type { AuditResult } from './audit/audit.ts';
import { auditProgram, auditTask, auditTermination } from './audit/audit.ts';
import { CONTRACTS_KIND, type ContractsProof, readContracts } from './audit/contracts.ts';
import { loadC } from './load-c.ts';
import { lowerWithContracts } from './lower/lower.ts';
import type { Program } from './program/program.ts';
import { ALL_C_PROPERTIES, askedOf, isErrorLocation, programFor } from './properties.ts';
import { loadSpec } from './spec/load.ts';
import { sharedVariable, sharingReason } from './spec/sharing.ts';
import { tasksOf } from './spec/tasks.ts';
import { TERMINATES } from './termination.ts';

export interface AuditRequest {
  readonly document: object;
  /** A .c or a .spec file. */
  readonly path: string;
  /** Further files of the same program. */
  readonly others?: readonly string[] | undefined;
  readonly files: FileSystem;
  readonly defines: readonly string[];
  readonly includes: readonly string[];
  readonly dataModel?: 'ILP32' | 'LP64' | undefined;
  readonly function?: string | undefined;
  readonly budget: Budget;
}

export type DocumentAudit =
  | { readonly kind: 'errors'; readonly diagnostics: readonly Diagnostic[] }
  | { readonly kind: 'audited'; readonly property: string; readonly result: AuditResult };

export async function auditDocument(request: AuditRequest): Promise<DocumentAudit> {
  const { property } = request.document as { readonly property?: unknown };
  if (typeof property !== 'string') return refused('', 'it does not say which property it proves');
  return request.path.endsWith('.spec') ? auditSpec(request, property) : auditFile(request, property);
}

/** Null where it is no proof by contracts; a text says what is wrong with one. */
const contractsIn = (document: object): ContractsProof | string | null =>
  (document as { readonly kind?: unknown }).kind === CONTRACTS_KIND ? readContracts(document) : null;

const refused = (property: string, reason: string): DocumentAudit => ({
  kind: 'audited',
  property,
  result: {
    kind: 'rejected',
    reason,
    stats: { obligations: 0, solverCalls: 0, configurations: 0 },
  },
});

async function auditFile(
  { document, path, others, files, defines, includes, dataModel, function: name, budget }: AuditRequest,
  property: string,
): Promise<DocumentAudit> {
  if (!ALL_C_PROPERTIES.includes(property)) return refused(property, 'a .c file has no such property');
  const read = await loadC({ path, others, files, defines, includes, dataModel, function: name });
  if (read.loaded === null) return { kind: 'errors', diagnostics: read.diagnostics };
  const loaded = askedOf(read.loaded, property);
  if (loaded === null) return refused(property, 'the program cannot be read for this property');
  if (loaded.program.threads !== undefined)
    return refused(property, 'a program with threads is searched, and a search leaves no certificate');
  const contracts = contractsIn(document);
  if (typeof contracts === 'string') return refused(property, contracts);
  const { units, entry, findsOverflows } = loaded;
  const written =
    contracts === null
      ? loaded.program
      : lowerWithContracts(units, entry, contracts.contracts, budget, {
          // Contracts say nothing about whether calls end: that is asked of a program that goes into them.
          calling: property === TERMINATES ? 'entered' : 'apart',
          mayUseAddresses: property === TERMINATES,
          findsOverflows,
        });
  if (written === null) return refused(property, 'no such program can be read with these contracts');
  const proof = contracts?.proof ?? document;
  const first = await auditReading(written, property, proof, budget);
  // It may be a proof of the other reading of the text.
  const other = first.kind === 'accepted' ? null : (written.otherReading?.() ?? null);
  const second = other === null ? null : await auditReading(other, property, proof, budget);
  return { kind: 'audited', property, result: second?.kind === 'accepted' ? second : first };
}

async function auditReading(
  written: Program,
  property: string,
  proof: object,
  budget: Budget,
): Promise<AuditResult> {
  const asked = programFor(property, written);
  if (property === TERMINATES) return auditTermination(asked, proof, budget);
  const isError = (location: number) => isErrorLocation(asked, location);
  return auditProgram(asked, isError, proof, budget);
}

async function auditSpec(request: AuditRequest, property: string): Promise<DocumentAudit> {
  const { loaded, diagnostics } = await loadSpec(request);
  if (loaded === null) return { kind: 'errors', diagnostics };
  const found: Diagnostic[] = [];
  const options = { properties: [property], monolithic: false, strategy: undefined };
  const [task] = tasksOf(options, loaded, found);
  if (task === undefined || hasErrors(found))
    return refused(property, 'the specification has no such property');
  const shared = sharedVariable(task.threads, loaded.threads);
  if (shared !== null) return refused(property, sharingReason(shared));
  return { kind: 'audited', property, result: await auditTask(task, request.document, request.budget) };
}
