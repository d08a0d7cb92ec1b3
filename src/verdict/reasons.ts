// Every kind of reason for an `unknown`, in one table: reports print the short words, `spillway explain CODE` the long ones.

export interface ReasonText {
  /** A few words for a heading. */
  readonly title: string;
  /** What it means and what a user can do about it. */
  readonly explanation: string;
}

export const REASONS = {
  'time-limit': {
    title: 'the time limit was reached',
    explanation:
      'The analysis was still running when --timeout ran out. Nothing was decided: the property may hold or not. Give it more time (--timeout SECONDS), or make the model smaller.',
  },
  'state-limit': {
    title: 'the limit on stored states was reached',
    explanation:
      'The search stored --max-states different states without finishing. States beyond that were not looked at, so nothing is claimed about them. Raise --max-states (and --max-memory), or reduce the model.',
  },
  'memory-limit': {
    title: 'the memory limit was reached',
    explanation:
      'The stored states took --max-memory megabytes and the search had not finished. Raise --max-memory, or reduce the model.',
  },
  cancelled: {
    title: 'stopped by the user',
    explanation:
      'The check was interrupted before this property was settled. What was known by then is reported; nothing is claimed about the rest.',
  },
  'engine-failed': {
    title: 'an analysis failed',
    explanation:
      'One of the analyses ended by a fault of its own: a bug in Spillway, or a thread that ran out of memory. What the others found out is reported. Please report it with the model; SPILLWAY_DEBUG=1 shows where it happened.',
  },
  'queue-lost': {
    title: 'the queue gave no answer',
    explanation:
      'The question was given to a queue (--queue), and for too long the queue could not be reached, or no worker was there. Nothing was decided. Start workers (`spillway worker`), look at `spillway queue status`, and check again: questions that are still in the queue are not asked twice.',
  },
  'worker-lost': {
    title: 'the workers that tried it died',
    explanation:
      'A worker took the question from the queue, and its process ended before it had an answer, again and again: it ran out of memory, or something killed it. Nothing was decided. Try --max-memory or --max-states, or a worker on a larger machine; `spillway queue retry` lets workers try again.',
  },
  'unseen-behaviour': {
    title: 'something may happen that the exploration does not see',
    explanation:
      'A statechart was explored by calling its own functions, and in some place what they do depends on data that is not known (the output of a promise, the payload of an event from outside, a value that was widened). Runs may exist that the model does not have, so nothing is proved from it. Say beside the machine which payloads and outputs there are: `export const spillway = { events, outputs, … }` (docs/xstate.md).',
  },
  'not-replayed': {
    title: 'a run was found, but the real system does not take it',
    explanation:
      'The explored model allows a run that breaks the property, but the interpreter of the language, made to take the same steps, does something else. Where data was widened or is not known the model allows more than the machine. The run is shown as a suspicion; declared payloads and outputs (docs/xstate.md) make the model exact.',
  },
  'formula-too-large': {
    title: 'the automaton of the formula is too large',
    explanation:
      'The automaton of a temporal formula can be exponentially larger than the formula, and this one passed the limits. Split a conjunction into several properties: each is then checked by itself.',
  },
  'linear-condition-open': {
    title: 'the linear condition does not decide it',
    explanation:
      'Only the linear condition was asked (--strategy linear): it neither proved the absence of deadlocks nor led to one. Leave the option out, and refinement and search go on where it stops.',
  },
  'runtime-error': {
    title: 'some run ends in a runtime error',
    explanation:
      'A run of the model divides by zero, leaves an array, or uses a channel that does not exist. What would follow is not defined, so a property of infinite runs cannot be proved. Check `assertions` to see the run, and repair it first.',
  },
  'too-many-processes': {
    title: 'too many processes for weak fairness',
    explanation:
      'With --fair, up to 29 processes can be told apart at a time. Check without --fair, or make the model smaller.',
  },
  'embedded-c': {
    title: 'embedded C code cannot be seen through',
    explanation:
      'The model contains c_code, c_expr or c_decl. Spillway does not execute C inside Promela: it could send, receive or change any variable, so no verdict would be safe. Replace the C by Promela, or check the parts without it.',
  },
  'unknown-channel': {
    title: 'a channel could not be determined',
    explanation:
      'A send or receive uses a channel that the points-to analysis could not trace to a declaration (for example a number used as a channel). Any queue might be meant.',
  },
  'too-large': {
    title: 'the model is too large for the counting abstraction',
    explanation:
      'The model has more process classes, locations, channels or alternatives of one statement than the abstraction may build, so it is not complete and nothing is proved from it. Smaller arrays, fewer kinds of processes or a narrower type for the variable at the place shown help.',
  },
  'abstraction-too-coarse': {
    title: 'the counting abstraction leaves a suspicious combination of loops',
    explanation:
      'The linear program has a solution: the loops shown could, as far as counts of messages go, repeat together and violate the property. No real run was found within the budget, and no refinement ruled the combination out. Look at the loops: if they really can go on for ever, the property fails; if not, the reason (a variable, an order of messages) is one the abstraction does not see. More time or --max-states may let the search decide.',
  },
  'refinement-budget': {
    title: 'the budget of the refinement was reached',
    explanation:
      'The refinement loop ran out of its number of rounds or of cycles it may enumerate. Raise the budget, or see the suspicious loops shown.',
  },
  'cycle-limit': {
    title: 'too many elementary cycles',
    explanation:
      'The method `cycles` enumerates elementary cycles, of which there can be exponentially many; the limit was reached. The default method `flow` needs no enumeration.',
  },
  'no-certificate': {
    title: 'no certificate passed the exact check',
    explanation:
      'The solver found the property true in floating point, but no proof survived the check in exact integers, so nothing is claimed. Please report such a model.',
  },
  'unchecked-proof': {
    title: 'a proof was found, but not checked',
    explanation:
      'The analysis found a proof, but the second, separate check of it did not come to an end: no time was left, or the composition has more configurations than are gone through again. Nothing speaks against the proof; without its check it is not reported. Give more time (--timeout), or check fewer components or properties at once (--property).',
  },
  'solver-inconclusive': {
    title: 'the solver gave no answer',
    explanation: 'The LP or SMT solver stopped without an answer (numerical trouble or its own limits).',
  },
  'solver-missing': {
    title: 'no SMT solver is available',
    explanation:
      'Neither a `z3` program on the PATH nor the npm package z3-solver could be started. Install one of them.',
  },
  'no-predicate': {
    title: 'no predicate rules the spurious path out',
    explanation:
      'The predicate abstraction found a path that the program cannot follow, but no new predicate separates it. The path is shown; an initial predicate in the specification may help.',
  },
  'no-measure': {
    title: 'it is not known whether every loop ends',
    explanation:
      'Termination is proved by measures that every turn of a loop makes smaller, and refuted by a run that comes back to the same state. Neither was found. Loops that end only after wrapping around, or by arithmetic with `%` and `/` of 32 bits, are beyond both.',
  },
  'data-race': {
    title: 'a data race leaves the program undefined',
    explanation:
      'Two threads use the same memory at the same time, and one of them writes it. C says nothing about what such a program does, so nothing can be proved of it; a violation that is found with threads that take turns is real all the same. `--property race-free` shows the race: guard the memory with a mutex, or make it `_Atomic`.',
  },
  'undefined-behaviour': {
    title: 'a run does what C leaves undefined',
    explanation:
      'Nothing violates the property up to there, but a run divides by zero, leaves an object, uses what has ended or does something else that C leaves undefined, and C says nothing about what happens from there on: with a compiler the assertion may fail all the same. `--property no-undefined` shows the run; mend it first.',
  },
  'unsupported-construct': {
    title: 'a construct the analysis does not understand',
    explanation:
      'The verdict would rest on code that the analysis cannot see through (recursion, unknown function pointers, inline assembly, …). The place is shown.',
  },
  'not-inductive': {
    title: 'the invariant is not inductive as written',
    explanation:
      'An action leads from a state that satisfies the formula to one that does not. The example state shows what is missing; it need not be reachable, so this refutes the formula, not the protocol.',
  },
  'safety-open': {
    title: 'liveness rests on safety, which is not proved',
    explanation:
      'Liveness of an .ecfsm protocol is proved on the disjuncts of a formula that is an invariant without unsafe states. Here safety is refuted or not proved, so nothing can be said; look at the property safe first.',
  },
  'no-path-found': {
    title: 'no path was found from some disjuncts',
    explanation:
      'The degenerated reachability graph has no path from these disjuncts to the goal. The graph has only edges whose every start state has the step, so a path may exist that it does not show; splitting disjuncts (spillway split) may find it.',
  },
  'trace-assertion': {
    title: 'trace assertions are not checked',
    explanation:
      "The model has a trace or notrace assertion. SPIN's verifier checks it in every run, and at the end of runs; Spillway does not, so that neither `assertions` nor `deadlock-free` can be proved. A violation that is found is real all the same. Leave the assertion out to have the rest proved.",
  },
} as const satisfies Record<string, ReasonText>;

export type ReasonCode = keyof typeof REASONS;
