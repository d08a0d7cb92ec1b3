// What a debug session walks along: a run that was recorded, or one that is made while one walks. Both are known one step beyond where the
// user stands, so that the editor can show what comes next; of a simulation that step is a proposal, and another one can be chosen.

import type { Replayed, Runnable, Simulation, SimulationEnd } from '../engine/language.ts';
import type { Run, Standing } from '../verdict/run.ts';

export interface Trace {
  /** As far as it is known. */
  readonly run: Run;
  /** Where the processes are after the last known step; null where the language cannot tell. */
  readonly standing: readonly Standing[] | null;
  /** Makes the step of this index known; false when there is none: the run ends before. */
  reach(index: number): boolean;
  /** What goes wrong at the end of the run; null where nothing does. */
  readonly fault: string | null;
  readonly simulation: SimulatedTrace | null;
}

export function recordedTrace({ run, standing }: Replayed): Trace {
  return {
    run,
    standing: standing ?? null,
    reach: (index) => index < run.steps.length,
    fault: run.title,
    simulation: null,
  };
}

const STOPPED: SimulationEnd = { kind: 'stopped' };

export class SimulatedTrace implements Trace {
  run: Run;
  standing: readonly Standing[] | null;
  fault: string | null = null;
  readonly simulation = this;
  private readonly model: Runnable;
  private readonly seed: number;
  private current: Simulation;
  /** The choices taken, what there was to choose from, and how many steps the run had before each: one choice may be several steps. */
  private picks: { readonly pick: number; readonly labels: readonly string[]; readonly before: number }[] =
    [];

  constructor(model: Runnable, seed: number) {
    this.model = model;
    this.seed = seed;
    this.current = model.begin();
    this.run = this.current.run(STOPPED);
    this.standing = null;
    this.look();
  }

  reach(index: number): boolean {
    while (this.run.steps.length <= index) {
      const choices = this.current.choices();
      if (this.current.end() !== null || choices.length === 0) return false;
      this.take(this.proposal(choices.length));
    }
    return true;
  }

  /** What could happen instead of the step of this index; the one that would is marked. */
  choices(index: number): { readonly label: string; readonly proposed: boolean }[] {
    const taken = this.picks.find(({ before }) => before >= index);
    const labels = taken?.labels ?? this.labels();
    const proposed = taken?.pick ?? this.proposal(labels.length);
    this.reach(index);
    return labels.map((label, i) => ({ label, proposed: i === proposed }));
  }

  /** Another step of this index: what was known from there on is forgotten. */
  choose(index: number, pick: number): boolean {
    if (this.choices(index)[pick] === undefined) return false;
    this.back(index);
    this.take(pick);
    return true;
  }

  /** Forgets the choices that were made at or after the step of this index. */
  private back(index: number): void {
    const kept = this.picks.filter(({ before }) => before < index).map(({ pick }) => pick);
    if (kept.length === this.picks.length) return;
    this.picks = [];
    this.current = this.model.begin();
    this.run = this.current.run(STOPPED);
    for (const pick of kept) this.pass(pick);
    this.look();
  }

  private take(pick: number): void {
    this.pass(pick);
    this.look();
  }

  private pass(pick: number): void {
    this.picks.push({ pick, labels: this.labels(), before: this.run.steps.length });
    this.current.take(this.current.choices()[pick]!);
    this.run = this.current.run(STOPPED);
  }

  private labels(): string[] {
    return this.current.choices().map((choice) => this.current.label(choice));
  }

  private look(): void {
    const end = this.current.end();
    this.run = this.current.run(end ?? STOPPED);
    this.standing = this.current.standing?.() ?? null;
    this.fault = end !== null && this.model.isBad(end) ? this.run.title : null;
  }

  /** Depends on the seed and the number of the choice alone: whoever goes back and on again meets the same run. */
  private proposal(count: number): number {
    let mixed = Math.imul(this.seed + 1, 0x9e3779b1) ^ Math.imul(this.picks.length + 1, 0x85ebca6b);
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x2c1b3c6d);
    mixed = Math.imul(mixed ^ (mixed >>> 12), 0x297a2d39);
    return ((mixed ^ (mixed >>> 15)) >>> 0) % Math.max(1, count);
  }
}
