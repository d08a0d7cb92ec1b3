// One budget for a whole check: analyses ask it, they never read a clock themselves.

export interface Budget {
  /** False once the time is over. Cheap enough to ask every few thousand steps. */
  readonly timeLeft: () => boolean;
  /** Milliseconds until the end, Infinity without a limit. */
  readonly remaining: () => number;
  readonly maxStates: number;
  /** Bytes the explored states may take. */
  readonly maxMemory: number;
}

export const UNLIMITED: Budget = {
  timeLeft: () => true,
  remaining: () => Number.POSITIVE_INFINITY,
  maxStates: Number.POSITIVE_INFINITY,
  maxMemory: Number.POSITIVE_INFINITY,
};

/** The first of `parts` equal shares of the time that is left; what it does not use is left for the others. */
export function shareOf(budget: Budget, parts: number): Budget {
  const total = budget.remaining();
  if (!Number.isFinite(total) || parts <= 1) return budget;
  const reserved = total - total / parts;
  const remaining = (): number => Math.max(0, budget.remaining() - reserved);
  return { ...budget, remaining, timeLeft: () => remaining() > 0 };
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
