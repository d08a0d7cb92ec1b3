// Buffer boundedness of a net: which queues are bounded, by how much, with what proof; and what floods the others.
//
// classify (one linear program) → bounds with checked proofs → a ray for each queue left. Proves or does not know: a ray is only
// suspicious, because the net has more runs than the system.

import { SILENT, UNLIMITED } from '../base/budget.ts';
import { checker } from '../certificate/check.ts';
import type { QueueClaim } from '../certificate/document.ts';
import { boundDocument } from '../certificate/document.ts';
import type { BoundProof } from '../certificate/proof.ts';
import type { UnknownReason } from '../lp/problem.ts';
import { loadSolver } from '../lp/solver.ts';
import { countCycles } from '../net/cycles.ts';
import { encodeCycles } from '../net/encode-cycles.ts';
import { indexNet, sizeOf } from '../net/encode-flow.ts';
import type { Net } from '../net/net.ts';
import type { ReasonCode } from '../verdict/reasons.ts';
import type { Stats } from '../verdict/verdict.ts';
import type { Classification } from './classify.ts';
import { classifyByCycles, classifyByFlow } from './classify.ts';
import { proveByCycles } from './cycle-bounds.ts';
import { FlowBounds } from './flow-bounds.ts';
import type { BoundednessAnalysis, BoundednessOptions, Counterexample, QueueBound } from './model.ts';
import { findRays } from './rays.ts';

const DEFAULT_MAX_CYCLES = 50_000;

interface Proven {
  readonly bound: bigint;
  readonly certified: bigint;
  readonly proof: BoundProof;
}

export async function analyseBoundedness(
  net: Net,
  options: BoundednessOptions = {},
): Promise<BoundednessAnalysis> {
  const method = options.method ?? 'flow';
  const budget = options.budget ?? UNLIMITED;
  const observer = options.observer ?? SILENT;
  const solver = options.solver ?? (await loadSolver(options.method === 'cycles' ? undefined : sizeOf(net)));
  const index = indexNet(net);
  const check = checker(net);
  const asked = askedQueues(net, options.only);
  const lpsBefore = solver.stats.lps;
  const milliseconds: Record<string, number> = {};
  const timed = <T>(stage: string, work: () => T): T => {
    observer.stage(stage);
    const begin = observer.now();
    const result = work();
    milliseconds[stage] = (milliseconds[stage] ?? 0) + observer.now() - begin;
    return result;
  };

  const limits = { maxCycles: options.maxCycles ?? DEFAULT_MAX_CYCLES, goOn: budget.timeLeft };
  const encoding = method === 'cycles' ? timed('enumerate', () => encodeCycles(index, limits)) : null;
  const stats = (): Stats => ({
    locations: index.locations,
    transitions: net.transitions.length,
    messageTypes: net.places.filter((place) => place.kind === 'message').length,
    ...(encoding === null ? {} : countCycles(net, encoding.cycles)),
    lps: solver.stats.lps - lpsBefore,
    milliseconds,
  });
  const nothing = (reasonCode: ReasonCode, reason: string): BoundednessAnalysis => ({
    verdict: asked.length === 0 ? 'proved' : 'unknown',
    method,
    queues: asked.map((queue) => queueBound(net, queue, null)),
    certificate: null,
    counterexamples: [],
    reason,
    reasonCode,
    stats: stats(),
  });
  if (encoding !== null && !encoding.complete)
    return budget.timeLeft()
      ? nothing(
          'cycle-limit',
          `there are more than ${limits.maxCycles} elementary cycles; the method flow needs none`,
        )
      : nothing('time-limit', 'the time was over while the cycles were enumerated');

  const classified = timed('classify', () =>
    encoding === null
      ? classifyByFlow(solver, index, budget)
      : classifyByCycles(solver, index, budget, encoding),
  );
  if (typeof classified === 'string') return nothing(...whyUnknown(classified));

  const proven = timed('bounds', () => proveAll(classified));
  const queues = asked.map((queue) => queueBound(net, queue, proven.get(queue) ?? null));
  const suspicious = asked.filter((queue) => classified.flooded.has(queue));
  const counterexamples: readonly Counterexample[] = timed('counterexamples', () =>
    findRays(solver, index, suspicious, budget),
  );
  const open = queues.filter((queue) => queue.verdict === 'unknown');
  const result = {
    method,
    queues,
    certificate: timed('certificate', () => certificateOf(net, queues, options.abstraction)),
    counterexamples,
    stats: stats(),
  };
  if (open.length === 0) return { verdict: 'proved', ...result };
  return { verdict: 'unknown', ...result, ...whyOpen(open, classified) };

  function proveAll({ flooded, potential }: Classification): ReadonlyMap<number, Proven> {
    const bounded = asked.filter((queue) => !flooded.has(queue));
    if (encoding !== null) return proveByCycles(solver, index, check, encoding, bounded, potential, budget);
    const flow = new FlowBounds(solver, index, check, budget, observer);
    const found = flow.prove(bounded, potential, options.integers ?? true);
    return new Map(
      [...found].map(([queue, { bound, proof }]) => [queue, { bound, certified: bound, proof }]),
    );
  }
}

const askedQueues = (net: Net, only: BoundednessOptions['only']): readonly number[] =>
  net.queues.flatMap(({ name }, queue) => (only === undefined || only.includes(name) ? [queue] : []));

/** The queues of a net before anything is known of them. */
export const openQueues = (net: Net): readonly QueueBound[] =>
  askedQueues(net, undefined).map((queue) => queueBound(net, queue, null));

function queueBound(net: Net, queue: number, proven: Proven | null): QueueBound {
  const { name, declared } = net.queues[queue]!;
  if (proven === null)
    return {
      queue,
      name,
      declared,
      verdict: 'unknown',
      bound: null,
      certifiedBound: null,
      fits: null,
      proof: null,
    };
  const bound = Number(proven.bound);
  const certifiedBound = Number(proven.certified);
  const fits = certifiedBound <= declared;
  return { queue, name, declared, verdict: 'proved', bound, certifiedBound, fits, proof: proven.proof };
}

function certificateOf(
  net: Net,
  queues: readonly QueueBound[],
  abstraction: BoundednessOptions['abstraction'],
) {
  const claims: QueueClaim[] = queues.flatMap(({ queue, proof, certifiedBound }) =>
    proof === null ? [] : [{ queue, proof, bound: BigInt(certifiedBound!) }],
  );
  if (claims.length === 0) return null;
  return boundDocument(net, claims, (abstraction ?? null) as Parameters<typeof boundDocument>[2]);
}

function whyUnknown(reason: UnknownReason): [ReasonCode, string] {
  if (reason === 'time') return ['time-limit', 'the time was over while the linear program was being solved'];
  return [
    'solver-inconclusive',
    'the linear program was not solved: the solver gave no answer that could be confirmed',
  ];
}

function whyOpen(
  open: readonly QueueBound[],
  { flooded }: Classification,
): { readonly reason: string; readonly reasonCode: ReasonCode } {
  const suspicious = open.filter(({ queue }) => flooded.has(queue));
  const names = (queues: readonly QueueBound[]): string =>
    queues.length > 3 ? `${queues.length} queues` : queues.map(({ name }) => name).join(', ');
  if (suspicious.length > 0)
    return {
      reasonCode: 'abstraction-too-coarse',
      reason: `as far as counts of messages go, a combination of loops can fill ${names(suspicious)} without limit`,
    };
  return { reasonCode: 'no-certificate', reason: `no proof for ${names(open)} passed the exact check` };
}
