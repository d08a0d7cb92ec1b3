// What was chosen on the way of a step. Generated code writes choices down as numbers in one array, which it uses again for every step; who is told about a
// step looks at them there, through a view with names, and copies what is to stay.

/** One statement of one process, or a handshake of two (else −1 and −1). The claim is process −1. */
export type Choice = readonly [process: number, edge: number, partner: number, partnerEdge: number];

export const isSameChoice = (a: Choice, b: Choice): boolean => a.every((part, i) => part === b[i]);

/** How many numbers the generated code writes for a choice: the process, its edge, the partner, the partner's edge. */
const CELLS = 4;

/** The choices from the loaded state on, in order: valid only while somebody is told about the step. */
export interface Choices {
  /** How many. */
  readonly length: number;
  process(index: number): number;
  edge(index: number): number;
  /** −1: there is none. */
  partner(index: number): number;
  partnerEdge(index: number): number;
  at(index: number): Choice;
  /** The first so many, for keeping; all of them unless told. */
  copy(count?: number): Choice[];
}

/** Over the array of the generated code. Whoever hands it on says how much of the array counts. */
export class ChoiceCells implements Choices {
  private readonly cells: Int32Array;
  length = 0;

  constructor(cells: Int32Array) {
    this.cells = cells;
  }

  /** `used`: so many numbers of the array count. */
  upTo(used: number): Choices {
    this.length = used / CELLS;
    return this;
  }

  process(index: number): number {
    return this.cells[CELLS * index]!;
  }

  edge(index: number): number {
    return this.cells[CELLS * index + 1]!;
  }

  partner(index: number): number {
    return this.cells[CELLS * index + 2]!;
  }

  partnerEdge(index: number): number {
    return this.cells[CELLS * index + 3]!;
  }

  at(index: number): Choice {
    return [this.process(index), this.edge(index), this.partner(index), this.partnerEdge(index)];
  }

  copy(count = this.length): Choice[] {
    const choices: Choice[] = [];
    for (let index = 0; index < count; index++) choices.push(this.at(index));
    return choices;
  }
}
