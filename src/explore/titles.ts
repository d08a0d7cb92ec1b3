// What runs are said to show. Runs are kept in files, and `replay` judges on the model whether they show it: so the words are in one place.

export const TITLES = {
  stuck: 'the system is stuck: an invalid end state',
  blockedForEver: 'a process is blocked for ever',
  assertion: 'an assertion is violated',
  idle: 'a run that goes on for ever without progress',
  idleCycle: 'a cycle without progress',
} as const;

/** Titles that begin so claim nothing. */
export const SIMULATION = 'simulation: ';
