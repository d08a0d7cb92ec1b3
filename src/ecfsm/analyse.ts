// The whole check of one model: test the formula on concrete states, prove safety, then liveness for each goal.
// Order: cheap refutations first. Nothing is proved from a formula that a reachable state violates, or that is not inductive.

import type { Budget, Observer } from '../base/budget.ts';
import { shareOf } from '../base/budget.ts';
import type { ReasonCode } from '../verdict/reasons.ts';
import type { Run } from '../verdict/run.ts';
import type {
  CertificateDocument,
  ControlGraph,
  FormulaExplanation,
  Note,
  Stats,
  Verdict,
} from '../verdict/verdict.ts';
import { proofDocument } from './audit/document.ts';
import { searchDeep } from './concrete/deep.ts';
import type { Exploration, Found } from './concrete/explore.ts';
import { explore, objection, walk } from './concrete/explore.ts';
import { replayProtocol } from './concrete/simulation.ts';
import type { GlobalState } from './concrete/state.ts';
import { explainFormula } from './explain.ts';
import { drawWays } from './liveness/draw-ways.ts';
import { exhaustLiveness } from './liveness/exhaust.ts';
import type { DegeneratedGraph } from './liveness/graph.ts';
import { buildGraph } from './liveness/graph.ts';
import { findWays } from './liveness/live.ts';
import { lostNotes } from './liveness/lost.ts';
import { ranksOf } from './liveness/ranks.ts';
import type { LivenessRefutation } from './liveness/refute.ts';
import { refuteByFormula, refuteLiveness } from './liveness/refute.ts';
import type { Goal, Model } from './model.ts';
import { describeFailure, failureNote, leaves, showWay, toRun, unsafeTitle } from './report.ts';
import { prepare } from './safety/formula.ts';
import type { InductionResult } from './safety/induction.ts';
import { Induction } from './safety/induction.ts';
import { Decider } from './solver/decider.ts';
import type { SplitBy } from './split.ts';
import { splitModel } from './split.ts';

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
/** How far the formula is divided for liveness: a further step only if a goal needs it. */
const LEVELS: readonly SplitBy[] = ['emptiness', 'everything', 'counts'];

/** A protocol that speaks of large numbers may go wrong where they are reached. */
const speaksOfLarge = ({ machines }: Model['protocol']): boolean =>
  machines.some(({ actions }) =>
    actions.some(({ condition }) => condition.some(({ sum }) => Math.abs(sum.constant) > LARGE)),
  );

const LARGE = 10;
/** Steps of a repetition that the check takes one by one; `spillway replay` takes many more. */
const EXPANDED = 200_000;

export class Analysis {
  private readonly model: Model;
  private readonly budget: Budget;
  private readonly observer: Observer;
  readonly decider: Decider;
  private tested: { exploration: Exploration; found: Found | null } | null = null;
  private proof: InductionResult | null = null;
  private safety: Outcome | null = null;
  private graphs: { model: Model; graph: DegeneratedGraph }[] | null = null;
  private readonly milliseconds: Record<string, number> = {};

  constructor(model: Model, budget: Budget, observer: Observer) {
    this.model = model;
    this.budget = budget;
    this.decider = new Decider(budget);
    this.observer = observer;
  }

  private async timed<T>(stage: string, work: () => T | Promise<T>): Promise<T> {
    this.observer.stage(stage);
    const begin = this.observer.now();
    const result = await work();
    this.milliseconds[stage] = (this.milliseconds[stage] ?? 0) + this.observer.now() - begin;
    return result;
  }

  private stats(more: Stats = {}): Stats {
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
  private test(): Promise<{ exploration: Exploration; found: Found | null }> {
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

  async live(goal: Goal): Promise<Outcome> {
    const safety = await this.safe();
    const refuted = await this.timed('search', () =>
      refuteLiveness(this.model, goal, shareOf(this.budget, 3).timeLeft),
    );
    if (refuted !== null) return this.dead(refuted);
    const proof = this.proof;
    const usable = proof !== null && proof.failures.length === 0 && !proof.outOfTime;
    const exhausted = usable ? null : await this.timed('search', () => this.exhausted(goal));
    if (exhausted !== null) return exhausted;
    if (proof === null || proof.failures.length > 0 || proof.outOfTime) {
      const isSafe = safety.verdict === 'proved';
      const open = `safe is ${safety.verdict}: ${safety.run?.title ?? safety.reason ?? 'no reason is known'}`;
      return {
        verdict: 'unknown',
        reasonCode: proof?.outOfTime ? 'time-limit' : isSafe ? 'not-inductive' : 'safety-open',
        reason: isSafe ? 'safe is proved by a search; a proof of liveness needs an inductive formula' : open,
        notes: [],
        stats: this.stats(),
      };
    }
    let last: {
      model: Model;
      graph: DegeneratedGraph;
      goal: Goal;
      moves: ReturnType<typeof findWays>;
    } | null = null;
    for (const level of LEVELS.keys()) {
      const built = await this.graph(level);
      if (built === null) break;
      const index = this.model.goals.indexOf(goal);
      const mapped = built.model.goals[index]!;
      const moves = findWays(built.graph, mapped.disjuncts);
      last = { ...built, goal: mapped, moves };
      if (!moves.moves.includes(null)) return this.alive(last);
    }
    const shown =
      last === null
        ? null
        : await this.timed('search', () =>
            refuteByFormula(last.model, last.graph, last.goal, this.budget.timeLeft),
          );
    if (shown !== null) return this.dead(shown);
    if (last === null)
      return {
        verdict: 'unknown',
        reasonCode: 'time-limit',
        reason: 'the time limit was reached while building the graph',
        notes: [],
        stats: this.stats(),
      };
    const { exploration } = await this.test();
    const lost = last.moves.moves.flatMap((move, i) =>
      move === null ? [last.model.invariant[i]!.name] : [],
    );
    return {
      verdict: 'unknown',
      reasonCode: 'no-path-found',
      reason: `no way to the goal was found from ${lost.length} of ${last.graph.nodes} disjuncts: ${lost.slice(0, 12).join(', ')}${lost.length > 12 ? ', …' : ''}`,
      details: { without: lost },
      notes: lostNotes(last.model, last.graph, last.moves, last.goal, exploration.states),
      stats: this.graphStats(last),
    };
  }

  /** Without a formula that is proved: a protocol may have finitely many states. */
  private exhausted(goal: Goal): Outcome | null {
    const found = exhaustLiveness(this.model, goal, shareOf(this.budget, 2).timeLeft);
    if (found === null) return null;
    if (found.kind === 'lost') {
      const title = `no way from here into the goal, among all ${found.states} states`;
      return this.dead({ run: found.run, title });
    }
    const { states, transitions } = found;
    const exhaustion = { states, transitions };
    return { verdict: 'proved', method: 'exhaustive', exhaustion, notes: [], stats: this.stats() };
  }

  private dead({ run, title }: LivenessRefutation): Outcome {
    return {
      verdict: 'refuted',
      method: 'run',
      run: toRun(this.model.protocol, run, title),
      notes: [],
      stats: this.stats(),
    };
  }

  private alive(found: {
    model: Model;
    graph: DegeneratedGraph;
    goal: Goal;
    moves: ReturnType<typeof findWays>;
  }): Outcome {
    const { model, moves, graph } = found;
    const ranks = ranksOf(graph, found.goal.disjuncts);
    if (ranks === null) throw new Error('impossible: a goal with ways from everywhere has no ranks');
    const ways = Object.fromEntries(model.invariant.map(({ name }, i) => [name, showWay(model, moves, i)]));
    return {
      verdict: 'proved',
      method: 'induction',
      steps: this.proof!.obligations,
      details: { ways, disjuncts: graph.nodes },
      certificate: proofDocument(this.model, `live:${found.goal.name}`, model.invariant, ranks),
      picture: drawWays(model, graph, moves, `live:${found.goal.name}`),
      notes: [],
      stats: this.graphStats({ graph, moves }),
    };
  }

  private graphStats({
    graph,
    moves,
  }: {
    graph: DegeneratedGraph;
    moves: ReturnType<typeof findWays>;
  }): Stats {
    return this.stats({
      graphNodes: graph.nodes,
      sendEdges: graph.sends.length,
      receiveEdges: graph.receives.length,
      beyondPaths: moves.beyondPaths,
    });
  }

  /** The graph of the formula divided as far as this level says, and proved again. Null when time ran out. */
  async graph(level: number): Promise<{ model: Model; graph: DegeneratedGraph } | null> {
    this.graphs ??= [];
    if (this.graphs[level] !== undefined) return this.graphs[level];
    const model = await this.timed('split', () => splitModel(this.model, this.decider, LEVELS[level]!));
    const induction = new Induction(prepare(model.protocol, model.invariant), this.decider);
    if (level > 0) {
      const proof = await this.timed('induction', () => induction.run(this.budget, 1, () => {}));
      if (proof.failures.length > 0 || proof.outOfTime) return null;
    }
    const graph = await this.timed('graph', () =>
      buildGraph(induction, this.decider, this.budget, (done) =>
        this.observer.progress(`${done} of ${model.invariant.length} disjuncts`),
      ),
    );
    if (graph === null) return null;
    this.graphs[level] = { model, graph };
    return this.graphs[level];
  }

  /** The proof of safety in words, where there is one. */
  async explain(): Promise<FormulaExplanation | null> {
    if (this.safety?.method !== 'induction' || this.safety.verdict !== 'proved') return null;
    const divided = this.graphs?.at(-1)?.model.invariant ?? this.model.invariant;
    return this.timed('explain', () => explainFormula(this.model, divided, this.decider));
  }

  dispose(): void {
    this.decider.dispose();
  }
}
