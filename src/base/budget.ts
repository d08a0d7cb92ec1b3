// One budget for a whole check: analyses ask it, they never read a clock themselves. Whoever cancels a check lets `timeLeft` become
// false, so that every place that obeys the time obeys the user, too.

/** Why an analysis stopped before it was done. Every reason of an `unknown` about limits maps from this. */
export type Limit = 'time-limit' | 'state-limit' | 'memory-limit' | 'cancelled';

export interface Budget {
  /** False once the time is over or the work is no longer wanted. Cheap enough to ask every few thousand steps. */
  readonly timeLeft: () => boolean;
  /** Milliseconds until the end, Infinity without a limit. */
  readonly remaining: () => number;
  readonly maxStates: number;
  /** Bytes the explored states may take. */
  readonly maxMemory: number;
  /** The whole process takes more than it may. For those whose states take the greater part of it. Absent: nobody can say so. */
  readonly isMemoryOver?: () => boolean;
  /** Nobody waits for the answer any more. Absent: nobody can say so. */
  readonly cancelled?: () => boolean;
  /** Threads that have nothing to do. Absent: there are none. */
  readonly help?: Help;
}

/** Threads that a long search may take to work with it. */
export interface Help {
  readonly free: () => number;
  /** One of them begins with this: something that can be sent to a thread, and that explore/helping.ts understands. */
  readonly start: (job: unknown) => void;
  /** Of a search with so many states: smaller ones are done before another thread has read its code. */
  readonly from?: number;
  /** Milliseconds without a sign of life after which a thread counts as dead. */
  readonly patience?: number;
}

export const UNLIMITED: Budget = {
  timeLeft: () => true,
  remaining: () => Number.POSITIVE_INFINITY,
  maxStates: Number.POSITIVE_INFINITY,
  maxMemory: Number.POSITIVE_INFINITY,
};

/** The first of `parts` equal shares of the time that is left; what it does not use is left for the others. */
export function shareOf(budget: Budget, parts: number): Budget {
  return parts <= 1 ? budget : fractionOf(budget, 1 / parts);
}

/** A fraction of the time that is left; what it does not use is left for the others. */
export function fractionOf(budget: Budget, fraction: number): Budget {
  const total = budget.remaining();
  if (!Number.isFinite(total) || fraction >= 1) return budget;
  const reserved = total - total * fraction;
  const remaining = (): number => Math.max(0, budget.remaining() - reserved);
  return { ...budget, remaining, timeLeft: () => budget.timeLeft() && remaining() > 0 };
}

/** At most this many milliseconds of the time that is left. */
export function atMost(budget: Budget, milliseconds: number, now: () => number): Budget {
  const end = now() + milliseconds;
  const remaining = (): number => Math.max(0, Math.min(budget.remaining(), end - now()));
  return { ...budget, remaining, timeLeft: () => budget.timeLeft() && remaining() > 0 };
}

/** Thrown in the middle of work that has no other way out when the time is over. */
export class TimeOver extends Error {}

/** Steps between two looks at the clock: a few hundred microseconds of building expressions. */
const STEPS_BETWEEN_LOOKS = 256;

/** For work in many small steps, each of which calls it: throws `TimeOver` soon after the time is over. */
export function watchOf({ timeLeft }: Pick<Budget, 'timeLeft'>): () => void {
  let steps = 0;
  return () => {
    if (++steps % STEPS_BETWEEN_LOOKS === 0 && !timeLeft()) throw new TimeOver();
  };
}

/** The same time, at most this many stored states. */
export const withStates = (budget: Budget, maxStates: number): Budget => ({
  ...budget,
  maxStates: Math.min(maxStates, budget.maxStates),
});

/** The same limits, and whatever else says that the answer is no longer wanted. */
export function cancellable(budget: Budget, isCancelled: () => boolean): Budget {
  const cancelled = (): boolean => isCancelled() || (budget.cancelled?.() ?? false);
  return {
    ...budget,
    cancelled,
    timeLeft: () => budget.timeLeft() && !isCancelled(),
    remaining: () => (isCancelled() ? 0 : budget.remaining()),
  };
}

export interface Limits {
  /** Seconds. */
  readonly timeout?: number;
  readonly maxStates?: number;
  /** Megabytes. */
  readonly maxMemory?: number;
}

export const DEFAULT_LIMITS = { timeout: 60, maxStates: 10_000_000, maxMemory: 2048 } as const;

/** Of the time, for what comes after the search: engines that are slow to end, and the report. */
const SHARE_OF_THE_END = 0.02;
/** Milliseconds. */
const LEAST_FOR_THE_END = 150;
const MOST_FOR_THE_END = 500;

/** The budget runs from when somebody began to wait, and ends so that the answer is there when the time is over. */
export function startBudget(limits: Limits, now: () => number, began: number = now()): Budget {
  const { timeout, maxStates, maxMemory } = { ...DEFAULT_LIMITS, ...limits };
  const whole = timeout * 1000;
  const share = Math.min(Math.max(whole * SHARE_OF_THE_END, LEAST_FOR_THE_END), MOST_FOR_THE_END);
  const end = began + whole - share;
  return {
    timeLeft: () => now() < end,
    remaining: () => Math.max(0, end - now()),
    maxStates,
    maxMemory: maxMemory * 1024 * 1024,
  };
}

/** What long work tells whoever is watching; the CLI draws it, tests ignore it. */
export interface Observer {
  /** A stage begins: 'parse', 'solve', 'explore', … */
  stage(name: string): void;
  /** Progress inside the stage, in the words of a person: '12 of 50 queues', '1.2M states'. */
  progress(text: string): void;
  /** Milliseconds since some fixed point: the only clock analyses may use, for their statistics. */
  now(): number;
}

export const SILENT: Observer = { stage: () => {}, progress: () => {}, now: () => 0 };
