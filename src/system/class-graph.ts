// The control graph of one class with the unfolded values in its locations ([Ciclo] VI-B and theory: values in control).
// A location of the result is a point of the code with the values of the live unfolded cells; a transition is one way through a
// segment. Only what can be reached is there: guards that are certainly false and messages nobody sends prune the rest.

import type { Edge, VariableId } from '../process/program.ts';
import { Choices } from './choices.ts';
import type { ProcessClass } from './classes.ts';
import { messageKey, type Queue } from './queues.ts';
import { type QueueEffect, Run, type TokenTest } from './run.ts';
import { edgeKey, type Point, runSegment, type Segment } from './segment.ts';
import type { Value } from './value.ts';
import { Variety } from './variety.ts';
import type { World } from './world.ts';

export interface ClassState {
  readonly point: Point;
  readonly values: ReadonlyMap<number, Value>;
}

export interface TokenMove {
  readonly cell: number;
  readonly from: number;
  readonly to: Value;
}

export interface ClassStep {
  readonly from: number;
  readonly to: number;
  readonly segment: Segment;
  readonly effects: readonly QueueEffect[];
  readonly moves: readonly TokenMove[];
  /** Values that the step needs and leaves as they are. */
  readonly tests: readonly TokenTest[];
  /** Per queue that is sent to, the length it can reach here; Infinity when no guard tells. */
  readonly reached: ReadonlyMap<Queue, number>;
  readonly spawns: readonly ProcessClass[];
  /** Shared variables written here. */
  readonly written: ReadonlySet<VariableId>;
  /** Shared cells read and then written here. */
  readonly readThenWritten: readonly number[];
}

export interface ClassGraph {
  readonly process: ProcessClass;
  /** The first one is initial. */
  readonly states: readonly ClassState[];
  readonly steps: readonly ClassStep[];
}

/** When there are more locations than the limits allow: the variable that should make way (null: there is none). */
export function classGraph(
  world: World,
  process: ProcessClass,
): ClassGraph | { readonly tooLarge: VariableId | null } {
  const states: ClassState[] = [];
  const numbers = new Map<string, number>();
  const steps: ClassStep[] = [];
  const workBefore = world.work;
  const variety = new Variety(world, process);
  const number = (state: ClassState): number => {
    const key = stateKey(state);
    let found = numbers.get(key);
    if (found === undefined) {
      found = states.length;
      numbers.set(key, found);
      states.push(state);
      variety.note(state);
    }
    return found;
  };
  number(initialState(world, process));
  for (let from = 0; from < states.length; from++) {
    if (from % 64 === 0 && !world.goOn()) return { tooLarge: null };
    const wayOut = variety.makeWay(states.length, world.work - workBefore);
    if (wayOut !== undefined) return { tooLarge: wayOut };
    const state = states[from]!;
    const seen = new Map<string, number>();
    for (const edge of edgesAt(process, state.point)) {
      for (const way of waysFrom(world, process, state, edge)) {
        const { state: after, ...rest } = way;
        const step = { from, to: number(after), ...rest };
        const key = stepKey(step);
        const same = seen.get(key);
        if (same === undefined) seen.set(key, steps.push(step) - 1);
        else steps[same] = merged(steps[same]!, step);
      }
    }
  }
  return { process, states, steps };
}

interface Way extends Omit<ClassStep, 'from' | 'to'> {
  readonly state: ClassState;
}

const stateKey = ({ point, values }: ClassState): string => {
  const inside = point.inside === null ? '' : `/${point.inside.edge}.${point.inside.location}`;
  return `${point.location}${inside}|${[...values].map(([cell, value]) => `${cell}=${value ?? '_'}`).join()}`;
};

/** What the net sees of a step that leaves a given location. */
const stepKey = (step: ClassStep): string =>
  [
    step.to,
    step.segment.edges.join('.'),
    step.effects.map(({ queue, message, kind }) => `${kind}${queue.id}:${messageKey(message)}`).join(';'),
    step.moves.map(({ cell, from, to: after }) => `${cell}:${from}>${after}`).join(';'),
    step.spawns.map((process) => process.id).join(),
  ].join('|');

/** Two ways that are one to the net: what either may reach or write, the step may; it needs only what both need. */
function merged(one: ClassStep, other: ClassStep): ClassStep {
  const reached = new Map(one.reached);
  for (const [queue, length] of other.reached)
    reached.set(queue, Math.max(length, reached.get(queue) ?? Number.NEGATIVE_INFINITY));
  const alike = (a: TokenTest) => other.tests.some((b) => a.cell === b.cell && a.value === b.value);
  return {
    ...one,
    tests: one.tests.filter(alike),
    reached,
    written: new Set([...one.written, ...other.written]),
    readThenWritten: [...new Set([...one.readThenWritten, ...other.readThenWritten])],
  };
}

function edgesAt(process: ProcessClass, point: Point): Edge[] {
  const { proctype } = process;
  if (point.inside === null)
    return proctype.locations[point.location]!.edges.map((id) => proctype.edges[id]!);
  const { statement } = proctype.edges[point.inside.edge]!;
  if (statement.kind !== 'dstep') throw new Error('impossible: inside an edge that is no d_step');
  return statement.body.locations[point.inside.location]!.edges.map((id) => statement.body.edges[id]!);
}

function initialState(world: World, process: ProcessClass): ClassState {
  const point: Point = { location: process.proctype.initial, inside: null };
  const values = new Map<number, Value>();
  for (const variable of world.livenessOf(process).at[point.location]!) {
    const first = world.layout.base[variable]!;
    if (!world.isUnfolded(first, process)) continue;
    const owner = world.layout.isGlobal(first) ? null : process;
    for (let cell = first; cell < first + world.layout.size[variable]!; cell++)
      values.set(cell, world.initialValue(cell, owner));
  }
  return { point, values: sorted(values) };
}

const NO_VALUES: ReadonlyMap<number, Value> = new Map();

const sorted = (values: ReadonlyMap<number, Value>): Map<number, Value> =>
  new Map([...values].sort(([a], [b]) => a - b));

/** Every way to take the edge: fused and fine if that is not too much, else statement by statement, else coarse. */
function waysFrom(world: World, process: ProcessClass, state: ClassState, edge: Edge): Way[] {
  const { waysPerSegment, waysPerStatement } = world.limits;
  const key = edgeKey(process, edge);
  if (!world.plan.unfused.has(key)) {
    const fused = enumerate(world, process, state, edge, {
      fuse: true,
      coarse: false,
      limit: waysPerSegment,
    });
    if (fused !== null) return fused;
    // Trying again at every location would be nearly all the work there is.
    world.plan.unfused.add(key);
  }
  const ways = enumerate(world, process, state, edge, { fuse: false, coarse: false, limit: waysPerSegment });
  if (ways !== null) return ways;
  // A d_step with that many ways is taken apart; a single statement gets a last chance.
  if (edge.statement.kind === 'dstep' && !world.plan.opened.has(key)) {
    world.plan.open(key);
    return [];
  }
  const coarse = { fuse: false, coarse: true, limit: waysPerStatement };
  const last = enumerate(world, process, state, edge, coarse);
  if (last === null) world.unknown('too-large', 'this statement can be executed in too many ways', edge.span);
  return last ?? [];
}

interface Mode {
  readonly fuse: boolean;
  readonly coarse: boolean;
  readonly limit: number;
}

function enumerate(
  world: World,
  process: ProcessClass,
  state: ClassState,
  edge: Edge,
  mode: Mode,
): Way[] | null {
  const choices = new Choices();
  const done: { readonly run: Run; readonly segment: Segment }[] = [];
  const workBefore = world.work;
  let tried = 0;
  do {
    world.work++;
    if (++tried > mode.limit || world.work - workBefore > world.limits.workPerClass) return null;
    const run = new Run(world, process, choices, new Map(state.values), mode.coarse);
    const segment = runSegment(run, state.point, edge, mode.fuse);
    if (segment !== null && !run.failed) done.push({ run, segment });
  } while (choices.next());
  return done.map(({ run, segment }) => {
    run.commit();
    return {
      state: { point: segment.end, values: liveValues(world, process, segment.end, run.values) },
      segment,
      effects: run.effects,
      moves: run.moves(),
      tests: run.tests(),
      reached: run.lengths.reached(),
      spawns: run.spawns,
      written: run.sharedWrites(),
      readThenWritten: run.readThenWritten(),
    };
  });
}

function liveValues(
  world: World,
  process: ProcessClass,
  point: Point,
  values: ReadonlyMap<number, Value>,
): ReadonlyMap<number, Value> {
  if (values.size === 0) return NO_VALUES;
  const live = liveAt(world, process, point);
  return sorted(new Map([...values].filter(([cell]) => live.has(world.layout.variableOf(cell)))));
}

function liveAt(world: World, process: ProcessClass, { location, inside }: Point): ReadonlySet<VariableId> {
  const { at, uses } = world.livenessOf(process);
  if (inside === null) return at[location]!;
  const { to } = process.proctype.edges[inside.edge]!;
  const { reads, writes } = uses[inside.edge]!;
  return new Set([...at[location]!, ...at[to]!, ...reads, ...writes]);
}
