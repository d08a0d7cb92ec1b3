// `assertions` without a state space, at the declared capacities: can somebody stand where only a violated assertion leads
// (process/failures.ts)? First the marking equation with case splits and traps, then backwards from there; where the net is too
// coarse, the variables of the assertions are unfolded. Any number of processes, queues without limit.

import { shareOf } from '../../base/budget.ts';
import { loadSolver } from '../../lp/solver.ts';
import type { Abstraction } from '../../net/build.ts';
import { type PlainNet, plainNet } from '../../net/petri.ts';
import { coverBackward } from '../../petri/backward.ts';
import { backwardDocument, linearDocument } from '../../petri/document.ts';
import { settleLinearly } from '../../petri/linear.ts';
import type { Marking } from '../../petri/net.ts';
import { atLeast, type Question } from '../../petri/question.ts';
import { type WithFailures, withFailures } from '../../process/failures.ts';
import type { Program } from '../../process/program.ts';
import { proved } from '../../verdict/answer.ts';
import type { CertificateDocument, Stats } from '../../verdict/verdict.ts';
import { type AbstractionRecipe, analyseWithUnfolding } from './abstract.ts';
import { contextOf, type ProgramContext } from './context.ts';
import type { ProgramWork } from './work.ts';

const PROPERTY = 'assertions';
/** Markings of the backward search: more are a state space, and there are better ways to search one. */
const BASIS = 400;

interface Attempt {
  readonly settled: boolean;
  readonly suspicious: readonly number[];
  readonly certificate: CertificateDocument | null;
  readonly method: 'linear' | 'backward';
  readonly stats: Stats;
}

const NOTHING: Attempt = { settled: false, suspicious: [], certificate: null, method: 'linear', stats: {} };

export const linearAssertions: ProgramWork = {
  run: async (task, budget, observer, learn) => {
    const context = contextOf(task, budget, observer);
    const failures = failuresOf(context.program);
    if (failures === null) return;
    const rounds = analyseWithUnfolding<Attempt>(
      { ...context, program: failures.program },
      (abstraction, recipe) => attempt(context, failures, abstraction, recipe),
      { capacities: 'any', shared: 'asked' },
    );
    for await (const { analysis, rounds: refinements } of rounds) {
      const { certificate, method } = analysis;
      const stats = { ...analysis.stats, refinements };
      learn({ kind: 'stats', property: PROPERTY, stats });
      if (certificate === null) continue;
      const answer = proved(method, { kind: 'certificate', certificate }, 'integers', { stats });
      learn({ kind: 'answer', property: PROPERTY, engine: 'linear assertions', answer });
    }
  },
};

/** A trace assertion that fails is an error as well, and nothing here looks at it. */
export const failuresOf = (program: Program): WithFailures | null =>
  program.traces.length > 0 ? null : withFailures(program);

async function attempt(
  { budget, observer }: ProgramContext,
  failures: WithFailures,
  abstraction: Abstraction,
  recipe: AbstractionRecipe,
): Promise<Attempt> {
  // Other errors would have to be excluded as well.
  if (abstraction.unknowns.length > 0 || abstraction.mayFail()) return NOTHING;
  observer.stage('marking equation');
  const { plain, question, targets } = failureProblem(abstraction, failures);
  const { petri, groups } = plain;
  const heading = { property: PROPERTY, abstraction: recipe };
  const answer = await settleLinearly(petri, question, shareOf(budget, 2), loadSolver, { groups });
  if (answer.kind === 'impossible')
    return {
      ...NOTHING,
      settled: true,
      certificate: linearDocument(petri, heading, answer.proof),
      stats: { ...answer.stats },
    };
  observer.stage('backwards');
  const back = coverBackward(petri, targets, await loadSolver(), shareOf(budget, 4), { basis: BASIS });
  const stats = { ...answer.stats, backward: back.expanded };
  if (back.kind === 'uncoverable')
    return {
      ...NOTHING,
      settled: true,
      certificate: backwardDocument(petri, heading, back.proof),
      method: 'backward',
      stats,
    };
  return { ...NOTHING, suspicious: leadingTo(abstraction, failures), stats };
}

/** The question, and the net it is about: the audit asks the same one. */
export function failureProblem(
  { net }: Abstraction,
  failures: WithFailures,
): { readonly plain: PlainNet; readonly question: Question; readonly targets: readonly Marking[] } {
  const plain = plainNet(net, { capacities: 'declared' });
  const places = net.classes.flatMap(({ proctype, locations }, process) =>
    locations.flatMap(({ origin }, number) =>
      failures.isFailure(proctype, origin) ? [plain.location(process, number)] : [],
    ),
  );
  const targets = places.map((place) => plain.petri.places.map((_, other) => (other === place ? 1 : 0)));
  return { plain, question: [[atLeast(places, 1)]], targets };
}

/** The steps in which an assertion fails: what it looks at is worth knowing better. */
const leadingTo = ({ net }: Abstraction, failures: WithFailures): number[] =>
  net.transitions.flatMap(({ class: process, to }, number) => {
    const { proctype, locations } = net.classes[process]!;
    return failures.isFailure(proctype, locations[to]!.origin) ? [number] : [];
  });
