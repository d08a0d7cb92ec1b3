// The counting abstraction as a plain net, with exact firing: what can happen in it is a step, one transition at a time.
//
// Locations become places that count the processes standing there; message types and token values are places already. A rendezvous is
// one transition for each pair of a sender and a receiver of the same type, as both move at once. With declared capacities each queue gets
// a place for its free room. Fused segments are single transitions already, and only where they hide no peak (system/segment.ts).
//
// Soundness duty: every run of the net (net.ts), and so of the program, is a run of the plain net.

import type { PetriNet, PetriPlace, PetriTransition } from '../petri/net.ts';
import type { Group } from '../petri/propagate.ts';
import { indexNet } from './encode-flow.ts';
import type { Net, NetTransition } from './net.ts';
import { processGroups } from './process-groups.ts';

export interface PlainNet {
  readonly petri: PetriNet;
  /** Per transition of the plain net: the one or two transitions of the net that it is. */
  readonly origins: readonly (readonly number[])[];
  location(process: number, location: number): number;
  /** −1 for the places of rendezvous, which are no places any more. */
  place(place: number): number;
  /** The free room of a queue; −1 where it has no such place. */
  room(queue: number): number;
  /** The places of a queue's messages. */
  queue(queue: number): readonly number[];
  /** Places whose sum seldom changes: the locations of a class (processes), a queue's messages and its room. */
  readonly groups: readonly Group[];
}

export interface PlainOptions {
  readonly name?: string;
  /** `declared`: each queue that is one channel has room for as many messages as it declares. */
  readonly capacities?: 'unlimited' | 'declared';
}

export function plainNet(net: Net, options: PlainOptions = {}): PlainNet {
  const index = indexNet(net);
  const places: PetriPlace[] = net.classes.flatMap((process) =>
    process.locations.map((location, number) => ({
      name: `${process.name}@${location.name}`,
      initial: number === process.initial ? process.instances : 0,
      at: location.at,
    })),
  );
  const meeting = meetingPlaces(net);
  const numbers = net.places.map(({ name, initial }, place) =>
    meeting.has(place) ? -1 : places.push({ name, initial, at: null }) - 1,
  );
  const rooms = net.queues.map(({ name, declared, at }) => {
    // A channel local to a proctype may exist several times: what is counted is their sum.
    const isOne = options.capacities === 'declared' && declared > 0 && !name.includes('.');
    return isOne ? places.push({ name: `room in ${name}`, initial: declared, at }) - 1 : -1;
  });
  const roomOf = new Map(
    net.queues.flatMap(({ places: own }, queue) => own.map((place) => [place, rooms[queue]!] as const)),
  );
  const location = (process: number, number: number): number => index.offsets[process]! + number;
  const queuePlaces = (queue: number): number[] =>
    net.queues[queue]!.places.map((place) => numbers[place]!).filter((place) => place >= 0);
  const fused = fusedSteps(net, meeting);
  const transitions = fused.map((together): PetriTransition => {
    const take = new Map<number, number>();
    const put = new Map<number, number>();
    const add = (place: number, by: number): void => {
      const side = by < 0 ? take : put;
      if (place >= 0) side.set(place, (side.get(place) ?? 0) + Math.abs(by));
    };
    for (const number of together) {
      const step = net.transitions[number]!;
      add(location(step.class, step.from), -1);
      add(location(step.class, step.to), 1);
      for (const { class: started, count } of step.spawns)
        add(location(started, net.classes[started]!.initial), count);
      for (const place of step.tests ?? []) {
        add(numbers[place]!, -1);
        add(numbers[place]!, 1);
      }
      for (const { place, change } of step.effect) {
        add(numbers[place]!, change);
        add(roomOf.get(place) ?? -1, -change);
      }
    }
    return {
      name: nameOf(net, together),
      take: arcs(take),
      put: arcs(put),
      at: net.transitions[together[0]!]!.at,
    };
  });
  return {
    petri: { name: options.name ?? 'net', places, transitions },
    origins: fused,
    location,
    place: (place) => numbers[place]!,
    room: (queue) => rooms[queue]!,
    queue: queuePlaces,
    groups: [
      ...processGroups(net, location),
      ...net.queues.flatMap((_, queue) =>
        rooms[queue]! < 0 ? [] : [[rooms[queue]!, ...queuePlaces(queue)].map(once)],
      ),
    ],
  };
}

const once = (place: number): readonly [number, number] => [place, 1];

const arcs = (weights: ReadonlyMap<number, number>): PetriTransition['take'] =>
  [...weights].map(([place, weight]) => ({ place, weight }));

const nameOf = (net: Net, together: readonly number[]): string =>
  together
    .map((number) => net.transitions[number]!)
    .map((step) => `${net.classes[step.class]!.name}: ${step.text}`)
    .join(' / ');

/** The rendezvous places where one sends and one receives at a time; where steps do more, the place stays, and counts offers. */
function meetingPlaces(net: Net): Set<number> {
  const isMeeting = (place: number): boolean => net.places[place]!.kind === 'rendezvous';
  const meeting = new Set([...net.places.keys()].filter(isMeeting));
  for (const { effect } of net.transitions) {
    const touched = effect.filter(({ place }) => isMeeting(place));
    if (touched.length > 1 || touched.some(({ change }) => Math.abs(change) !== 1))
      for (const { place } of touched) meeting.delete(place);
  }
  return meeting;
}

/** Each transition alone, or a sender with a receiver. */
function fusedSteps(net: Net, meeting: ReadonlySet<number>): (readonly number[])[] {
  const offers = new Map<number, { readonly sends: number[]; readonly receives: number[] }>();
  const alone: number[][] = [];
  const touch = ({ effect }: NetTransition) => effect.find(({ place }) => meeting.has(place));
  for (const [number, transition] of net.transitions.entries()) {
    const onQueue = touch(transition);
    if (onQueue === undefined) {
      alone.push([number]);
      continue;
    }
    const offer = offers.get(onQueue.place) ?? { sends: [], receives: [] };
    (onQueue.change > 0 ? offer.sends : offer.receives).push(number);
    offers.set(onQueue.place, offer);
  }
  const pairs = [...offers.values()].flatMap(({ sends, receives }) =>
    sends.flatMap((send) => receives.map((receive) => [send, receive])),
  );
  return [...alone, ...pairs];
}
