// `deadlock-free` without a state space, at the declared capacities: the marking equation of the counting abstraction, case splits over who
// stands where, traps. What it cannot exclude is left to the search.

import { loadSolver } from '../../lp/solver.ts';
import type { Abstraction } from '../../net/build.ts';
import { programDeadQuestion } from '../../net/dead.ts';
import { type PlainNet, plainNet } from '../../net/petri.ts';
import { linearDocument } from '../../petri/document.ts';
import { type LinearAnswer, settleLinearly } from '../../petri/linear.ts';
import type { Question } from '../../petri/question.ts';
import { proved, unknown } from '../../verdict/answer.ts';
import type { CertificateDocument } from '../../verdict/verdict.ts';
import { analyseWithUnfolding, blindSpot } from './abstract.ts';
import { contextOf } from './context.ts';
import type { ProgramWork } from './work.ts';

const NAME = 'linear deadlock';

interface Attempt {
  readonly settled: boolean;
  readonly suspicious: readonly number[];
  readonly answer: LinearAnswer;
  readonly certificate: CertificateDocument | null;
}

export const linearDeadlock: ProgramWork = {
  run: async (task, budget, observer, learn) => {
    const context = contextOf(task, budget, observer);
    // A trace assertion that fails is an error of the run, and nothing here looks at it.
    if (context.program.traces.length > 0) return;
    const property = 'deadlock-free';
    const say = (answer: Parameters<typeof learn>[0] & { readonly kind: 'answer' }) => learn(answer);
    const rounds = analyseWithUnfolding<Attempt>(
      context,
      async (abstraction, recipe) => {
        // Behind an error nothing was looked at: the search says so.
        if (abstraction.unknowns.length > 0 || abstraction.mayFail())
          return { settled: false, suspicious: [], answer: NOTHING, certificate: null };
        observer.stage('marking equation');
        const { plain, question } = deadProblem(abstraction);
        const answer = await settleLinearly(plain.petri, question, budget, loadSolver, {
          groups: plain.groups,
        });
        const certificate =
          answer.kind === 'impossible'
            ? linearDocument(plain.petri, { property, abstraction: recipe }, answer.proof)
            : null;
        return {
          settled: certificate !== null,
          suspicious: waiting(abstraction, plain, answer),
          answer,
          certificate,
        };
      },
      { capacities: 'any' },
    );
    for await (const { abstraction, analysis, rounds: round } of rounds) {
      const { certificate, answer } = analysis;
      const stats = { ...answer.stats, refinements: round };
      if (certificate !== null)
        say({
          kind: 'answer',
          property,
          engine: NAME,
          answer: proved('linear', { kind: 'certificate', certificate }, 'integers', { stats }),
        });
      else {
        const blind = blindSpot(budget, abstraction);
        learn({ kind: 'stats', property, stats });
        if (blind !== null)
          say({
            kind: 'answer',
            property,
            engine: NAME,
            answer: unknown(blind.reasonCode, blind.reason),
          });
      }
    }
  },
};

const NOTHING: LinearAnswer = { kind: 'open', candidate: null, stats: { lps: 0, splits: 0, traps: 0 } };

/** The question, and the net it is about: the audit asks the same one. */
export function deadProblem(abstraction: Abstraction): {
  readonly plain: PlainNet;
  readonly question: Question;
} {
  const plain = plainNet(abstraction.net, { capacities: 'declared' });
  return { plain, question: programDeadQuestion(abstraction.net, plain, abstraction.offers()) };
}

/** The steps of those who wait in the candidate: what guards them is worth knowing better. */
function waiting({ net }: Abstraction, plain: PlainNet, answer: LinearAnswer): number[] {
  if (answer.kind !== 'open' || answer.candidate === null) return [];
  const { marking } = answer.candidate;
  return net.transitions.flatMap((step, number) =>
    marking[plain.location(step.class, step.from)]! > 0.01 ? [number] : [],
  );
}
