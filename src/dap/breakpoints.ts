// Where a walk stops: before a statement on a line, when an expression becomes true (`len(q) >= 3`), when a process starts, when a variable
// or a queue changes. The same test serves both directions: it asks about one moment and the step before it.

import type { Position } from '../source/source.ts';
import type { Step } from '../verdict/run.ts';

export interface LineBreakpoint {
  readonly id: number;
  readonly file: string;
  readonly line: number;
  readonly condition: string | null;
  /** Stops from the so-many-th time on. */
  readonly hits: number;
  /** Says this instead of stopping. */
  readonly log: string | null;
}

/** An expression that becomes true, or the name of a process that starts. */
export interface NamedBreakpoint {
  readonly id: number;
  readonly text: string;
  readonly condition: string | null;
}

export interface DataBreakpoint {
  readonly id: number;
  /** A variable or a queue, by its full name. */
  readonly name: string;
  readonly condition: string | null;
}

/** A moment as breakpoints see it. */
export interface Situation {
  /** The step that comes next, and the one that led here. */
  readonly next: Step | null;
  readonly last: Step | null;
  readonly actors: readonly string[];
  /** Null where the expression has no value. */
  holds(expression: string, process: string | null): boolean | null;
  heldBefore(expression: string): boolean | null;
}

export interface Hit {
  readonly ids: readonly number[];
  readonly logs: readonly { readonly text: string; readonly process: string | null }[];
}

export class Breakpoints {
  private lines = new Map<string, readonly LineBreakpoint[]>();
  private named: readonly NamedBreakpoint[] = [];
  private data: readonly DataBreakpoint[] = [];
  private readonly counts = new Map<number, number>();
  private lastId = 0;

  freshId(): number {
    return ++this.lastId;
  }

  setLines(file: string, breakpoints: readonly LineBreakpoint[]): void {
    this.lines.set(file, breakpoints);
  }

  setNamed(breakpoints: readonly NamedBreakpoint[]): void {
    this.named = breakpoints;
  }

  setData(breakpoints: readonly DataBreakpoint[]): void {
    this.data = breakpoints;
  }

  /** A walk from the start counts anew. */
  forgetCounts(): void {
    this.counts.clear();
  }

  isEmpty(): boolean {
    return this.named.length === 0 && this.data.length === 0 && [...this.lines.values()].flat().length === 0;
  }

  /** `counting`: forwards only; on the way back every time counts. */
  hit(situation: Situation, counting: boolean): Hit {
    const { next, actors } = situation;
    const mover = next === null ? null : (actors[next.actors[0]!] ?? null);
    const standing = [next?.at, next?.partnerAt].flatMap((at) => this.at(at));
    const reached = standing.filter(
      ({ id, condition, hits }) =>
        (condition === null || situation.holds(condition, mover) === true) &&
        (!counting || this.count(id) >= hits),
    );
    const ids = [
      ...reached.filter(({ log }) => log === null),
      ...this.named.filter((one) => isNamedHit(one, situation)),
      ...this.data.filter((one) => isDataHit(one, situation)),
    ].map(({ id }) => id);
    const logs = reached.flatMap(({ log }) => (log === null ? [] : [{ text: log, process: mover }]));
    return { ids, logs };
  }

  private count(id: number): number {
    const count = (this.counts.get(id) ?? 0) + 1;
    this.counts.set(id, count);
    return count;
  }

  private at(position: Position | null | undefined): readonly LineBreakpoint[] {
    if (position === null || position === undefined) return [];
    return (this.lines.get(position.file) ?? []).filter(({ line }) => line === position.line);
  }
}

function isNamedHit({ text, condition }: NamedBreakpoint, situation: Situation): boolean {
  const { last, actors, holds, heldBefore } = situation;
  if (last === null || (condition !== null && holds(condition, null) !== true)) return false;
  const starts = last.events.some(
    (event) =>
      event.kind === 'start' &&
      [actors[event.actor], actors[event.actor]?.replace(/\[\d+\]$/, '')].includes(text),
  );
  return starts || (holds(text, null) === true && heldBefore(text) !== true);
}

function isDataHit({ name, condition }: DataBreakpoint, { last, holds }: Situation): boolean {
  if (last === null || (condition !== null && holds(condition, null) !== true)) return false;
  return (
    last.changes.some((change) => change.name === name) ||
    last.events.some((event) => 'queue' in event && event.queue === name)
  );
}
