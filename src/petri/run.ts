// Runs of a net as reports show them: one step for each firing, with the counts that it changes.

import type { Change, Run, Step } from '../verdict/run.ts';
import { effectOf, fire, initialMarking, type Marking, type PetriNet } from './net.ts';

export interface RunShape {
  readonly title: string;
  /** The firings from this one on repeat for ever. */
  readonly loopStart?: number;
  readonly growth?: Run['growth'];
}

/** Null when the firings are no run of the net. */
export function runOf(
  net: PetriNet,
  firings: readonly number[],
  { title, loopStart, growth }: RunShape,
): Run | null {
  let marking: Marking = initialMarking(net);
  const initial = net.places.flatMap(({ name }, place) =>
    marking[place]! > 0 ? [count(name, marking[place]!)] : [],
  );
  const steps: Step[] = [];
  for (const number of firings) {
    const transition = net.transitions[number];
    const after = transition === undefined ? null : fire(transition, marking);
    if (transition === undefined || after === null) return null;
    const changes = [...effectOf(transition).keys()].map((place) =>
      count(net.places[place]!.name, after[place]!),
    );
    steps.push({
      actors: [0],
      text: transition.name,
      at: transition.at,
      events: [],
      changes,
      choice: [number],
    });
    marking = after;
  }
  return {
    title,
    actors: ['net'],
    queues: [],
    initial,
    steps,
    loopStart: loopStart ?? null,
    ...(growth === undefined ? {} : { growth }),
  };
}

const count = (name: string, value: number): Change => ({ name, value: String(value) });

export const firingsOf = (run: Run): number[] => run.steps.map(({ choice }) => choice[0] ?? -1);

export function markingAfter(net: PetriNet, firings: readonly number[]): Marking | null {
  let marking: Marking | null = initialMarking(net);
  for (const number of firings) {
    const transition = net.transitions[number];
    marking = transition === undefined || marking === null ? null : fire(transition, marking);
    if (marking === null) return null;
  }
  return marking;
}
