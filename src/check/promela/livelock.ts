// `livelock-free`: ranking by linear program → unfolding → search for a run without progress.

import { analyseLivelock } from '../../livelock/analyse.ts';
import type { LivelockAnalysis } from '../../livelock/model.ts';
import type { Evidence, PropertyResult } from '../../verdict/verdict.ts';
import { analyseWithUnfolding, blindSpot, type Refined } from './abstract.ts';
import { type PromelaContext, reproduce } from './context.ts';

type Ranked = LivelockAnalysis & { readonly settled: boolean; readonly suspicious: Set<number> };

export async function checkLivelock(context: PromelaContext): Promise<PropertyResult> {
  return result(context, await rankByAbstraction(context));
}

export function rankByAbstraction(context: PromelaContext): Promise<Refined<Ranked>> {
  const { options, budget, observer } = context.request;
  return analyseWithUnfolding(context, async (abstraction, recipe) => {
    const analysis = await analyseLivelock(abstraction.net, {
      method: options.method ?? 'flow',
      budget,
      observer,
      abstraction: recipe,
    });
    const suspicious = new Set(analysis.counterexample === null ? [] : analysis.counterexample.ray.keys());
    return { ...analysis, settled: analysis.verdict === 'proved', suspicious };
  });
}

function result(context: PromelaContext, { analysis, abstraction, rounds }: Refined<Ranked>): PropertyResult {
  const blind = blindSpot(abstraction);
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
  };
}

function evidenceOf({ certificate, counterexample }: LivelockAnalysis): Evidence | null {
  if (certificate !== null) return { kind: 'certificate', certificate };
  return counterexample === null ? null : { kind: 'suspicious-cycles', cycles: counterexample.cycles };
}
