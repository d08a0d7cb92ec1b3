// The net as a place/transition net in PNML (ISO/IEC 15909-2), for the tools of that field.
//
// Locations become places that count the processes standing there; message types and token values are places already. A rendezvous is
// one transition for each pair of a sender and a receiver of the same type, as both move at once.

import type { Net, NetTransition } from './net.ts';

const NAMESPACE = 'http://www.pnml.org/version-2009/grammar/pnml';
const TYPE = 'http://www.pnml.org/version-2009/grammar/ptnet';

export function toPnml(net: Net, name: string): string {
  const places = [...locationPlaces(net), ...countPlaces(net)];
  const transitions = fire(net);
  const arcs = transitions.flatMap(({ id, change }) =>
    [...change].flatMap(([place, { take, put }]) => [
      ...(take > 0 ? [arc(place, id, take)] : []),
      ...(put > 0 ? [arc(id, place, put)] : []),
    ]),
  );
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<pnml xmlns="${NAMESPACE}">`,
    `<net id="net" type="${TYPE}">`,
    `<name>${text(name)}</name>`,
    '<page id="page">',
    ...places,
    ...transitions.map(({ id, label }) => `<transition id="${id}"><name>${text(label)}</name></transition>`),
    ...arcs.map((line, index) => line.replace('<arc', `<arc id="a${index}"`)),
    '</page>',
    '</net>',
    '</pnml>',
    '',
  ].join('\n');
}

const locationId = (process: number, location: number): string => `l${process}_${location}`;
const placeId = (place: number): string => `p${place}`;

function locationPlaces(net: Net): string[] {
  return net.classes.flatMap((process, index) =>
    process.locations.map((location, number) => {
      const marking = number === process.initial ? process.instances : 0;
      return placeElement(locationId(index, number), `${process.name}@${location.name}`, marking);
    }),
  );
}

function countPlaces(net: Net): string[] {
  return net.places.flatMap((place, index) =>
    place.kind === 'rendezvous' ? [] : [placeElement(placeId(index), place.name, place.initial)],
  );
}

interface Firing {
  readonly id: string;
  readonly label: string;
  readonly change: ReadonlyMap<string, { take: number; put: number }>;
}

function fire(net: Net): Firing[] {
  const offers = new Map<number, { readonly sends: number[]; readonly receives: number[] }>();
  const alone: number[] = [];
  for (const [index, transition] of net.transitions.entries()) {
    const meeting = transition.effect.find(({ place }) => net.places[place]!.kind === 'rendezvous');
    if (meeting === undefined) alone.push(index);
    else {
      const offer = offers.get(meeting.place) ?? { sends: [], receives: [] };
      (meeting.change > 0 ? offer.sends : offer.receives).push(index);
      offers.set(meeting.place, offer);
    }
  }
  const pairs = [...offers.values()].flatMap(({ sends, receives }) =>
    sends.flatMap((send) => receives.map((receive) => [send, receive])),
  );
  return [...alone.map((index) => [index]), ...pairs].map((together) => {
    const moved = together.map((index) => net.transitions[index]!);
    return {
      id: `t${together.join('_')}`,
      label: moved.map((one) => `${net.classes[one.class]!.name}: ${one.text}`).join(' / '),
      change: changesOf(net, moved),
    };
  });
}

function changesOf(net: Net, moved: readonly NetTransition[]): Map<string, { take: number; put: number }> {
  const change = new Map<string, { take: number; put: number }>();
  const add = (place: string, by: number): void => {
    const entry = change.get(place) ?? { take: 0, put: 0 };
    if (by < 0) entry.take -= by;
    else entry.put += by;
    change.set(place, entry);
  };
  for (const transition of moved) {
    add(locationId(transition.class, transition.from), -1);
    add(locationId(transition.class, transition.to), 1);
    for (const { place, change: by } of transition.effect)
      if (net.places[place]!.kind !== 'rendezvous') add(placeId(place), by);
    for (const { class: started, count } of transition.spawns)
      add(locationId(started, net.classes[started]!.initial), count);
  }
  return change;
}

function placeElement(id: string, name: string, marking: number): string {
  const initial = marking > 0 ? `<initialMarking><text>${marking}</text></initialMarking>` : '';
  return `<place id="${id}"><name>${text(name)}</name>${initial}</place>`;
}

function arc(source: string, target: string, weight: number): string {
  const inscription = weight > 1 ? `<inscription><text>${weight}</text></inscription>` : '';
  return `<arc source="${source}" target="${target}">${inscription}</arc>`;
}

const text = (value: string): string => `<text>${escapeXml(value)}</text>`;

const escapeXml = (value: string): string =>
  value.replace(/[&<>"]/g, (character) => ENTITIES[character] ?? character);

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
