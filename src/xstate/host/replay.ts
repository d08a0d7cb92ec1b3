// Takes a run of the in-process scheduler on the real thing: the user's createActor, one stimulus at a time, compared after every one.

import type { Move } from '../../actors/graph.ts';
import { type Advance, advance, initialState, OFF, type SystemState } from '../../actors/semantics.ts';
import type { ActorSystem } from '../../actors/system.ts';
import { ANY, OPEN } from './any.ts';
import type { XStateBehaviour } from './behaviour.ts';
import { type CreateActor, RealSystem } from './real.ts';
import type { XEvent, XMachine } from './types.ts';

/** Events in one computation of the real system before it is taken to be endless. */
const MOST_EVENTS = 5_000;

class Endless extends Error {}

/** Null: it happens as it is told. Otherwise what is different. */
export function replayMoves(
  system: ActorSystem,
  behaviour: XStateBehaviour,
  machine: XMachine,
  input: unknown,
  createActor: CreateActor,
  moves: readonly Move[],
): string | null {
  let count = 0;
  let endless = false;
  const choose = (choices: readonly number[]) => {
    let next = 0;
    return () => choices[next++] ?? 0;
  };
  const root = system.actors.find((actor) => actor.root)!.name;
  const guard = <T>(run: () => T): T | null => {
    count = 0;
    try {
      return run();
    } catch (error) {
      if (!(error instanceof Endless)) throw error;
      endless = true;
      return null;
    }
  };
  const real = guard(
    () =>
      new RealSystem(machine, root, known(input), ((logic, options) =>
        createActor(logic, {
          ...options,
          inspect: ({ type }: { type: string }) => {
            if (type === '@xstate.event' && ++count > MOST_EVENTS) {
              endless = true;
              throw new Endless();
            }
          },
        } as never)) as CreateActor),
  );
  let state: SystemState | null = null;
  for (const [index, move] of moves.entries()) {
    const result: Advance =
      state === null || move.stimulus === null
        ? initialState(system, 'in-process', choose(move.choices))
        : advance(system, 'in-process', state, move.stimulus, choose(move.choices));
    if (real === null)
      return result.end === 'quiet' ? 'the real system never comes to rest at its start' : null;
    if (state !== null && move.stimulus !== null) {
      const problem = guard(() => stimulate(system, behaviour, real, state!, move)) ?? null;
      if (problem !== null) return `step ${index + 1}: ${problem}`;
    }
    if (result.end !== 'quiet') return endless ? null : `step ${index + 1}: the real system comes to rest`;
    if (endless) return `step ${index + 1}: the real system does not come to rest`;
    state = result.state;
    const different = compare(system, real, state);
    if (different !== null) return `step ${index + 1}: ${different}`;
  }
  return null;
}

function stimulate(
  system: ActorSystem,
  behaviour: XStateBehaviour,
  real: RealSystem,
  state: SystemState,
  { stimulus }: Move,
): string | null {
  if (stimulus === null || stimulus.kind === 'message') return 'not a step of this scheduler';
  const actor = system.actors[stimulus.actor]!;
  const slot = state.slots[stimulus.actor]!;
  const from = actor.states[typeof slot === 'number' ? slot : slot[stimulus.member]!]!;
  if (stimulus.kind === 'timer') {
    const timer = from.timers[stimulus.index]!;
    const { type } = system.messages[timer.message]!;
    const pending = [...real.timers.values()].find(
      (one) => one.event.type === type && real.nameOf(one.source) === actor.name,
    );
    if (pending === undefined) return `${actor.name} has no timer for ${type}`;
    pending.fire();
    return null;
  }
  const offer = from.offers[stimulus.index]!;
  const event = behaviour.eventOf(system.messages[offer.message]!.key);
  const target = actor.family
    ? [...real.actors()].find(([name]) =>
        name.startsWith(actor.name.slice(0, actor.name.lastIndexOf('/'))),
      )?.[1]
    : real.actors().get(actor.name);
  if (event === undefined || target === undefined) return `${actor.name} is not there`;
  if (offer.kind === 'external') target.send(known(event) as XEvent);
  else real.settle(target, known(event) as XEvent);
  return null;
}

/** Data that is not known is left out. */
function known(value: unknown): unknown {
  if (value === ANY) return undefined;
  if (typeof value !== 'object' || value === null) return value;
  if (Object.getPrototypeOf(value) !== Object.prototype && (value as { [OPEN]?: true })[OPEN] !== true)
    return value;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, known(part)]));
}

function compare(system: ActorSystem, real: RealSystem, state: SystemState): string | null {
  const actors = real.actors();
  for (const [id, actor] of system.actors.entries()) {
    if (actor.family) continue;
    const slot = state.slots[id] as number;
    const one = actors.get(actor.name);
    // An orphan is out of reach: its parent has forgotten it.
    if (one === undefined && slot !== OFF && actor.name.includes('~')) continue;
    const running = one !== undefined && one._processingStatus === 1;
    if (one === undefined && slot !== OFF) continue;
    if (running !== (slot !== OFF)) return `${actor.name} is ${running ? 'running' : 'not running'}`;
    if (!running || actor.logic === null) continue;
    const nodes = (one.getSnapshot()._nodes ?? [])
      .map((node) => node.path.join('.'))
      .filter((name) => name !== '');
    const ours = [...actor.states[slot]!.active].sort().join(', ');
    if (nodes.sort().join(', ') !== ours) return `${actor.name} is in ${nodes.join(', ')}, not in ${ours}`;
  }
  return null;
}
