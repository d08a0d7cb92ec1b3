// That no cycle of the reduced graph ignores anything: on every one of them some state takes all its steps. (The cycle proviso for properties of
// infinite runs: Peled's C3, Valmari's L.) The graph is built first; then a depth-first search through the states that left
// something out gives, for each cycle of such states, an edge that closes it, and the state where it ends takes the rest. What that finds is
// explored in the same way, until nothing is left. So what is taken at a state does not depend on the claim, and the
// graph is right for every automaton whose language is closed under stuttering. (Where it depends on the automaton's state
// that is not so: Siegel, What's wrong with on-the-fly partial order reduction, CAV 2019.)

import { IntList } from '../../base/growable.ts';
import type { StateSpace } from '../search.ts';
import type { Proviso, Range } from './onward.ts';

export class NoIdleCycle implements Proviso {
  /** By state: 1 where something was left out. */
  private readonly reduced = new IntList();
  private readonly space: StateSpace;

  constructor(space: StateSpace) {
    this.space = space;
  }

  set(state: number): void {
    this.reduced.set(state, 1);
  }

  bytes(): number {
    return 4 * this.reduced.data.length;
  }

  /** States that close all cycles of reduced ones; they count as full from now on. */
  ignoring(ranges: readonly Range[]): number[] {
    const count = Math.max(...ranges.map(([, end]) => end));
    const { edges, rowStart, rowEnd } = this.space;
    const isReduced = (state: number): boolean => (this.reduced.data[state] ?? 0) === 1;
    /** 0 not met, 1 on the path, 2 done. */
    const visited = new Uint8Array(count);
    const cursor = new Int32Array(count);
    const path: number[] = [];
    const found = new Set<number>();
    const enter = (state: number): void => {
      visited[state] = 1;
      cursor[state] = rowStart.data[state]!;
      path.push(state);
    };
    for (let start = 0; start < count; start++) {
      if (visited[start] !== 0 || !isReduced(start)) continue;
      enter(start);
      while (path.length > 0) {
        const state = path[path.length - 1]!;
        if (cursor[state]! >= rowEnd.data[state]! || found.has(state)) {
          visited[state] = 2;
          path.pop();
          continue;
        }
        const target = edges.data[cursor[state]!++]!;
        if (!isReduced(target) || found.has(target)) continue;
        if (visited[target] === 0) enter(target);
        else if (visited[target] === 1) found.add(target);
      }
    }
    for (const state of found) this.reduced.set(state, 0);
    return [...found];
  }
}
