// `livelock-free`: ranking by linear program → unfolding → search on the concrete semantics, under one budget.
//
// The property is about infinite runs, at the declared capacities and with channels of unlimited capacity alike. The ranking covers
// both where no send is assumed to succeed, which is what the option capacities 'any' of the net is for. A search proves it only
// when it saw every state under both readings; a run under either refutes it, and says which.

import { type Budget, shareOf } from '../../base/budget.ts';
import type { Model } from '../../explore/compile.ts';
import { confirm } from '../../explore/confirm.ts';
import { describe } from '../../explore/describe.ts';
import { decideLivelock } from '../../explore/livelock.ts';
import type { Loop } from '../../explore/pumping.ts';
import { analyseLivelock } from '../../livelock/analyse.ts';
import type { LivelockAnalysis } from '../../livelock/model.ts';
import { loadSolver } from '../../lp/solver.ts';
import { codeContext } from '../../refinement/context.ts';
import { hints } from '../../refinement/describe.ts';
import { refineLivelock } from '../../refinement/refine-livelock.ts';
import { Facts } from '../../refinement/rows.ts';
import type { Run } from '../../verdict/run.ts';
import { longestQueues } from '../../verdict/run-state.ts';
import type { Evidence, Note, PropertyResult } from '../../verdict/verdict.ts';
import { analyseWithUnfolding, blindSpot, type Refined } from './abstract.ts';
import { type Capacity, concreteModel, limitReason, processNotes } from './concrete.ts';
import { preferredEdges } from './confirm.ts';
import { type PromelaContext, reproduce } from './context.ts';
import { explainRanking } from './explain-proof.ts';
import { progressOf } from './progress.ts';

/** States of the first look for a loop that grows. */
const FIRST_LOOK = 10_000;

type Ranked = LivelockAnalysis & { readonly settled: boolean; readonly suspicious: Set<number> };

export async function checkLivelock(context: PromelaContext): Promise<PropertyResult> {
  const refined = await rankByAbstraction(context);
  context.diagnostics.push(...refined.abstraction.diagnostics);
  const ranked = { ...staticResult(context, refined), ...(await designHints(context, refined)) };
  const { options, budget } = context.request;
  if (ranked.verdict !== 'unknown' || options.confirm === false || !budget.timeLeft()) return ranked;
  return searchResult(context, refined, ranked);
}

/** Loops that are meant to go on, and that nothing can make go on ([CycleDeps] section 1): worth knowing even when the property holds. */
async function designHints(
  { program, request }: PromelaContext,
  { abstraction }: Refined<Ranked>,
): Promise<{ notes?: readonly Note[] }> {
  if (abstraction.unknowns.length > 0 || !request.budget.timeLeft()) return {};
  const code = codeContext(program, abstraction.net);
  if (code === null) return {};
  const notes = await hints(new Facts(code), await loadSolver());
  return notes.length === 0 ? {} : { notes };
}

export function rankByAbstraction(context: PromelaContext): Promise<Refined<Ranked>> {
  const { options, observer } = context.request;
  return analyseWithUnfolding(
    context,
    async (abstraction, recipe, budget) => {
      const { net, unknowns } = abstraction;
      const method = options.method ?? 'flow';
      const first = await analyseLivelock(net, { method, budget, observer, abstraction: recipe });
      const analysis =
        unknowns.length > 0
          ? first
          : await refineLivelock(context.program, net, first, { budget, observer, abstraction: recipe });
      const suspicious = new Set(analysis.counterexample === null ? [] : analysis.counterexample.ray.keys());
      return { ...analysis, settled: analysis.verdict === 'proved', suspicious };
    },
    'any',
  );
}

function staticResult(
  context: PromelaContext,
  { analysis, abstraction, rounds }: Refined<Ranked>,
): PropertyResult {
  const blind = blindSpot(context, abstraction);
  const verdict = blind === null ? analysis.verdict : 'unknown';
  const evidence = evidenceOf(analysis);
  const { reason, reasonCode } = analysis;
  return {
    id: 'livelock-free',
    verdict,
    method: rounds > 0 ? 'refined' : analysis.method,
    ...(verdict === 'proved'
      ? {}
      : (blind ?? {
          ...(reason === undefined ? {} : { reason }),
          ...(reasonCode === undefined ? {} : { reasonCode }),
        })),
    ...(evidence === null || blind !== null ? {} : { evidence }),
    stats: { ...analysis.stats, refinements: rounds },
    reproduce: reproduce(context, 'livelock-free'),
    ...(verdict === 'proved' && analysis.potential !== null && context.request.options.explain
      ? { proof: explainRanking(abstraction.net, analysis.potential) }
      : {}),
  };
}

function evidenceOf({ certificate, counterexample }: LivelockAnalysis): Evidence | null {
  if (certificate !== null) return { kind: 'certificate', certificate };
  return counterexample === null ? null : { kind: 'suspicious-cycles', cycles: counterexample.cycles };
}

/** The concrete semantics decides, or finds a loop that grows, or gives up: what the ranking said stays then. */
function searchResult(
  context: PromelaContext,
  refined: Refined<Ranked>,
  ranked: PropertyResult,
): PropertyResult {
  const { budget } = context.request;
  const refuted = (run: PropertyResult) => ({ ...run, ...keep(ranked), ...capacityNotes(context, run) });
  const found: PropertyResult[] = [];
  for (const capacity of ['declared', 'unlimited'] as const) {
    // With unlimited channels the state space may have no end: first look for a short loop that grows.
    const soon = { ...budget, maxStates: Math.min(FIRST_LOOK, budget.maxStates) };
    const growing = capacity === 'unlimited' ? growingLoop(context, refined, soon) : null;
    if (growing !== null) return refuted(growing);
    // A large state space at the declared capacities must leave time for the other reading, where a loop may be at hand.
    const share = capacity === 'declared' ? shareOf(budget, 2) : budget;
    const exact = decide(context, refined, capacity, share);
    if (exact !== null) found.push(exact);
    if (exact?.verdict === 'refuted') return refuted(exact);
  }
  if (found.length === 2 && found.every((one) => one.verdict === 'proved'))
    return { ...found[1]!, ...keep(ranked) };
  const growing = growingLoop(context, refined, budget);
  if (growing !== null) return refuted(growing);
  const limited = found.find((one) => one.verdict === 'unknown');
  if (limited === undefined) return ranked;
  return {
    ...ranked,
    reason: `${ranked.reason}; no real run was found: ${limited.reason}`,
    ...(limited.reasonCode === undefined ? {} : { reasonCode: limited.reasonCode }),
  };
}

const keep = ({ id, reproduce: again, stats }: PropertyResult) => ({ id, reproduce: again, stats });

/** Exact on a finite state space; null when there is no answer. SPIN's limit of 255 processes is no part of the question. */
function decide(
  context: PromelaContext,
  refined: Refined<Ranked>,
  capacity: Capacity,
  budget: Budget,
): PropertyResult | null {
  const { observer } = context.request;
  const model = concreteModel(context, capacity, 'unlimited');
  if (!model.ok || !budget.timeLeft()) return null;
  observer.stage('search for a run without progress');
  const { progress, isExact } = progressOf(context, refined.abstraction, model.value);
  const decision = decideLivelock(model.value, progress, budget, observer);
  const base = { id: 'livelock-free', stats: {}, reproduce: '' };
  switch (decision.kind) {
    case 'loop':
      return {
        ...base,
        verdict: 'refuted',
        method: 'run',
        evidence: { kind: 'run', run: runOf(model.value, decision) },
      };
    case 'none': {
      const { states, transitions } = decision;
      if (!isExact()) return null;
      const notes = processNotes(model.value);
      return {
        ...base,
        verdict: 'proved',
        method: 'exhaustive',
        evidence: { kind: 'exhaustion', states, transitions },
        ...(notes.length === 0 ? {} : { notes }),
      };
    }
    case 'limit':
      return { ...base, verdict: 'unknown', ...limitReason(decision.limit, 0) };
  }
}

function runOf(model: Model, { prefix, loop }: Loop): Run {
  const title = 'a run that goes on for ever without progress';
  const described = describe(model, [...prefix, ...loop], { title, loopStart: prefix.length / 4 });
  if (!described.ok)
    throw new Error('impossible: a loop that was found on the concrete semantics cannot be replayed');
  return described.run;
}

/** A loop without progress in which queues may grow. */
function growingLoop(
  context: PromelaContext,
  { analysis, abstraction }: Refined<Ranked>,
  budget: Budget,
): PropertyResult | null {
  const { observer } = context.request;
  const model = concreteModel(context, 'unlimited');
  if (!model.ok || !budget.timeLeft()) return null;
  observer.stage('search for a run without progress');
  const counterexamples = analysis.counterexample === null ? [] : [analysis.counterexample];
  const outcome = confirm(
    model.value,
    {
      progress: progressOf(context, abstraction, model.value).progress,
      preferred: preferredEdges(context, { net: abstraction.net, counterexamples }),
      allowNewProcesses: true,
    },
    budget,
    observer,
  );
  const [loop] = outcome.loops;
  if (loop === undefined) return null;
  const growth = [...loop.growthByName].map(([queue, perRound]) => ({ queue, perRound }));
  const run = { ...runOf(model.value, loop), ...(growth.length === 0 ? {} : { growth }) };
  return {
    id: 'livelock-free',
    verdict: 'refuted',
    method: 'run',
    evidence: { kind: 'run', run },
    stats: {},
    reproduce: '',
  };
}

/** A run found with unlimited channels may need more room than the model declares. */
function capacityNotes(
  { program }: PromelaContext,
  { evidence }: PropertyResult,
): { readonly notes?: readonly Note[] } {
  if (evidence?.kind !== 'run') return {};
  const declared = Math.min(
    ...program.channelSites.filter((site) => site.capacity > 0).map((site) => site.capacity),
  );
  const growing = (evidence.run.growth ?? []).length > 0;
  if (!growing && Math.max(0, ...longestQueues(evidence.run, 2).values()) <= declared) return {};
  const message = 'in this run channels hold as much as is sent; at the declared capacities it may block';
  return { notes: [{ severity: 'hint', message }] };
}
