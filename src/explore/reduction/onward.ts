// That nothing is ignored for ever. A step left out at a state is still possible, unchanged, behind every step of the stubborn set there; so it is
// enough that from every state some way through the reduced graph leads to a state where all steps were taken. One successor per
// reduced state is kept: these arrows lead to such a state, to one where nothing moves, or into a circle. Of every circle
// one state takes the rest of its steps, too. (Valmari's solution of the ignoring problem, with one arrow instead of components.)

import { IntList } from '../../base/growable.ts';

/** Which states of a reduced search must take the steps they left out. */
export interface Proviso {
  /** The state left something out; one of the steps it took leads to the successor. */
  set(state: number, successor: number): void;
  /** Among the states with numbers in these ranges, which are all there are; they count as full from now on. */
  ignoring(ranges: readonly Range[]): number[];
  bytes(): number;
}

/** First and end. */
export type Range = readonly [number, number];

/** By state: 1 + the successor, 0 where all steps were taken. */
export interface Arrows {
  arrowOf(state: number): number;
  setArrow(state: number, arrow: number): void;
}

export class Onward implements Proviso {
  private own: IntList | null;
  private arrows: Arrows;
  /** By state: 0 not looked at, −1 leads to a state with all its steps, n > 0 passed by look number n. */
  private readonly marks = new IntList();
  private looks = 0;
  /** By the first number of a range: where the last look ended. */
  private readonly done = new Map<number, number>();

  /** Elsewhere, or here. */
  constructor(arrows: Arrows | null = null) {
    const own = arrows === null ? new IntList() : null;
    this.own = own;
    this.arrows = arrows ?? {
      arrowOf: (state) => own!.data[state] ?? 0,
      setArrow: (state, arrow) => own!.set(state, arrow),
    };
  }

  /** From now on the arrows are there: those that were drawn, too. */
  moveTo(arrows: Arrows, count: number): void {
    for (let state = 0; state < count; state++) arrows.setArrow(state, this.arrows.arrowOf(state));
    this.arrows = arrows;
    this.own = null;
  }

  set(state: number, successor: number): void {
    this.arrows.setArrow(state, successor + 1);
  }

  bytes(): number {
    return 4 * ((this.own?.data.length ?? 0) + this.marks.data.length);
  }

  /** One state of each circle. */
  ignoring(ranges: readonly Range[]): number[] {
    const circles: number[] = [];
    for (const [first, end] of ranges) {
      for (let state = this.done.get(first) ?? first; state < end; state++)
        if (this.markOf(state) === 0) this.follow(state, circles);
      this.done.set(first, end);
    }
    return circles;
  }

  private follow(start: number, circles: number[]): void {
    this.looks++;
    let at = start;
    while (this.markOf(at) === 0 && this.arrowOf(at) !== 0) {
      this.marks.set(at, this.looks);
      at = this.arrowOf(at) - 1;
    }
    if (this.markOf(at) === this.looks) {
      circles.push(at);
      this.arrows.setArrow(at, 0);
    }
    this.settle(start);
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
    return this.arrows.arrowOf(state);
  }

  private markOf(state: number): number {
    return this.marks.data[state] ?? 0;
  }
}
