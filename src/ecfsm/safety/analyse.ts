// Safety of one model: test the formula on concrete states, look behind long loops, prove by induction; without a formula of use, search.
// Order: cheap refutations first. Nothing is proved from a formula that a reachable state violates, or that is not inductive.

import type { Budget, Observer } from '../../base/budget.ts';
import { shareOf } from '../../base/budget.ts';
import type { ReasonCode } from '../../verdict/reasons.ts';
import type { Run } from '../../verdict/run.ts';
import type { CertificateDocument, ControlGraph, Note, Stats, Verdict } from '../../verdict/verdict.ts';
import { proofDocument } from '../audit/document.ts';
import { searchDeep } from '../concrete/deep.ts';
import type { Exploration, Found } from '../concrete/explore.ts';
import { explore, objection, walk } from '../concrete/explore.ts';
import { replayProtocol } from '../concrete/simulation.ts';
import type { GlobalState } from '../concrete/state.ts';
import type { Model } from '../model.ts';
import { describeFailure, failureNote, leaves, toRun, unsafeTitle } from '../report/report.ts';
import { Decider } from '../solver/decider.ts';
import { prepare } from './formula.ts';
import type { InductionResult } from './induction.ts';
import { Induction } from './induction.ts';

export interface Outcome {
  readonly verdict: Verdict;
  readonly method?: 'induction' | 'exhaustive' | 'run';
  readonly reason?: string;
  readonly reasonCode?: ReasonCode;
  readonly run?: Run;
  readonly exhaustion?: { readonly states: number; readonly transitions: number };
  readonly steps?: number;
  readonly details?: Readonly<Record<string, unknown>>;
  /** What `spillway audit` looks at again. */
  readonly certificate?: CertificateDocument;
  /** The graph that a proof of liveness rests on. */
  readonly picture?: ControlGraph;
  readonly notes: readonly Note[];
  readonly stats: Stats;
}

const TESTED_STATES = 800;
const SEARCHED_STATES = 20_000;
const WALKS = { seed: 1, walks: 25, length: 60 };
const MAX_FAILURES = 8;

/** A protocol that speaks of large numbers may go wrong where they are reached. */
const speaksOfLarge = ({ machines }: Model['protocol']): boolean =>
  machines.some(({ actions }) =>
    actions.some(({ condition }) => condition.some(({ sum }) => Math.abs(sum.constant) > LARGE)),
  );

const LARGE = 10;
/** Steps of a repetition that the check takes one by one; `spillway replay` takes many more. */
const EXPANDED = 200_000;

export class SafetyAnalysis {
  protected readonly model: Model;
  protected readonly budget: Budget;
  protected readonly observer: Observer;
  readonly decider: Decider;
  protected tested: { exploration: Exploration; found: Found | null } | null = null;
  protected proof: InductionResult | null = null;
  protected safety: Outcome | null = null;
  private readonly milliseconds: Record<string, number> = {};

  constructor(model: Model, budget: Budget, observer: Observer) {
    this.model = model;
    this.budget = budget;
    this.decider = new Decider(budget);
    this.observer = observer;
  }

  protected async timed<T>(stage: string, work: () => T | Promise<T>): Promise<T> {
    this.observer.stage(stage);
    const begin = this.observer.now();
    const result = await work();
    this.milliseconds[stage] = (this.milliseconds[stage] ?? 0) + this.observer.now() - begin;
    return result;
  }

  protected stats(more: Stats = {}): Stats {
    return {
      disjuncts: this.model.invariant.length,
      obligations: this.proof?.obligations ?? 0,
      cases: this.proof?.cases ?? 0,
      bellmanFord: this.decider.counts.bellmanFord,
      questions: this.decider.counts.questions,
      smt: this.decider.counts.smt,
      testedStates: this.tested?.exploration.states.length ?? 0,
      ...more,
      milliseconds: { ...this.milliseconds },
    };
  }

  /** Reachable states: are they safe, and does the formula describe them? */
  protected test(): Promise<{ exploration: Exploration; found: Found | null }> {
    if (this.tested !== null) return Promise.resolve(this.tested);
    const { protocol, invariant } = this.model;
    return this.timed('test', () => {
      const formula = invariant.length === 0 ? null : prepare(protocol, invariant);
      const { timeLeft } = shareOf(this.budget, 4);
      const examine = (state: GlobalState) => objection(protocol, formula, state);
      const exploration = explore(protocol, TESTED_STATES, examine, undefined, timeLeft);
      const found =
        exploration.found ??
        walk(protocol, WALKS, examine, timeLeft) ??
        (speaksOfLarge(protocol) ? this.deep(examine, timeLeft) : null);
      this.tested = { exploration, found };
      return this.tested;
    });
  }

  /** Behind many rounds of a loop; what is found is taken again step by step. */
  private deep(examine: (state: GlobalState) => Found['what'] | null, timeLeft: () => boolean): Found | null {
    const { protocol } = this.model;
    const found = searchDeep(protocol, examine, timeLeft);
    if (found === null) return null;
    const { failedAt } = replayProtocol(protocol, toRun(protocol, found.run, ''), EXPANDED);
    if (failedAt !== null) throw new Error('impossible: a run with repeated steps cannot be taken again');
    return found;
  }

  private induct(): Promise<InductionResult> {
    if (this.proof !== null) return Promise.resolve(this.proof);
    return this.timed('induction', async () => {
      const { protocol, invariant } = this.model;
      const induction = new Induction(prepare(protocol, invariant), this.decider);
      const total = invariant.length;
      this.proof = await induction.run(this.budget, MAX_FAILURES, (done) =>
        this.observer.progress(`${done} of ${total} disjuncts`),
      );
      return this.proof;
    });
  }

  async safe(): Promise<Outcome> {
    this.safety ??= await this.decideSafety();
    return this.safety;
  }

  private async decideSafety(): Promise<Outcome> {
    const { found, exploration } = await this.test();
    if (found?.what.kind === 'unsafe') return this.unsafe(found);
    const proof = await this.induct();
    if (proof.failures.length === 0 && !proof.outOfTime) {
      if (found !== null)
        throw new Error('impossible: the induction accepts a formula that a reachable state violates');
      return {
        verdict: 'proved',
        method: 'induction',
        steps: proof.obligations,
        certificate: proofDocument(this.model, 'safe', this.model.invariant, null),
        notes: [],
        stats: this.stats(),
      };
    }
    // A search that met a state outside the formula stopped there: for comparison, one that does not.
    const { timeLeft } = this.budget;
    const { states } =
      found === null
        ? exploration
        : explore(this.model.protocol, TESTED_STATES, () => null, undefined, timeLeft);
    const notes = proof.failures.map((failure) => failureNote(this.model, failure, states));
    return (
      (await this.withoutFormula()) ?? {
        ...this.notInductive(proof, found),
        notes,
        stats: this.stats(),
      }
    );
  }

  private unsafe(found: Found): Outcome {
    const { protocol } = this.model;
    const title =
      found.what.kind === 'unsafe' ? unsafeTitle(protocol, found.what.unsafe) : 'outside the formula';
    const run = toRun(protocol, found.run, title);
    return { verdict: 'refuted', method: 'run', run, notes: [], stats: this.stats() };
  }

  /** The formula is of no use; the protocol may still be unsafe further on, or have finitely many states. */
  private async withoutFormula(): Promise<Outcome | null> {
    const { protocol } = this.model;
    const examine = (state: GlobalState) => objection(protocol, null, state);
    const exploration = await this.timed('search', () =>
      explore(protocol, SEARCHED_STATES, examine, undefined, this.budget.timeLeft),
    );
    const found =
      exploration.found ??
      walk(protocol, { ...WALKS, seed: 2, walks: 100 }, examine, this.budget.timeLeft) ??
      (exploration.complete ? null : this.deep(examine, this.budget.timeLeft));
    if (found !== null) return this.unsafe(found);
    if (!exploration.complete) return null;
    // What the formula allows and should not is of no interest any more: every state was visited.
    const message = 'the formula is not inductive, but there are only finitely many states';
    return {
      verdict: 'proved',
      method: 'exhaustive',
      exhaustion: { states: exploration.states.length, transitions: exploration.transitions },
      notes: [{ severity: 'hint', message }],
      stats: this.stats(),
    };
  }

  private notInductive(proof: InductionResult, found: Found | null): Omit<Outcome, 'notes' | 'stats'> {
    const { protocol } = this.model;
    const [first] = proof.failures;
    if (first === undefined)
      return {
        verdict: 'unknown',
        reasonCode: 'time-limit',
        reason: 'the time limit was reached during the induction',
      };
    const reachable =
      found === null
        ? null
        : toRun(protocol, found.run, 'the formula does not describe this reachable state');
    return {
      verdict: 'unknown',
      reasonCode: 'not-inductive',
      reason: `${describeFailure(this.model, first)}${reachable === null ? '' : `; ${leaves(reachable)}`}`,
      steps: proof.obligations - proof.failures.length,
      details: { failures: proof.failures.length, ...(reachable === null ? {} : { reachable }) },
    };
  }

  dispose(): void {
    this.decider.dispose();
  }
}
