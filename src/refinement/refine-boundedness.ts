// Boundedness by counterexample-guided refinement: as for livelock, with numerical dependencies only ([Ciclo] VII-B: a dependency
// without a number does not bound how much a cycle sends before the others must follow). Unlike [Ciclo], a refined proof gives bounds, because
// every row holds on each finite run up to a constant.

import { type Budget, SILENT, UNLIMITED } from '../base/budget.ts';
import { classify } from '../boundedness/classify.ts';
import type { BoundednessAnalysis, Counterexample, QueueBound } from '../boundedness/model.ts';
import { decomposeRay, describeParts } from '../counterexample/ray.ts';
import { loadSolver } from '../lp/solver.ts';
import { gainOf, indexNet } from '../net/encode-flow.ts';
import type { Net } from '../net/net.ts';
import type { Program } from '../process/program.ts';
import type { ReasonCode } from '../verdict/reasons.ts';
import { checkRefinedBound } from './check.ts';
import { codeContext } from './context.ts';
import { type RefinedClaim, refinedBoundDocument } from './document.ts';
import type { RefineOptions } from './refine-livelock.ts';
import { refinedPotential, refinedSystem } from './refined-system.ts';
import { Facts } from './rows.ts';
import {
  cyclesOfPoint,
  DEFAULT_LIMITS,
  type RefinementLimits,
  Refiner,
  rayOfPoint,
  shareOf,
} from './search.ts';

/** Goes on where an analysis of the net left some queue open; gives the analysis back when there is nothing to add. */
export async function refineBoundedness(
  program: Program,
  net: Net,
  analysis: BoundednessAnalysis,
  options: RefineOptions = {},
): Promise<BoundednessAnalysis> {
  const context = codeContext(program, net);
  if (analysis.verdict === 'proved' || analysis.counterexamples.length === 0 || context === null)
    return analysis;
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
  const end = await exhaust(refiner, limits, whole);
  const claims = end.flooded === null ? [] : proveQueues(refiner, limits, analysis.queues, end.flooded);
  const stats = {
    ...analysis.stats,
    ...refiner.stats,
    lps: Number(analysis.stats['lps'] ?? 0) + solver.stats.lps - lpsBefore,
    milliseconds: { ...analysis.stats.milliseconds, refine: observer.now() - begin },
  };
  const queues = analysis.queues.map((queue) => withClaim(queue, claims));
  const open = queues.filter(({ verdict }) => verdict === 'unknown');
  const certificate =
    claims.length === 0
      ? analysis.certificate
      : refinedBoundDocument(net, analysis.queues, claims, options.abstraction);
  const method = claims.length === 0 ? analysis.method : 'refined';
  const { reason, reasonCode, ...rest } = analysis;
  const result = { ...rest, method, queues, certificate, stats } as const;
  if (open.length === 0) return { ...result, verdict: 'proved', counterexamples: [] };
  const counterexamples = end.counterexamples.length > 0 ? end.counterexamples : analysis.counterexamples;
  const why = end.why ?? { reason, reasonCode };
  return {
    ...result,
    counterexamples: counterexamples.filter(({ queue }) => open.some((other) => other.queue === queue)),
    ...(why.reason === undefined ? {} : { reason: why.reason }),
    ...(why.reasonCode === undefined ? {} : { reasonCode: why.reasonCode }),
  };
}

interface End {
  /** Null when nothing was settled. */
  readonly flooded: ReadonlySet<number> | null;
  readonly counterexamples: readonly Counterexample[];
  readonly why: { readonly reason: string; readonly reasonCode: ReasonCode } | null;
}

/** Learns from counterexamples until none is left or nothing new is to be learned. */
async function exhaust(refiner: Refiner, limits: RefinementLimits, whole: Budget): Promise<End> {
  const { index, facts, solver, budget } = refiner;
  const { net } = index;
  const settled = new Set<number>();
  let flooded: ReadonlySet<number> | null = null;
  const counterexamples: Counterexample[] = [];
  for (let round = 0; ; round++) {
    const system = refinedSystem('rays', index, facts.context, refiner.rows, [], limits.maxCycles, budget);
    if (system === null || round > limits.maxRounds)
      return { flooded, counterexamples, why: budgetReached(whole.timeLeft()) };
    const gains = net.queues.map((queue) => gainOf(net, new Set(queue.places)));
    const classified = classify(solver, index, budget, system.builder.copy(), gains, () => null);
    if (typeof classified === 'string')
      return { flooded, counterexamples, why: budgetReached(whole.timeLeft()) };
    flooded = classified.flooded;
    const next = [...flooded].find((queue) => !settled.has(queue));
    if (next === undefined) return { flooded, counterexamples, why: null };
    const builder = system.builder.copy();
    builder.row(gains[next]!, 1, null);
    const everything = net.transitions.map((_, column) => ({ column, coefficient: 1 }));
    const outcome = solver.solve(builder.build('minimise', everything), { budget });
    if (outcome.kind !== 'optimal') return { flooded, counterexamples, why: budgetReached(whole.timeLeft()) };
    if (await refiner.learnFrom(cyclesOfPoint(index, system, outcome.primal))) continue;
    settled.add(next);
    const ray = rayOfPoint(index, outcome.primal);
    counterexamples.push({ queue: next, ray, cycles: describeParts(net, decomposeRay(net, ray)) });
  }
}

const budgetReached = (timeLeft: boolean): End['why'] =>
  timeLeft
    ? {
        reasonCode: 'refinement-budget',
        reason: 'the refinement used up its rounds, cycles or share of the time',
      }
    : { reasonCode: 'time-limit', reason: 'the time was over while the counterexample was being refined' };

/** The least bound that the rows give each queue that is open and not flooded. */
function proveQueues(
  refiner: Refiner,
  limits: RefinementLimits,
  queues: readonly QueueBound[],
  flooded: ReadonlySet<number>,
): RefinedClaim[] {
  const { index, facts, solver, budget } = refiner;
  const { net } = index;
  const wanted = queues.filter(({ queue, verdict }) => verdict === 'unknown' && !flooded.has(queue));
  if (wanted.length === 0) return [];
  const system = refinedSystem('runs', index, facts.context, refiner.rows, [], limits.maxCycles, budget);
  if (system === null) return [];
  const session = solver.open(system.builder.build('maximise', []), { budget });
  const claims: RefinedClaim[] = [];
  for (const { queue } of wanted) {
    const places = new Set(net.queues[queue]!.places);
    session.setObjective('maximise', gainOf(net, places));
    const outcome = session.solve();
    if (outcome.kind !== 'optimal') continue;
    const added = new Map([...places].map((place) => [place, outcome.dual.denominator]));
    const proof = refinedPotential(index, system, outcome.dual, added);
    const bound = checkRefinedBound(facts, queue, proof);
    if (bound.ok) claims.push({ queue, bound: bound.value, proof });
  }
  session.close();
  return claims;
}

function withClaim(queue: QueueBound, claims: readonly RefinedClaim[]): QueueBound {
  const claim = claims.find((candidate) => candidate.queue === queue.queue);
  if (claim === undefined) return queue;
  const bound = Number(claim.bound);
  return { ...queue, verdict: 'proved', bound, certifiedBound: bound, fits: bound <= queue.declared };
}
