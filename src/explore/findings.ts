// What a search has found so far, and how much it has seen. Of several threads each has its own; the one that leads adds them up.

import { type FaultCode, isLimit, isPassable } from './faults.ts';
import type { SearchOptions, SearchOutcome, Violation } from './search.ts';

const KEPT_VIOLATIONS = 100;

/** Bits: the goals of which a violation was found. */
export const GOAL = { endState: 1, failure: 2 } as const;

/** What can be sent to another thread. */
export type Found = Pick<
  SearchOutcome,
  | 'states'
  | 'transitions'
  | 'violations'
  | 'violationCount'
  | 'limitFaults'
  | 'cutBy'
  | 'reduced'
  | 'heldControl'
>;

export class Findings {
  private states = 0;
  private transitions = 0;
  private readonly violations: Violation[] = [];
  private violationCount = 0;
  limitFaults = 0;
  cutBy: FaultCode | null = null;
  reduced = false;
  /** An atomic sequence was so long that it was stored in between: it may never end, and then nobody else moves. */
  heldControl = false;
  private foundGoals = 0;
  private readonly options: Pick<SearchOptions, 'each' | 'keep'>;

  constructor(options: Pick<SearchOptions, 'each' | 'keep'>) {
    this.options = options;
  }

  add(violation: Violation): void {
    this.violationCount++;
    const goal = violation.kind === 'invalid-end-state' ? GOAL.endState : GOAL.failure;
    // Of each goal there is one, however many violations of the other came before.
    const isFirst = (this.foundGoals & goal) === 0;
    this.foundGoals |= goal;
    const { each, keep = KEPT_VIOLATIONS } = this.options;
    if ((isFirst && each) || this.violations.length < keep) this.violations.push(violation);
  }

  fault(code: FaultCode): void {
    if (isLimit(code)) this.limitFaults++;
    if (!isPassable(code)) this.cutBy ??= code;
  }

  count({ states, transitions }: { readonly states: number; readonly transitions: number }): void {
    this.states += states;
    this.transitions += transitions;
  }

  goals(): number {
    return this.foundGoals;
  }

  /** What another thread has found. */
  include(other: Found): void {
    this.count(other);
    this.violations.push(...other.violations);
    this.violationCount += other.violationCount;
    this.limitFaults += other.limitFaults;
    this.cutBy ??= other.cutBy;
    this.reduced ||= other.reduced;
    this.heldControl ||= other.heldControl;
  }

  found(): Found {
    const { states, transitions, violations, violationCount, limitFaults, cutBy, reduced, heldControl } =
      this;
    return { states, transitions, violations, violationCount, limitFaults, cutBy, reduced, heldControl };
  }
}
