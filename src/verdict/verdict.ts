// What Spillway answers: proved, refuted or unknown, each with its evidence. Every analysis produces these, every report reads them.

import { shellWord } from '../base/shell.ts';
import type { PlacedDiagnostic } from '../source/diagnostic.ts';
import type { Position } from '../source/source.ts';
import type { Answer } from './answer.ts';
import type { Run } from './run.ts';

export type Verdict = 'proved' | 'refuted' | 'unknown';

export type Method =
  | 'flow'
  | 'cycles'
  | 'refined'
  | 'exhaustive'
  | 'run'
  | 'compositional'
  | 'symbolic'
  | 'linear'
  | 'induction'
  | 'abstraction'
  | 'coverability'
  | 'backward';

/** The version of the report as data; JSON has a schema number of its own. */
export const REPORT_VERSION = 2;

/** Plain data: it can be cloned, sent to another thread or machine, and written down. */
export interface ModelReport {
  readonly version: typeof REPORT_VERSION;
  readonly files: readonly string[];
  readonly language: string;
  readonly properties: readonly PropertyResult[];
  readonly diagnostics: readonly PlacedDiagnostic[];
  /** The texts the positions point into, for excerpts and the HTML report: path → text. */
  readonly sources: Readonly<Record<string, string>>;
  /** Process graphs or component graphs for pictures, when cheap to give. */
  readonly graphs?: readonly ControlGraph[];
  /** Which loops need which others to go on, when asked for. */
  readonly dependencies?: readonly LoopDependency[];
  /** The formula that was proved by induction, and how, when asked for. */
  readonly formula?: FormulaExplanation;
}

/** Every `rounds` rounds (or now and then, when null) the loop needs what one of the others does. */
export interface LoopDependency {
  readonly loop: string;
  readonly needs: readonly string[];
  readonly rounds: number | null;
  readonly reason: string;
  readonly at: Position | null;
}

/** An answer, to which question it belongs, and how to get it again. */
export type PropertyResult = Answer & {
  /** As on the command line: `bounded`, `ltl:p`, `live:NAME`. */
  readonly id: string;
  /** What the configuration expects: then that verdict, and only that, is a pass. */
  readonly expected?: Verdict;
  /** The verdict of last time, where a baseline says it: what is not worse is a pass. */
  readonly atWorst?: Verdict;
  readonly reproduce: Reproduction;
};

/** What it takes to ask the question again. `commandOf` makes a command of it. */
export interface Reproduction {
  readonly verb: 'check';
  readonly paths: readonly string[];
  readonly property: string;
  /** Further words of the command line, each one word, unquoted: `-DN=3`, `--method`, `cycles`. */
  readonly options: readonly string[];
}

export const commandOf = ({ verb, paths, property, options }: Reproduction): string =>
  ['spillway', verb, ...paths, '--property', property, ...options].map(shellWord).join(' ');

export interface Note {
  readonly severity: 'warning' | 'hint';
  /** The first line says it; further lines are details. */
  readonly message: string;
  readonly at?: Position;
}

export interface QueueResult {
  readonly name: string;
  readonly verdict: Verdict;
  /** The proven bound, null when none is. */
  readonly bound: number | null;
  /** The bound that a certificate checked in exact integers gives. */
  readonly certifiedBound: number | null;
  /** The true maximum, by exhaustive search. */
  readonly exact: number | null;
  /** The capacity in the model; 0 for rendezvous, negative where there is none (mailboxes of actors). */
  readonly declared: number;
  /** The proven bound is within the declared capacity; null when no bound is proved. */
  readonly fits: boolean | null;
  readonly at?: Position;
}

export type Evidence = ProofEvidence | RunEvidence | Suspicion;

/** What a proof rests on. */
export type ProofEvidence =
  | { readonly kind: 'certificate'; readonly certificate: CertificateDocument }
  | {
      readonly kind: 'exhaustion';
      readonly states: number;
      readonly transitions: number;
      /** Not every order of independent steps was tried (docs/search.md): `--no-reduction` repeats the search in full. */
      readonly reduced?: true;
      /** States that differ in the order of like processes counted as one: `--no-reduction` tells them apart. */
      readonly symmetric?: true;
    }
  | {
      readonly kind: 'induction';
      readonly steps: number;
      readonly details: Readonly<Record<string, unknown>>;
      readonly certificate?: CertificateDocument;
    }
  /** Several proofs, each for some of the queues. */
  | {
      readonly kind: 'parts';
      readonly parts: readonly {
        readonly queues: readonly string[];
        readonly method: Method;
        readonly evidence: Exclude<ProofEvidence, { kind: 'parts' }>;
      }[];
    };

/** What a refutation rests on: a run that was taken on the concrete semantics. */
export interface RunEvidence {
  readonly kind: 'run';
  readonly run: Run;
  /** A C program that repeats the run when it is compiled. */
  readonly harness?: string;
}

/** What keeps an unknown from being proved. */
export type Suspicion =
  | { readonly kind: 'suspicious-cycles'; readonly cycles: readonly CycleDescription[] }
  /** Not a run: a path of the abstraction that could be neither excluded nor confirmed. */
  | { readonly kind: 'path'; readonly path: Run };

/** A certificate as written to disk: JSON; `spillway audit` re-checks it against the model. */
export interface CertificateDocument {
  readonly format: 'spillway-certificate';
  readonly version: 1;
  readonly property: string;
  readonly kind: string;
  readonly [key: string]: unknown;
}

/** Potentials as a person follows them: the weights, and for every step why the sum does not rise (or falls). */
export interface ProofExplanation {
  readonly kind: 'bound' | 'ranking';
  readonly potentials: readonly ExplainedPotential[];
}

export interface ExplainedPotential {
  /** What it proves: the queues and their bounds. */
  readonly title: string;
  /** The queues it bounds. */
  readonly queues?: readonly string[];
  /** The sum at the start. */
  readonly start: string;
  readonly weights: readonly {
    readonly kind: 'message' | 'value' | 'location';
    readonly name: string;
    readonly weight: string;
  }[];
  readonly steps: readonly {
    readonly process: string;
    readonly text: string;
    readonly at: Position | null;
    readonly progress: boolean;
    /** What the step adds to the sum and takes from it, and the total. */
    readonly terms: string;
    readonly change: string;
  }[];
  /** Steps left out of a long list. */
  readonly omitted: number;
}

/** A formula and its proof by induction, as a person follows them. */
export interface FormulaExplanation {
  /** Each initial state with the disjuncts that it satisfies. */
  readonly initial: readonly { readonly state: string; readonly disjuncts: readonly string[] }[];
  readonly disjuncts: readonly ExplainedDisjunct[];
  /** The disjuncts as they were divided for proofs of liveness, with what each part says beyond the whole. */
  readonly parts?: readonly { readonly name: string; readonly atoms: readonly string[] }[];
}

export interface ExplainedDisjunct {
  readonly name: string;
  readonly at: Position | null;
  readonly atoms: readonly string[];
  /** Why none of its states is unsafe, in sentences. */
  readonly safe: readonly string[];
  readonly actions: readonly ExplainedAction[];
}

/** What an action does from the states of a disjunct. */
export interface ExplainedAction {
  readonly name: string;
  readonly text: string;
  readonly at: Position;
  readonly cases: readonly {
    /** Which states, when there are several cases: what the channels hold afterwards. */
    readonly when: string;
    /** Every result is in the one, or in one of several. None: the action cannot be executed there. */
    readonly to: readonly string[];
    readonly decided: 'by shape' | 'by differences' | 'by sums' | 'by SMT';
  }[];
}

/** A loop in the user's source: what repeats, and what one round does. */
export interface CycleDescription {
  readonly process: string;
  readonly steps: readonly { readonly text: string; readonly at: Position }[];
  /** Net messages per round and queue. */
  readonly effect: readonly { readonly queue: string; readonly change: number }[];
  /** How often it runs in the counterexample, relative to the others. */
  readonly times: number;
  readonly why?: string;
}

export type StatValue =
  | number
  | string
  | boolean
  | null
  | { readonly [key: string]: StatValue }
  | readonly StatValue[];
export interface Stats {
  readonly milliseconds?: Readonly<Record<string, number>>;
  readonly [key: string]: StatValue | undefined;
}

/** A process or component graph for pictures. */
export interface ControlGraph {
  readonly name: string;
  /** The property whose proof it shows; absent where it shows the model. */
  readonly property?: string;
  /** What the marks in such a picture mean. */
  readonly legend?: string;
  readonly initial: readonly number[];
  readonly locations: readonly {
    readonly id: number;
    readonly label: string;
    readonly end?: boolean;
    readonly progress?: boolean;
    readonly at?: Position;
    /** In a statechart: the state around it, by its id. */
    readonly parent?: number;
    /** In a statechart: what the state is; `choice` is a point where transitions with several targets part. */
    readonly kind?: 'atomic' | 'compound' | 'parallel' | 'final' | 'history' | 'choice';
    /** In a statechart: where the state is entered by default. */
    readonly initial?: number;
    /** In a statechart: lines below the name. */
    readonly lines?: readonly string[];
  }[];
  readonly edges: readonly {
    readonly from: number;
    readonly to: number;
    readonly label: string;
    readonly at?: Position;
    readonly kind?: 'send' | 'receive' | 'event';
    /** Does the run or path of some property take it? Absent where only places in the source are known. */
    readonly onPath?: boolean;
    /** The process keeps control after this step. */
    readonly atomic?: boolean;
  }[];
}

const RANK: Record<Verdict, number> = { proved: 0, unknown: 1, refuted: 2 };

/** Refuted if some part is refuted, else unknown if some part is unknown, else proved. */
export function worst(verdicts: Iterable<Verdict>): Verdict {
  let result: Verdict = 'proved';
  for (const verdict of verdicts) if (RANK[verdict] > RANK[result]) result = verdict;
  return result;
}

export const isWorse = (verdict: Verdict, than: Verdict): boolean => RANK[verdict] > RANK[than];

/** Proved, what was expected, or not worse than last time. */
export const isPass = ({ verdict, expected, atWorst = 'proved' }: PropertyResult): boolean =>
  expected === undefined ? !isWorse(verdict, atWorst) : verdict === expected;
