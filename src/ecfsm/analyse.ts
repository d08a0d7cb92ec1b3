// The whole check of one model: safety (safety/analyse.ts), then liveness for each goal: cheap refutations, the degenerated reachability graph of the formula, divided
// as far as a goal needs it, refutation by the formula.

import type { Budget } from '../base/budget.ts';
import { shareOf } from '../base/budget.ts';
import type { FormulaExplanation, Stats } from '../verdict/verdict.ts';
import { proofDocument } from './audit/document.ts';
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
import { explainFormula } from './report/explain.ts';
import { showWay, toRun } from './report/report.ts';
import type { Outcome } from './safety/analyse.ts';
import { SafetyAnalysis } from './safety/analyse.ts';
import { prepare } from './safety/formula.ts';
import { Induction } from './safety/induction.ts';
import { Decider } from './solver/decider.ts';
import type { SplitBy } from './split/split.ts';
import { splitModel } from './split/split.ts';

export type { Outcome } from './safety/analyse.ts';

/** How far the formula is divided for liveness: a further step only if a goal needs it. */
const LEVELS: readonly SplitBy[] = ['emptiness', 'everything', 'counts', 'recent'];

export class Analysis extends SafetyAnalysis {
  private graphs: { model: Model; graph: DegeneratedGraph }[] | null = null;

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
      const title = `no way from here into goal ${goal.name}, among all ${found.states} states`;
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
  /** The time of the questions may be over when they are answered: this has a budget of its own. */
  async explain(budget: Budget): Promise<FormulaExplanation | null> {
    if (this.safety?.method !== 'induction' || this.safety.verdict !== 'proved') return null;
    const divided = this.graphs?.at(-1)?.model.invariant ?? this.model.invariant;
    const decider = new Decider(budget);
    try {
      return await this.timed('explain', () => explainFormula(this.model, divided, decider));
    } finally {
      decider.dispose();
    }
  }
}
