// An engine answers questions about models of one language. It returns nothing: what it learns goes to the board as it is learned, so
// that a limit, a crash or the user's Ctrl-C costs only what was not known yet.

import type { Budget, Observer } from '../base/budget.ts';
import type { Board, Fact } from './fact.ts';
import type { CheckOptions } from './options.ts';

export interface Task<Model> {
  readonly model: Model;
  /** What it is asked to settle: never empty for an engine that settles anything. */
  readonly open: readonly string[];
  readonly options: CheckOptions;
  /** What is known so far. */
  readonly board: Board;
}

/**
 * Duty: every proof it learns has passed its exact check, every refutation was replayed on the concrete semantics; what it cannot see makes
 * its answer unknown. It obeys the budget, which also says when nobody waits for the answer any more.
 */
export interface Engine<Model> {
  readonly name: string;
  /** Can it settle the property, by itself or with others? */
  settles(property: string, options: CheckOptions): boolean;
  run(
    task: Task<Model>,
    budget: Budget,
    observer: Observer,
    learn: (fact: Fact) => void,
  ): Promise<void> | void;
}

/** An engine whose code is read when it is asked for the first time: start-up counts. */
export const lazily = <Model>(
  name: string,
  settles: Engine<Model>['settles'],
  load: () => Promise<Pick<Engine<Model>, 'run'>>,
): Engine<Model> => ({
  name,
  settles,
  run: async (task, budget, observer, learn) => (await load()).run(task, budget, observer, learn),
});

/** A step of a portfolio. */
export interface Stage<Model> {
  readonly engine: Engine<Model>;
  /** Its part of the time, relative to the stages after it; what it does not use is theirs. Default 1. */
  readonly weight?: number;
  /** The engine whose findings it builds on: it starts when that one has ended, or is not wanted. */
  readonly after?: string;
  /** Not for questions but for pictures: runs when everything is settled or the others are done, if the options ask for it. */
  readonly pictures?: boolean;
  /** The same for what `coverage` asks for. */
  readonly coverage?: boolean;
  /** Not for questions either: looks further where this property was asked for and turned out to hold, and the one that it looks for was not asked. */
  readonly beyond?: { readonly property: string; readonly unless: string };
}

/** Per language: which engines, in which order. Engines that settle the same property may run side by side. */
export type Portfolio<Model> = readonly Stage<Model>[];
