// Answers and runs that come from outside (a file, a folder of remembered answers, another machine) may have any shape. Whoever reads one
// asks here first: what passes can be looked at, judged and shown without a fault. What it says is not believed by that.

import {
  isObject,
  isText,
  isTruth,
  isWhole,
  list,
  oneOf,
  optional,
  orNull,
  record,
  type Test,
  variant,
} from '../base/shape.ts';
import type { Extent, PlacedDiagnostic } from '../source/diagnostic.ts';
import type { Position } from '../source/source.ts';
import { CHECKERS, missingBacking } from './answer.ts';
import type { Blockage, BlockedProcess, Helper, Wait } from './blocked.ts';
import { REASONS } from './reasons.ts';
import type { Change, Event, Run, Step } from './run.ts';
import type {
  CertificateDocument,
  CycleDescription,
  ExplainedPotential,
  Note,
  ProofExplanation,
  PropertyResult,
  QueueResult,
  Reproduction,
  Stats,
} from './verdict.ts';

export const isPosition = record<Position>({ file: isText, line: isWhole, column: isWhole });
const isExtent = record<Extent>({
  file: isText,
  line: isWhole,
  column: isWhole,
  endLine: isWhole,
  endColumn: isWhole,
  excerpt: isText,
});
const isPlace = orNull(isPosition);

type Kind<Union, K extends string> = Extract<Union, { readonly kind: K }>;

const isEvent = variant('kind', {
  send: record<Kind<Event, 'send'>>({
    kind: isText,
    queue: isText,
    message: isText,
    position: optional(isWhole),
  }),
  receive: record<Kind<Event, 'receive'>>({
    kind: isText,
    queue: isText,
    message: isText,
    position: optional(isWhole),
    copy: optional(isTruth),
  }),
  rendezvous: record<Kind<Event, 'rendezvous'>>({ kind: isText, queue: isText, message: isText }),
  event: record<Kind<Event, 'event'>>({ kind: isText, name: isText }),
  start: record<Kind<Event, 'start'>>({ kind: isText, actor: isWhole }),
  end: record<Kind<Event, 'end'>>({ kind: isText }),
  print: record<Kind<Event, 'print'>>({ kind: isText, text: isText }),
} satisfies Record<Event['kind'], Test>);

const isChange = record<Change>({ name: isText, value: isText });

const isStep = record<Step>({
  actors: list(isWhole),
  text: isText,
  at: isPlace,
  partnerAt: optional(isPosition),
  events: list(isEvent),
  changes: list(isChange),
  choice: list(isWhole),
});

const isBlockage = record<Blockage>({
  processes: list(
    record<BlockedProcess>({
      process: isText,
      at: isPlace,
      statement: isText,
      waitsFor: list(
        record<Wait>({
          statement: isText,
          at: isPlace,
          kind: isText,
          text: isText,
          queue: optional(isText),
          helpers: list(record<Helper>({ process: isText, text: isText })),
        }),
      ),
    }),
  ),
  circularWait: orNull(list(isText)),
});

const hasRunFields = record<Run>({
  title: isText,
  actors: list(isText),
  queues: list(record<Run['queues'][number]>({ name: isText, capacity: orNull(isWhole) })),
  initial: list(isChange),
  steps: list(isStep),
  loopStart: orNull(isWhole),
  growth: optional(list(record<{ queue: string; perRound: number }>({ queue: isText, perRound: isWhole }))),
  blocked: optional(isBlockage),
});

export function isRun(value: unknown): value is Run {
  if (!hasRunFields(value)) return false;
  const { actors, steps, loopStart } = value as Run;
  const isActor = (one: number): boolean => one >= 0 && one < actors.length;
  return (
    (loopStart === null || (loopStart >= 0 && loopStart <= steps.length)) &&
    steps.every(
      (step) =>
        step.actors.every(isActor) &&
        step.events.every((event) => event.kind !== 'start' || isActor(event.actor)),
    )
  );
}

const isVerdict = oneOf(['proved', 'refuted', 'unknown']);

const isQueue = record<QueueResult>({
  name: isText,
  verdict: isVerdict,
  bound: orNull(isWhole),
  certifiedBound: orNull(isWhole),
  exact: orNull(isWhole),
  declared: isWhole,
  fits: orNull(isTruth),
  at: optional(isPosition),
});

const isCertificate = record<Pick<CertificateDocument, 'property' | 'kind'>>({
  property: isText,
  kind: isText,
});

const PROOFS = {
  certificate: record<{ certificate: unknown }>({ certificate: isCertificate }),
  exhaustion: record<{ states: number; transitions: number }>({ states: isWhole, transitions: isWhole }),
  induction: record<{ steps: number; details: unknown; certificate: unknown }>({
    steps: isWhole,
    details: isObject,
    certificate: optional(isCertificate),
  }),
};

const isCycle = record<CycleDescription>({
  process: isText,
  steps: list(record<CycleDescription['steps'][number]>({ text: isText, at: isPosition })),
  effect: list(record<CycleDescription['effect'][number]>({ queue: isText, change: isWhole })),
  times: isWhole,
  why: optional(isText),
});

const isEvidence = variant('kind', {
  ...PROOFS,
  parts: record<{ parts: unknown }>({
    parts: list(
      record<{ queues: unknown; method: unknown; evidence: unknown }>({
        queues: list(isText),
        method: isText,
        evidence: variant('kind', PROOFS),
      }),
    ),
  }),
  run: record<{ run: unknown; harness: unknown }>({ run: isRun, harness: optional(isText) }),
  'suspicious-cycles': record<{ cycles: unknown }>({ cycles: list(isCycle) }),
  path: record<{ path: unknown }>({ path: isRun }),
});

const isExplanation = record<ProofExplanation>({
  kind: isText,
  potentials: list(
    record<ExplainedPotential>({
      title: isText,
      queues: optional(list(isText)),
      start: isText,
      weights: list(
        record<ExplainedPotential['weights'][number]>({ kind: isText, name: isText, weight: isText }),
      ),
      steps: list(
        record<ExplainedPotential['steps'][number]>({
          process: isText,
          text: isText,
          at: isPlace,
          progress: isTruth,
          terms: isText,
          change: isText,
        }),
      ),
      omitted: isWhole,
    }),
  ),
});

const isNote = record<Note>({
  severity: oneOf(['warning', 'hint']),
  message: isText,
  at: optional(isPosition),
});

const isReproduction = record<Reproduction>({
  verb: oneOf(['check']),
  paths: list(isText),
  property: isText,
  options: list(isText),
});

const isStats: Test = (value) =>
  isObject(value) &&
  Object.values((value as Stats).milliseconds ?? {}).every((one) => typeof one === 'number');

const hasResultFields = record<PropertyResult & { checkedBy: unknown }>({
  id: isText,
  verdict: isVerdict,
  method: optional(isText),
  queues: optional(list(isQueue)),
  stats: isStats,
  proof: optional(isExplanation),
  notes: optional(list(isNote)),
  evidence: optional(isEvidence),
  reason: optional(isText),
  reasonCode: optional(oneOf(Object.keys(REASONS))),
  expected: optional(isVerdict),
  atWorst: optional(isVerdict),
  reproduce: isReproduction,
  checkedBy: optional(oneOf(Object.keys(CHECKERS))),
});

/** Everything a result must have, and what backs its verdict. */
export const isResult = (value: unknown): value is PropertyResult =>
  hasResultFields(value) && missingBacking(value as PropertyResult) === null;

export const isPlacedDiagnostic = record<PlacedDiagnostic>({
  code: isText,
  severity: oneOf(['error', 'warning', 'hint']),
  message: isText,
  at: orNull(isExtent),
  help: optional(isText),
  related: optional(list(record<{ at: Extent; message: string }>({ at: isExtent, message: isText }))),
}) as (value: unknown) => value is PlacedDiagnostic;
