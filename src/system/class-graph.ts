// The control graph of one class with the unfolded values in its locations ([Ciclo] VI-B and theory: values in control).
// A location of the result is a point of the code with the values of the live unfolded cells; a transition is one way through a
// segment. Only what can be reached is there: guards that are certainly false and messages nobody sends prune the rest.

import type { Edge, VariableId } from '../process/program.ts';
import type { ProcessClass } from './classes.ts';
import { messageKey } from './queues.ts';
import type { TokenTest } from './run.ts';
import { edgeKey, type Point } from './segment.ts';
import { type ClassState, type Mode, type Outcome, sorted, transfer } from './transfer.ts';
import type { Value } from './value.ts';
import { Variety } from './variety.ts';
import type { World } from './world.ts';

export interface ClassStep
  extends Pick<
    Outcome,
    'segment' | 'effects' | 'moves' | 'tests' | 'reached' | 'written' | 'readThenWritten'
  > {
  readonly from: number;
  readonly to: number;
  readonly spawns: readonly ProcessClass[];
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
      for (const outcome of outcomesOf(world, process, state, edge)) {
        const spawns = world.commit(process, outcome);
        if (spawns === null) continue;
        const step = stepOf(from, number(outcome.state), outcome, spawns);
        const key = stepKey(step);
        const same = seen.get(key);
        if (same === undefined) seen.set(key, steps.push(step) - 1);
        else steps[same] = merged(steps[same]!, step);
      }
    }
  }
  return { process, states, steps };
}

/** What it did to others is written down already. */
const stepOf = (
  from: number,
  to: number,
  { segment, effects, moves, tests, reached, written, readThenWritten }: Outcome,
  spawns: readonly ProcessClass[],
): ClassStep => ({ from, to, segment, effects, moves, tests, reached, written, readThenWritten, spawns });

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

const addsNothing = (one: ClassStep, other: ClassStep): boolean =>
  one.tests.every((a) => other.tests.some((b) => a.cell === b.cell && a.value === b.value)) &&
  [...other.reached].every(
    ([queue, length]) => length <= (one.reached.get(queue) ?? Number.NEGATIVE_INFINITY),
  ) &&
  [...other.written].every((variable) => one.written.has(variable)) &&
  other.readThenWritten.every((cell) => one.readThenWritten.includes(cell));

/** Two ways that are one to the net: what either may reach or write, the step may; it needs only what both need. */
function merged(one: ClassStep, other: ClassStep): ClassStep {
  if (addsNothing(one, other)) return one;
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

/** Every way to take the edge: fused and fine if that is not too much, else statement by statement, else coarse. */
function outcomesOf(world: World, process: ProcessClass, state: ClassState, edge: Edge): readonly Outcome[] {
  const { waysPerSegment, waysPerStatement } = world.limits;
  const key = edgeKey(process, edge);
  const tryWith = (mode: Mode): readonly Outcome[] | null => {
    const { outcomes, updates, work } = transfer(world, process, state, edge, mode);
    world.work += work;
    world.apply(process, updates);
    return outcomes;
  };
  if (!world.plan.unfused.has(key)) {
    const fused = tryWith({ fuse: true, coarse: false, limit: waysPerSegment });
    if (fused !== null) return fused;
    // Trying again at every location would be nearly all the work there is.
    world.stopFusing(key);
  }
  const ways = tryWith({ fuse: false, coarse: false, limit: waysPerSegment });
  if (ways !== null) return ways;
  // A d_step with that many ways is taken apart; a single statement gets a last chance.
  if (edge.statement.kind === 'dstep' && !world.plan.opened.has(key)) {
    world.open(key);
    return [];
  }
  const last = tryWith({ fuse: false, coarse: true, limit: waysPerStatement });
  if (last === null) world.unknown('too-large', 'this statement can be executed in too many ways', edge.span);
  return last ?? [];
}
