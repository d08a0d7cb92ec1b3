// What a macrostep of a session does, as effects of its actor. A session's name is the way to it through its parents: `instance/invoke/invoke`.

import type { ActorName, Effect, EventValue, Start } from '../actors/behaviour.ts';
import type { Chart } from './chart.ts';
import { type ChartEvent, plainEvent } from './event.ts';
import type { Outcome } from './session.ts';
import { childId } from './world.ts';

/** How events and beginnings are called. */
export interface Naming {
  eventValue(event: ChartEvent): EventValue;
  startOf(
    actor: ActorName,
    parent: ActorName | null,
    chart: Chart,
    values: ReadonlyMap<string, string>,
  ): Start;
}

export const parentOf = (actor: ActorName): ActorName | null =>
  actor.includes('/') ? actor.slice(0, actor.lastIndexOf('/')) : null;

/** `invokeId`: how its parent calls it; null without one. */
export function effectsOf(
  actor: ActorName,
  invokeId: string | null,
  effect: Outcome['effects'][number],
  naming: Naming,
): Effect[] {
  switch (effect.kind) {
    case 'send': {
      const { target, delay, id, event, address } = effect;
      const to =
        target.kind === 'self'
          ? actor
          : target.kind === 'parent'
            ? parentOf(actor)
            : target.kind === 'invoked'
              ? childId(actor, target.id)
              : target.id;
      const certain = target.kind === 'self' || target.kind === 'parent';
      return [
        {
          kind: 'send',
          to,
          target: address === '' ? 'itself' : address,
          event: naming.eventValue(event),
          delay: delay === 0 ? null : delay,
          id,
          certain,
        },
      ];
    }
    case 'cancel':
      return [{ kind: 'cancel', id: effect.id }];
    case 'start':
      return [
        {
          kind: 'start',
          start: naming.startOf(childId(actor, effect.id), actor, effect.chart, effect.values),
        },
      ];
    case 'stop':
      return [{ kind: 'stop', actor: childId(actor, effect.id) }];
    case 'forward':
      return [
        {
          kind: 'send',
          to: childId(actor, effect.id),
          target: `#_${effect.id}`,
          event: naming.eventValue(effect.event),
          delay: null,
          id: null,
          certain: false,
        },
      ];
    case 'done': {
      if (invokeId === null) return [];
      const event = { ...plainEvent(`done.invoke.${invokeId}`, 'external', effect.data), invokeId };
      return [
        {
          kind: 'send',
          to: parentOf(actor),
          target: '#_parent',
          event: naming.eventValue(event),
          delay: null,
          id: null,
          certain: true,
        },
      ];
    }
    case 'log':
      return [];
  }
}
