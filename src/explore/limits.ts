// When a search must stop, and how many states it may take on before it looks again.

import type { Budget } from '../base/budget.ts';
import type { Engine } from './engine.ts';
import { NativeEngine } from './native.ts';
import type { LimitReached, StateSpace } from './search.ts';

export const CHECK_EVERY = 1024;
const MOST_FLAT = 1 << 30;
/** Per state, of whoever looks for cycles in the graph afterwards (cycles.ts). */
const CYCLE_BYTES = 24;
/** So many states before the limit one thread goes on alone: it meets it exactly. */
const NEAR_LIMIT = 50_000;

export class Limits {
  private readonly space: StateSpace;
  private readonly budget: Budget;
  private readonly forCycles: boolean;
  private readonly engine: () => Engine;
  private readonly otherBytes: () => number;
  /** Bytes from which on states are compressed. */
  private readonly flatLimit: number;

  constructor(
    space: StateSpace,
    budget: Budget,
    forCycles: boolean,
    engine: () => Engine,
    otherBytes: () => number,
  ) {
    this.space = space;
    this.budget = budget;
    this.forCycles = forCycles;
    this.engine = engine;
    this.otherBytes = otherBytes;
    this.flatLimit = Math.min(MOST_FLAT, budget.maxMemory / 3);
  }

  bytes(): number {
    const { edges, marks, arrivals, rowStart, rowEnd, flags } = this.space;
    const lists = [edges, marks, arrivals, rowStart, rowEnd, flags];
    return this.engine().bytes() + this.otherBytes() + lists.reduce((sum, list) => sum + list.bytes(), 0);
  }

  reached(): LimitReached | null {
    if (this.engine().count > this.budget.maxStates) return 'state-limit';
    if (this.isMemoryOver()) return 'memory-limit';
    return this.budget.timeLeft() ? null : 'time-limit';
  }

  private isMemoryOver(): boolean {
    const { maxMemory, isMemoryOver } = this.budget;
    const bytes = this.bytes() + (this.forCycles ? this.engine().count * CYCLE_BYTES : 0);
    return bytes > maxMemory || (bytes > maxMemory / 2 && isMemoryOver?.() === true);
  }

  /** How many to expand before the next look at the limits: fewer and fewer towards the last state. */
  batch(): number {
    const left = this.budget.maxStates - this.engine().count;
    return Math.max(1, Math.min(CHECK_EVERY, Math.floor(left / 8)));
  }

  isNear(): boolean {
    return this.budget.maxStates - this.engine().count < NEAR_LIMIT;
  }

  /** Would it be better to take less memory? */
  isLarge(): boolean {
    const engine = this.engine();
    return engine instanceof NativeEngine && engine.isFlat() && engine.bytes() > this.flatLimit;
  }
}
