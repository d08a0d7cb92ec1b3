// Deadlock of a program as a question about its plain net: who stands where, and why nobody can move.
//
// In a deadlock some process stands where it may not end, and everything that offers.ts promises is violated: nobody stands where a step
// is always possible; where somebody waits for a message, the queue is empty or another message comes first; where somebody
// sends, the queue is full; two that could shake hands do not stand there together. Order is seen only that far, so no solution
// means no deadlock, and a solution means nothing yet.

import { type Atom, atLeast, atMost, type Clause, type Question } from '../petri/question.ts';
import type { System } from '../system/instantiate.ts';
import { type Offer, offersAt } from '../system/offers.ts';
import type { Message, Queue } from '../system/queues.ts';
import type { Net } from './net.ts';
import type { PlainNet } from './petri.ts';
import type { Places } from './places.ts';

/** What one location promises, in terms of the net: indices of places and queues. */
export type NetOffer =
  | { readonly kind: 'free' }
  | { readonly kind: 'tokens'; readonly places: readonly number[] }
  | { readonly kind: 'room'; readonly queue: number }
  | {
      readonly kind: 'receive';
      readonly queue: number;
      readonly accepted: readonly number[];
      readonly random: boolean;
    }
  | { readonly kind: 'meet-send' | 'meet-receive'; readonly places: readonly number[] };

export interface LocationOffers {
  readonly offers: readonly NetOffer[];
  /** Standing here is a valid end. */
  readonly mayEnd: boolean;
}

/** Per class and location. `canStart`: there are never too many processes for one more. */
export function locationOffers(system: System, places: Places, canStart: boolean): LocationOffers[][] {
  return system.graphs.map((graph) =>
    graph.states.map((state) => ({
      offers: offersAt(system.world, graph, state, { canStart }).flatMap((offer) => netOffer(offer, places)),
      mayEnd: state.point.inside === null && graph.process.proctype.locations[state.point.location]!.isEnd,
    })),
  );
}

function netOffer(offer: Offer, places: Places): NetOffer[] {
  const messages = (queue: Queue, list: readonly Message[]): number[] =>
    list.flatMap((message) => places.known(queue, message) ?? []);
  switch (offer.kind) {
    case 'free':
      return [offer];
    case 'tokens': {
      const found = [...offer.tokens].map(([cell, value]) => places.knownToken(cell, value));
      return found.includes(undefined) ? [] : [{ kind: 'tokens', places: found as number[] }];
    }
    case 'room': {
      const queue = places.queueIndex.get(offer.queue);
      return queue === undefined ? [] : [{ kind: 'room', queue }];
    }
    case 'receive': {
      const queue = places.queueIndex.get(offer.queue);
      const accepted = messages(offer.queue, offer.accepted);
      return queue === undefined ? [] : [{ kind: 'receive', queue, accepted, random: offer.random }];
    }
    case 'meet-send': {
      // Each of the messages must be one that the net knows: else it may be another that is offered.
      const found = messages(offer.queue, offer.messages);
      return found.length < offer.messages.length ? [] : [{ kind: 'meet-send', places: found }];
    }
    case 'meet-receive':
      return [{ kind: 'meet-receive', places: messages(offer.queue, offer.messages) }];
  }
}

export function programDeadQuestion(
  net: Net,
  plain: PlainNet,
  offers: readonly (readonly LocationOffers[])[],
): Question {
  const clauses: Clause[] = [];
  const stuck: number[] = [];
  const meeting: { readonly at: number; readonly offer: NetOffer }[] = [];
  for (const [process, locations] of offers.entries())
    for (const [number, { offers: here, mayEnd }] of locations.entries()) {
      const at = plain.location(process, number);
      if (!mayEnd) stuck.push(at);
      for (const offer of here) {
        if (offer.kind === 'meet-send' || offer.kind === 'meet-receive') meeting.push({ at, offer });
        const violated = violations(net, plain, offer);
        if (violated !== null) clauses.push([atMost([at], 0), ...violated]);
      }
    }
  return [[atLeast(stuck, 1)], ...clauses, ...handshakes(meeting)];
}

/** How an offer can fail for one who stands there; null where that is told elsewhere. */
function violations(net: Net, plain: PlainNet, offer: NetOffer): Atom[] | null {
  switch (offer.kind) {
    case 'free':
      return [];
    case 'tokens':
      return offer.places.map((place) => atMost([plain.place(place)], 0));
    case 'room': {
      const room = plain.room(offer.queue);
      return room < 0 ? null : [atMost([room], 0)];
    }
    case 'receive': {
      if (offer.accepted.length === 0) return null;
      const accepted = offer.accepted.map((place) => plain.place(place));
      if (offer.random) return [atMost(accepted, 0)];
      const others = net.queues[offer.queue]!.places.filter((place) => !offer.accepted.includes(place)).map(
        (place) => plain.place(place),
      );
      return [atMost([...accepted, ...others], 0), ...(others.length === 0 ? [] : [atLeast(others, 1)])];
    }
    case 'meet-send':
    case 'meet-receive':
      return null;
  }
}

/** A sender and a receiver that accepts whatever the sender may offer do not stand there together. */
function handshakes(meeting: readonly { readonly at: number; readonly offer: NetOffer }[]): Clause[] {
  const clauses: Clause[] = [];
  for (const { at: sender, offer: send } of meeting) {
    if (send.kind !== 'meet-send') continue;
    for (const { at: receiver, offer: receive } of meeting) {
      if (receive.kind !== 'meet-receive' || !send.places.every((place) => receive.places.includes(place)))
        continue;
      clauses.push(
        sender === receiver ? [atMost([sender], 1)] : [atMost([sender], 0), atMost([receiver], 0)],
      );
    }
  }
  return clauses;
}
