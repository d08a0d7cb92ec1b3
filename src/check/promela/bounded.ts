// `bounded`: linear program → unfolding → search for a pumping run or for the end of the state space, under one budget.

import { analyseBoundedness } from '../../boundedness/analyse.ts';
import type { BoundednessAnalysis } from '../../boundedness/model.ts';
import type { Evidence, PropertyResult, QueueResult } from '../../verdict/verdict.ts';
import { worst } from '../../verdict/verdict.ts';
import { analyseWithUnfolding, blindSpot, type Refined } from './abstract.ts';
import { type PromelaContext, reproduce } from './context.ts';
import { mergeQueues } from './queues.ts';

type Bounded = BoundednessAnalysis & { readonly settled: boolean; readonly suspicious: Set<number> };

export async function checkBounded(context: PromelaContext): Promise<PropertyResult> {
  const refined = await boundByAbstraction(context);
  const queues = mergeQueues(context.program, refined);
  return result(context, refined, queues);
}

export function boundByAbstraction(context: PromelaContext): Promise<Refined<Bounded>> {
  const { options, budget, observer } = context.request;
  return analyseWithUnfolding(context, async (abstraction, recipe) => {
    const analysis = await analyseBoundedness(abstraction.net, {
      method: options.method ?? 'flow',
      budget,
      observer,
      abstraction: recipe,
    });
    const suspicious = new Set(analysis.counterexamples.flatMap(({ ray }) => [...ray.keys()]));
    return { ...analysis, settled: analysis.verdict === 'proved', suspicious };
  });
}

function result(
  context: PromelaContext,
  refined: Refined<Bounded>,
  queues: readonly QueueResult[],
): PropertyResult {
  const { analysis, abstraction, rounds } = refined;
  const blind = blindSpot(abstraction);
  const verdict = blind === null ? worst(queues.map((queue) => queue.verdict)) : 'unknown';
  const evidence = evidenceOf(analysis);
  return {
    id: 'bounded',
    verdict,
    method: rounds > 0 ? 'refined' : analysis.method,
    ...(verdict === 'unknown' ? (blind ?? pick(analysis)) : {}),
    queues,
    ...(evidence === null || blind !== null ? {} : { evidence }),
    stats: { ...analysis.stats, refinements: rounds },
    reproduce: reproduce(context, 'bounded'),
  };
}

function pick({ reason, reasonCode }: BoundednessAnalysis) {
  return { ...(reason === undefined ? {} : { reason }), ...(reasonCode === undefined ? {} : { reasonCode }) };
}

function evidenceOf({ verdict, certificate, counterexamples }: BoundednessAnalysis): Evidence | null {
  if (verdict === 'proved') return certificate === null ? null : { kind: 'certificate', certificate };
  const cycles = counterexamples.flatMap((counterexample) => counterexample.cycles);
  return cycles.length === 0 ? null : { kind: 'suspicious-cycles', cycles };
}
