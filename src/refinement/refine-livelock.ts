// Livelock freedom by counterexample-guided refinement ([Ciclo] VII-B): suspicious loops → why they cannot go on alone → rows → again; and
// for dependencies without a number two cases.

import type { Budget, Observer } from '../base/budget.ts';
import { SILENT, UNLIMITED } from '../base/budget.ts';
import { decomposeRay, describeParts } from '../counterexample/ray.ts';
import type { LivelockAnalysis } from '../livelock/model.ts';
import type { Solver } from '../lp/solver.ts';
import { loadSolver } from '../lp/solver.ts';
import type { NetCycle } from '../net/cycles.ts';
import { indexNet } from '../net/encode-flow.ts';
import type { Net } from '../net/net.ts';
import type { Program } from '../process/program.ts';
import type { CertificateDocument } from '../verdict/verdict.ts';
import { checkLivelockProof } from './check.ts';
import { cycleKey } from './components.ts';
import { codeContext } from './context.ts';
import { supplementaryCycles } from './dependencies.ts';
import { refinedRankingDocument } from './document.ts';
import type { LivelockProof } from './proof.ts';
import { refinedPotential, refinedSystem, solveFor } from './refined-system.ts';
import { Facts } from './rows.ts';
import {
  cyclesOfPoint,
  DEFAULT_LIMITS,
  type RefinementLimits,
  Refiner,
  rayOfPoint,
  shareOf,
} from './search.ts';

export interface RefineOptions {
  readonly budget?: Budget;
  readonly observer?: Observer;
  readonly solver?: Solver;
  readonly limits?: Partial<RefinementLimits>;
  readonly abstraction?: CertificateDocument['abstraction'];
}

type Stuck = {
  readonly kind: 'stuck';
  readonly why: 'coarse' | 'budget' | 'time' | 'solver';
  readonly ray: ReadonlyMap<number, bigint>;
};

/** Goes on where an analysis of the net was left with a suspicion; gives the analysis back when there is nothing to add. */
export async function refineLivelock(
  program: Program,
  net: Net,
  analysis: LivelockAnalysis,
  options: RefineOptions = {},
): Promise<LivelockAnalysis> {
  const context = codeContext(program, net);
  if (analysis.verdict === 'proved' || analysis.counterexample === null || context === null) return analysis;
  const whole = options.budget ?? UNLIMITED;
  const budget = shareOf(whole);
  const observer = options.observer ?? SILENT;
  observer.stage('refine');
  const begin = observer.now();
  const solver = options.solver ?? (await loadSolver());
  const lpsBefore = solver.stats.lps;
  const facts = new Facts(context);
  const limits = { ...DEFAULT_LIMITS, ...options.limits };
  const refiner = new Refiner(facts, solver, indexNet(net), budget, limits.maxCycles);
  refiner.addCounters();
  const search = new LivelockSearch(refiner, limits);
  const proof = await search.prove([], [], 0);
  const stats = {
    ...analysis.stats,
    ...refiner.stats,
    lps: Number(analysis.stats['lps'] ?? 0) + solver.stats.lps - lpsBefore,
    milliseconds: { ...analysis.stats.milliseconds, refine: observer.now() - begin },
  };
  if (proof.kind === 'stuck') {
    const cycles = describeParts(net, decomposeRay(net, proof.ray));
    const counterexample = proof.ray.size === 0 ? analysis.counterexample : { ray: proof.ray, cycles };
    return { ...analysis, counterexample, stats, ...whyStuck(proof, whole.timeLeft()) };
  }
  const checked = checkLivelockProof(facts, proof);
  if (!checked.ok)
    return {
      ...analysis,
      stats,
      reasonCode: 'no-certificate',
      reason: `a proof was found and rejected: ${checked.error}`,
    };
  const { reason: _, reasonCode: __, ...rest } = analysis;
  const certificate = refinedRankingDocument(net, proof, options.abstraction);
  return { ...rest, verdict: 'proved', method: 'refined', certificate, counterexample: null, stats };
}

function whyStuck(
  { why }: Stuck,
  timeLeft: boolean,
): Pick<LivelockAnalysis, 'reason' | 'reasonCode'> | Record<string, never> {
  switch (why) {
    case 'coarse':
      return {};
    case 'time':
      if (timeLeft)
        return { reasonCode: 'refinement-budget', reason: 'the refinement used up its share of the time' };
      return {
        reasonCode: 'time-limit',
        reason: 'the time was over while the counterexample was being refined',
      };
    case 'solver':
      return {
        reasonCode: 'solver-inconclusive',
        reason: 'the solver gave no answer that could be confirmed',
      };
    case 'budget':
      return {
        reasonCode: 'refinement-budget',
        reason: 'the refinement used up its rounds, cycles or case splits',
      };
  }
}

interface Case {
  readonly never: readonly NetCycle[];
  /** Of the n-th split above: the cycles of which one repeats; empty in the other branch. */
  readonly required: readonly (readonly NetCycle[])[];
}

class LivelockSearch {
  private readonly refiner: Refiner;
  private readonly limits: RefinementLimits;
  private rounds = 0;

  constructor(refiner: Refiner, limits: RefinementLimits) {
    this.refiner = refiner;
    this.limits = limits;
  }

  async prove(
    never: Case['never'],
    required: Case['required'],
    depth: number,
  ): Promise<LivelockProof | Stuck> {
    const { refiner, limits } = this;
    const { index, solver, budget, facts } = refiner;
    for (;;) {
      const also = [...never, ...required.flat()];
      const system = refinedSystem(
        'rays',
        index,
        facts.context,
        refiner.rows,
        also,
        limits.maxCycles,
        budget,
      );
      if (system === null) return stuck(budget.timeLeft() ? 'budget' : 'time');
      const excluded = new Set(never.map((cycle) => system.columnOf.get(cycleKey(cycle.transitions))!));
      let last: Stuck | { cycles: NetCycle[]; ray: ReadonlyMap<number, bigint> } = stuck('solver');
      for (const goal of ['steps' as const, ...required.keys()]) {
        const columns = this.goalColumns(goal, required, system.columnOf);
        if (columns === null) continue;
        const outcome = solveFor(solver, index, system, columns, excluded, budget);
        if (outcome.kind !== 'optimal') {
          last = stuck(outcome.kind === 'unknown' && outcome.reason === 'time' ? 'time' : 'solver');
          break;
        }
        if (outcome.objective.num === 0n)
          return { kind: 'leaf', proof: refinedPotential(index, system, outcome.dual, new Map()), goal };
        if (goal === 'steps')
          last = {
            cycles: cyclesOfPoint(index, system, outcome.primal),
            ray: rayOfPoint(index, outcome.primal),
          };
      }
      if ('kind' in last) return last;
      const found = last;
      if (++this.rounds > limits.maxRounds) return stuck('budget', found.ray);
      if (await refiner.learnFrom(found.cycles)) continue;
      return (await this.split(found.cycles, never, required, depth)) ?? stuck('coarse', found.ray);
    }
  }

  /** Columns whose sum must be positive; null for a branch that requires nothing. */
  private goalColumns(
    goal: 'steps' | number,
    required: Case['required'],
    columnOf: ReadonlyMap<string, number>,
  ): number[] | null {
    if (goal === 'steps')
      return this.refiner.index.net.transitions.flatMap(({ progress }, number) => (progress ? [] : [number]));
    // In the branch where the cycle is never repeated nothing is required; where S is empty the branch is impossible.
    const cycles = required[goal]!;
    return cycles === NOTHING ? null : cycles.map((cycle) => columnOf.get(cycleKey(cycle.transitions))!);
  }

  private async split(
    cycles: readonly NetCycle[],
    never: Case['never'],
    required: Case['required'],
    depth: number,
  ): Promise<LivelockProof | Stuck | null> {
    if (depth >= this.limits.maxSplits) return null;
    const present = new Set(cycles.map((cycle) => cycleKey(cycle.transitions)));
    for (const termination of this.refiner.unnumbered(cycles)) {
      const others = supplementaryCycles(this.refiner.facts, termination);
      // A dependency that the counterexample respects does not rule it out.
      if (others === null || others.some((other) => present.has(cycleKey(other.transitions)))) continue;
      const without = await this.prove([...never, termination.cycle], [...required, NOTHING], depth + 1);
      if (without.kind === 'stuck') return without;
      const both = await this.prove(never, [...required, others], depth + 1);
      if (both.kind === 'stuck') return both;
      return { kind: 'split', on: { claim: termination.claim }, never: without, both };
    }
    return null;
  }
}

const NOTHING: readonly NetCycle[] = [];
const stuck = (why: Stuck['why'], ray: Stuck['ray'] = new Map()): Stuck => ({ kind: 'stuck', why, ray });
