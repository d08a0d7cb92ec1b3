// Exhaustive search over the compiled model: breadth first (shortest runs) or last in, first out.
//
// States are counted as SPIN's verifier counts them with reductions off: what lies inside an atomic sequence is passed through, not
// counted. Sequences that branch or run on for very long are stored in between, so that a search always ends on a
// finite model, where SPIN would stop at its depth limit; `states` does not count those.

import type { Budget, Observer } from '../base/budget.ts';
import type { IntList } from '../base/growable.ts';
import type { Choice } from './choices.ts';
import type { Model } from './compile.ts';
import type { FaultCode } from './faults.ts';
import type { Part } from './machine.ts';
import type { Watched } from './reduction/visible.ts';
import { Search } from './searching.ts';
import type { States } from './store.ts';
import { TeamLost } from './team.ts';

export interface SearchGoals {
  /** Invalid end states. */
  readonly endStates?: boolean;
  /** Assertions and runtime errors. Without it they are still where a path ends. */
  readonly assertions?: boolean;
}

export interface SearchOptions extends SearchGoals {
  /**
   * Take only the steps of a stubborn set where that is enough for `endStates` and `assertions` (docs/search.md). The states seen are then
   * some of the reachable ones; graphs and queue maxima are not complete. With what a property looks at (and `graph`), every run of the model has one in
   * the graph that differs in repetitions only, as far as the property sees.
   */
  readonly reduce?: boolean | Watched;
  /** Whose steps they are (default: the claim's and the system's). */
  readonly part?: Part;
  readonly order?: 'breadth' | 'depth' | 'spin';
  /** With order `depth` or `spin`: how many states are expanded at most. */
  readonly most?: number;
  /** With order `depth`: may change the order of the states that a step added, from this index on. */
  readonly shuffle?: (stack: number[], from: number) => void;
  /** Go on after a violation, past violated assertions as `pan -c0` does (default: stop at the first). */
  readonly all?: boolean;
  /** Go on until a violation of each goal was found. */
  readonly each?: boolean;
  /** With `all`: how many violations are kept (the others are counted). */
  readonly keep?: number;
  /** Keep the edges of the state graph, for cycles. */
  readonly graph?: boolean;
  /** With `graph`: a mark for a step, kept beside its edge. Asked while the machine holds the state before the step. */
  readonly markStep?: (choices: readonly Choice[]) => number;
  /** Called for each new state with its number; returning true ends the search (limit: null, stopped: true). */
  readonly onState?: (space: StateSpace, state: number) => boolean;
  /** Called after each expansion, when the machine is free to be used; true ends the search. */
  readonly onExpanded?: (space: StateSpace, state: number) => boolean;
}

export type LimitReached = 'time-limit' | 'state-limit' | 'memory-limit';

export type ViolationKind = 'invalid-end-state' | 'assertion' | 'runtime-error' | 'claim';

export interface Violation {
  readonly kind: ViolationKind;
  readonly fault: FaultCode | null;
  /** Where it begins: the state, and the choices from there, the failing one last. */
  readonly state: number;
  readonly choices: readonly Choice[];
}

export interface StateSpace {
  readonly model: Model;
  readonly part: Part;
  readonly store: States;
  /** The state it was first reached from, −1 for the initial one. */
  readonly parentOf: (state: number) => number;
  /** With `graph`: the targets of a state's steps are edges[rowStart .. rowEnd). */
  readonly edges: IntList;
  readonly rowStart: IntList;
  readonly rowEnd: IntList;
  /** With `markStep`: by index of the edge; and by state, the mark of the step that found it. */
  readonly marks: IntList;
  readonly arrivals: IntList;
  /** With `graph`: FLAG bits; what lies inside an atomic sequence shows none. */
  readonly flags: IntList;
}

export interface SearchOutcome {
  readonly space: StateSpace;
  /** As SPIN counts them. */
  readonly states: number;
  readonly transitions: number;
  readonly violations: readonly Violation[];
  readonly violationCount: number;
  /** How many paths ended because there were too many processes or channels, or a d_step without end. */
  readonly limitFaults: number;
  /** The first error at which a path ended: what would follow was not looked at. */
  readonly cutBy: FaultCode | null;
  /** Null: every reachable state was seen (unless `stopped`). */
  readonly limit: LimitReached | null;
  /** A violation or `onState` ended the search. */
  readonly stopped: boolean;
  /** Steps were left out by stubborn sets. */
  readonly reduced: boolean;
  /** States that differ in the order of like processes count as one. */
  readonly symmetric: boolean;
  /** Some atomic sequence was so long that it was stored in between; it may have no end. */
  readonly heldControl: boolean;
  readonly bytes: number;
}

/**
 * Why not everything was seen; null when the search is exhausted: it was not stopped, and no path ended early. This is the one meaning of
 * 'exhausted', for all who conclude something from what a search did not find. (Assertions and other errors that can be passed end no path.)
 */
export function whyIncomplete({ limit, cutBy, limitFaults }: SearchOutcome): Incomplete | null {
  if (limit !== null) return limit;
  if (limitFaults > 0) return 'process-limit';
  return cutBy === null ? null : 'runtime-error';
}

export type Incomplete = LimitReached | 'process-limit' | 'runtime-error';

export function search(
  model: Model,
  options: SearchOptions,
  budget: Budget,
  observer: Observer,
): SearchOutcome {
  try {
    return new Search(model, options, budget, observer).run();
  } catch (error) {
    if (!(error instanceof TeamLost)) throw error;
    // The threads that helped are lost: what they had found is found again, without them.
    const { help: _, ...alone } = budget;
    return new Search(model, options, alone, observer).run();
  }
}
