// The flow system: one linear program for a net, without enumerating cycles (docs/boundedness.md; equations F1 to F3).
//
// One column per transition: how often it was taken, over all instances of its class. One row per location: the instances that stand
// there in the end are not negative. One row per place: the count in the end is not negative (exactly zero for rendezvous). Every
// finite run of the net is an integer solution of `runs`; the difference of two comparable configurations on one run is a solution of
// `rays`, the homogeneous system. Rows are locations first (class by class), then places, so a row index is also the index
// under which a potential gives the weight.

import type { Problem, Term } from '../lp/problem.ts';
import { ProblemBuilder } from '../lp/problem.ts';
import type { Net } from './net.ts';

/** Flat numbers of locations, and how transitions act on locations and places: what the encodings, finders and reports share. */
export interface NetIndex {
  readonly net: Net;
  /** The flat number of a class's location 0. */
  readonly offsets: readonly number[];
  readonly locations: number;
  /** Instances at the start, per flat location. */
  readonly initialInstances: readonly number[];
}

export function indexNet(net: Net): NetIndex {
  const offsets: number[] = [];
  let locations = 0;
  for (const netClass of net.classes) {
    offsets.push(locations);
    locations += netClass.locations.length;
  }
  const initialInstances: number[] = new Array(locations).fill(0);
  net.classes.forEach((netClass, index) => {
    initialInstances[offsets[index]! + netClass.initial]! += netClass.instances;
  });
  return { net, offsets, locations, initialInstances };
}

/** Of the linear programs that are asked about the net. */
export const sizeOf = (net: Net): { readonly rows: number; readonly columns: number } => ({
  rows: indexNet(net).locations + net.places.length,
  columns: net.transitions.length,
});

/** What one step of the transition changes, as terms over the rows. */
export function stepOf(index: NetIndex, transition: number): Term[] {
  const { net, offsets, locations } = index;
  const step = net.transitions[transition]!;
  const offset = offsets[step.class]!;
  const terms: Term[] = [];
  if (step.from !== step.to) {
    terms.push({ column: offset + step.from, coefficient: -1 });
    terms.push({ column: offset + step.to, coefficient: 1 });
  }
  for (const spawn of step.spawns) {
    const entry = offsets[spawn.class]! + net.classes[spawn.class]!.initial;
    terms.push({ column: entry, coefficient: spawn.count });
  }
  for (const { place, change } of step.effect) terms.push({ column: locations + place, coefficient: change });
  return terms;
}

/** F1 to F3 with the initial counts (`runs`), or without them (`rays`). The objective is left empty. */
export function encodeFlow(index: NetIndex, kind: 'runs' | 'rays'): ProblemBuilder {
  const { net, locations, initialInstances } = index;
  const builder = new ProblemBuilder();
  const rows: Term[][] = Array.from({ length: locations + net.places.length }, () => []);
  net.transitions.forEach((_, transition) => {
    const column = builder.column(0, null);
    for (const { column: row, coefficient } of stepOf(index, transition))
      rows[row]!.push({ column, coefficient });
  });
  rows.forEach((terms, row) => {
    const initial =
      kind === 'rays' ? 0 : row < locations ? initialInstances[row]! : net.places[row - locations]!.initial;
    const exact = row >= locations && net.places[row - locations]!.kind === 'rendezvous';
    // Not −0: bounds are compared as numbers and printed.
    const least = initial === 0 ? 0 : -initial;
    builder.row(terms, least, exact ? least : null);
  });
  return builder;
}

/** What the counts of some places gain, as an objective over the transitions. */
export function gainOf(net: Net, places: ReadonlySet<number>): Term[] {
  const terms: Term[] = [];
  net.transitions.forEach((transition, column) => {
    let coefficient = 0;
    for (const { place, change } of transition.effect) if (places.has(place)) coefficient += change;
    if (coefficient !== 0) terms.push({ column, coefficient });
  });
  return terms;
}

/** The same for every queue at once. */
export function queueGains(net: Net): Term[][] {
  const queueOf = new Map<number, number>();
  net.queues.forEach(({ places }, queue) => {
    for (const place of places) queueOf.set(place, queue);
  });
  const gains: Term[][] = net.queues.map(() => []);
  net.transitions.forEach(({ effect }, column) => {
    for (const { place, change } of effect) {
      const queue = queueOf.get(place);
      if (queue !== undefined) gains[queue]!.push({ column, coefficient: change });
    }
  });
  return gains;
}

/** max Σ of the queue's places: its optimum plus the initial count is the queue's bound in the linear relaxation. */
export const boundProblem = (index: NetIndex, queue: number): Problem =>
  encodeFlow(index, 'runs').build('maximise', gainOf(index.net, new Set(index.net.queues[queue]!.places)));
