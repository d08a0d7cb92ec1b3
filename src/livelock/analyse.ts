// Livelock freedom of a net ([Ciclo] V, (25)–(28)): can it go on for ever without progress, as far as counts go?
//
// One linear program: the most steps of a ray without progress transitions, capped at one. Zero means that no such ray exists, and
// the multipliers are a ranking: a potential that falls with every step that is not progress. Otherwise the ray is the suspicion.
// A tail of a livelocked run gives such a ray by Dickson's lemma, for unlimited and for any limited capacity of the channels.

import { SILENT, UNLIMITED } from '../base/budget.ts';
import { checkRanking } from '../certificate/check.ts';
import { rankingDocument } from '../certificate/document.ts';
import { potentialFromCycles, potentialFromFlow } from '../certificate/find.ts';
import type { Potential } from '../certificate/proof.ts';
import type { Ray } from '../counterexample/ray.ts';
import { decomposeRay, describeParts, rayOf } from '../counterexample/ray.ts';
import type { UnknownReason } from '../lp/problem.ts';
import type { SolveOptions, Solver } from '../lp/solver.ts';
import { loadSolver } from '../lp/solver.ts';
import { countCycles } from '../net/cycles.ts';
import type { CycleEncoding } from '../net/encode-cycles.ts';
import { encodeCycles } from '../net/encode-cycles.ts';
import type { NetIndex } from '../net/encode-flow.ts';
import { encodeFlow, indexNet, sizeOf } from '../net/encode-flow.ts';
import type { Net } from '../net/net.ts';
import type { ReasonCode } from '../verdict/reasons.ts';
import type { Stats } from '../verdict/verdict.ts';
import type { LivelockAnalysis, LivelockOptions } from './model.ts';

const DEFAULT_MAX_CYCLES = 50_000;

type Answer =
  | { readonly ranking: Potential | null }
  | { readonly ray: Ray }
  | { readonly unknown: UnknownReason };

export async function analyseLivelock(net: Net, options: LivelockOptions = {}): Promise<LivelockAnalysis> {
  const method = options.method ?? 'flow';
  const budget = options.budget ?? UNLIMITED;
  const observer = options.observer ?? SILENT;
  const solver = options.solver ?? (await loadSolver(options.method === 'cycles' ? undefined : sizeOf(net)));
  const index = indexNet(net);
  const lpsBefore = solver.stats.lps;
  observer.stage('livelock');
  const begin = observer.now();

  const maxCycles = options.maxCycles ?? DEFAULT_MAX_CYCLES;
  const encoding =
    method === 'cycles'
      ? encodeCycles(index, { maxCycles, goOn: budget.timeLeft }, (progress) => progress)
      : null;
  const answer: Answer | null =
    encoding === null
      ? byFlow(solver, index, { budget })
      : encoding.complete
        ? byCycles(solver, index, encoding, { budget })
        : null;
  const stats: Stats = {
    locations: index.locations,
    transitions: net.transitions.length,
    progressTransitions: net.transitions.filter((transition) => transition.progress).length,
    ...(encoding === null ? {} : countCycles(net, encoding.cycles)),
    lps: solver.stats.lps - lpsBefore,
    milliseconds: { livelock: observer.now() - begin },
  };
  const unknown = (
    reasonCode: ReasonCode,
    reason: string,
    counterexample: LivelockAnalysis['counterexample'] = null,
  ): LivelockAnalysis => ({
    verdict: 'unknown',
    method,
    potential: null,
    certificate: null,
    counterexample,
    reason,
    reasonCode,
    stats,
  });

  if (answer === null)
    return budget.timeLeft()
      ? unknown(
          'cycle-limit',
          `there are more than ${maxCycles} elementary cycles; the method flow needs none`,
        )
      : unknown('time-limit', 'the time was over while the cycles were enumerated');
  if ('unknown' in answer)
    return answer.unknown === 'time'
      ? unknown('time-limit', 'the time was over while the linear program was being solved')
      : unknown('solver-inconclusive', 'the solver gave no answer that could be confirmed');
  if ('ray' in answer) {
    const cycles = describeParts(net, decomposeRay(net, answer.ray));
    return unknown(
      'abstraction-too-coarse',
      'as far as counts of messages go, a combination of loops can go on for ever without progress',
      { ray: answer.ray, cycles },
    );
  }
  const potential = answer.ranking;
  if (potential === null || !checkRanking(net, potential).ok)
    return unknown('no-certificate', 'no ranking passed the exact check');
  const abstraction = (options.abstraction ?? null) as Parameters<typeof rankingDocument>[2];
  const certificate = rankingDocument(net, potential, abstraction);
  return { verdict: 'proved', method, potential, certificate, counterexample: null, stats };
}

function byFlow(solver: Solver, index: NetIndex, options: SolveOptions): Answer {
  const builder = encodeFlow(index, 'rays');
  index.net.transitions.forEach((transition, column) => {
    if (transition.progress) builder.columns[column] = { lower: 0, upper: 0 };
  });
  const steps = index.net.transitions.flatMap((transition, column) =>
    transition.progress ? [] : [{ column, coefficient: 1 }],
  );
  builder.row(steps, null, 1);
  const outcome = solver.solve(builder.build('maximise', steps), options);
  if (outcome.kind !== 'optimal')
    return { unknown: outcome.kind === 'unknown' ? outcome.reason : 'numerics' };
  if (outcome.objective.num > 0n) return { ray: rayOf(outcome.primal) };
  return { ranking: potentialFromFlow(index, outcome.dual, new Map()) };
}

function byCycles(solver: Solver, index: NetIndex, encoding: CycleEncoding, options: SolveOptions): Answer {
  const builder = encoding.builder.copy();
  const rounds = encoding.columns.map((_, column) => ({ column, coefficient: 1 }));
  // Each round loses at least one per step: the ranking must pay for the longest cycle, so a round counts its steps.
  const steps = encoding.columns.map((column, number) => ({
    column: number,
    coefficient:
      column.kind === 'transition'
        ? 1
        : Math.max(...[column.cycle, ...column.alternatives].map((cycle) => cycle.transitions.length)),
  }));
  builder.row(rounds, null, 1);
  const outcome = solver.solve(builder.build('maximise', steps), options);
  if (outcome.kind !== 'optimal')
    return { unknown: outcome.kind === 'unknown' ? outcome.reason : 'numerics' };
  if (outcome.objective.num > 0n) {
    const ray = new Map<number, bigint>();
    for (const [number, times] of rayOf(outcome.primal)) {
      const column = encoding.columns[number]!;
      const transitions = column.kind === 'cycle' ? column.cycle.transitions : [column.transition];
      for (const transition of transitions) ray.set(transition, (ray.get(transition) ?? 0n) + times);
    }
    return { ray };
  }
  const loss = { loss: outcome.dual.denominator, skipProgress: true };
  return { ranking: potentialFromCycles(index, encoding, outcome.dual, new Map(), loss) };
}
