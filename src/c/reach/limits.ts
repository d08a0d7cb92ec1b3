// How many values of one cell are followed. A cell whose values come from constants alone (a counter) may really take many; one that
// inputs flow into may take values without end, and predicates are the better way. The limit starts low for both: many values are often only the
// sign that something else is not followed yet, which the path to the last value shows.

const FIRST = 40;
const CLOSED_MOST = 2000;
const OPEN_MOST = 100_000;
/** With this many states already, values that multiply them are given up. */
const MANY_STATES = 20_000;
/** Rounds of predicates after which values of cells that inputs flow into get another chance. */
const PATIENCE = 14;

export class ValueLimits {
  /** Cells that are not followed by value for now. */
  readonly banned = new Set<number>();
  private readonly open = new Set<number>();
  private readonly closedLimits = new Map<number, number>();
  private openLimit = FIRST;
  private patience = PATIENCE;

  of(cell: number): number {
    return this.open.has(cell) ? this.openLimit : (this.closedLimits.get(cell) ?? FIRST);
  }

  markOpen(cell: number): void {
    this.open.add(cell);
  }

  /** The values are real: more of them are allowed, or the cell is given up. True when it is given up. */
  exceeded(cell: number, states: number): boolean {
    const limit = this.of(cell);
    if (!this.open.has(cell) && limit < CLOSED_MOST && states < MANY_STATES) {
      this.closedLimits.set(cell, limit * 8);
      return false;
    }
    this.banned.add(cell);
    return true;
  }

  /** After a refinement: give values another chance when predicates do not help. True when something changed. */
  retry(helped: boolean): boolean {
    if (this.banned.size === 0 || this.openLimit >= OPEN_MOST) return false;
    if (helped && --this.patience > 0) return false;
    this.openLimit *= 8;
    this.patience = PATIENCE;
    this.banned.clear();
    return true;
  }
}
