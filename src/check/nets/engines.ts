// The engines for place/transition nets, each with its proof: the coverability set, the marking equation with case splits and traps, the
// backward search, and the markings one by one for what is left.

import type { Engine, Portfolio } from '../../engine/engine.ts';
import { loadSolver } from '../../lp/solver.ts';
import { coverBackward } from '../../petri/backward.ts';
import { greatestSum, isCoveredBy, isInvariant } from '../../petri/cover-check.ts';
import { type CoverabilityOutcome, type CoverabilitySet, coverabilitySet } from '../../petri/coverability.ts';
import { backwardDocument, coverabilityDocument, linearDocument } from '../../petri/document.ts';
import { settleLinearly } from '../../petri/linear.ts';
import type { NetModel } from '../../petri/model.ts';
import { isBelow, isDead, OMEGA, type PetriNet } from '../../petri/net.ts';
import { type Plan, unroll } from '../../petri/plan.ts';
import { coverQuestion, deadQuestion } from '../../petri/question.ts';
import { markingAfter, runOf } from '../../petri/run.ts';
import { searchNet } from '../../petri/search.ts';
import { type Answer, proved, refuted, unknown } from '../../verdict/answer.ts';
import type { Run } from '../../verdict/run.ts';
import type { Note, QueueResult } from '../../verdict/verdict.ts';
import { placeSums, targetOf } from './questions.ts';

const isCover = (property: string): boolean => property.startsWith('cover:');

const coverability: Engine<NetModel> = {
  name: 'coverability',
  settles: (property) => property === 'bounded' || isCover(property),
  run: ({ model, open }, budget, observer, learn) => {
    observer.stage('coverability');
    const outcome = coverabilitySet(model.net, budget);
    const { markings, expanded, accelerations } = outcome.set;
    const stats = { coverability: { markings: markings.length, expanded, accelerations } };
    const complete = outcome.kind === 'complete' && isInvariant(model.net, markings);
    for (const property of open) {
      const answer =
        property === 'bounded'
          ? boundedAnswer(model, outcome.set, complete)
          : coveredAnswer(model, property, outcome.set, complete);
      learn({ kind: 'stats', property, stats });
      learn({ kind: 'answer', property, engine: coverability.name, answer: answer ?? stopped(outcome) });
    }
  },
};

const stopped = (outcome: CoverabilityOutcome): Answer =>
  outcome.kind === 'stopped' && outcome.why === 'time'
    ? unknown('time-limit', 'the time was over before the coverability set was complete')
    : unknown('too-large', 'the coverability set is too large');

function boundedAnswer(model: NetModel, set: CoverabilitySet, complete: boolean): Answer | null {
  const { net, parameters } = model;
  const grows = net.places.map((_, place) => set.markings.findIndex((marking) => marking[place] === OMEGA));
  const counted = net.places.flatMap((_, place) => (parameters.has(place) ? [] : [place]));
  const queues = counted.map((place): QueueResult => {
    const { name, at } = net.places[place]!;
    const bound = greatestSum(set.markings, [place]);
    const known = complete && bound !== OMEGA;
    return {
      name,
      verdict: grows[place]! >= 0 ? 'refuted' : known ? 'proved' : 'unknown',
      bound: known ? bound : null,
      certifiedBound: known ? bound : null,
      // The set is minimal: what it allows is covered by something reachable.
      exact: known ? bound : null,
      declared: 0,
      fits: null,
      ...(at === null ? {} : { at }),
    };
  });
  const growing = counted.filter((place) => grows[place]! >= 0);
  const evidence = growing
    .map((place) => growthRun(net, place, set.plan(grows[place]!)))
    .find((one) => one !== null);
  if (evidence) return refuted(evidence.run, { queues, notes: evidence.notes });
  if (growing.length > 0)
    return unknown(
      'too-large',
      `${net.places[growing[0]!]!.name} grows without limit, but a run that shows it is very long`,
      { queues },
    );
  if (!complete) return null;
  const certificate = coverabilityDocument(net, { property: 'bounded' }, set.markings, placeSums(model));
  return proved('coverability', { kind: 'certificate', certificate }, 'integers', { queues });
}

/** A loop that repeats for ever where one is enough; else a run in which loops follow one another, so many times that it shows. */
function growthRun(
  net: PetriNet,
  place: number,
  plan: Plan,
): { readonly run: Run; readonly notes: readonly Note[] } | null {
  const { name } = net.places[place]!;
  const [repeat] = plan.flatMap((step, index) => (step.kind === 'repeat' ? [{ ...step, index }] : []));
  const prefix = plan
    .slice(0, repeat?.index ?? 0)
    .flatMap((step) => (step.kind === 'fire' ? [step.transition] : []));
  const before = markingAfter(net, prefix);
  const after = repeat && markingAfter(net, [...prefix, ...repeat.body]);
  if (repeat && before && after && isBelow(before, after) && after[place]! > before[place]!) {
    const growth = [{ queue: name, perRound: after[place]! - before[place]! }];
    const shape = { title: `${name} grows without limit`, loopStart: prefix.length, growth };
    return { run: runOf(net, [...prefix, ...repeat.body], shape)!, notes: [] };
  }
  for (const goal of [20, 5]) {
    const firings = unroll(net, plan, [place], goal);
    if (firings === null || firings.length > 2000) continue;
    const loops = plan.filter((step) => step.kind === 'repeat').length;
    const message = `no single loop fills ${name}: ${loops} loops follow one another, each as often as the next ones need; this run shows ${goal} tokens, and any other number is reached alike`;
    return {
      run: runOf(net, firings, { title: `${name} grows without limit` })!,
      notes: [{ severity: 'hint', message }],
    };
  }
  return null;
}

function coveredAnswer(
  model: NetModel,
  property: string,
  set: CoverabilitySet,
  complete: boolean,
): Answer | null {
  const target = targetOf(model, property);
  if (target === null) return null;
  const above = set.markings.findIndex((marking) => isBelow(target.marking, marking));
  if (above < 0) {
    if (!complete || isCoveredBy(set.markings, target.marking)) return null;
    const certificate = coverabilityDocument(model.net, { property }, set.markings, []);
    return proved('coverability', { kind: 'certificate', certificate }, 'integers');
  }
  return null;
}

const markingEquation: Engine<NetModel> = {
  name: 'marking equation',
  settles: (property) => property === 'deadlock-free' || isCover(property),
  run: async ({ model, open }, budget, observer, learn) => {
    observer.stage('marking equation');
    for (const property of open) {
      const target = targetOf(model, property);
      const question = target === null ? deadQuestion(model.net) : coverQuestion(target.marking);
      const answer = await settleLinearly(model.net, question, budget, loadSolver, { maxNodes: 300 });
      const { lps, splits, traps } = answer.stats;
      learn({ kind: 'stats', property, stats: { lps, splits, traps } });
      if (answer.kind !== 'impossible') continue;
      const certificate = linearDocument(model.net, { property }, answer.proof);
      const found = proved('linear', { kind: 'certificate', certificate }, 'integers');
      learn({ kind: 'answer', property, engine: markingEquation.name, answer: found });
    }
  },
};

const backward: Engine<NetModel> = {
  name: 'backward search',
  settles: isCover,
  run: async ({ model, open }, budget, observer, learn) => {
    observer.stage('backward search');
    const solver = await loadSolver();
    for (const property of open) {
      const target = targetOf(model, property);
      if (target === null) continue;
      const outcome = coverBackward(model.net, [target.marking], solver, budget);
      learn({ kind: 'stats', property, stats: { backward: { expanded: outcome.expanded } } });
      learn({
        kind: 'answer',
        property,
        engine: backward.name,
        answer: backwardAnswer(model, property, outcome),
      });
    }
  },
};

function backwardAnswer(
  { net }: NetModel,
  property: string,
  outcome: ReturnType<typeof coverBackward>,
): Answer {
  if (outcome.kind === 'stopped')
    return outcome.why === 'time'
      ? unknown('time-limit')
      : unknown('too-large', 'the backward search became too large');
  if (outcome.kind === 'covered') {
    const run = runOf(net, outcome.run, { title: `${property.slice('cover:'.length)} is covered` });
    if (run === null) throw new Error('impossible: the way back is no run');
    return refuted(run);
  }
  const certificate = backwardDocument(net, { property }, outcome.proof);
  return proved('backward', { kind: 'certificate', certificate }, 'integers');
}

const markings: Engine<NetModel> = {
  name: 'all markings',
  settles: (property) => property === 'deadlock-free',
  run: ({ model: { net } }, budget, observer, learn) => {
    observer.stage('search');
    const found = searchNet(net, budget);
    const stats = { states: found.markings, transitions: found.firings };
    const say = (answer: Answer): void =>
      learn({ kind: 'answer', property: 'deadlock-free', engine: markings.name, answer });
    if (found.dead !== null) {
      const run = runOf(net, found.dead, { title: 'no transition is enabled' });
      if (run === null || !isDead(net, markingAfter(net, found.dead)!))
        throw new Error('impossible: the dead marking is not there');
      say(refuted(run, { stats }));
    } else if (found.complete)
      say(
        proved(
          'exhaustive',
          { kind: 'exhaustion', states: found.markings, transitions: found.firings },
          'search',
          { stats },
        ),
      );
    else say(unknown(budget.timeLeft() ? 'state-limit' : 'time-limit', undefined, { stats }));
  },
};

export const NET_PORTFOLIO: Portfolio<NetModel> = [
  { engine: markingEquation, weight: 0.5 },
  { engine: backward },
  { engine: coverability },
  { engine: markings },
];
