// The edges of the state graph while a search goes on: a row of targets for every state, and marks of steps where they are asked for.

import { IntList } from '../base/growable.ts';
import type { Choice } from './choices.ts';
import type { Model } from './compile.ts';
import type { Engine } from './engine.ts';
import { HEADER } from './layout.ts';
import type { LoadedState, Part } from './machine.ts';
import type { SearchOptions, StateSpace } from './search.ts';

/** Before the search begins. The engine may change while it goes on. */
export const emptySpace = (model: Model, part: Part, engine: () => Engine): StateSpace => ({
  model,
  part,
  get store() {
    return engine();
  },
  parentOf: (state) => engine().parentOf(state),
  edges: new IntList(),
  marks: new IntList(16),
  arrivals: new IntList(16),
  rowStart: new IntList(),
  rowEnd: new IntList(),
  flags: new IntList(),
});

export class Rows {
  private readonly space: StateSpace;
  private readonly markStep: SearchOptions['markStep'];
  /** Marks are asked for when the state before the step is loaded again, at the end of its row. */
  private unmarked: { choices: readonly Choice[]; found: number }[] = [];

  constructor(space: StateSpace, markStep: SearchOptions['markStep']) {
    this.space = space;
    this.markStep = markStep;
  }

  /** Of the state that is loaded. */
  open(state: number, machine: LoadedState): void {
    const { edges, rowStart, flags } = this.space;
    flags.set(state, machine.cells[HEADER.exclusive]! < 0 ? machine.flags() : 0);
    rowStart.set(state, edges.length);
  }

  step(engine: Engine, to: number, isNew: boolean): void {
    this.space.edges.push(to);
    if (this.markStep !== undefined)
      this.unmarked.push({ choices: engine.choices().copy(), found: isNew ? to : -1 });
  }

  close(state: number): void {
    this.space.rowEnd.set(state, this.space.edges.length);
    this.mark();
  }

  private mark(): void {
    if (this.markStep === undefined) return;
    for (const { choices, found } of this.unmarked) {
      const mark = this.markStep(choices);
      this.space.marks.push(mark);
      if (found >= 0) this.space.arrivals.set(found, mark);
    }
    this.unmarked = [];
  }

  /** Further edges of a state go to the end of the list: those it has must be there, too. */
  reopen(state: number): void {
    const { edges, rowStart, rowEnd, marks } = this.space;
    const end = rowEnd.data[state]!;
    const start = rowStart.data[state]!;
    rowStart.set(state, edges.length);
    for (let edge = start; edge < end; edge++) {
      edges.push(edges.data[edge]!);
      if (this.markStep !== undefined) marks.push(marks.data[edge]!);
    }
  }
}
