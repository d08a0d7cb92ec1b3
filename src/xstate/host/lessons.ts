// What one round of exploration learns for the next: keys to widen, families, who bears a systemId, which events are internal.

export interface Lessons {
  /** `machine.key` */
  readonly widened: Set<string>;
  /** `parent machine>child logic` */
  readonly families: Set<string>;
  /** systemId → names of actors that bear it. */
  readonly systemIds: Map<string, Set<string>>;
  /** Event types that actors send to actors of a logic: they do not come from outside. */
  readonly internal: Map<string, Set<string>>;
}

export const noLessons = (): Lessons => ({
  widened: new Set(),
  families: new Set(),
  systemIds: new Map(),
  internal: new Map(),
});

/** The round is over: it begins anew with what was learned. */
export class LearnedSomething extends Error {}

export interface BehaviourLimits {
  /** Values of one key of a context that are told apart. */
  readonly values: number;
  /** Sets of children that are told apart. */
  readonly childSets: number;
  /** Alternatives of one step. */
  readonly alternatives: number;
}

export const BEHAVIOUR_LIMITS: BehaviourLimits = { values: 64, childSets: 24, alternatives: 256 };
