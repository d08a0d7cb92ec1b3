// Linear programs on the program of a system: bounds and rankings without a state space, for systems of any size.
//
// Which program: see actors/translate.ts. In-process a bound for what one stimulus can set off is a bound for the system, and if that always ends, so
// does every computation. Distributed the whole program is asked; a stimulus counts as progress.
// A bound or a ranking found here holds of more runs than there are; a counterexample is no more than a suspicion, the search decides.

import { hasProgressMarks } from '../../actors/system.ts';
import { type TranslateOptions, translate } from '../../actors/translate.ts';
import type { Engine } from '../../engine/engine.ts';
import type { Fact } from '../../engine/fact.ts';
import { type Answer, proved, unknown } from '../../verdict/answer.ts';
import type { QueueResult } from '../../verdict/verdict.ts';
import { linearBounds } from '../program/bounded-linear.ts';
import type { ProgramModel } from '../program/context.ts';
import { linearRanking } from '../program/livelock-linear.ts';
import { type ActorModel, restsOn, unseen } from './model.ts';
import { UNLIMITED_MAILBOX } from './search.ts';

export const actorBounds: Engine<ActorModel> = {
  name: 'linear bounds of the actors',
  settles: (property) => property === 'bounded',
  run: async (task, budget, observer, learn) => {
    const { model } = task;
    if (!canBeProved(model)) return;
    const program = programOf(model, 'bounded');
    await linearBounds.run({ ...task, model: program }, budget, observer, (fact) => {
      const answer = boundsAnswer(model, fact);
      if (answer !== null) learn({ kind: 'answer', property: 'bounded', engine: actorBounds.name, answer });
      else if (fact.kind === 'stats') learn(fact);
    });
  },
};

export const actorRanking: Engine<ActorModel> = {
  name: 'linear ranking of the actors',
  settles: (property) => property === 'livelock-free',
  run: async (task, budget, observer, learn) => {
    const { model } = task;
    if (!canBeProved(model) || hasEndlessMacrostep(model)) return;
    const program = programOf(model, 'livelock-free');
    await linearRanking.run({ ...task, model: program }, budget, observer, (fact) => {
      if (fact.kind !== 'answer' || fact.answer.verdict !== 'proved') return;
      const { method, evidence, checkedBy, proof, stats } = fact.answer;
      const answer = proved(method, evidence, checkedBy, { proof, stats, notes: restsOn(model) });
      learn({ kind: 'answer', property: 'livelock-free', engine: actorRanking.name, answer });
    });
  },
};

/** Families have any number of members between stimuli: only the whole program has them all. */
function programOf(model: ActorModel, property: 'bounded' | 'livelock-free'): ProgramModel {
  const { system, scheduler, sources } = model;
  const inProcess = scheduler === 'in-process';
  const families = system.actors.some((actor) => actor.family);
  // Where progress is marked a livelock may go on by timers and promises: then it is no single cascade. (Marked progress itself is not counted on here.)
  const marked = property === 'livelock-free' && hasProgressMarks(system);
  const effects: TranslateOptions['effects'] =
    inProcess && !families && !marked
      ? 'cascade'
      : inProcess || property === 'livelock-free'
        ? 'interleaved'
        : 'distributed';
  const counted = property === 'livelock-free' && effects !== 'cascade';
  const stimuliAreProgress = counted ? (marked ? 'outside' : 'all') : 'none';
  return { program: translate(system, { effects, stimuliAreProgress, sources }).program };
}

const canBeProved = (model: ActorModel): boolean => unseen(model) === null && !mayOverlap(model);

const hasEndlessMacrostep = ({ system }: ActorModel): boolean =>
  system.actors.some(({ states }) => states.some(({ error }) => error?.startsWith('an endless macrostep')));

/**
 * A reaction that stops an actor and starts one of the same name again, to a message of that very actor: then the old one may still be at
 * work when the new one begins, which the program does not have.
 */
function mayOverlap({ system }: ActorModel): boolean {
  const sentBy = system.actors.map(
    ({ states, starts }) =>
      new Set(
        [...starts, ...states.flatMap(({ receives, offers }) => [...receives, ...offers])].flatMap(
          ({ reactions }) =>
            reactions.flatMap(({ effects }) =>
              effects.flatMap((one) => (one.kind === 'send' ? [one.message] : [])),
            ),
        ),
      ),
  );
  return system.actors.some(({ states }) =>
    states.some(({ receives }) =>
      receives.some(({ message, reactions }) =>
        reactions.some(({ effects }) =>
          effects.some(
            (stop, at) =>
              stop.kind === 'stop' &&
              sentBy[stop.actor]!.has(message) &&
              !isLastWordOnly(system, stop.actor, message) &&
              effects.slice(at).some((start) => start.kind === 'start' && start.actor === stop.actor),
          ),
        ),
      ),
    ),
  );
}

/** What an actor says with its end is no danger: it does nothing afterwards. */
const isLastWordOnly = (system: ActorModel['system'], actor: number, message: number): boolean =>
  system.actors[actor]!.states.every(({ receives, offers }) =>
    [...receives, ...offers].every(({ reactions }) =>
      reactions.every(({ effects, next }) =>
        effects.every(
          (one, at) =>
            one.kind !== 'send' ||
            one.message !== message ||
            (at === effects.length - 1 && system.actors[actor]!.states[next]!.status !== 'active'),
        ),
      ),
    ),
  );

function boundsAnswer(model: ActorModel, fact: Fact): Answer | null {
  if (fact.kind !== 'queues') return null;
  const { rows, method, backing } = fact;
  const queues = rows.filter(({ name }) => name !== 'stimulus').map(asMailbox);
  const notes = restsOn(model);
  if (backing !== null && backing.evidence.kind !== 'run' && 'checkedBy' in backing) {
    if (rows.every(({ verdict }) => verdict === 'proved'))
      return proved(method, backing.evidence, backing.checkedBy, { queues, notes });
  }
  return unknown('abstraction-too-coarse', undefined, { queues, notes, method });
}

const asMailbox = (queue: QueueResult): QueueResult => ({
  ...queue,
  declared: UNLIMITED_MAILBOX,
  fits: queue.verdict === 'proved' ? true : null,
});
