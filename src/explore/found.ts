// What a search for stuck states and errors has found so far: the first of each kind that was asked for, made shorter before anyone sees it.

import type { Budget } from '../base/budget.ts';
import type { Choice } from './choices.ts';
import type { Model } from './compile.ts';
import type { FaultCode } from './faults.ts';
import { withDeaths } from './reduction/immortal.ts';
import type { SearchGoals, SearchOutcome, ViolationKind } from './search.ts';
import { shorten } from './shorten.ts';
import { trailOf } from './trail.ts';

export interface SafetyOptions extends SearchGoals {
  readonly reduce: boolean;
  readonly seed?: number;
  /** Only the first looks, which small models need nothing beyond. */
  readonly brief?: boolean;
}

export interface Finding {
  readonly kind: ViolationKind;
  readonly fault: FaultCode | null;
  /** From the initial state, a failing one last. */
  readonly choices: readonly Choice[];
}

export interface SafetyOutcome {
  /** A state in which nothing can move and not everyone may stop. */
  readonly stuck: Finding | null;
  /** An assertion or runtime error. */
  readonly failure: Finding | null;
  /** The search that ended last: whether it saw everything, and its figures. */
  readonly search: SearchOutcome;
}

/** The first of each kind that was asked for. */
export class Found {
  private stuck: Finding | null = null;
  private failure: Finding | null = null;
  /** The same, made shorter. */
  private shortStuck: Finding | null = null;
  private shortFailure: Finding | null = null;
  private readonly model: Model;
  private readonly options: SafetyOptions;
  private readonly budget: Budget;

  constructor(model: Model, options: SafetyOptions, budget: Budget) {
    this.model = model;
    this.options = options;
    this.budget = budget;
  }

  all(): boolean {
    return (
      (this.stuck !== null || !this.options.endStates) && (this.failure !== null || !this.options.assertions)
    );
  }

  /** What is still looked for. */
  open(): SafetyOptions {
    const { endStates, assertions } = this.options;
    return {
      ...this.options,
      endStates: endStates === true && this.stuck === null,
      assertions: assertions === true && this.failure === null,
    };
  }

  any(): boolean {
    return this.stuck !== null || this.failure !== null;
  }

  /** Was one of them new? */
  keepAll({ violations, space }: SearchOutcome, trail = trailOf): boolean {
    const added = violations.filter((violation) => {
      if (!this.isNew(violation.kind)) return false;
      this.keep({ ...violation, choices: trail(space, violation) }, space.model);
      return true;
    });
    return added.length > 0;
  }

  isNew(kind: ViolationKind): boolean {
    if (kind === 'invalid-end-state') return this.options.endStates === true && this.stuck === null;
    return this.options.assertions === true && this.failure === null;
  }

  /** `by`: the model that has the run. */
  keep({ kind, fault, choices }: Finding, by: Model): void {
    const isStuck = kind === 'invalid-end-state';
    const isStill = by.options.immortal === true;
    const finding = {
      kind,
      fault,
      choices: isStill ? withDeaths(this.model, choices, isStuck) : choices,
    };
    if (isStuck) this.stuck = finding;
    else this.failure = finding;
  }

  outcome(last: SearchOutcome): SafetyOutcome {
    this.shortStuck ??= this.stuck && shorten(this.model, this.stuck, this.budget);
    this.shortFailure ??= this.failure && shorten(this.model, this.failure, this.budget);
    return { stuck: this.shortStuck, failure: this.shortFailure, search: last };
  }
}
