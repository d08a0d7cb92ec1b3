// `livelock-free` without a state space: a ranking by linear program → refinement → unfolding. The ranking covers the declared capacities and
// channels without limit alike, because no send is assumed to succeed (the option capacities 'any' of the net).

import type { Fact } from '../../engine/fact.ts';
import { analyseLivelock } from '../../livelock/analyse.ts';
import type { LivelockAnalysis } from '../../livelock/model.ts';
import { loadSolver } from '../../lp/solver.ts';
import { codeContext } from '../../refinement/context.ts';
import { hints } from '../../refinement/describe.ts';
import { refineLivelock } from '../../refinement/refine-livelock.ts';
import { Facts } from '../../refinement/rows.ts';
import { placed } from '../../source/diagnostic.ts';
import { proved, unknown } from '../../verdict/answer.ts';
import type { Note } from '../../verdict/verdict.ts';
import { analyseWithUnfolding, blindSpot, type Refined } from './abstract.ts';
import { checkerOf } from './bounded-linear.ts';
import { preferredEdges } from './bounded-search.ts';
import { contextOf, type ProgramContext } from './context.ts';
import { explainRanking } from './explain-proof.ts';
import { KNOWLEDGE } from './knowledge.ts';
import type { ProgramWork } from './work.ts';

export type Ranked = LivelockAnalysis & { readonly settled: boolean; readonly suspicious: Set<number> };

const LIVELOCK = 'livelock-free';

export const linearRanking: ProgramWork = {
  run: async (task, budget, observer, learn) => {
    const context = contextOf(task, budget, observer);
    let first = true;
    for await (const round of rankRounds(context)) {
      if (first) await learnHints(context, round, learn);
      first = false;
      learnFrom(context, round, learn);
    }
  },
};

function rankRounds(context: ProgramContext): AsyncGenerator<Refined<Ranked>> {
  const { options, observer, budget, program } = context;
  return analyseWithUnfolding(
    context,
    async (abstraction, recipe) => {
      const { net, unknowns } = abstraction;
      const method = options.method ?? 'flow';
      const first = await analyseLivelock(net, { method, budget, observer, abstraction: recipe });
      const analysis =
        unknowns.length > 0
          ? first
          : await refineLivelock(program, net, first, { budget, observer, abstraction: recipe });
      const suspicious = new Set(analysis.counterexample === null ? [] : analysis.counterexample.ray.keys());
      return { ...analysis, settled: analysis.verdict === 'proved', suspicious };
    },
    { capacities: 'any' },
  );
}

function learnFrom(
  { program, options, budget }: ProgramContext,
  { analysis, abstraction, rounds }: Refined<Ranked>,
  learn: (fact: Fact) => void,
): void {
  const { certificate, counterexample, potential } = analysis;
  const method = rounds > 0 ? 'refined' : analysis.method;
  for (const diagnostic of rounds === 0 ? abstraction.diagnostics : [])
    learn({ kind: 'diagnostic', diagnostic: placed(diagnostic) });
  learn({ kind: 'stats', property: LIVELOCK, stats: { ...analysis.stats, refinements: rounds } });
  const counterexamples = counterexample === null ? [] : [counterexample];
  const edges = preferredEdges(program, { net: abstraction.net, counterexamples });
  learn({ kind: 'knowledge', about: KNOWLEDGE.idlingEdges, value: edges.map((set) => [...set]) });
  const blind = blindSpot(budget, abstraction);
  if (blind === null && analysis.verdict === 'proved' && certificate !== null) {
    const proof =
      potential === null || !options.explain ? undefined : explainRanking(abstraction.net, potential);
    const evidence = { kind: 'certificate', certificate } as const;
    const answer = proved(method, evidence, checkerOf(certificate), { proof });
    learn({ kind: 'answer', property: LIVELOCK, engine: 'linear ranking', answer });
    return;
  }
  const evidence =
    counterexample === null || blind !== null
      ? undefined
      : ({ kind: 'suspicious-cycles', cycles: counterexample.cycles } as const);
  const answer = unknown(
    blind?.reasonCode ?? analysis.reasonCode ?? 'abstraction-too-coarse',
    blind?.reason ?? analysis.reason,
    { method, evidence },
  );
  learn({ kind: 'answer', property: LIVELOCK, engine: 'linear ranking', answer });
}

/** Loops that are meant to go on, and that nothing can make go on ([CycleDeps] section 1): worth knowing even when the property holds. */
async function learnHints(
  { program, budget }: ProgramContext,
  { abstraction }: Refined<Ranked>,
  learn: (fact: Fact) => void,
): Promise<void> {
  if (abstraction.unknowns.length > 0 || !budget.timeLeft()) return;
  const code = codeContext(program, abstraction.net);
  if (code === null) return;
  const notes: readonly Note[] = await hints(new Facts(code), await loadSolver());
  if (notes.length > 0) learn({ kind: 'knowledge', about: KNOWLEDGE.designHints, value: notes });
}
