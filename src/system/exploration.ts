// The fixpoint: explore the classes that exist at the start, then whatever they start, and look at a class again when a value set
// or a queue it depends on has grown. It ends because sets, queues and classes are finite.

import type { Program, VariableId } from '../process/program.ts';
import { type ClassGraph, classGraph } from './class-graph.ts';
import type { Limits } from './limits.ts';
import type { Planner } from './plan.ts';
import { initialProcesses } from './start.ts';
import { World } from './world.ts';

export interface Exploration {
  readonly world: World;
  /** In the order in which the classes were found. */
  readonly graphs: readonly ClassGraph[];
  /** Exploring stopped because a class has too many locations; the variable that should not be unfolded. */
  readonly tooLarge: VariableId | null;
}

export function explore(
  program: Program,
  planner: Planner,
  limits: Limits,
  goOn: () => boolean,
): Exploration {
  const world = new World(program, planner, limits, goOn);
  const graphs = new Map<number, ClassGraph>();
  for (const start of initialProcesses(program)) {
    const process = world.classes.get(start.proctype, [], start.pid, start.instances);
    if (process !== null) world.spawned(process);
  }
  let locations = 0;
  for (const id of nextWaiting(world)) {
    const process = world.classes.all[id]!;
    const graph = classGraph(world, process);
    if ('tooLarge' in graph) {
      if (graph.tooLarge === null && goOn())
        world.unknown('too-large', `${process.name} has too many locations`, null);
      return { world, graphs: [...graphs.values()], tooLarge: graph.tooLarge };
    }
    locations += graph.states.length - (graphs.get(id)?.states.length ?? 0);
    graphs.set(id, graph);
    if (locations > limits.locations)
      world.unknown('too-large', 'the system has too many locations for the counting abstraction', null);
    if (!goOn() || locations > limits.locations) break;
  }
  const ordered = [...graphs.values()].sort((a, b) => a.process.id - b.process.id);
  return { world, graphs: ordered, tooLarge: null };
}

function* nextWaiting(world: World): Generator<number> {
  while (world.waiting.size > 0) {
    const [id] = world.waiting;
    world.waiting.delete(id!);
    yield id!;
  }
}
