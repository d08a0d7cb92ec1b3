// From the states of a checked component to the structure that takes part in the composition. The rules are those of docs/c.md: a thread that has
// ended waits for all others to end; where it stops for the property (an error, a label) it stays; a lost thread means what the question says.

import type { Kripke } from '../../kripke/structure.ts';
import { KripkeBuilder } from '../../kripke/structure.ts';
import type { Program } from '../program/program.ts';
import { ALL_ENDED, ownStep } from '../spec/names.ts';
import type { ClaimedState, ComponentClaim } from './component.ts';

export type Asked = 'errors' | 'deadlock' | 'runs';

interface Simple {
  readonly labels: readonly string[];
  readonly steps: readonly { readonly event: string; readonly to: number }[];
}

export function structureOf(
  name: string,
  program: Program,
  claim: ComponentClaim,
  isStop: (location: number) => boolean,
  asked: Asked,
  silent: boolean,
  propositions: readonly string[],
  order: readonly number[],
): Kripke | string {
  const own = ownStep(name);
  const lost = claim.states.map((state) => isLost(state, program, isStop));
  if (asked === 'runs') spreadLost(claim.states, lost);
  const states = claim.states.map((state, i): Simple => {
    const { labels, location } = state;
    if (program.locations[location]!.kind === 'end') return { labels, steps: [{ event: ALL_ENDED, to: i }] };
    const stays = stops(state, program, isStop) || (lost[i] && asked === 'deadlock');
    if (stays) return { labels, steps: [{ event: own, to: i }] };
    const steps = state.steps.flatMap(({ event, to }) =>
      to
        .filter((target) => asked !== 'runs' || !lost[target])
        .map((target) => ({ event: event ?? own, to: target })),
    );
    return { labels, steps };
  });
  const target = silent ? withoutSilentSteps(states, own) : (state: number) => state;
  const alive = asked === 'runs' ? claim.initial.filter((state) => !lost[state]) : claim.initial;
  const starts = (alive.length > 0 ? alive : claim.initial).map(target);
  return build(name, program, states, starts, target, propositions, order);
}

const stops = (
  { location }: ClaimedState,
  program: Program,
  isStop: (location: number) => boolean,
): boolean => isStop(location) || program.locations[location]!.kind !== 'inner';

/** Not even one step: every stretch is impossible. */
const isLost = (state: ClaimedState, program: Program, isStop: (location: number) => boolean): boolean =>
  !stops(state, program, isStop) && !state.waits && state.steps.every(({ to }) => to.length === 0);

/** Where all steps lead to lost states, and the thread need not wait, it is lost too. */
function spreadLost(states: readonly ClaimedState[], lost: boolean[]): void {
  for (let changed = true; changed; ) {
    changed = false;
    states.forEach(({ waits, steps }, i) => {
      if (lost[i] || waits || steps.length === 0) return;
      const targets = steps.flatMap(({ to }) => to);
      if (targets.length === 0 || !targets.every((target) => lost[target])) return;
      lost[i] = true;
      changed = true;
    });
  }
}

/** A state whose only step is one of the thread's own, to a state with the same labels, is that state. */
function withoutSilentSteps(states: readonly Simple[], own: string): (state: number) => number {
  const ends = new Map<number, number>();
  const next = (state: number): number => {
    const [only, more] = states[state]!.steps;
    const silent = only !== undefined && more === undefined && only.event === own;
    return silent && sameLabels(states[state]!, states[only.to]!) ? only.to : state;
  };
  return (start) => {
    const known = ends.get(start);
    if (known !== undefined) return known;
    const passed = new Set<number>();
    let at = start;
    // Silent steps in a circle stay: the thread goes on for ever without anybody seeing it.
    while (!passed.has(at) && next(at) !== at && !passed.has(next(at))) {
      passed.add(at);
      at = next(at);
    }
    ends.set(start, at);
    return at;
  };
}

const sameLabels = (a: Simple, b: Simple): boolean =>
  a.labels.length === b.labels.length && a.labels.every((label) => b.labels.includes(label));

/** The states that are reached, in the order of the proof where it has one. */
function build(
  name: string,
  program: Program,
  states: readonly Simple[],
  starts: readonly number[],
  target: (state: number) => number,
  propositions: readonly string[],
  order: readonly number[],
): Kripke | string {
  const reached = new Set(starts);
  for (const state of reached) for (const { to } of states[state]!.steps) reached.add(target(to));
  if (order.some((state) => !reached.has(state))) return 'the proof numbers states that are not reached';
  const ids = new Map<number, number>();
  const builder = new KripkeBuilder(name);
  for (const proposition of propositions) builder.proposition(proposition);
  const events = new Set<string>();
  for (const { operation } of program.edges) if (operation.kind === 'event') events.add(operation.name);
  for (const event of [...[...events].sort(), ALL_ENDED, ownStep(name)]) builder.event(event);
  for (const state of new Set([...order, ...reached]))
    ids.set(state, builder.state(String(state), states[state]!.labels));
  for (const start of starts) builder.initial(ids.get(start)!);
  for (const [state, id] of ids)
    for (const { event, to } of states[state]!.steps) builder.edge(id, event, ids.get(target(to))!);
  return builder.build() ?? 'a component has no initial state';
}
