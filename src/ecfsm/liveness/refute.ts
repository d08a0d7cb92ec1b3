// Refuting Q-liveness: a reachable state from which no state of the goal can be reached. Three ways to see that, each exact:
//
// 1. By control: a machine stands in a control state from which its own graph has no way into those that the goal asks of it. The graph leaves conditions
//    and channels out, so it has every way there is. A reached deadlock outside the goal is the same with no way at all.
// 2. By search: the state has finitely many successors, and none is in the goal.
// 3. By the formula: the state is in a disjunct from which no possible step, of whatever action, leads on to a disjunct of the goal. "Possible" is
//    over-approximated and the formula is an invariant: every state that can follow is in a disjunct that was looked at. A state of such a disjunct that
//    is in the goal at the same time would have made the goal possible from the disjunct before it.

import type { ConcreteRun, Exploration } from '../concrete/explore.ts';
import { explore } from '../concrete/explore.ts';
import type { GlobalState } from '../concrete/state.ts';
import { satisfying } from '../concrete/state.ts';
import { enabledSteps, unsafety } from '../concrete/step.ts';
import type { Goal, Model, RegisterMachine } from '../model.ts';
import type { DegeneratedGraph } from './graph.ts';

const STARTS = 200;
const STATES = 600;
/** As many as a protocol may have that is decided outright. */
const MOST_FOLLOWING = 4_000;
/** In all searches together. */
const VISITS = 12_000;

export interface LivenessRefutation {
  readonly run: ConcreteRun;
  readonly title: string;
}

/** Is the state in the goal? Goals by control states have a meaning without any formula. */
export function inGoal({ protocol, invariant }: Model, goal: Goal, state: GlobalState): boolean {
  if (goal.control !== null)
    return goal.control.every((states, side) => states.includes(state.control[side]!));
  const wanted = goal.disjuncts.map((index) => invariant[index]!);
  return satisfying(protocol.definitions, wanted, state).length > 0;
}

/** What can be seen without a formula. */
export function refuteLiveness(model: Model, goal: Goal, timeLeft: () => boolean): LivenessRefutation | null {
  if (goal.control === null && goal.disjuncts.length === 0) return null;
  const { protocol } = model;
  const reached = explore(protocol, 4 * STARTS, () => null, undefined, timeLeft);
  const byControl = lostByControl(model, goal, reached);
  if (byControl !== null) return byControl;
  let visits = 0;
  for (const [index, start] of reached.states.slice(0, STARTS).entries()) {
    if (visits > VISITS || !timeLeft()) return null;
    let isInGoal = false;
    const examine = (state: GlobalState) => {
      isInGoal = inGoal(model, goal, state);
      return isInGoal ? ({ kind: 'outside' } as const) : null;
    };
    const onwards = explore(protocol, STATES, examine, start, timeLeft);
    visits += onwards.states.length;
    if (isInGoal || !onwards.complete) continue;
    const states = onwards.states.length;
    const title =
      states === 1 && enabledSteps(protocol, start).steps.length === 0
        ? `here everything ends, outside goal ${goal.name}`
        : `from here, none of the ${states} reachable states is in goal ${goal.name}`;
    return { run: reached.runTo(index), title };
  }
  return null;
}

function lostByControl(model: Model, goal: Goal, reached: Exploration): LivenessRefutation | null {
  const { protocol } = model;
  for (const [side, hopeful] of hopefulOf(protocol, goal).entries()) {
    const machine = protocol.machines[side]!;
    const index = reached.states.findIndex((state) => !hopeful.has(state.control[side]!));
    if (index < 0) continue;
    const where = machine.states[reached.states[index]!.control[side]!];
    return {
      run: reached.runTo(index),
      title: `${machine.name} has no way from ${where} into goal ${goal.name}`,
    };
  }
  // A state that is unsafe because nothing can happen any more; what cannot be received blocks one side only.
  const stuck = reached.states.findIndex(
    (state) => unsafety(protocol, state)?.kind === 'deadlock' && !inGoal(model, goal, state),
  );
  return stuck < 0
    ? null
    : { run: reached.runTo(stuck), title: `here everything ends, outside goal ${goal.name}` };
}

/** Per machine: the control states from which it can still get into those that the goal asks of it. */
const hopefulOf = ({ machines }: Model['protocol'], { control }: Goal): ReadonlySet<number>[] =>
  (control ?? []).map((wanted, side) => waysInto(machines[side]!, wanted));

/** Can the goal not be reached from this state, by control or by a search of everything that follows? Looks at the machines alone. */
export function isLost(model: Model, goal: Goal, state: GlobalState, timeLeft: () => boolean): boolean {
  const byControl = hopefulOf(model.protocol, goal).some(
    (hopeful, side) => !hopeful.has(state.control[side]!),
  );
  if (byControl) return true;
  const examine = (one: GlobalState) => (inGoal(model, goal, one) ? ({ kind: 'outside' } as const) : null);
  const { found, complete } = explore(model.protocol, MOST_FOLLOWING, examine, state, timeLeft);
  return found === null && complete;
}

/** The control states from which the machine's graph leads into the wanted ones. */
function waysInto({ actions }: RegisterMachine, wanted: readonly number[]): ReadonlySet<number> {
  const found = new Set(wanted);
  for (let size = -1; size !== found.size; ) {
    size = found.size;
    for (const { from, to } of actions) if (found.has(to)) found.add(from);
  }
  return found;
}

/** What the formula shows: its disjuncts are those of the graph, and it is proved. */
export function refuteByFormula(
  model: Model,
  graph: DegeneratedGraph,
  goal: Goal,
  timeLeft: () => boolean,
): LivenessRefutation | null {
  const hopeful = new Set(goal.disjuncts);
  for (let size = -1; size !== hopeful.size; ) {
    size = hopeful.size;
    graph.successors.forEach((targets, node) => {
      if (targets.some((target) => hopeful.has(target))) hopeful.add(node);
    });
  }
  if (hopeful.size === graph.nodes) return null;
  const { protocol, invariant } = model;
  const lost = invariant.filter((_, node) => !hopeful.has(node));
  let name = '';
  const found = explore(
    protocol,
    4_000,
    (state) => {
      const at = satisfying(protocol.definitions, lost, state)[0];
      if (at === undefined || inGoal(model, goal, state)) return null;
      name = lost[at]!.name;
      return { kind: 'outside' };
    },
    undefined,
    timeLeft,
  ).found;
  if (found === null) return null;
  return {
    run: found.run,
    title: `from here on (${name}) no step of the formula leads to goal ${goal.name}`,
  };
}
