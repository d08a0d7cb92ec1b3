// The transfer function of the abstraction: every way to take an edge from an abstract state, as data. It is pure: it looks at the tables of
// the exploration (`View`) and changes none. What the ways do to others is in their outcomes; what was looked at, and what a better plan would
// show, is in the updates. So the fixpoint (`class-graph.ts`, `exploration.ts`) decides alone when anything becomes visible, and facts about a
// finished exploration (`offers.ts`) can be had from the same function without touching it.

import type { Edge, VariableId } from '../process/program.ts';
import { Choices } from './choices.ts';
import type { ProcessClass } from './classes.ts';
import type { Queue } from './queues.ts';
import { type QueueEffect, Run, type SentMessage, type Start, type TokenTest } from './run.ts';
import { type Point, runSegment, type Segment } from './segment.ts';
import { Updates } from './updates.ts';
import type { Value } from './value.ts';
import type { View } from './view.ts';

/** A point of the code with the values of the live unfolded cells. */
export interface ClassState {
  readonly point: Point;
  readonly values: ReadonlyMap<number, Value>;
}

export interface TokenMove {
  readonly cell: number;
  readonly from: number;
  readonly to: Value;
}

/** One way through a segment: what it does. */
export interface Outcome {
  /** Where it ends. */
  readonly state: ClassState;
  readonly segment: Segment;
  readonly effects: readonly QueueEffect[];
  readonly moves: readonly TokenMove[];
  /** Values that the step needs and leaves as they are. */
  readonly tests: readonly TokenTest[];
  /** Per queue that is sent to, the length it can reach here; Infinity when no guard tells. */
  readonly reached: ReadonlyMap<Queue, number>;
  /** Shared variables written here. */
  readonly written: ReadonlySet<VariableId>;
  /** Shared cells read and then written here. */
  readonly readThenWritten: readonly number[];
  readonly writes: readonly { readonly cell: number; readonly value: Value }[];
  /** Written at an index that is not known. */
  readonly blurs: readonly { readonly variable: VariableId; readonly value: Value }[];
  readonly sends: readonly SentMessage[];
  readonly starts: readonly Start[];
}

export interface Mode {
  /** Statements that cannot block go with the one before them, where nobody can come between. */
  readonly fuse: boolean;
  /** Values that are not part of locations are not told apart. */
  readonly coarse: boolean;
  /** Ways to try at most. */
  readonly limit: number;
}

export interface Transfer {
  /** Null: too many. */
  readonly outcomes: readonly Outcome[] | null;
  readonly updates: Updates;
  /** Ways tried, and steps inside d_steps. */
  readonly work: number;
}

export function transfer(
  view: View,
  process: ProcessClass,
  state: ClassState,
  edge: Edge,
  { fuse, coarse, limit }: Mode,
): Transfer {
  const choices = new Choices();
  const updates = new Updates();
  const done: { readonly run: Run; readonly segment: Segment }[] = [];
  let work = 0;
  let tried = 0;
  do {
    work++;
    if (++tried > limit || work > view.limits.workPerClass) return { outcomes: null, updates, work };
    const run = new Run(view, process, choices, new Map(state.values), coarse, updates);
    const segment = runSegment(run, state.point, edge, fuse);
    work += run.work;
    if (segment !== null && !run.failed) done.push({ run, segment });
  } while (choices.next());
  return { outcomes: done.map(({ run, segment }) => outcomeOf(view, run, segment)), updates, work };
}

const outcomeOf = (view: View, run: Run, segment: Segment): Outcome => ({
  state: { point: segment.end, values: liveValues(view, run.process, segment.end, run.values) },
  segment,
  effects: run.effects,
  moves: run.moves(),
  tests: run.tests(),
  reached: run.lengths.reached(),
  written: run.sharedWrites(),
  readThenWritten: run.readThenWritten(),
  writes: run.writes(),
  blurs: run.blurs,
  sends: run.sends,
  starts: run.starts,
});

const NO_VALUES: ReadonlyMap<number, Value> = new Map();

/** In the order of cells, so that equal states look equal. */
export function sorted(values: Iterable<readonly [number, Value]>): Map<number, Value> {
  const entries = [...values];
  const isInOrder = entries.every(([cell], i) => i === 0 || entries[i - 1]![0] < cell);
  return new Map(isInOrder ? entries : entries.sort(([a], [b]) => a - b));
}

function liveValues(
  view: View,
  process: ProcessClass,
  point: Point,
  values: ReadonlyMap<number, Value>,
): ReadonlyMap<number, Value> {
  if (values.size === 0) return NO_VALUES;
  const live = liveAt(view, process, point);
  return sorted([...values].filter(([cell]) => live.has(view.layout.variableOf(cell))));
}

function liveAt(view: View, process: ProcessClass, { location, inside }: Point): ReadonlySet<VariableId> {
  const { at, uses } = view.livenessOf(process);
  if (inside === null) return at[location]!;
  const { to } = process.proctype.edges[inside.edge]!;
  const { reads, writes } = uses[inside.edge]!;
  return new Set([...at[location]!, ...at[to]!, ...reads, ...writes]);
}
