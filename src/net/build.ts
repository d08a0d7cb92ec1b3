// From a program to its counting abstraction: the system's class graphs with their effects as changes of places.
//
// Soundness duty (see net.ts): every run of the program with channels of unlimited capacity is a run of the net. Runs at the
// declared capacities are too, provided that the queues in `assumesNeverFull` really are never full when something is sent to them:
// there a send inside an atomic segment, or beside an `else`, is taken to succeed. A bound within the declared capacity shows that.

import type { Edge, Program, VariableId } from '../process/program.ts';
import { progressLocations } from '../process/progress.ts';
import { showStatement } from '../process/show.ts';
import type { Diagnostic } from '../source/diagnostic.ts';
import { type Position, startOf } from '../source/source.ts';
import type { ClassGraph, ClassStep } from '../system/class-graph.ts';
import { type InstantiateOptions, instantiate, type System } from '../system/instantiate.ts';
import { nameOfValue } from '../system/names.ts';
import type { ClassState, TokenMove } from '../system/transfer.ts';
import type { Unknown } from '../system/updates.ts';
import { instanceLimits } from './acyclic.ts';
import { classGraphs, cyclicTransitions, growingClasses } from './cycles.ts';
import { type LocationOffers, locationOffers } from './dead.ts';
import { guardVariables } from './guards.ts';
import type { Change, Net, NetClass, NetLocation, NetTransition, Spawn } from './net.ts';
import { pruneByOrder } from './order.ts';
import { type Places, placesOf } from './places.ts';
import { selectProgress } from './selectors.ts';

export interface NetOptions extends InstantiateOptions {
  /** Progress transitions besides the labelled ones: see selectors.ts. */
  readonly progress?: readonly string[];
  /** Leave out what the order of messages rules out (default): see order.ts. */
  readonly order?: boolean;
}

export interface Abstraction {
  readonly net: Net;
  /** Not empty: what the program does is not fully seen, so nothing may be proved from the net. */
  readonly unknowns: readonly Unknown[];
  /** Progress selectors that name nothing. */
  readonly diagnostics: readonly Diagnostic[];
  /** Indices into `net.queues`: see above. */
  readonly assumesNeverFull: readonly number[];
  /** Variables that are part of locations. */
  readonly unfolded: ReadonlySet<VariableId>;
  /**
   * Variables that guard these transitions and are not unfolded yet, with those they are computed from: what a refinement should
   * pass as `also` to build a finer net. Empty when there is nothing more to unfold there.
   */
  guardVariables(transitions: Iterable<number>): Set<VariableId>;
  /** Some run may end in a runtime error: what would follow is not in the net. */
  mayFail(): boolean;
  /** Per class and location: when a process there can move for certain, and whether it may end there. See dead.ts. */
  offers(): LocationOffers[][];
  /** The name of a variable, for reports: `client.id`, `flag`. */
  variableName(variable: VariableId): string;
}

export function buildNet(program: Program, options: NetOptions = {}): Abstraction {
  const system = instantiate(program, options);
  const places = placesOf(system);
  const numberOf = new Map(system.graphs.map(({ process }, index) => [process.id, index]));
  if (startsUnexplored(system, numberOf)) {
    system.world.unknown('too-large', 'some processes were not explored within the limits', null);
  }
  const transitions = system.graphs.flatMap((graph, index) => {
    const labelled = progressLocations(program, graph.process.proctype);
    return graph.steps.map((step) => {
      const { point } = graph.states[step.from]!;
      const progress = point.inside === null && labelled.has(point.location);
      const seen = system.world.unknowns.length === 0 ? step : { ...step, moves: step.moves.filter(isKnown) };
      return transition(program, graph, seen, index, places, numberOf, progress);
    });
  });
  const classes = system.graphs.map((graph) => netClass(system, graph));
  const selected = selectProgress(system, options.progress ?? []);
  const { net, kept } = pruneByOrder(
    {
      classes,
      places: places.all,
      queues: places.queues,
      transitions: transitions.map((one, index) =>
        selected.steps.has(index) ? { ...one, progress: true } : one,
      ),
    },
    options.order === false ? () => false : fifoQueues(system, places),
  );
  return {
    net,
    unknowns: system.world.unknowns,
    diagnostics: selected.diagnostics,
    assumesNeverFull: [...system.world.assumedNeverFull].flatMap(
      (queue) => places.queueIndex.get(queue) ?? [],
    ),
    unfolded: system.world.plan.unfolded,
    guardVariables: (of) =>
      guardVariables(
        system,
        [...of].map((number) => kept[number]!),
      ),
    mayFail: () => system.world.mayFail,
    offers: () => locationOffers(system, places, mostProcesses(net) < MOST_PROCESSES),
    variableName: (variable) => variableName(program, variable),
  };
}

/** SPIN starts no more: `run` gives 0 then. */
const MOST_PROCESSES = 255;

function mostProcesses(net: Net): number {
  const graphs = classGraphs(net);
  const limits = instanceLimits(net, growingClasses(net, graphs), cyclicTransitions(net, graphs));
  return limits.reduce((sum, limit) => sum + limit, 0);
}

/**
 * One channel each (a local one may exist in several processes), in a program whose receives all take the oldest message, and never
 * turned over by a step that receives and sends: its effect may cancel out, but the order changes.
 */
function fifoQueues({ program, graphs }: System, places: Places): (queue: number) => boolean {
  const edges = program.proctypes.flatMap((proctype) => proctype.edges);
  const inOrder = ({ statement }: Pick<Edge, 'statement'>): boolean => {
    if (statement.kind === 'send') return !statement.sorted;
    if (statement.kind === 'receive') return !statement.random;
    return statement.kind !== 'dstep' || statement.body.edges.every(inOrder);
  };
  const turned = new Set<number>();
  for (const { effects } of graphs.flatMap(({ steps }) => steps)) {
    const sent = new Set(effects.filter(({ kind }) => kind === 'send').map(({ queue }) => queue));
    for (const { kind, queue } of effects)
      if (kind === 'receive' && sent.has(queue)) turned.add(places.queueIndex.get(queue)!);
  }
  const all = edges.every(inOrder);
  return (queue) => all && !turned.has(queue) && !places.queues[queue]!.name.includes('.');
}

function variableName(program: Program, id: VariableId): string {
  const { owner, name } = program.variables[id]!;
  return owner === null ? name : `${program.proctypes[owner]!.name}.${name}`;
}

function netClass(system: System, { process, states }: ClassGraph): NetClass {
  return {
    name: process.name,
    locations: states.map((state) => netLocation(system, process.proctype.locations, state)),
    initial: 0,
    instances: process.instances,
    proctype: process.proctype.id,
  };
}

function netLocation(
  { world, program }: System,
  locations: ClassGraph['process']['proctype']['locations'],
  { point, values }: ClassState,
): NetLocation {
  const shown = [...values].flatMap(([cell, value]) => {
    const { name, type } = world.layout.cell(cell);
    return value === null ? [] : [{ name, value, text: nameOfValue(program, type, value, world.queues.all) }];
  });
  const inside = point.inside === null ? '' : `/${point.inside.location}`;
  const suffix = shown.length === 0 ? '' : `{${shown.map(({ name, text }) => `${name}=${text}`).join(',')}}`;
  return {
    name: `s${point.location}${inside}${suffix}`,
    origin: point.location,
    values: shown.map(({ name, value }) => ({ name, value })),
    at: startOf(locations[point.location]!.span),
  };
}

function transition(
  program: Program,
  { process }: ClassGraph,
  step: ClassStep,
  index: number,
  places: Places,
  numberOf: ReadonlyMap<number, number>,
  progress: boolean,
): NetTransition {
  const edges = step.segment.edges.map((edge) => process.proctype.edges[edge]!);
  const at: Position = startOf(edges[0]!.span);
  return {
    class: index,
    from: step.from,
    to: step.to,
    effect: effectOf(step, places),
    ...testsOf(step, places),
    spawns: spawnsOf(step, numberOf),
    progress,
    text: edges.map((edge) => showStatement(program, edge.statement)).join('; '),
    at,
    origin: step.segment.edges,
  };
}

function effectOf({ effects, moves }: ClassStep, places: Places): Change[] {
  const changes = new Map<number, number>();
  const add = (place: number, change: number): void => {
    changes.set(place, (changes.get(place) ?? 0) + change);
  };
  for (const { queue, message, kind } of effects) {
    if (kind === 'copy') continue;
    const change = kind === 'send' ? 1 : -1;
    add(places.message(queue, message), change);
    const room = places.room(queue);
    if (room !== undefined) add(room, -change);
  }
  for (const { cell, from, to } of moves) {
    if (to === null) throw new Error('impossible: a token moves to a value that is not known');
    add(places.token(cell, from), -1);
    add(places.token(cell, to), 1);
  }
  return [...changes].filter(([, change]) => change !== 0).map(([place, change]) => ({ place, change }));
}

/** What the step needs beyond what it takes: values it reads, messages it copies or takes and puts back. */
function testsOf({ effects, tests }: ClassStep, places: Places): { readonly tests?: readonly number[] } {
  const found = new Set<number>();
  for (const { cell, value } of tests) {
    const place = places.knownToken(cell, value);
    if (place !== undefined) found.add(place);
  }
  const sent = new Map<number, number>();
  for (const { queue, message, kind } of effects) {
    const place = places.message(queue, message);
    if (kind === 'send') sent.set(place, (sent.get(place) ?? 0) + 1);
    // Taken before it was put: with nothing taken in all, that is a test.
    else if (queue.capacity > 0 && !sent.has(place) && changeOf(effects, places, place) === 0)
      found.add(place);
  }
  return found.size === 0 ? {} : { tests: [...found] };
}

function changeOf(effects: ClassStep['effects'], places: Places, place: number): number {
  let change = 0;
  for (const { queue, message, kind } of effects)
    if (kind !== 'copy' && places.message(queue, message) === place) change += kind === 'send' ? 1 : -1;
  return change;
}

/** Where the exploration was cut off, a token may move to a value that is not known; else it would not be a token any more. */
const isKnown = ({ to }: TokenMove): boolean => to !== null;

/** A step starts a class that has no graph: the exploration was cut off, and nothing may be concluded from the net. */
const startsUnexplored = ({ graphs }: System, numberOf: ReadonlyMap<number, number>): boolean =>
  graphs.some(({ steps }) => steps.some(({ spawns }) => spawns.some((process) => !numberOf.has(process.id))));

function spawnsOf({ spawns }: ClassStep, numberOf: ReadonlyMap<number, number>): Spawn[] {
  const counts = new Map<number, number>();
  for (const process of spawns) {
    const index = numberOf.get(process.id);
    // Missing only where the exploration was cut off: buildNet says so among the unknowns.
    if (index !== undefined) counts.set(index, (counts.get(index) ?? 0) + 1);
  }
  return [...counts].map(([number, count]) => ({ class: number, count }));
}
