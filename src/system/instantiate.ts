// From a program to a system of classes and queues: explore, plan better, explore again, until the plan stands.

import type { Budget } from '../base/budget.ts';
import type { Program, VariableId } from '../process/program.ts';
import { closure, patternDeciders, structuralDeciders, withSources } from './deciders.ts';
import { type Exploration, explore } from './exploration.ts';
import { DEFAULT_LIMITS, type Limits } from './limits.ts';
import { Planner } from './plan.ts';
import { askForTokens, improve } from './planning.ts';

export interface InstantiateOptions {
  /**
   * Which variables become part of locations where that is possible: `auto` the ones that decide queues, message types and started
   * processes; `all` every one; or `none`.
   */
  readonly unfold?: 'auto' | 'all' | 'none';
  /** Further variables to unfold, as refinement asks for them. */
  readonly also?: Iterable<VariableId>;
  /** Which shared variables become tokens: those that some step tests and changes at once (default), or also those that refinement asks for. */
  readonly shared?: 'tested' | 'asked';
  /**
   * `unlimited` (default): channels are never full. `any`: a send may block, as at every finite capacity; then atomic segments
   * end before sends, and the abstraction covers the declared capacities without further conditions.
   */
  readonly capacities?: 'unlimited' | 'any';
  readonly limits?: Partial<Limits>;
  readonly budget?: Budget;
}

export interface System extends Omit<Exploration, 'tooLarge'> {
  readonly program: Program;
}

export function instantiate(program: Program, options: InstantiateOptions = {}): System {
  const limits = { ...DEFAULT_LIMITS, ...options.limits };
  const planner = new Planner(options.capacities !== 'any');
  const wanted = wantedVariables(program, options);
  const structural = structuralDeciders(program);
  planner.decideBy(closure(program, structural));
  planner.distinguishBy(
    withSources(program, [...structural, ...patternDeciders(program), ...(options.also ?? [])]).found,
  );
  const goOn = (): boolean => options.budget?.timeLeft() ?? true;
  for (const variable of wanted) if (program.variables[variable]!.owner !== null) planner.unfold(variable);
  for (let round = 0; ; round++) {
    planner.changed = false;
    const found = explore(program, planner, limits, goOn);
    improve(program, planner, found, wanted, options.unfold !== 'none');
    if (options.shared === 'asked') askForTokens(planner, found, options.also ?? []);
    const isLast = round >= limits.rounds || !goOn();
    if (planner.changed && !isLast) continue;
    if (!goOn()) found.world.unknown('time-limit', TOO_LATE, null);
    if (planner.changed && goOn())
      found.world.unknown('too-large', 'the counting abstraction did not settle within its limits', null);
    return { program, world: found.world, graphs: found.graphs };
  }
}

const TOO_LATE = 'the time was over before the counting abstraction was built';

function wantedVariables(program: Program, options: InstantiateOptions): Set<VariableId> {
  const seeds = new Set(options.also ?? []);
  const mode = options.unfold ?? 'auto';
  if (mode === 'auto') {
    for (const variable of [...structuralDeciders(program), ...patternDeciders(program)]) seeds.add(variable);
  }
  if (mode === 'all') for (const variable of program.variables) seeds.add(variable.id);
  return closure(program, seeds);
}
