// Runs a portfolio: engines in order, several side by side where the host has lanes for them, until everything is settled or the time is
// over. A definite answer cancels the engines that nobody waits for any more. Nothing here knows a language, a thread or a clock.

import { type Budget, cancellable, fractionOf, type Observer } from '../base/budget.ts';
import { Unavailable } from '../base/unavailable.ts';
import type { Engine, Portfolio, Stage } from './engine.ts';
import { Board, type Fact } from './fact.ts';
import type { CheckOptions } from './options.ts';

/** What the scheduler must know about the question. */
export interface Question {
  readonly properties: readonly string[];
  readonly options: CheckOptions;
  readonly isSettled: (property: string, board: Board) => boolean;
  /** A first look: each engine may use all of the little time there is. */
  readonly isFirstLook?: boolean;
}

/** One engine at work. `done` rejects only where an exception is to stop everything. */
export interface Running {
  readonly done: Promise<Ended>;
  /** The answer is no longer wanted; it should end soon. */
  cancel(): void;
  /** It did not end though it should have. */
  kill(): void;
}

export type Ended =
  | { readonly kind: 'done' }
  /** A bug in an engine, or a thread that ran out of memory: what it had learned stays. */
  | {
      readonly kind: 'failed';
      readonly message: string;
      readonly reasonCode: 'engine-failed' | 'solver-missing';
    };

/** What an exception of an engine means. */
export const failureOf = (error: unknown): Extract<Ended, { kind: 'failed' }> => ({
  kind: 'failed',
  message: error instanceof Error ? error.message : String(error),
  reasonCode: error instanceof Unavailable ? error.reasonCode : 'engine-failed',
});

/** Where engines run: this thread, worker threads, other machines. */
export interface Host {
  /** How many engines at a time. */
  readonly lanes: number;
  start(
    engine: string,
    work: { readonly open: readonly string[]; readonly board: Board; readonly budget: Budget },
    learn: (fact: Fact) => void,
    observer: Observer,
  ): Running;
  /** Resolves after so many milliseconds; null where there is no clock to wait for. */
  readonly pause: ((milliseconds: number) => Promise<void>) | null;
}

export interface SchedulerEvents {
  fact?(fact: Fact, board: Board): void;
  failure?(engine: string, failure: Extract<Ended, { kind: 'failed' }>, open: readonly string[]): void;
}

/** How long an engine may go on after its time, before its thread is ended: a small part of that time, milliseconds. */
const MOST_GRACE = 1500;
const graceOf = (total: number): number => Math.min(MOST_GRACE, Math.max(60, total * 0.03));

interface Busy {
  readonly stage: Stage<never>;
  readonly open: readonly string[];
  readonly running: Running;
  cancelled: boolean;
}

export async function settle(
  question: Question,
  portfolio: Portfolio<never>,
  host: Host,
  budget: Budget,
  observer: Observer,
  board: Board = new Board(),
  events: SchedulerEvents = {},
): Promise<Board> {
  const isOpen = (property: string): boolean => !question.isSettled(property, board);
  const wanted = (engine: Engine<never>): string[] =>
    question.properties.filter((property) => engine.settles(property, question.options) && isOpen(property));
  let pending = portfolio.filter((stage) => !isForTheEnd(stage));
  const busy = new Set<Busy>();
  const grace = graceOf(budget.remaining());

  const start = (stage: Stage<never>, share: Budget): void => {
    const open = wanted(stage.engine);
    const running = host.start(
      stage.engine.name,
      { open, board, budget: share },
      (fact) => {
        board.add(fact);
        events.fact?.(fact, board);
        for (const other of busy) stopIfUseless(other);
      },
      observer,
    );
    const entry: Busy = { stage, open, running, cancelled: false };
    busy.add(entry);
    running.done.then(
      (ended) => {
        busy.delete(entry);
        if (ended.kind === 'failed' && !entry.cancelled) events.failure?.(stage.engine.name, ended, open);
      },
      // Whoever waits for the end of an engine hears of its exception.
      () => busy.delete(entry),
    );
  };
  const stopIfUseless = (entry: Busy): void => {
    if (entry.cancelled || entry.open.length === 0 || entry.open.some(isOpen)) return;
    entry.cancelled = true;
    entry.running.cancel();
  };
  /** It has not ended: what it will find is not known yet, whether it runs already or waits itself. */
  const isToCome = (name: string): boolean =>
    [...busy, ...pending.map((stage) => ({ stage }))].some(({ stage }) => stage.engine.name === name);
  const work = async (): Promise<void> => {
    for (;;) {
      pending = pending.filter((stage) => wanted(stage.engine).length > 0);
      while (busy.size < host.lanes && budget.timeLeft()) {
        const stage = pending.find(({ after }) => after === undefined || !isToCome(after));
        if (stage === undefined) break;
        pending = pending.filter((other) => other !== stage);
        start(stage, question.isFirstLook ? budget : shareFor(stage, pending, host.lanes, budget));
        // An engine in this thread may have settled everything by the time it returns.
        pending = pending.filter((next) => wanted(next.engine).length > 0);
        if (host.lanes === 1) break;
      }
      if (busy.size === 0) return;
      await nextEnd(busy, host, budget, grace);
    }
  };

  await work();
  for (const stage of portfolio.filter((one) => isWantedAtEnd(one, question, board))) {
    const isEarly = question.isFirstLook === true && question.properties.some(isOpen);
    if (stage.beyond !== undefined && (isEarly || !budget.timeLeft())) continue;
    start(stage, budget);
    await nextEnd(busy, host, budget, grace);
  }
  return board;
}

const isForTheEnd = ({ pictures, coverage, beyond }: Stage<never>): boolean =>
  pictures === true || coverage === true || beyond !== undefined;

function isWantedAtEnd(
  { pictures, coverage, beyond }: Stage<never>,
  { options, properties }: Question,
  board: Board,
): boolean {
  if (pictures === true) return options.explain === true;
  if (coverage === true) return options.coverage === true;
  if (beyond === undefined) return false;
  const { property, unless } = beyond;
  const holds = board.definite(property)?.verdict === 'proved';
  return holds && properties.includes(property) && !properties.includes(unless);
}

/** Waits until one of them ends; those that overrun are told to stop, and then made to. */
async function nextEnd(busy: ReadonlySet<Busy>, host: Host, budget: Budget, grace: number): Promise<void> {
  const ends = [...busy].map((entry) => entry.running.done);
  if (host.pause === null) return void (await Promise.race(ends));
  const ended = Promise.race(ends).then(() => true);
  for (let overrun = 0; ; ) {
    const left = budget.remaining();
    const wait = Number.isFinite(left) ? Math.min(250, Math.max(20, left)) : 250;
    if (await Promise.race([ended, host.pause(wait).then(() => false)])) return;
    if (budget.timeLeft()) continue;
    for (const entry of busy) {
      // Its end, however it comes about, is no failure.
      entry.cancelled = true;
      if (overrun === 0) entry.running.cancel();
      if (overrun > grace) entry.running.kill();
    }
    overrun += wait;
  }
}

function shareFor(stage: Stage<never>, later: Portfolio<never>, lanes: number, budget: Budget): Budget {
  const weight = (one: Stage<never>): number => one.weight ?? 1;
  const all = later.reduce((sum, one) => sum + weight(one), weight(stage));
  return fractionOf(budget, Math.min(1, (weight(stage) / all) * lanes));
}

/** Engines one after the other in this thread. An exception is a bug: `tolerant` hosts report it and go on. */
export function inlineHost<Model>(
  portfolio: Portfolio<Model>,
  model: Model,
  options: CheckOptions,
  { tolerant = false }: { readonly tolerant?: boolean } = {},
): Host {
  return {
    lanes: 1,
    pause: null,
    start: (name, { open, board, budget }, learn, observer) => {
      const engine = portfolio.find((stage) => stage.engine.name === name)!.engine;
      let cancelled = false;
      const task = { model, open, options, board };
      const run = async (): Promise<Ended> => {
        try {
          await engine.run(
            task,
            cancellable(budget, () => cancelled),
            observer,
            learn,
          );
          return { kind: 'done' };
        } catch (error) {
          if (!tolerant && !(error instanceof Unavailable)) throw error;
          return failureOf(error);
        }
      };
      return { done: run(), cancel: () => void (cancelled = true), kill: () => {} };
    },
  };
}
