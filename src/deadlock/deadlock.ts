// Is a composition free of deadlocks? The portfolio: the linear condition, which settles large families at once or points at
// a deadlock; compositional refinement ([MAGIC] Fig. 8); the whole product with what time is left.

import type { Budget, Observer } from '../base/budget.ts';
import type { Classes } from '../kripke/audit/lump.ts';
import type { Path } from '../kripke/path.ts';
import { isPath } from '../kripke/replay.ts';
import type { Limit } from '../kripke/search.ts';
import { stateCount } from '../kripke/structure.ts';
import type { System } from '../kripke/system.ts';
import { isDeadlock } from '../kripke/system.ts';
import { loadSolver } from '../lp/solver.ts';
import type { Method, StatValue } from '../verdict/verdict.ts';
import { refineDeadlock } from './compositional.ts';
import { searchDeadlock } from './explicit.ts';
import { settleLinear } from './linear.ts';
import type { LinearProof } from './proof.ts';

export type DeadlockStrategy = 'portfolio' | 'linear' | 'compositional' | 'monolithic';
export const DEADLOCK_STRATEGIES: readonly DeadlockStrategy[] = [
  'portfolio',
  'linear',
  'compositional',
  'monolithic',
];

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
  | { readonly kind: 'exhaustion'; readonly states: number; readonly edges: number };

export async function checkDeadlock(
  system: System,
  strategy: DeadlockStrategy,
  budget: Budget,
  observer: Observer,
): Promise<DeadlockAnswer> {
  const answer = await settle(system, strategy, budget, observer);
  if (
    answer.kind === 'deadlock' &&
    !(isPath(system, answer.path) && isDeadlock(system, answer.path.states.at(-1)!))
  )
    throw new Error('impossible: the deadlock does not survive its replay');
  return answer;
}

async function settle(
  system: System,
  strategy: DeadlockStrategy,
  budget: Budget,
  observer: Observer,
): Promise<DeadlockAnswer> {
  if (strategy === 'monolithic' || (strategy === 'portfolio' && isLargeAlone(system)))
    return monolithic(system, budget, observer);
  if (strategy === 'compositional') return compositional(system, budget, observer);
  const first = await linear(system, strategy === 'linear' ? budget : share(budget, 0.6), observer);
  if (first.kind !== 'unknown' || strategy === 'linear') return first;
  const second = compositional(system, share(budget, 0.5), observer);
  if (second.kind !== 'unknown') return { ...second, stats: { ...first.stats, ...second.stats } };
  const third = monolithic(system, budget, observer);
  return { ...third, stats: { ...first.stats, ...second.stats, ...third.stats } };
}

/** One component by itself is its own product: looking through it takes linear time. */
const isLargeAlone = ({ components }: System): boolean =>
  components.length === 1 && stateCount(components[0]!) > 2_000;

async function linear(system: System, budget: Budget, observer: Observer): Promise<DeadlockAnswer> {
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

function compositional(system: System, budget: Budget, observer: Observer): DeadlockAnswer {
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

function monolithic(system: System, budget: Budget, observer: Observer): DeadlockAnswer {
  observer.stage('whole product');
  const result = searchDeadlock(system, budget, (states) => observer.progress(`${states} configurations`));
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

/** A part of what is left of the time. */
export function share(budget: Budget, fraction: number): Budget {
  const left = budget.remaining();
  if (!Number.isFinite(left)) return budget;
  const reserve = left * (1 - fraction);
  return {
    ...budget,
    timeLeft: () => budget.remaining() > reserve,
    remaining: () => Math.max(0, budget.remaining() - reserve),
  };
}
