// Is a composition free of deadlocks? The portfolio: a look at the whole product, which is all there is to do for small systems; decision diagrams as long as they stay
// small; a longer look; the linear condition, which settles large families or points at a deadlock; larger diagrams; minimising while composing; a reduced search; refinement ([MAGIC] Fig. 8); the whole product with what time is left.

import type { Budget, Observer } from '../base/budget.ts';
import type { Classes } from '../kripke/audit/lump.ts';
import { minimisedDeadlock } from '../kripke/minimise/deadlock.ts';
import type { CompositionRecord } from '../kripke/minimise/proof.ts';
import type { Path } from '../kripke/path.ts';
import { isPath } from '../kripke/replay.ts';
import type { Limit, Look, SearchResult } from '../kripke/search.ts';
import type { Strategy } from '../kripke/strategies.ts';
import { reducedDeadlock } from '../kripke/stubborn/deadlock.ts';
import { symbolicDeadlock } from '../kripke/symbolic/deadlock.ts';
import { withSmallDiagrams } from '../kripke/symbolic/limits.ts';
import type { SymbolicRecord } from '../kripke/symbolic/proof.ts';
import type { System } from '../kripke/system.ts';
import { isDeadlock } from '../kripke/system.ts';
import type { Turns } from '../kripke/turns.ts';
import { inTurn } from '../kripke/turns.ts';
import { loadSolver } from '../lp/solver.ts';
import type { Method, StatValue } from '../verdict/verdict.ts';
import { refineDeadlock } from './compositional.ts';
import { lookForDeadlock, searchDeadlock } from './explicit.ts';
import { settleLinear } from './linear.ts';
import type { LinearProof } from './proof.ts';

export type DeadlockAnswer = {
  readonly method: Method;
  readonly stats: Readonly<Record<string, StatValue>>;
} & (
  | { readonly kind: 'free'; readonly evidence: FreeEvidence }
  /** The path was replayed on the composition and ends in a configuration without steps. */
  | { readonly kind: 'deadlock'; readonly path: Path }
  | { readonly kind: 'unknown'; readonly limit: Limit | 'linear' }
);

export type FreeEvidence =
  | { readonly kind: 'proof'; readonly proof: LinearProof }
  | { readonly kind: 'quotients'; readonly classes: Classes }
  | { readonly kind: 'composition'; readonly record: CompositionRecord }
  | { readonly kind: 'sets'; readonly record: SymbolicRecord }
  /** `reduced`: by a search that left steps out which are not needed. */
  | {
      readonly kind: 'exhaustion';
      readonly states: number;
      readonly edges: number;
      readonly reduced?: true;
    };

export async function checkDeadlock(
  system: System,
  strategy: Strategy,
  budget: Budget,
  observer: Observer,
): Promise<DeadlockAnswer> {
  const isAnswer = ({ kind }: DeadlockAnswer): boolean => kind !== 'unknown';
  const answer = await inTurn(ENGINES, strategy, { system }, isAnswer, budget, observer);
  if (
    answer.kind === 'deadlock' &&
    !(isPath(system, answer.path) && isDeadlock(system, answer.path.states.at(-1)!))
  )
    throw new Error('impossible: the deadlock does not survive its replay');
  return answer;
}

interface Question {
  readonly system: System;
}

const ENGINES: Turns<Strategy, Question, DeadlockAnswer> = {
  portfolio: [
    [look('first'), 0.3],
    [small, 0.3],
    [look('second'), 0.3],
    [linear, 0.5],
    [symbolic, 0.3],
    [minimised, 0.5],
    [reduced, 0.4],
    [refinement, 0.3],
    [monolithic, 1],
  ],
  linear: [[linear, 1]],
  symbolic: [[symbolic, 1]],
  compositional: [
    [minimised, 0.7],
    [refinement, 1],
  ],
  minimised: [[minimised, 1]],
  reduced: [[reduced, 1]],
  refinement: [[refinement, 1]],
  monolithic: [[monolithic, 1]],
};

function look(size: Look) {
  return ({ system }: Question, budget: Budget, observer: Observer): DeadlockAnswer => {
    observer.stage(`${size} look`);
    return explicitAnswer(lookForDeadlock(system, size, budget));
  };
}

/** Decision diagrams as long as they stay small: mostly they do, or explode at once. */
function small(question: Question, budget: Budget, observer: Observer): DeadlockAnswer {
  return symbolic(question, withSmallDiagrams(budget), observer);
}

function minimised({ system }: Question, budget: Budget, observer: Observer): DeadlockAnswer {
  observer.stage('minimising composition');
  const result = minimisedDeadlock(system, budget, (text) => observer.progress(text));
  const stats = { ...result.stats };
  const method = 'compositional';
  switch (result.kind) {
    case 'free':
      return { kind: 'free', method, evidence: { kind: 'composition', record: result.record }, stats };
    case 'deadlock':
      return { kind: 'deadlock', method, path: result.path, stats };
    case 'limit':
      return { kind: 'unknown', method, limit: result.limit, stats };
  }
}

function symbolic({ system }: Question, budget: Budget, observer: Observer): DeadlockAnswer {
  observer.stage('decision diagrams');
  const { stats: own, ...result } = symbolicDeadlock(system, budget);
  const common = { method: 'symbolic', stats: { ...own } } as const;
  switch (result.kind) {
    case 'free':
      return { kind: 'free', evidence: { kind: 'sets', record: result.record }, ...common };
    case 'deadlock':
      return { ...result, ...common };
    case 'limit':
      return { kind: 'unknown', limit: result.limit, ...common };
  }
}

async function linear({ system }: Question, budget: Budget, observer: Observer): Promise<DeadlockAnswer> {
  observer.stage('linear condition');
  const result = await settleLinear(system, budget, loadSolver, (text) => observer.progress(text));
  const stats = { ...result.stats };
  switch (result.kind) {
    case 'free':
      return { kind: 'free', method: 'linear', evidence: { kind: 'proof', proof: result.proof }, stats };
    case 'deadlock':
      return { kind: 'deadlock', method: 'linear', path: result.path, stats };
    case 'open':
      return { kind: 'unknown', method: 'linear', limit: budget.timeLeft() ? 'linear' : 'time', stats };
  }
}

function refinement({ system }: Question, budget: Budget, observer: Observer): DeadlockAnswer {
  observer.stage('compositional refinement');
  const result = refineDeadlock(system, budget, (iterations, product) =>
    observer.progress(`round ${iterations}: ${product} configurations`),
  );
  const { iterations, classes, largestProduct } = result.stats;
  const stats = { iterations, classesPerComponent: classes, largestProduct };
  const method = 'compositional';
  switch (result.kind) {
    case 'free':
      return { kind: 'free', method, evidence: { kind: 'quotients', classes: result.classes }, stats };
    case 'deadlock':
      return { kind: 'deadlock', method, path: result.path, stats };
    case 'limit':
      return { kind: 'unknown', method, limit: result.limit, stats };
  }
}

function reduced({ system }: Question, budget: Budget, observer: Observer): DeadlockAnswer {
  observer.stage('reduced search');
  const answer = explicitAnswer(
    reducedDeadlock(system, budget, (states) => observer.progress(`${states} configurations`)),
  );
  if (answer.kind !== 'free' || answer.evidence.kind !== 'exhaustion') return answer;
  return { ...answer, evidence: { ...answer.evidence, reduced: true } };
}

function monolithic({ system }: Question, budget: Budget, observer: Observer): DeadlockAnswer {
  observer.stage('whole product');
  return explicitAnswer(
    searchDeadlock(system, budget, (states) => observer.progress(`${states} configurations`)),
  );
}

function explicitAnswer(result: SearchResult): DeadlockAnswer {
  const stats = { states: result.states, transitions: result.edges };
  const method = 'exhaustive';
  switch (result.kind) {
    case 'none': {
      const { states, edges } = result;
      return { kind: 'free', method, evidence: { kind: 'exhaustion', states, edges }, stats };
    }
    case 'found':
      return { kind: 'deadlock', method, path: result.path, stats };
    case 'limit':
      return { kind: 'unknown', method, limit: result.limit, stats };
  }
}
