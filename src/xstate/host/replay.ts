// Takes a run of the in-process scheduler on the real thing: the user's createActor, one stimulus at a time, compared after every one.

import type { Move } from '../../actors/graph.ts';
import { type Advance, advance, initialState } from '../../actors/semantics.ts';
import { OFF, type SystemState, startOfItem } from '../../actors/state.ts';
import type { ActorSystem } from '../../actors/system.ts';
import type { XStateBehaviour } from './behaviour.ts';
import { type CreateActor, type RealActor, RealSystem } from './real.ts';
import { nodesOf, type XEvent, type XMachine } from './types.ts';
import { constantsIn, type Filling, filled, fillings, Guess, NOTHING } from './witness.ts';
import { errorMessage, typeOf } from './words.ts';

/** Events in one computation of the real system before it is taken to be endless. */
const MOST_EVENTS = 5_000;

class Endless extends Error {}

export interface ReplayRequest {
  readonly system: ActorSystem;
  readonly behaviour: XStateBehaviour;
  readonly machine: XMachine;
  readonly createActor: CreateActor;
  readonly moves: readonly Move[];
}

/** Null: it happens as it is told. Otherwise what is different. Data that is not known is looked for: see witness.ts. */
export function replayMoves(request: ReplayRequest): string | null {
  const { config, implementations } = request.machine;
  let farthest: string | null = null;
  for (const filling of fillings(constantsIn([config, implementations]))) {
    const different = replayWith(request, filling);
    if (different === null && filling === NOTHING) return null;
    // What notes its use is no data: the same values must do without.
    if (different === null && filling instanceof Guess && replayWith(request, filling.plain()) === null)
      return null;
    if (different !== null && stepOf(different) > stepOf(farthest)) farthest = different;
  }
  return farthest;
}

/** How far a replay came. */
const stepOf = (different: string | null): number =>
  different === null ? -1 : Number(/^step (\d+)/.exec(different)?.[1] ?? 0);

function replayWith(request: ReplayRequest, filling: Filling): string | null {
  const { system, behaviour, moves } = request;
  let count = 0;
  let endless = false;
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
  const inspect = ({ type }: { type: string }): void => {
    const isStep = type === '@xstate.event' || type === '@xstate.transition';
    if (!isStep || ++count <= MOST_EVENTS) return;
    endless = true;
    throw new Endless();
  };
  const root = system.actors.find((actor) => actor.root)!;
  const begun = initialState(system, 'in-process', chooser(moves[0]?.choices ?? []));
  const input = filled(behaviour.inputOf(root.name, root.starts[firstStart(begun)]!.text), 'input', filling);
  const create = ((logic, options) =>
    request.createActor(logic, { ...options, inspect } as never)) as CreateActor;
  const real = guard(() => new RealSystem(request.machine, root.name, input, create));
  let state: SystemState | null = null;
  for (const [index, move] of moves.entries()) {
    const result: Advance =
      state === null || move.stimulus === null
        ? begun
        : advance(system, 'in-process', state, move.stimulus, chooser(move.choices));
    if (real === null)
      return result.end === 'quiet' ? 'the real system never comes to rest at its start' : null;
    if (state !== null && move.stimulus !== null) {
      const place = `step ${index}`;
      const data = (event: XEvent): XEvent => filled(event, place, filling) as XEvent;
      const problem = guard(() => stimulate(system, behaviour, real, state!, move, data)) ?? null;
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

function chooser(choices: readonly number[]): () => number {
  let next = 0;
  return () => choices[next++] ?? 0;
}

function firstStart({ facts }: Advance): number {
  const taken = facts.find((fact) => fact.kind === 'take');
  return taken?.kind === 'take' ? startOfItem(taken.item) : 0;
}

function stimulate(
  system: ActorSystem,
  behaviour: XStateBehaviour,
  real: RealSystem,
  state: SystemState,
  { stimulus }: Move,
  data: (event: XEvent) => XEvent,
): string | null {
  if (stimulus === null || stimulus.kind === 'message') return 'not a step of this scheduler';
  const actor = system.actors[stimulus.actor]!;
  const slot = state.slots[stimulus.actor]!;
  const from = actor.states[typeof slot === 'number' ? slot : slot[stimulus.member]!]!;
  if (stimulus.kind === 'timer') {
    const timer = from.timers[stimulus.index]!;
    const { type } = system.messages[timer.message]!;
    const pending = [...real.timers.values()].find(
      (one) => typeOf(one.event) === type && isNamed(actor.name, real.nameOf(one.source)),
    );
    if (pending === undefined) return `${actor.name} has no timer for ${type}`;
    pending.fire();
    return null;
  }
  const offer = from.offers[stimulus.index]!;
  const event = behaviour.eventOf(system.messages[offer.message]!.key);
  const target = [...real.actors()].find(([name]) => isNamed(actor.name, name))?.[1];
  if (event === undefined || target === undefined) return `${actor.name} is not there`;
  if (offer.kind === 'external') target.send(data(event));
  else real.settle(target, data(event));
  return null;
}

/** Members of a family have ids of their own. */
function isNamed(ours: string, real: string): boolean {
  const [parts, others] = [ours.split('/'), real.split('/')];
  return (
    parts.length === others.length && parts.every((part, at) => part.endsWith('*') || part === others[at])
  );
}

function failureOf(actor: RealActor | undefined): string {
  const error = actor?.getSnapshot().error;
  return error === undefined ? '' : ` (${errorMessage(error)})`;
}

function compare(system: ActorSystem, real: RealSystem, state: SystemState): string | null {
  const actors = real.actors();
  for (const [id, actor] of system.actors.entries()) {
    if (actor.name.includes('*')) continue;
    const slot = state.slots[id] as number;
    const one = actors.get(actor.name);
    // An orphan is out of reach: its parent has forgotten it.
    if (one === undefined && slot !== OFF && actor.name.includes('~')) continue;
    const running = one !== undefined && one._processingStatus === 1;
    if (one === undefined && slot !== OFF) continue;
    if (running !== (slot !== OFF))
      return `${actor.name} is ${running ? 'running' : `not running${failureOf(one)}`}`;
    if (!running || actor.logic === null) continue;
    const nodes = nodesOf(one.getSnapshot())
      .map((node) => node.path.join('.'))
      .filter((name) => name !== '');
    const ours = [...actor.states[slot]!.active].sort().join(', ');
    if (nodes.sort().join(', ') !== ours) return `${actor.name} is in ${nodes.join(', ')}, not in ${ours}`;
  }
  return null;
}
