// `bounded` without a state space: linear program → refinement → unfolding, round by round. Each round's bounds go to the board at once.

import { analyseBoundedness } from '../../boundedness/analyse.ts';
import type { BoundednessAnalysis } from '../../boundedness/model.ts';
import { boundDocument } from '../../certificate/document.ts';
import type { Fact } from '../../engine/fact.ts';
import type { Abstraction } from '../../net/build.ts';
import type { refineBoundedness } from '../../refinement/refine-boundedness.ts';
import type { Checker } from '../../verdict/answer.ts';
import { unknown } from '../../verdict/answer.ts';
import type { CertificateDocument, CycleDescription, Suspicion } from '../../verdict/verdict.ts';
import { type AbstractionRecipe, analyseWithUnfolding, blindSpot, type Refined } from './abstract.ts';
import { preferredEdges } from './bounded-search.ts';
import { contextOf, type ProgramContext } from './context.ts';
import { explainBounds } from './explain-proof.ts';
import { assumptionsOf } from './fits.ts';
import { KNOWLEDGE } from './knowledge.ts';
import { queuesOfNet } from './queues.ts';
import type { ProgramWork } from './work.ts';

export type Bounded = BoundednessAnalysis & {
  readonly settled: boolean;
  readonly suspicious: Set<number>;
  readonly recipe: AbstractionRecipe;
};

export const linearBounds: ProgramWork = {
  run: async (task, budget, observer, learn) => {
    const context = contextOf(task, budget, observer);
    for await (const round of boundRounds(context)) learnFrom(context, round, learn);
  },
};

/** The same with counters in bytes unfolded: large nets, so only for what nothing else has settled. */
export const wideBounds: ProgramWork = {
  run: async (task, budget, observer, learn) => {
    const context = contextOf(task, budget, observer);
    for await (const round of boundRounds(context, 'wide')) {
      if (round.abstraction.unknowns.length > 0) return;
      // What is open here was open before, and for better known reasons.
      if (round.analysis.queues.some(({ verdict }) => verdict === 'proved'))
        learnFrom(context, round, (fact) => {
          if (fact.kind !== 'answer')
            learn(fact.kind === 'queues' ? { ...fact, engine: 'linear bounds, counters unfolded' } : fact);
        });
    }
  },
};

function boundRounds(
  context: ProgramContext,
  limits: AbstractionRecipe['limits'] = 'usual',
): AsyncGenerator<Refined<Bounded>> {
  const { options, budget, observer, program } = context;
  const analyse = async (abstraction: Abstraction, recipe: AbstractionRecipe): Promise<Bounded> => {
    const { net, unknowns } = abstraction;
    const method = options.method ?? 'flow';
    const only = options.queues;
    const first = await analyseBoundedness(net, { method, budget, observer, only, abstraction: recipe });
    const analysis =
      unknowns.length > 0
        ? first
        : await refined(program, net, first, { budget, observer, abstraction: recipe });
    const suspicious = new Set(analysis.counterexamples.flatMap(({ ray }) => [...ray.keys()]));
    const settled = analysis.queues.every(({ declared, verdict }) => declared === 0 || verdict === 'proved');
    return { ...analysis, settled, suspicious, recipe };
  };
  return analyseWithUnfolding(context, analyse, { limits });
}

/** Most models need no refinement: its code is read when one does. */
async function refined(...given: Parameters<typeof refineBoundedness>): Promise<BoundednessAnalysis> {
  const [, , analysis] = given;
  if (analysis.verdict === 'proved' || analysis.counterexamples.length === 0) return analysis;
  const refinement = await import('../../refinement/refine-boundedness.ts');
  return refinement.refineBoundedness(...given);
}

function learnFrom(context: ProgramContext, round: Refined<Bounded>, learn: (fact: Fact) => void): void {
  const { analysis, abstraction, rounds } = round;
  const { program, options, budget } = context;
  const { net } = abstraction;
  const method = rounds > 0 ? 'refined' : analysis.method;
  const rows = queuesOfNet(program, round, options.queues);
  // A model without buffered queues, or with some that are never used, is proved by a certificate that claims nothing of the others.
  const certificate = analysis.certificate ?? boundDocument(net, []);
  learn({ kind: 'stats', property: 'bounded', stats: { ...analysis.stats, refinements: rounds } });
  learn({ kind: 'knowledge', about: KNOWLEDGE.assumptions, value: assumptionsOf(abstraction) });
  learn({ kind: 'knowledge', about: KNOWLEDGE.recipe, value: analysis.recipe });
  const edges = preferredEdges(program, { net, counterexamples: analysis.counterexamples });
  learn({ kind: 'knowledge', about: KNOWLEDGE.floodingEdges, value: edges.map((set) => [...set]) });
  const proves = rows.length === 0 || rows.some((row) => row.verdict === 'proved');
  learn({
    kind: 'queues',
    engine: 'linear bounds',
    rows,
    method,
    ...(options.explain && proves ? { proof: explainBounds(net, analysis.queues) } : {}),
    backing: proves
      ? { evidence: { kind: 'certificate', certificate }, checkedBy: checkerOf(certificate) }
      : null,
  });
  if (rows.every((row) => row.verdict === 'proved')) return;
  const why = blindSpot(budget, abstraction) ?? {
    reasonCode: analysis.reasonCode ?? 'abstraction-too-coarse',
    reason: analysis.reason ?? 'the counting abstraction leaves a suspicious combination of loops',
  };
  const evidence = abstraction.unknowns.length > 0 ? undefined : suspicionOf(analysis);
  const answer = unknown(why.reasonCode, why.reason, { method, evidence });
  learn({ kind: 'answer', property: 'bounded', engine: 'linear bounds', answer });
}

export const checkerOf = ({ kind }: CertificateDocument): Checker =>
  kind === 'refined' ? 'integers and SMT' : 'integers';

/** The same loop often floods several queues. */
function suspicionOf({ counterexamples }: BoundednessAnalysis): Suspicion | undefined {
  const cycles = new Map<string, CycleDescription>();
  for (const cycle of counterexamples.flatMap((counterexample) => counterexample.cycles)) {
    const key = JSON.stringify([cycle.process, cycle.steps]);
    if (!cycles.has(key)) cycles.set(key, cycle);
  }
  return cycles.size === 0 ? undefined : { kind: 'suspicious-cycles', cycles: [...cycles.values()] };
}
