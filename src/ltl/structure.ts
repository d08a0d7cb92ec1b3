// What the temporal logic room asks of a system: a graph given on the fly, with propositions on states and one event on each step.
// Labelled Kripke structures, their products and the state graphs of Promela programs implement it.

/**
 * States, events and propositions are numbers that the structure gives out; the atoms of a formula carry the same numbers.
 * A step that may bear several events is several successors. An event that no atom names may have any number.
 */
export interface EventStructure {
  initialStates(): readonly number[];
  /** Calls visit for every step out of the state. A state without steps ends its paths: they are no infinite paths. */
  eachSuccessor(state: number, visit: (event: number, target: number) => void): void;
  holds(state: number, proposition: number): boolean;
}

/** What a name in a formula stands for. */
export interface Atom {
  readonly kind: 'proposition' | 'event';
  /** The structure's number of the proposition or event. */
  readonly id: number;
  readonly name: string;
}

/** An infinite path that repeats itself: steps[i] starts in its state and takes its event; the last step leads back to steps[loopStart].state. */
export interface Lasso {
  readonly steps: readonly LassoStep[];
  readonly loopStart: number;
}

export interface LassoStep {
  readonly state: number;
  readonly event: number;
}
