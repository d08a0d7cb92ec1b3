// Queues that look alike: a few rounds of colour refinement over places, locations and transitions. Only a guess at where
// a linear program of its own is worth its time for one of very many queues; no proof rests on it.

import { digestText } from '../base/digest.ts';
import type { Net } from '../net/net.ts';

const ROUNDS = 4;

/** One word per queue; queues with the same word look alike up to a few steps away. Starts of processes are not looked at. */
export function queueKinds(net: Net): string[] {
  let places = net.places.map(({ kind, initial }) => `${kind} ${initial}`);
  let locations: string[][] = net.classes.map((netClass) =>
    netClass.locations.map((_, location) => (location === netClass.initial ? 'initial' : '')),
  );
  const touching: { readonly transition: number; readonly change: number }[][] = net.places.map(() => []);
  const leaving: number[][][] = net.classes.map(({ locations: all }) => all.map(() => []));
  net.transitions.forEach((transition, index) => {
    for (const { place, change } of transition.effect) touching[place]!.push({ transition: index, change });
    leaving[transition.class]![transition.from]!.push(index);
  });
  for (let round = 0; round < ROUNDS; round++) {
    const steps = net.transitions.map((transition) => {
      const effect = transition.effect.map(({ place, change }) => `${change}${places[place]}`).sort();
      const inside = locations[transition.class]!;
      return digestText(`${inside[transition.from]} ${inside[transition.to]} ${effect.join(' ')}`);
    });
    const joined = (words: readonly string[]): string => digestText([...words].sort().join(' '));
    places = places.map(
      (colour, place) =>
        colour + joined(touching[place]!.map(({ transition, change }) => `${change}${steps[transition]}`)),
    );
    places = places.map(digestText);
    locations = locations.map((inside, netClass) =>
      inside.map((colour, location) =>
        digestText(colour + joined(leaving[netClass]![location]!.map((index) => steps[index]!))),
      ),
    );
  }
  return net.queues.map((queue) =>
    digestText(
      queue.places
        .map((place) => places[place]!)
        .sort()
        .join(' '),
    ),
  );
}
