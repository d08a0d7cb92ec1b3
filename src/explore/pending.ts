// States that wait to be expanded, last in, first out.
//
// In the order `depth` every state waits once, from when it is found. In the order `spin` a state waits once for every step that leads to it, the first
// step of its predecessor on top, and is expanded when it is met for the first time: states are expanded in exactly the order of a recursive
// depth-first search, which is SPIN's when its reduction is off (the youngest process first, its options as they are written).

export class Pending {
  private readonly states: number[] = [];
  /** Order `spin`: by state, whether it was expanded. */
  private done: Uint8Array | null;
  expanded = 0;

  constructor(order: 'breadth' | 'depth' | 'spin') {
    this.done = order === 'spin' ? new Uint8Array(1 << 12) : null;
  }

  /** A step leads there. */
  add(state: number, isNew: boolean): void {
    if (isNew || (this.done !== null && this.done[state] !== 1)) this.states.push(state);
  }

  take(): number | undefined {
    let state = this.states.pop();
    if (this.done !== null) {
      while (state !== undefined && this.done[state] === 1) state = this.states.pop();
      if (state !== undefined) this.mark(state);
    }
    if (state !== undefined) this.expanded++;
    return state;
  }

  private mark(state: number): void {
    if (state >= this.done!.length) {
      const larger = new Uint8Array(2 * Math.max(state, this.done!.length));
      larger.set(this.done!);
      this.done = larger;
    }
    this.done![state] = 1;
  }

  get length(): number {
    return this.states.length;
  }

  /** Those that were added since there were `from`: the first of them is taken next, or whichever `shuffle` puts last. */
  arrange(from: number, shuffle: ((states: number[], from: number) => void) | undefined): void {
    if (this.done !== null) reverse(this.states, from);
    shuffle?.(this.states, from);
  }

  all(): readonly number[] {
    return this.states;
  }
}

function reverse(list: number[], from: number): void {
  for (let low = from, high = list.length - 1; low < high; low++, high--) {
    const state = list[low]!;
    list[low] = list[high]!;
    list[high] = state;
  }
}
