// Boundedness by counterexample-guided refinement: as for livelock, with numerical dependencies only ([Ciclo] VII-B: a dependency
// without a number does not bound how much a cycle sends before the others must follow). Unlike [Ciclo], a refined proof gives bounds, because
// every row holds on each finite run up to a constant.

import { classify } from '../boundedness/classify.ts';
import type { BoundednessAnalysis, Counterexample, QueueBound } from '../boundedness/model.ts';
import { decomposeRay, describeParts } from '../counterexample/ray.ts';
import { gainOf } from '../net/encode-flow.ts';
import type { Net } from '../net/net.ts';
import type { Program } from '../process/program.ts';
import { checkRefinedBound } from './check.ts';
import { type RefinedClaim, refinedBoundDocument } from './document.ts';
import { type Finding, type Limit, Refinement, type RefineOptions } from './loop.ts';
import { type RefinedSystem, refinedPotential } from './refined-system.ts';

/** Goes on where an analysis of the net left some queue open; gives the analysis back when there is nothing to add. */
export async function refineBoundedness(
  program: Program,
  net: Net,
  analysis: BoundednessAnalysis,
  options: RefineOptions = {},
): Promise<BoundednessAnalysis> {
  if (analysis.verdict === 'proved' || analysis.counterexamples.length === 0) return analysis;
  const refinement = await Refinement.open(program, net, options);
  if (refinement === null) return analysis;
  const asked = new Set(analysis.queues.map(({ queue }) => queue));
  const end = await exhaust(refinement, asked);
  const claims = end.flooded === null ? [] : proveQueues(refinement, analysis.queues, end.flooded);
  const stats = refinement.statsAfter(analysis.stats);
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
  const why = end.limit === null ? { reason, reasonCode } : refinement.reasonFor(end.limit);
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
  readonly limit: Limit | null;
}

/** Learns from counterexamples until none is left or nothing new is to be learned, queue by queue. */
async function exhaust(refinement: Refinement, asked: ReadonlySet<number>): Promise<End> {
  const { refiner } = refinement;
  const { index, solver, budget } = refiner;
  const { net } = index;
  const gains = net.queues.map((queue) => gainOf(net, new Set(queue.places)));
  const settled = new Set<number>();
  const counterexamples: Counterexample[] = [];
  let flooded: ReadonlySet<number> | null = null;
  let next = -1;
  const ask = (system: RefinedSystem): Finding<null> => {
    const classified = classify(solver, index, budget, system.builder.copy(), gains, () => null);
    if (typeof classified === 'string')
      return { kind: 'stuck', limit: classified === 'time' ? 'time' : 'solver' };
    flooded = classified.flooded;
    const open = [...classified.flooded].find((queue) => asked.has(queue) && !settled.has(queue));
    if (open === undefined) return { kind: 'answer', value: null };
    next = open;
    const builder = system.builder.copy();
    builder.row(gains[open]!, 1, null);
    const everything = net.transitions.map((_, column) => ({ column, coefficient: 1 }));
    const outcome = solver.solve(builder.build('minimise', everything), { budget });
    if (outcome.kind !== 'optimal') {
      const isTime = outcome.kind === 'unknown' && outcome.reason === 'time';
      return { kind: 'stuck', limit: isTime ? 'time' : 'solver' };
    }
    return { kind: 'suspicion', suspicion: refinement.suspicionAt(system, outcome.primal) };
  };
  for (;;) {
    const finding = await refinement.run([], ask);
    if (finding.kind === 'answer') return { flooded, counterexamples, limit: null };
    if (finding.kind === 'stuck') return { flooded, counterexamples, limit: finding.limit };
    settled.add(next);
    const { ray } = finding.suspicion;
    counterexamples.push({ queue: next, ray, cycles: describeParts(net, decomposeRay(net, ray)) });
  }
}

/** The least bound that the rows give each queue that is open and not flooded. */
function proveQueues(
  refinement: Refinement,
  queues: readonly QueueBound[],
  flooded: ReadonlySet<number>,
): RefinedClaim[] {
  const { index, facts, solver, budget } = refinement.refiner;
  const { net } = index;
  const wanted = queues.filter(({ queue, verdict }) => verdict === 'unknown' && !flooded.has(queue));
  if (wanted.length === 0) return [];
  const system = refinement.system('runs');
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
