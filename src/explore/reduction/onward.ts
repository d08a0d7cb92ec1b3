// That nothing is ignored for ever. A step left out at a state is still possible, unchanged, behind every step of the stubborn set there; so it is
// enough that from every state some way through the reduced graph leads to a state where all steps were taken. One successor per
// reduced state is kept: these arrows lead to such a state, to one where nothing moves, or into a circle. Of every circle
// one state takes the rest of its steps, too. (Valmari's solution of the ignoring problem, with one arrow instead of components.)

import { IntList } from '../growable.ts';

/** Which states of a reduced search must take the steps they left out. */
export interface Proviso {
  /** The state left something out; one of the steps it took leads to the successor. */
  set(state: number, successor: number): void;
  /** Among the first `count` states; they count as full from now on. */
  ignoring(count: number): number[];
  bytes(): number;
}

export class Onward implements Proviso {
  /** By state: 1 + the successor, 0 where all steps were taken. */
  private readonly arrows = new IntList();
  /** By state: 0 not looked at, −1 leads to a state with all its steps, n > 0 passed by look number n. */
  private readonly marks = new IntList();
  private looks = 0;
  private done = 0;

  set(state: number, successor: number): void {
    this.arrows.set(state, successor + 1);
  }

  bytes(): number {
    return 4 * (this.arrows.data.length + this.marks.data.length);
  }

  /** One state of each circle, among the first `count` states; they count as full from now on. */
  ignoring(count: number): number[] {
    const circles: number[] = [];
    for (; this.done < count; this.done++) {
      if (this.markOf(this.done) !== 0) continue;
      this.looks++;
      let at = this.done;
      while (this.markOf(at) === 0 && this.arrowOf(at) !== 0) {
        this.marks.set(at, this.looks);
        at = this.arrowOf(at) - 1;
      }
      if (this.markOf(at) === this.looks) {
        circles.push(at);
        this.arrows.set(at, 0);
      }
      this.settle(this.done);
    }
    return circles;
  }

  private settle(start: number): void {
    let at = start;
    while (this.markOf(at) === this.looks) {
      this.marks.set(at, -1);
      if (this.arrowOf(at) === 0) return;
      at = this.arrowOf(at) - 1;
    }
    this.marks.set(at, -1);
  }

  private arrowOf(state: number): number {
    return this.arrows.data[state] ?? 0;
  }

  private markOf(state: number): number {
    return this.marks.data[state] ?? 0;
  }
}
