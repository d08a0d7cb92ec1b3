// How a search takes steps where stubborn sets say which are enough: those of the set, unless one of them ends badly; and later, where a proviso
// asks for them, the others.

import type { Engine } from '../engine.ts';
import type { Findings } from '../findings.ts';
import type { LoadedState } from '../machine.ts';
import type { StateSpace } from '../search.ts';
import { stubbornSetsOf } from './applies.ts';
import { NoIdleCycle } from './cycles.ts';
import { Gain } from './gain.ts';
import { type Arrows, Onward, type Proviso, type Range } from './onward.ts';
import type { StubbornSets } from './stubborn.ts';
import type { Watched } from './visible.ts';

export class ReducedSteps {
  private readonly sets: StubbornSets;
  private readonly forRuns: boolean;
  private proviso: Proviso;
  private readonly gain = new Gain();
  private wasCut = false;

  /** Null where stubborn sets do not apply. `watched`: runs count, not only deadlocks and failing steps. */
  static of(space: StateSpace, watched: Watched | null): ReducedSteps | null {
    const sets = stubbornSetsOf(space.model, watched);
    if (sets === null) return null;
    return new ReducedSteps(sets, watched === null ? new Onward() : new NoIdleCycle(space), watched !== null);
  }

  private constructor(sets: StubbornSets, proviso: Proviso, forRuns: boolean) {
    this.sets = sets;
    this.proviso = proviso;
    this.forRuns = forRuns;
  }

  /** From now on states are loaded there. */
  use(machine: LoadedState): void {
    this.sets.use(machine);
  }

  /** The steps of the loaded state, or enough of them; how many it took. */
  take(engine: Engine, state: number, findings: Findings): number {
    if (!this.gain.isWorthIt()) return engine.expand();
    const count = this.sets.choose();
    if (count < 0) return engine.expand();
    engine.takeSuccessor();
    if (engine.takeInside()) findings.heldControl = true;
    this.wasCut = false;
    let steps = engine.expand(this.sets.chosen, count);
    const successor = engine.takeSuccessor();
    const holdsControl = engine.takeInside();
    if (holdsControl) findings.heldControl = true;
    if (successor >= 0 && !holdsControl && !this.wasCut) {
      findings.reduced = true;
      this.gain.note();
      this.proviso.set(state, successor);
    } else {
      // A step of the set ends in an error, or one may never end: what else can happen here?
      steps += this.takeOthers(engine);
    }
    return steps;
  }

  /** A step of the loaded state ended in an error: of its run there is no more. */
  cut(): void {
    this.wasCut = this.forRuns;
  }

  /** Finds out again what was left out at the loaded state; false: nothing. */
  leavesOut(): boolean {
    return this.sets.choose() >= 0;
  }

  takeOthers(engine: Engine): number {
    return engine.expand(this.sets.others, this.sets.otherCount);
  }

  ignoring(ranges: readonly Range[]): number[] {
    return this.proviso.ignoring(ranges);
  }

  /** Several threads draw arrows there: those that were drawn come along. */
  moveTo(arrows: Arrows, count: number): void {
    if (this.proviso instanceof Onward) this.proviso.moveTo(arrows, count);
  }

  /** On a thread that helps. */
  drawOn(arrows: Arrows): void {
    this.proviso = new Onward(arrows);
  }

  bytes(): number {
    return this.proviso.bytes();
  }
}
