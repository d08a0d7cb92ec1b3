// The one interface through which verbs, the API and every surface reach a language. Verbs know no language; a new one is a folder that
// exports this, and a line in check/languages.ts.

import type { Budget, Observer } from '../base/budget.ts';
import type { Diagnostic } from '../source/diagnostic.ts';
import type { Names } from '../source/names.ts';
import type { FileSystem } from '../source/source.ts';
import type { Answer } from '../verdict/answer.ts';
import type { Conformance, LoggedEvent, Observed } from '../verdict/event-log.ts';
import type { StateConformance, StateTrace } from '../verdict/itf.ts';
import type { Run, Standing } from '../verdict/run.ts';
import type { CertificateDocument, ControlGraph } from '../verdict/verdict.ts';
import type { Portfolio } from './engine.ts';
import type { Board, Fact } from './fact.ts';
import type { CheckOptions } from './options.ts';

/** Which model, and what reading it depends on. */
export interface LoadRequest {
  /** One model; several paths only for composed systems (`--compose`). */
  readonly paths: readonly string[];
  readonly files: FileSystem;
  readonly options: CheckOptions;
}

/** A request of a verb that may take its time. */
export interface WorkRequest extends LoadRequest {
  readonly budget: Budget;
  readonly observer: Observer;
}

/** Loading never fails: it gives what could be understood, and what is wrong. */
export interface Loaded<Model> {
  /** Null when there are errors. */
  readonly model: Model | null;
  readonly diagnostics: readonly Diagnostic[];
  /** Path → text of everything that was read. */
  readonly sources: ReadonlyMap<string, string>;
}

/** What an editor asks of a text: what is wrong, and which names stand where; also of one with errors. */
export interface Understood {
  readonly diagnostics: readonly Diagnostic[];
  readonly names: Names | null;
  readonly sources: ReadonlyMap<string, string>;
}

export interface Language<Model> {
  readonly name: string;
  /** Fast enough to be asked after every key, where a language has it; else editors ask `load`. */
  understand?(request: LoadRequest): Understood | Promise<Understood>;
  load(request: WorkRequest): Promise<Loaded<Model>>;
  /** Milliseconds that a first look in the caller's thread may take, where that is worth more than the usual: a thread has to read a large model again. */
  firstLook?(model: Model): number | undefined;
  /** Ends what a model holds (solver processes). */
  dispose?(model: Model): void;
  /** The questions asked, or all that the model can be asked; what is wrong with the request. */
  questions(
    model: Model,
    asked: readonly string[],
    options: CheckOptions,
  ): { readonly properties: readonly string[]; readonly diagnostics: readonly Diagnostic[] };
  readonly portfolio: Portfolio<Model>;
  /** For properties whose answer is put together from several facts; null for all others. */
  assemble?(property: string, board: Board, model: Model, options: CheckOptions): Answer | null;
  /** Is nothing left to find out? Default: there is a proof or a refutation. */
  isSettled?(property: string, board: Board, options: CheckOptions): boolean;

  /** Parts of a property that can be asked one by one, as `options.queues`, by whoever divides the work. */
  cases?(
    property: string,
    model: Model,
    options: CheckOptions,
    budget: Budget,
  ): Cases | null | Promise<Cases | null>;

  simulate?(request: WorkRequest & { readonly unlimited: boolean }): Promise<Loaded<Runnable>>;
  /** Takes the run again, and judges again what it is said to show. */
  replay?(recorded: Run, request: WorkRequest): Promise<Loaded<Replayed>>;
  /** Takes a run that another tool has written, in its own notation; `lost`: why it could not be followed to its end. */
  foreignRun?(text: string, request: WorkRequest): Promise<Loaded<Replayed & { readonly lost?: string }>>;
  /** Does the run, once a replay has accepted it, refute the property by itself? Absent: replays judge steps only. */
  shows?(property: string, run: Run): boolean;
  /** Is the log possible? What it is about is asked after its first event was read. */
  conform?(
    log: Iterable<LoggedEvent>,
    observed: () => Observed,
    request: WorkRequest & { readonly unlimited: boolean },
  ): Promise<Loaded<Conformance>>;
  /** The same for a recorded sequence of states. */
  conformStates?(
    trace: StateTrace,
    request: WorkRequest & { readonly unlimited: boolean },
  ): Promise<Loaded<StateConformance>>;
  graphs?(request: WorkRequest): Promise<Loaded<readonly ControlGraph[]>>;
  audit?(document: CertificateDocument, request: WorkRequest): Promise<Audited>;
  /** Runs as tests in the language's own surroundings: those that refute the properties, or runs that cover the model. */
  tests?(request: TestsRequest): Promise<Converted>;
  /** To one of the formats that its entry lists. */
  convert?(request: ConvertRequest): Promise<Converted>;
}

export interface Cases {
  readonly names: readonly string[];
  /** That all of these are to be settled, and what is known already. */
  readonly facts: readonly Fact[];
}

export interface ConvertRequest extends WorkRequest {
  readonly format: string;
  /** Which questions the result should ask, where the format can ask one. Empty: what the model states. */
  readonly properties: readonly string[];
}

export interface TestsRequest extends WorkRequest {
  /** The runs to write; none: runs that together take every transition. */
  readonly runs: readonly Run[];
  /** The test file, as seen from which the model is imported. */
  readonly out: string | null;
}

export interface Converted {
  /** Null when there are errors. */
  readonly text: string | null;
  /** Warnings say what the format cannot carry. */
  readonly diagnostics: readonly Diagnostic[];
}

/** A model that can be run. */
export interface Runnable {
  begin(): Simulation;
  /** The same seed gives the same run. */
  random(seed: number, steps: number): { readonly run: Run; readonly end: SimulationEnd };
  /** Does a run that ends so show a fault? */
  isBad(end: SimulationEnd): boolean;
}

/** A run under construction, step by step. */
export interface Simulation<Choice = never> {
  choices(): readonly Choice[];
  label(choice: Choice): string;
  take(choice: Choice): void;
  /** Null while something can move. */
  end(): SimulationEnd | null;
  run(end: SimulationEnd): Run;
  /** Where the living processes are now; absent where the language cannot tell. */
  standing?(): readonly Standing[];
}

export interface SimulationEnd {
  readonly kind: string;
}

export interface Replayed {
  /** As it happens on this model now. */
  readonly run: Run;
  /** Index of the first step that this model does not allow; null when the whole run is possible. */
  readonly failedAt: number | null;
  /** The steps are possible, but what the run is said to show does not happen: why. */
  readonly refused?: string;
  /** Where the living processes are at the end; absent where the language cannot tell, or the run is not possible. */
  readonly standing?: readonly Standing[];
}

export interface QueueBound {
  readonly name: string;
  readonly bound: number | bigint;
}

export type Audited =
  /** What is now known, one sentence a line. */
  | {
      readonly kind: 'accepted';
      readonly says: readonly string[];
      /** The queues it bounds, for certificates of `bounded`. */
      readonly bounds?: readonly QueueBound[];
    }
  | { readonly kind: 'rejected' | 'unsettled'; readonly reason: string }
  | { readonly kind: 'errors'; readonly diagnostics: readonly Diagnostic[] };
