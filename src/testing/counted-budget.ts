// A budget that does not depend on the clock: time is how often an analysis asked for it. A loaded machine gives the same answers.

/** Looks like base's Budget; declared by shape, because this room stands below. */
export function countedBudget(questions: number, maxStates = Number.POSITIVE_INFINITY) {
  let asked = 0;
  return {
    timeLeft: () => ++asked < questions,
    remaining: () => Math.max(0, questions - asked),
    maxStates,
    maxMemory: 1 << 30,
  };
}
