// Shortest paths in the packed product, breadth first. The columns are made once and cleaned after each search by what it has met.

import { IntStack } from '../../base/int-stack.ts';
import type { PackedProduct } from './packed-product.ts';

export interface ArcStep {
  /** Where the step begins. */
  readonly node: number;
  /** The structure's own number of the event. */
  readonly event: number;
  readonly marks: number;
}

const START = -1;

export class NodeSearch {
  private readonly product: PackedProduct;
  /** Per node: 0 before it is met, else one more than the index of its arc below. */
  private readonly cameBy: Int32Array;
  private readonly met = new IntStack();
  /** For each node that was met, the arc that led there: from which place in `met`, by which edge and move. */
  private readonly from = new IntStack();
  private readonly edge = new IntStack();
  private readonly move = new IntStack();

  constructor(product: PackedProduct) {
    this.product = product;
    this.cameBy = new Int32Array(product.limit);
  }

  /**
   * The shortest path of at least one step through allowed nodes that ends in a wanted node, with a last step that bears one of the marks (0: any step). The
   * caller knows that there is one.
   */
  run(
    starts: readonly number[],
    allowed: (node: number) => boolean,
    wanted: (node: number) => boolean,
    marks: number,
  ): { readonly steps: readonly ArcStep[]; readonly end: number } {
    this.clean();
    for (const start of starts) this.meet(start, START, 0, 0);
    const { edges, width, firstMove, moveTarget, moveMarks, row, column } = this.product;
    for (let i = 0; i < this.met.size; i++) {
      const node = this.met.at(i);
      const state = Math.floor(node / width);
      const here = row[state]! + node - state * width;
      for (let edge = edges.first[state]!; edge < edges.first[state + 1]!; edge++) {
        const key = here + column[edges.event[edge]!]!;
        for (let move = firstMove[key]!; move < firstMove[key + 1]!; move++) {
          const target = edges.target[edge]! * width + moveTarget[move]!;
          if (!allowed(target)) continue;
          if (wanted(target) && (marks === 0 || (moveMarks[move]! & marks) !== 0))
            return { steps: this.stepsTo(i, edge, move), end: target };
          if (this.cameBy[target] === 0) this.meet(target, i, edge, move);
        }
      }
    }
    throw new Error('impossible: the component that the search found has no such path');
  }

  private meet(node: number, from: number, edge: number, move: number): void {
    this.met.push(node);
    this.from.push(from);
    this.edge.push(edge);
    this.move.push(move);
    this.cameBy[node] = this.met.size;
  }

  private clean(): void {
    while (this.met.size > 0) {
      this.cameBy[this.met.pop()] = 0;
      this.from.pop();
      this.edge.pop();
      this.move.pop();
    }
  }

  private stepsTo(last: number, edge: number, move: number): ArcStep[] {
    const steps = [this.stepFrom(last, edge, move)];
    for (let at = last; this.from.at(at) !== START; at = this.from.at(at))
      steps.push(this.stepFrom(this.from.at(at), this.edge.at(at), this.move.at(at)));
    return steps.reverse();
  }

  private stepFrom(index: number, edge: number, move: number): ArcStep {
    const { edges, moveMarks } = this.product;
    return { node: this.met.at(index), event: edges.event[edge]!, marks: moveMarks[move]! };
  }
}
