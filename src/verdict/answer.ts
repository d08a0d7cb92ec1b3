// The answer to a question: a union by verdict, of which no member can be built without what backs it. `proved`, `refuted` and `unknown`
// are the only way to one (the phantom key BACKED keeps object literals out); `isBacked` asks the same of data from another thread or machine.

import type { ReasonCode } from './reasons.ts';
import { REASONS } from './reasons.ts';
import type { Run } from './run.ts';
import type {
  Method,
  Note,
  ProofEvidence,
  ProofExplanation,
  QueueResult,
  RunEvidence,
  Stats,
  Suspicion,
} from './verdict.ts';

declare const BACKED: unique symbol;

interface Common {
  /** Which method found it; the method that came furthest where nothing is settled. */
  readonly method?: Method;
  readonly queues?: readonly QueueResult[];
  readonly stats: Stats;
  /** The proof in words and numbers, when asked for. */
  readonly proof?: ProofExplanation;
  /** True but not the verdict: 'rests on a system that can deadlock', dependencies with nothing to depend on, … */
  readonly notes?: readonly Note[];
}

/** What looked at a proof before it was reported. */
export const CHECKERS = {
  integers: 'every inequality of the certificate was checked in exact integers, without a solver',
  'integers and SMT':
    'every inequality of the certificate was checked in exact integers; facts about contents of messages were decided again by an SMT solver',
  search: 'all states were explored',
  states: 'the states of the certificate were gone through by a second, separate checker',
  'states and SMT':
    'the states of the certificate were gone through by a second, separate checker, which asks an SMT solver about single formulas',
  induction: 'every step of the induction was decided exactly',
} as const;
export type Checker = keyof typeof CHECKERS;

export interface Proved extends Common {
  readonly [BACKED]: 'evidence that its checker accepted';
  readonly verdict: 'proved';
  readonly method: Method;
  readonly evidence: ProofEvidence;
  readonly checkedBy: Checker;
  readonly reason?: undefined;
  readonly reasonCode?: undefined;
}

export interface Refuted extends Common {
  readonly [BACKED]: 'a run that was replayed';
  readonly verdict: 'refuted';
  readonly method: Method;
  readonly evidence: RunEvidence;
  readonly reason?: undefined;
  readonly reasonCode?: undefined;
}

export interface Unknown extends Common {
  readonly [BACKED]: 'a reason';
  readonly verdict: 'unknown';
  /** Why, in one sentence. */
  readonly reason: string;
  /** A stable word for the kind of reason, for `spillway explain`: 'time-limit', 'embedded-c', … */
  readonly reasonCode: ReasonCode;
  readonly evidence?: Suspicion;
}

export type Answer = Proved | Refuted | Unknown;

/** What may be said beside a verdict; undefined values are left out. */
export type Beside = {
  readonly [Key in Exclude<keyof Common, 'stats' | 'method'>]?: Common[Key] | undefined;
} & { readonly stats?: Stats };

/** Duty of the caller: `checkedBy` has accepted the evidence. */
export function proved(
  method: Method,
  evidence: ProofEvidence,
  checkedBy: Checker,
  beside: Beside = {},
): Proved {
  return { verdict: 'proved', method, evidence, checkedBy, ...common(beside) } as unknown as Proved;
}

/** Duty of the caller: the run was taken, step by step, on the concrete semantics of the model. */
export function refuted(
  run: Run,
  beside: Beside & { readonly method?: Method; readonly harness?: string | undefined } = {},
): Refuted {
  const { method = 'run', harness, ...rest } = beside;
  const evidence: RunEvidence = { kind: 'run', run, ...(harness === undefined ? {} : { harness }) };
  return { verdict: 'refuted', method, evidence, ...common(rest) } as unknown as Refuted;
}

/** The reason's title serves where there is nothing more particular to say. */
export function unknown(
  reasonCode: ReasonCode,
  reason: string = REASONS[reasonCode].title,
  beside: Beside & { readonly method?: Method | undefined; readonly evidence?: Suspicion | undefined } = {},
): Unknown {
  const { method, evidence, ...rest } = beside;
  return {
    verdict: 'unknown',
    ...(method === undefined ? {} : { method }),
    reason,
    reasonCode,
    ...(evidence === undefined ? {} : { evidence }),
    ...common(rest),
  } as unknown as Unknown;
}

function common({ stats, ...rest }: Beside): Common {
  const said = Object.entries(rest).filter(
    ([key, value]) => value !== undefined && !(key === 'notes' && (value as readonly Note[]).length === 0),
  );
  return { stats: stats ?? {}, ...Object.fromEntries(said) };
}

const PROOFS: readonly string[] = ['certificate', 'exhaustion', 'induction', 'parts'];

/** What cannot be built in this thread can still come from elsewhere: null, or what is missing. */
export function missingBacking(answer: Answer): string | null {
  const { verdict, evidence } = answer as { verdict?: unknown; evidence?: { kind?: unknown } };
  switch (verdict) {
    case 'proved':
      return PROOFS.includes(String(evidence?.kind)) && (answer as Partial<Proved>).checkedBy !== undefined
        ? null
        : 'a proof without evidence that a checker accepted';
    case 'refuted':
      return evidence?.kind === 'run' ? null : 'a refutation without a run';
    case 'unknown':
      return typeof (answer as Partial<Unknown>).reasonCode === 'string'
        ? null
        : 'an unknown without a reason';
    default:
      return 'no verdict';
  }
}
