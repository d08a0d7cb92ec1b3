// Between two explorations: what should be seen next time. Leaves `planner.changed` false when the last exploration stands.

import type { Program, VariableId } from '../process/program.ts';
import type { ClassGraph } from './class-graph.ts';
import { closure, decidersInMessages, withSources } from './deciders.ts';
import type { Exploration } from './exploration.ts';
import { singleInstances } from './instances.ts';
import type { Planner } from './plan.ts';

/** Arrays with more elements are never unfolded, nor made of tokens. */
const LARGEST_ARRAY = 64;
const MOST_TOKEN_CELLS = 128;

/** `wanted` grows by what exploring found to decide messages, unless nothing is to be unfolded by itself. */
export function improve(
  program: Program,
  planner: Planner,
  found: Exploration,
  wanted: Set<VariableId>,
  mayGrow: boolean,
): void {
  if (found.tooLarge !== null) {
    planner.dropVariable(found.tooLarge);
    return;
  }
  const messages = decidersInMessages(found.graphs, planner.plan);
  planner.distinguishBy(withSources(program, messages).found);
  if (mayGrow) for (const variable of closure(program, messages)) wanted.add(variable);
  const single = singleInstances(found.graphs);
  const writers = writersOf(found.graphs);
  dropSharedOwners(planner, writers, single, found);
  for (const variable of wanted) unfold(program, planner, found, variable, writers, single);
  chooseTokens(planner, found);
}

/** Unfolds a local, or a global with one writing instance. */
function unfold(
  program: Program,
  planner: Planner,
  { world }: Exploration,
  variable: VariableId,
  writers: ReadonlyMap<VariableId, ReadonlySet<number>>,
  single: ReadonlySet<number>,
): void {
  if (world.layout.size[variable]! > LARGEST_ARRAY) return;
  if (program.variables[variable]!.owner !== null) {
    planner.unfold(variable);
    return;
  }
  const [writer, another] = writers.get(variable) ?? [];
  if (
    writer === undefined ||
    another !== undefined ||
    !single.has(writer) ||
    planner.plan.shared.has(variable)
  )
    return;
  if (!planner.unfold(variable)) return;
  planner.own(variable, world.classes.all[writer]!.key);
  // Locals that had too many values may have few now that the guards on this global are seen.
  planner.tryAgain((other) => program.variables[other]!.owner !== null);
}

function writersOf(graphs: readonly ClassGraph[]): Map<VariableId, Set<number>> {
  const writers = new Map<VariableId, Set<number>>();
  for (const { process, steps } of graphs) {
    for (const step of steps) {
      for (const variable of step.written)
        writers.set(variable, (writers.get(variable) ?? new Set()).add(process.id));
    }
  }
  return writers;
}

/** An owner must be the only writer, and one instance; else the global is shared after all. */
function dropSharedOwners(
  planner: Planner,
  writers: ReadonlyMap<VariableId, ReadonlySet<number>>,
  single: ReadonlySet<number>,
  { world }: Exploration,
): void {
  for (const [variable, key] of planner.plan.owners) {
    const holds = [...(writers.get(variable) ?? [])].every(
      (writer) => single.has(writer) && world.classes.all[writer]!.key === key,
    );
    if (holds) continue;
    planner.share(variable);
  }
}

/** Tokens for shared variables that refinement asks for, whoever tests them. */
export function askForTokens(
  planner: Planner,
  { world, graphs, tooLarge }: Exploration,
  asked: Iterable<VariableId>,
): void {
  if (tooLarge !== null || planner.changed) return;
  for (const variable of asked) {
    const { base, size } = world.layout;
    const first = base[variable]!;
    if (!world.layout.isGlobal(first)) continue;
    for (let cell = first; cell < first + size[variable]!; cell++)
      considerToken(planner, world, graphs, cell);
  }
}

function considerToken(
  planner: Planner,
  world: Exploration['world'],
  graphs: readonly ClassGraph[],
  cell: number,
): void {
  const { plan } = planner;
  if (plan.tokens.has(cell) || plan.noTokens.has(cell) || plan.tokens.size >= MOST_TOKEN_CELLS) return;
  const variable = world.layout.variableOf(cell);
  if (world.layout.size[variable]! > LARGEST_ARRAY || plan.unfolded.has(variable)) return;
  if (!fewValues(world, graphs, cell)) return;
  planner.addToken(cell);
}

/** Shared cells that some transition tests and changes at once, with few values. */
function chooseTokens(planner: Planner, { world, graphs }: Exploration): void {
  for (const cell of planner.plan.tokens) if (!fewValues(world, graphs, cell)) planner.dropToken(cell);
  for (const { steps } of graphs) {
    for (const { readThenWritten } of steps) {
      for (const cell of readThenWritten) considerToken(planner, world, graphs, cell);
    }
  }
}

function fewValues(world: Exploration['world'], graphs: readonly ClassGraph[], cell: number): boolean {
  // Nothing was explored: the time is over.
  if (graphs.length === 0) return true;
  const values = world.store.peek(cell, graphs[0]!.process);
  return values !== null && values.size <= world.limits.tokenValues;
}
