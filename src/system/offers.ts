// When is a process certainly able to move? What an exploration over-approximates (steps that may be possible) is turned round here: the
// conditions, in terms of what the abstraction counts, under which some step is possible for certain. A deadlock must violate them all.
//
// Soundness duty: in every concrete state that the abstract location stands for, if the condition of an offer holds, then some edge of
// the location is executable (or, for a rendezvous, becomes so together with the other side). Offers may be missing, never wrong.

import type { Edge } from '../process/program.ts';
import { Choices } from './choices.ts';
import type { ClassGraph } from './class-graph.ts';
import type { ProcessClass } from './classes.ts';
import { certainlyMatches, mayBlock, send } from './execute.ts';
import type { Message, Queue } from './queues.ts';
import { Run } from './run.ts';
import type { ClassState } from './transfer.ts';
import { Updates } from './updates.ts';
import type { View } from './view.ts';

export type Offer =
  /** Some step is possible whatever the others do. */
  | { readonly kind: 'free' }
  /** Possible while each of these shared variables has this value. */
  | { readonly kind: 'tokens'; readonly tokens: ReadonlyMap<number, number> }
  /** A send: possible while there is room. */
  | { readonly kind: 'room'; readonly queue: Queue }
  /** A receive: possible while the oldest message (`??`: any message) is one of these. */
  | {
      readonly kind: 'receive';
      readonly queue: Queue;
      readonly accepted: readonly Message[];
      readonly random: boolean;
    }
  /** A handshake: the sender offers one of these, the receiver accepts each of these. */
  | { readonly kind: 'meet-send'; readonly queue: Queue; readonly messages: readonly Message[] }
  | { readonly kind: 'meet-receive'; readonly queue: Queue; readonly messages: readonly Message[] };

export interface OfferOptions {
  /** There are never too many processes for one more. */
  readonly canStart: boolean;
}

export function offersAt(
  view: View,
  { process }: ClassGraph,
  state: ClassState,
  options: OfferOptions,
): Offer[] {
  // Inside an opened d_step nothing is promised; `provided` may hold a process back at any time.
  if (state.point.inside !== null || process.proctype.provided !== null) return [];
  const edges = process.proctype.locations[state.point.location]!.edges.map(
    (id) => process.proctype.edges[id]!,
  );
  if (edges.some((edge) => isAlwaysPossible(edge, options))) return [{ kind: 'free' }];
  const found = edges.flatMap((edge) => edgeOffers(view, process, state, edge));
  return found.some(({ kind }) => kind === 'free') ? [{ kind: 'free' }] : merged(found);
}

/** `else`: it or a sibling is executable. `timeout`: in a deadlock nothing else is. */
function isAlwaysPossible({ statement }: Edge, { canStart }: OfferOptions): boolean {
  if (statement.kind === 'else') return true;
  if (statement.kind !== 'condition') return false;
  return statement.expression.kind === 'timeout' || (statement.expression.kind === 'run' && canStart);
}

interface Way {
  readonly offer: Offer | null;
  /** What it depends on that is not in the location. */
  readonly tokens: ReadonlyMap<number, number>;
  /** Only on those tokens. */
  readonly certain: boolean;
}

function edgeOffers(view: View, process: ProcessClass, state: ClassState, edge: Edge): Offer[] {
  const ways = waysOf(view, process, state, edge);
  if (ways === null || ways.length === 0) return [];
  if (ways.every(({ offer }) => offer?.kind === 'free')) return [{ kind: 'free' }];
  const [first] = ways;
  if (ways.every(({ offer }) => offer !== null && sameQueue(offer, first!.offer!)))
    return [joined(ways.map(({ offer }) => offer!))];
  return ways.flatMap(({ offer, certain, tokens }): Offer[] =>
    offer?.kind === 'free' && certain && tokens.size > 0 ? [{ kind: 'tokens', tokens }] : [],
  );
}

const MANY_WAYS = 256;

/** What each way to answer the open questions says; null when there are too many. */
function waysOf(view: View, process: ProcessClass, state: ClassState, edge: Edge): Way[] | null {
  const choices = new Choices();
  const ways: Way[] = [];
  do {
    if (ways.length > MANY_WAYS) return null;
    const run = new Run(view, process, choices, new Map(state.values), false, new Updates());
    const offer = offerOf(run, edge);
    const tokens = new Map(run.tokens());
    const open = [...tokens.keys()].filter((cell) => (view.store.peek(cell, process)?.size ?? 0) > 1);
    ways.push({ offer: run.failed ? null : offer, tokens, certain: choices.asked === open.length });
  } while (choices.next());
  return ways;
}

function offerOf(run: Run, { statement }: Edge): Offer | null {
  switch (statement.kind) {
    case 'send': {
      const queue = run.queue(statement.channel);
      if (queue === null || !queue.single) return null;
      if (queue.capacity > 0) return { kind: 'room', queue };
      if (!send(run, statement)) return null;
      return { kind: 'meet-send', queue, messages: [run.effects.at(-1)!.message] };
    }
    case 'receive': {
      const queue = run.queue(statement.channel);
      if (queue === null || !queue.single) return null;
      const accepted = run
        .messagesIn(queue)
        .filter((message) => certainlyMatches(run, statement, queue, message));
      return queue.capacity === 0
        ? { kind: 'meet-receive', queue, messages: accepted }
        : { kind: 'receive', queue, accepted, random: statement.random };
    }
    case 'dstep': {
      const { locations, initial, edges } = statement.body;
      const first = locations[initial]!.edges.map((id) => edges[id]!);
      if (first.some((edge) => edge.statement.kind === 'else')) return { kind: 'free' };
      const offer = first.length === 1 ? offerOf(run, first[0]!) : null;
      if (offer !== null && offer.kind !== 'meet-send' && offer.kind !== 'meet-receive') return offer;
      return mayBlock(run, statement) ? null : { kind: 'free' };
    }
    default:
      return mayBlock(run, statement) ? null : { kind: 'free' };
  }
}

const sameQueue = (a: Offer, b: Offer): boolean =>
  a.kind === b.kind && 'queue' in a && 'queue' in b && a.queue === b.queue;

/** Whichever way it goes: what a sender may offer is more, what a receiver accepts for certain is less. */
function joined(offers: readonly Offer[]): Offer {
  const lists = offers.map((offer) =>
    'messages' in offer ? offer.messages : 'accepted' in offer ? offer.accepted : [],
  );
  const first = offers[0]!;
  const common = (lists[0] ?? []).filter((message) => lists.every((list) => has(list, message)));
  if (first.kind === 'meet-send') return { ...first, messages: lists.flat() };
  if (first.kind === 'meet-receive') return { ...first, messages: common };
  return first.kind === 'receive' ? { ...first, accepted: common } : first;
}

/** Receives from the same queue at the same place: what one of them takes is taken. */
function merged(offers: readonly Offer[]): Offer[] {
  const result: Offer[] = [];
  for (const offer of offers) {
    const same = result.findIndex(
      (one) =>
        one.kind === 'receive' &&
        offer.kind === 'receive' &&
        one.queue === offer.queue &&
        one.random === offer.random,
    );
    const known = result[same];
    if (known?.kind !== 'receive' || offer.kind !== 'receive') result.push(offer);
    else
      result[same] = {
        ...known,
        accepted: [...known.accepted, ...offer.accepted.filter((one) => !has(known.accepted, one))],
      };
  }
  return result;
}

const has = (messages: readonly Message[], wanted: Message): boolean =>
  messages.some((message) => message.every((value, index) => value === wanted[index]));
