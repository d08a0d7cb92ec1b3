// States of a system of actors, what can happen in one, and what is told of a step: the words of the semantics.

import type { Traffic } from './pumping.ts';
import type { ActorSystem, Reaction, Scheduler } from './system.ts';

export const OFF = -1;

/** In a mailbox: a message ≥ 0, STOP, or a start. */
export type Item = number;

export const STOP: Item = -1;

export const startItem = (start: number): Item => -2 - start;

export const startOfItem = (item: Item): number => -2 - item;

/** One slot per actor: its state, or OFF; for a family the states of its members, sorted. */
export interface SystemState {
  readonly slots: readonly (number | readonly number[])[];
  readonly mail: readonly (readonly Item[])[];
}

export type Stimulus =
  | {
      readonly kind: 'offer' | 'timer';
      readonly actor: number;
      readonly member: number;
      readonly index: number;
    }
  | { readonly kind: 'message'; readonly actor: number };

export type Fact =
  | { readonly kind: 'take'; readonly actor: number; readonly item: Item; readonly from: number }
  | { readonly kind: 'offer'; readonly actor: number; readonly index: number; readonly from: number }
  | { readonly kind: 'timer'; readonly actor: number; readonly index: number; readonly from: number }
  | {
      readonly kind: 'react';
      readonly actor: number;
      readonly reaction: Reaction;
      /** Which of the alternatives. */
      readonly choice: number;
      readonly message: number | null;
    }
  | { readonly kind: 'send'; readonly from: number; readonly to: number; readonly item: Item }
  /** Sent to an actor that is not running, or to nobody; `to` null for the latter. */
  | {
      readonly kind: 'lost';
      readonly from: number | null;
      readonly to: number | null;
      readonly target: string;
      readonly message: number;
    }
  /** No transition was selected. */
  | { readonly kind: 'ignored'; readonly actor: number; readonly message: number }
  | { readonly kind: 'emit'; readonly actor: number; readonly message: number }
  | { readonly kind: 'started' | 'ended' | 'stopped'; readonly actor: number };

/** What may happen next. */
export function stimuli(system: ActorSystem, scheduler: Scheduler, state: SystemState): Stimulus[] {
  const found: Stimulus[] = [];
  const quiet = state.mail.every((items) => items.length === 0);
  state.slots.forEach((slot, actor) => {
    const waiting = state.mail[actor]!.length > 0;
    if (scheduler === 'distributed' && waiting) found.push({ kind: 'message', actor });
    const members = typeof slot === 'number' ? (slot === OFF ? [] : [slot]) : slot;
    members.forEach((id, member) => {
      if (member > 0 && members[member - 1] === id) return;
      const own = system.actors[actor]!.states[id]!;
      if (!waiting)
        own.offers.forEach((offer, index) => {
          if (offer.kind === 'external' && !quiet) return;
          if (offer.reactions.some((reaction) => reaction.handled))
            found.push({ kind: 'offer', actor, member, index });
        });
      own.timers.forEach((_, index) => {
        found.push({ kind: 'timer', actor, member, index });
      });
    });
  });
  return found;
}

export const stateKey = ({ slots, mail }: SystemState): string =>
  `${slots.map((slot) => (typeof slot === 'number' ? slot : `[${slot.join(' ')}]`)).join(',')}|${mail.map((items) => items.join(' ')).join(',')}`;

/** Messages that wait; starts and stops are no messages to a user. */
export const lengthOf = (items: readonly Item[]): number => items.filter((item) => item >= 0).length;

/** What a stretch of a run did to the mailboxes. */
export function trafficOf(before: readonly (readonly Item[])[], facts: readonly Fact[]): Traffic[] {
  return before.map((items, actor) => ({
    before: items,
    taken: facts.flatMap((fact) => (fact.kind === 'take' && fact.actor === actor ? [fact.item] : [])),
    sent: facts.flatMap((fact) => (fact.kind === 'send' && fact.to === actor ? [fact.item] : [])),
  }));
}
