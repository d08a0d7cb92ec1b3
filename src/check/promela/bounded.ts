// `bounded`: linear program → unfolding → search for a pumping run or for the end of the state space, under one budget.

import { analyseBoundedness } from '../../boundedness/analyse.ts';
import type { BoundednessAnalysis } from '../../boundedness/model.ts';
import { queueMaxima } from '../../explore/maxima.ts';
import { search, whyIncomplete } from '../../explore/search.ts';
import { refineBoundedness } from '../../refinement/refine-boundedness.ts';
import type { CycleDescription, Evidence, Note, PropertyResult, QueueResult } from '../../verdict/verdict.ts';
import { worst } from '../../verdict/verdict.ts';
import { analyseWithUnfolding, blindSpot, type Refined } from './abstract.ts';
import { concreteModel } from './concrete.ts';
import { type ConfirmedQueues, confirmQueues } from './confirm.ts';
import { type PromelaContext, reproduce } from './context.ts';
import { explainBounds } from './explain-proof.ts';
import { trustedFits } from './fits.ts';
import { mergeQueues } from './queues.ts';

type Bounded = BoundednessAnalysis & { readonly settled: boolean; readonly suspicious: Set<number> };

export async function checkBounded(context: PromelaContext): Promise<PropertyResult> {
  const refined = await boundByAbstraction(context);
  const result = decide(context, refined);
  const queues = trustedFits(context.program, refined.abstraction, result.queues ?? []);
  return { ...result, queues };
}

function decide(context: PromelaContext, refined: Refined<Bounded>): PropertyResult {
  const queues = mergeQueues(context.program, refined);
  const { options, budget, observer } = context.request;
  const isOpen = queues.some((queue) => queue.verdict === 'unknown');
  if (isOpen && options.confirm !== false && budget.timeLeft()) {
    const begin = observer.now();
    const { net } = refined.abstraction;
    const confirmed = confirmQueues(context, queues, {
      net,
      counterexamples: refined.analysis.counterexamples,
    });
    return confirmedResult(context, refined, confirmed, observer.now() - begin);
  }
  return staticResult(context, refined, isOpen || !options.exact ? queues : withExact(context, queues));
}

export function boundByAbstraction(context: PromelaContext): Promise<Refined<Bounded>> {
  const { options, observer } = context.request;
  return analyseWithUnfolding(context, async (abstraction, recipe, budget) => {
    const { net, unknowns } = abstraction;
    const method = options.method ?? 'flow';
    const first = await analyseBoundedness(net, { method, budget, observer, abstraction: recipe });
    const analysis =
      unknowns.length > 0
        ? first
        : await refineBoundedness(context.program, net, first, { budget, observer, abstraction: recipe });
    const suspicious = new Set(analysis.counterexamples.flatMap(({ ray }) => [...ray.keys()]));
    const settled = analysis.queues.every(({ declared, verdict }) => declared === 0 || verdict === 'proved');
    return { ...analysis, settled, suspicious };
  });
}

/** The true maxima, when the state space ends within the budget: it is finite, because every queue is bounded. */
function withExact(context: PromelaContext, queues: readonly QueueResult[]): readonly QueueResult[] {
  const { budget, observer } = context.request;
  const model = concreteModel(context, 'unlimited');
  if (!model.ok) return queues;
  observer.stage('search for the exact maxima');
  const outcome = search(model.value, { all: true }, budget, observer);
  if (whyIncomplete(outcome) !== null) return queues;
  const maxima = queueMaxima(model.value);
  return queues.map((queue) => {
    const exact = maxima.get(queue.name) ?? 0;
    return { ...queue, exact, fits: exact <= queue.declared };
  });
}

function staticResult(
  context: PromelaContext,
  refined: Refined<Bounded>,
  queues: readonly QueueResult[],
): PropertyResult {
  const { analysis, abstraction, rounds } = refined;
  const blind = blindSpot(context, abstraction);
  const verdict = worst(queues.map((queue) => queue.verdict));
  const evidence = evidenceOf(analysis, verdict);
  const notes = emptyQueueNotes(queues);
  return {
    id: 'bounded',
    verdict,
    method: rounds > 0 ? 'refined' : analysis.method,
    ...(verdict === 'unknown' ? (blind ?? why(analysis)) : {}),
    queues,
    ...(evidence === null || blind !== null ? {} : { evidence }),
    stats: { ...analysis.stats, refinements: rounds },
    reproduce: reproduce(context, 'bounded'),
    ...(notes.length === 0 ? {} : { notes }),
    ...(verdict === 'proved' && context.request.options.explain
      ? { proof: explainBounds(abstraction.net, analysis.queues) }
      : {}),
  };
}

function confirmedResult(
  context: PromelaContext,
  refined: Refined<Bounded>,
  confirmed: ConfirmedQueues,
  milliseconds: number,
): PropertyResult {
  const { analysis, abstraction, rounds } = refined;
  const { queues, runs, exhausted, states, transitions } = confirmed;
  const blind = blindSpot(context, abstraction);
  const verdict = worst(queues.map((queue) => queue.verdict));
  const [run] = runs;
  const evidence: Evidence | null =
    run !== undefined
      ? { kind: 'run', run }
      : exhausted
        ? { kind: 'exhaustion', states, transitions }
        : blind === null
          ? evidenceOf(analysis, verdict)
          : null;
  const reason = verdict === 'unknown' ? (confirmed.reason ?? blind ?? why(analysis)) : {};
  return {
    id: 'bounded',
    verdict,
    method: run !== undefined ? 'run' : exhausted ? 'exhaustive' : rounds > 0 ? 'refined' : analysis.method,
    ...reason,
    queues,
    ...(evidence === null ? {} : { evidence }),
    stats: {
      ...analysis.stats,
      refinements: rounds,
      states,
      milliseconds: { ...analysis.stats.milliseconds, search: milliseconds },
    },
    reproduce: reproduce(context, 'bounded'),
    ...withNotes([...(exhausted ? emptyQueueNotes(queues) : []), ...confirmed.notes]),
  };
}

const withNotes = (notes: readonly Note[]) => (notes.length === 0 ? {} : { notes });

/** A queue that nothing is ever sent to is bounded, but hardly what the author meant. */
function emptyQueueNotes(queues: readonly QueueResult[]): Note[] {
  const empty = queues.filter((queue) => queue.verdict === 'proved' && queue.bound === 0);
  if (empty.length === 0) return [];
  const names = empty.length > 4 ? `${empty.length} queues` : empty.map((queue) => queue.name).join(', ');
  const at = empty[0]!.at;
  return [
    { severity: 'hint', message: `nothing is ever sent to ${names}`, ...(at === undefined ? {} : { at }) },
  ];
}

function why({ reason, reasonCode }: BoundednessAnalysis) {
  return { ...(reason === undefined ? {} : { reason }), ...(reasonCode === undefined ? {} : { reasonCode }) };
}

/** The verdict is that of the queues a user sees: what the net says of rendezvous channels, which hold nothing, does not matter. */
function evidenceOf(
  { certificate, counterexamples }: BoundednessAnalysis,
  verdict: PropertyResult['verdict'],
): Evidence | null {
  if (verdict === 'proved') return certificate === null ? null : { kind: 'certificate', certificate };
  // The same loop often floods several queues.
  const cycles = new Map<string, CycleDescription>();
  for (const cycle of counterexamples.flatMap((counterexample) => counterexample.cycles)) {
    const key = JSON.stringify([cycle.process, cycle.steps]);
    if (!cycles.has(key)) cycles.set(key, cycle);
  }
  return cycles.size === 0 ? null : { kind: 'suspicious-cycles', cycles: [...cycles.values()] };
}
