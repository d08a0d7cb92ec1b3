// Proofs from the actors' own graphs, without their product: for systems of any size.
//
// The graph of each actor has everything that it may ever do (explore.ts tries every event that anybody may send in every state). So what is true of all
// graphs is true of all runs:
// - error-free: no root has a state in which it has failed;
// - deadlock-free: some actor always runs and has, in every state, an offer or a timer: when nothing else can happen, that can;
// - handled: every message of a user's type is handled in every state of its receiver, and the receiver always runs.

import { isPlatformEvent } from '../../actors/search.ts';
import type { Actor, ActorSystem } from '../../actors/system.ts';
import type { Engine } from '../../engine/engine.ts';
import { proved } from '../../verdict/answer.ts';
import { type ActorModel, restsOn, unseen } from './model.ts';

const PROOFS: Readonly<Record<string, (system: ActorSystem) => boolean>> = {
  'error-free': ({ actors }) =>
    actors.every(({ parent, states }) => parent !== null || states.every(({ status }) => status !== 'error')),
  'deadlock-free': (system) =>
    system.actors.some((actor, id) => canAlwaysMove(actor) && alwaysRuns(system, id)),
  handled: isHandled,
};

export const actorsAlone: Engine<ActorModel> = {
  name: 'actors one by one',
  settles: (property) => property in PROOFS,
  run: ({ model, open }, _budget, _observer, learn) => {
    if (unseen(model) !== null) return;
    const states = model.system.actors.reduce((sum, actor) => sum + actor.states.length, 0);
    const transitions = model.system.actors.reduce(
      (sum, actor) =>
        sum + actor.states.reduce((inner, state) => inner + state.receives.length + state.offers.length, 0),
      0,
    );
    for (const property of open) {
      if (PROOFS[property]?.(model.system) !== true) continue;
      const evidence = { kind: 'exhaustion', states, transitions } as const;
      const answer = proved('compositional', evidence, 'search', {
        stats: { states },
        notes: restsOn(model),
      });
      learn({ kind: 'answer', property, engine: actorsAlone.name, answer });
    }
  },
};

/** A root that never ends; or a child that such an actor starts with its own start, and that nobody stops and that never ends. */
function alwaysRuns(system: ActorSystem, id: number): boolean {
  const { root, parent, family, states } = system.actors[id]!;
  if (family || states.some(({ status }) => status !== 'active')) return false;
  if (root) return true;
  if (parent === null || !alwaysRuns(system, parent)) return false;
  const startedAtOnce = system.actors[parent]!.starts.every(({ reactions }) =>
    reactions.every(({ effects }) => effects.some((one) => one.kind === 'start' && one.actor === id)),
  );
  return startedAtOnce && !stoppedActors(system).has(id);
}

const stopped = new WeakMap<ActorSystem, Set<number>>();

function stoppedActors(system: ActorSystem): Set<number> {
  const known = stopped.get(system);
  if (known !== undefined) return known;
  const found = new Set(
    system.actors
      .flatMap(({ starts, states }) => [
        ...starts,
        ...states.flatMap(({ receives, offers }) => [...receives, ...offers]),
      ])
      .flatMap(({ reactions }) => reactions)
      .flatMap(({ effects }) => effects.flatMap((effect) => (effect.kind === 'stop' ? [effect.actor] : []))),
  );
  stopped.set(system, found);
  return found;
}

const canAlwaysMove = ({ states }: Actor): boolean =>
  states.every(
    ({ offers, timers }) =>
      timers.length > 0 || offers.some(({ reactions }) => reactions.some(({ handled }) => handled)),
  );

function isHandled(system: ActorSystem): boolean {
  const isUsers = (message: number): boolean => !isPlatformEvent(system.messages[message]!.type);
  const takesAll = ({ states }: Actor): boolean =>
    states.every(({ receives }) =>
      receives.every(
        ({ message, reactions }) => !isUsers(message) || reactions.every(({ handled }) => handled),
      ),
    );
  const isFine = (to: number | null, message: number): boolean =>
    !isUsers(message) || (to !== null && takesAll(system.actors[to]!) && alwaysRuns(system, to));
  return system.actors.every(({ starts, states }) => {
    const reactions = [
      ...starts,
      ...states.flatMap(({ receives, offers }) => [...receives, ...offers]),
    ].flatMap((one) => one.reactions);
    return (
      reactions.every(({ effects }) =>
        effects.every((effect) => effect.kind !== 'send' || isFine(effect.to, effect.message)),
      ) &&
      states.every(({ timers, onStop = [] }) =>
        [...timers, ...onStop.flatMap((effect) => (effect.kind === 'send' ? [effect] : []))].every(
          ({ to, message }) => isFine(to, message),
        ),
      )
    );
  });
}
