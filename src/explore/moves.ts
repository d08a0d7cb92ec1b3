// What a process could begin in a state. The generated code writes it down as numbers in an array that it uses again for every question (`probe` and
// `probed`); who asks has a list of its own, with names.

/** How many numbers the generated code writes for a move: the edge, the partner, the partner's edge. */
const CELLS = 3;

export class Moves {
  /** How many. */
  length = 0;
  private cells = new Int32Array(4 * CELLS);

  /** Takes over the first `used` numbers of the generated code's array. */
  read(cells: Int32Array, used: number): this {
    if (used > this.cells.length) this.cells = new Int32Array(2 * used);
    for (let i = 0; i < used; i++) this.cells[i] = cells[i]!;
    this.length = used / CELLS;
    return this;
  }

  /** −1: an error in a partner's half of a handshake. */
  edge(index: number): number {
    return this.cells[CELLS * index]!;
  }

  /** The other process of a handshake; −1: there is none. */
  partner(index: number): number {
    return this.cells[CELLS * index + 1]!;
  }

  partnerEdge(index: number): number {
    return this.cells[CELLS * index + 2]!;
  }

  has(edge: number): boolean {
    for (let index = 0; index < this.length; index++) if (this.edge(index) === edge) return true;
    return false;
  }
}
