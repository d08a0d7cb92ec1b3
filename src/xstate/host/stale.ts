// References to actors that run no more. An actor that is started again under the id of an earlier one has its name, and a reference to the earlier one would
// be taken for one to the later. Who could have such a reference: anybody, if it was ever part of an event or an input. Then nothing is proved.

import type { Caveat } from '../../actors/behaviour.ts';
import type { Actor, ActorSystem, Reaction } from '../../actors/system.ts';

/** `exported`: names of actors whose references somebody else has got. */
export function staleReferences({ actors }: ActorSystem, exported: ReadonlySet<string>): Caveat[] {
  return actors.flatMap((actor, id): Caveat[] => {
    if (actor.parent === null || actor.family || !exported.has(actor.name)) return [];
    if (!isStartedAgain(actors[actor.parent]!, id)) return [];
    const message = `${actor.name} is started again, and others may still have a reference to its predecessor: the two are not told apart`;
    return [{ kind: 'unseen', message, at: null }];
  });
}

/** Can the parent, after it has started the child, come to start it again? */
function isStartedAgain(parent: Actor, child: number): boolean {
  const starts = ({ effects }: Reaction): boolean =>
    effects.some((effect) => effect.kind === 'start' && effect.actor === child);
  const reactionsOf = (state: number): Reaction[] => {
    const { receives, offers } = parent.states[state]!;
    return [...receives, ...offers].flatMap(({ reactions }) => reactions);
  };
  const all = [
    ...parent.starts.flatMap(({ reactions }) => reactions),
    ...parent.states.flatMap((_, id) => reactionsOf(id)),
  ];
  const seen = new Set(all.filter(starts).map(({ next }) => next));
  for (const state of seen) {
    for (const reaction of reactionsOf(state)) {
      if (starts(reaction)) return true;
      seen.add(reaction.next);
    }
    for (const { next } of parent.states[state]!.timers) seen.add(next);
  }
  return false;
}
