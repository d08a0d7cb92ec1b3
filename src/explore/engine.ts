// What a search works with: a machine and the states it has found so far. There are two: the machine in JavaScript, at hand at once
// (script.ts), and WebAssembly (native.ts), which is worth its making from a few thousand states on.

import type { Choices } from './choices.ts';
import type { FaultCode } from './faults.ts';
import type { LoadedState } from './machine.ts';
import type { States } from './store.ts';

/** What an engine tells while it expands states. */
export interface EngineEvents {
  /** A step of the loaded state leads to this one. Only with `tell`. */
  step(state: number, isNew: boolean): void;
  /** The claim has come to its end: the run so far violates the property. */
  claim(): void;
  /** A runtime error, and what leads to it. */
  fault(code: FaultCode, choices: Choices): void;
  /** Nothing can move in this state, which is loaded. Only from `explore`. */
  still(): void;
}

export interface Engine extends States {
  readonly machine: LoadedState;
  /** Ask for `EngineEvents.step`. */
  tell(wanted: boolean): void;
  /** Finds the initial state; the result is a fault code when it cannot even be built, else 0. */
  begin(): number;
  load(state: number): void;
  /** Takes the steps of the loaded state, with a count only those of the first so many of these processes; the result is how many there are. */
  expand(processes?: Int32Array, count?: number): number;
  /** Loads and expands these states one after the other, as far as there are any, until `halt`; the result is the first that was not. */
  explore(from: number, to: number): number;
  halt(): void;
  /** A state that a step since the last call leads to, a new one where there is one; −1 for none. */
  takeSuccessor(): number;
  /** Did a step since the last call end inside an atomic sequence? */
  takeInside(): boolean;
  /** Steps and new states since the last call, as SPIN counts them: those inside atomic sequences do not count. */
  takeCounts(): { readonly transitions: number; readonly states: number };
  /** The state that is loaded, −1 before the first. */
  loaded(): number;
  parentOf(state: number): number;
  /** On the way from the loaded state to the one that was found last: valid while the engine tells of it. */
  choices(): Choices;
}
