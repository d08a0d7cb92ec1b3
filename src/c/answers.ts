// From what the search found to what is reported: proofs that pass the audit, runs with a harness that repeats them, reasons, and the control flow as a
// picture.

import { type Answer, refuted, unknown } from '../verdict/answer.ts';
import type { ReasonCode } from '../verdict/reasons.ts';
import type { ControlGraph, Stats } from '../verdict/verdict.ts';
import { auditProgram } from './audit/audit.ts';
import { certificateOf, invariantsCertificate, provedIf, unrollingCertificate } from './audit/verdict.ts';
import type { CRequest } from './load-c.ts';
import type { Edge, Program } from './program/program.ts';
import { isErrorLocation } from './properties.ts';
import type { ReachResult } from './reach/cegar.ts';
import { writeComponent } from './reach/write.ts';
import { controlGraphOf } from './report/graph.ts';
import { harness } from './report/harness.ts';
import { notesOf, pathEvidence } from './report/notes.ts';
import { runOfReach } from './report/run.ts';
import type { Unit } from './syntax/parse.ts';

/** Whose steps they are, for people. */
export const actorOf = ({ function: name = 'main' }: CRequest): string => name;

/** A picture of so many locations is made even when the time is over. */
const MOST_DRAWN_LATE = 2000;

export function pictureOf(program: Program, path: readonly Edge[], request: CRequest): ControlGraph | null {
  if (program.locations.length > MOST_DRAWN_LATE && !request.budget.timeLeft()) return null;
  return controlGraphOf(actorOf(request), program, new Set(path.map(({ id }) => id)));
}

export const takenEdges = (result: ReachResult): readonly Edge[] =>
  result.kind === 'reachable' ? result.run.edges : result.kind === 'unknown' ? result.path : [];

const REASON_CODES: Readonly<Record<Extract<ReachResult, { kind: 'unknown' }>['code'], ReasonCode>> = {
  'no-progress': 'no-predicate',
  'time-limit': 'time-limit',
  'not-modelled': 'unsupported-construct',
  'solver-limit': 'solver-inconclusive',
};

const statsOf = (program: Program, result: ReachResult, more: Stats): Stats => ({
  ...result.stats,
  locations: program.locations.length,
  edges: program.edges.length,
  ...more,
});

/** No proof is reported that does not pass the audit. */
export async function checkedProof(
  request: CRequest,
  property: string,
  program: Program,
  result: Extract<ReachResult, { kind: 'unreachable' }>,
  check: number,
): Promise<Answer> {
  const { observer, budget } = request;
  observer.stage('audit');
  const begin = observer.now();
  const { proof } = result;
  const certificate =
    'places' in proof
      ? unrollingCertificate(property, proof)
      : 'invariants' in proof
        ? invariantsCertificate(property, proof)
        : certificateOf(property, [writeComponent('main', program, proof, () => [])]);
  const isError = (location: number) => isErrorLocation(program, location);
  const audit = result.audit ?? (await auditProgram(program, isError, certificate, budget));
  const milliseconds = { check, audit: observer.now() - begin };
  const stats = statsOf(program, result, { audit: { ...audit.stats }, milliseconds });
  return provedIf(audit, certificate, { stats, notes: notesOf(program) });
}

export function answerOf(
  request: CRequest,
  property: string,
  unit: Unit | null,
  program: Program,
  result: Exclude<ReachResult, { kind: 'unreachable' }>,
  milliseconds: Record<string, number>,
): Answer {
  const beside = { stats: statsOf(program, result, { milliseconds }), notes: notesOf(program) };
  if (result.kind === 'unknown')
    return unknown(REASON_CODES[result.code], result.reason, {
      ...beside,
      evidence: pathEvidence(result.path, actorOf(request)),
    });
  const end = program.locations[result.run.edges.at(-1)?.to ?? program.entry]!;
  const title = end.kind === 'error' ? end.why : `the label ${end.labels.join(', ')} is reached`;
  const errorLabels = program.locations
    .filter(({ labels }) => labels.includes('ERROR'))
    .map(({ span }) => span);
  const run = runOfReach(program, result.run, actorOf(request), title);
  return refuted(run, {
    ...beside,
    harness:
      unit === null
        ? undefined
        : harness({
            unit,
            inputs: result.run.inputs.map((input) => ({
              ...input,
              span: result.run.edges[input.step]?.span ?? null,
            })),
            entry: actorOf(request),
            errorLabels,
            property,
            title: `${title}: ${request.path}`,
            defines: request.defines,
          }),
  });
}
