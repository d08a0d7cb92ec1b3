// Weakly fair runs that take no step of a chosen kind from some time on (`livelock-free` with --fair and --progress). Every state is there twice: a run
// decides once that the time has come, and in the second copy the chosen steps are missing. Fairness is acceptance.ts's: a mark per process.

import type { Budget, Observer } from '../base/budget.ts';
import type { MarkedEdge, MarkedGraph } from '../ltl/emptiness.ts';
import { type AcceptanceOutcome, ModelGraph, searchWithin } from './acceptance.ts';
import type { Choice } from './choices.ts';
import type { Model } from './compile.ts';

/** `isProgress` is asked while the machine holds the state before the step. */
export function findFairIdle(
  model: Model,
  isProgress: (choices: readonly Choice[]) => boolean,
  budget: Budget,
  observer: Observer,
): AcceptanceOutcome {
  const graph = new IdleGraph(model, isProgress);
  const found = searchWithin(graph, budget, observer);
  const { size: states, transitions, fault } = graph.system;
  const figures = { states, transitions, fault };
  if (found.kind === 'empty') return { kind: 'none', ...figures };
  if (found.kind === 'limit') return { kind: 'limit', limit: found.limit, ...figures };
  const { nodes, edges, loopStart } = found.path;
  const steps = edges.map((edge, index) => graph.choicesOf(nodes[index]!, edge));
  return { kind: 'cycle', path: { steps, loopStart }, ...figures };
}

const IDLE = 1;

class IdleGraph implements MarkedGraph {
  readonly system: ModelGraph;
  readonly marks: number;
  private readonly isProgress: (choices: readonly Choice[]) => boolean;

  constructor(model: Model, isProgress: (choices: readonly Choice[]) => boolean) {
    this.system = new ModelGraph(model, { fair: true, reduce: false });
    this.marks = this.system.marks;
    this.isProgress = isProgress;
  }

  get crowded(): boolean {
    return this.system.crowded;
  }

  /** A node of the system's graph, times two, and one more in the second copy. */
  get size(): number {
    return this.system.size * 2;
  }

  bytes(): number {
    return this.system.bytes();
  }

  initial(): readonly number[] {
    return this.system.initial().map((node) => node * 2);
  }

  successors(node: number): readonly MarkedEdge[] {
    return this.steps(node).map(({ edge }) => edge);
  }

  choicesOf(node: number, { target, marks }: MarkedEdge): readonly Choice[] {
    return this.steps(node).find(({ edge }) => edge.target === target && edge.marks === marks)!.choices;
  }

  private steps(node: number): { edge: MarkedEdge; choices: readonly Choice[] }[] {
    const isIdle = (node & 1) === IDLE;
    return this.system.stepsOf(node >>> 1).flatMap(({ edge: { target, marks }, choices }) => {
      // Standing still is no livelock.
      if (choices.length === 0) return [];
      const fair = marks & ~1;
      const stay = { edge: { target: target * 2, marks: fair }, choices };
      if (this.isProgress(choices)) return isIdle ? [] : [stay];
      const idle = { edge: { target: target * 2 + IDLE, marks: isIdle ? fair | 1 : fair }, choices };
      return isIdle ? [idle] : [stay, idle];
    });
  }
}
