// A net as a graph for pictures: places and transitions are nodes, arcs are edges.

import type { ControlGraph } from '../verdict/verdict.ts';
import { initialMarking, type PetriNet } from './net.ts';

export function drawNet({ name, places, transitions }: PetriNet): ControlGraph {
  const step = (number: number): number => places.length + number;
  const label = (weight: number): string => (weight === 1 ? '' : String(weight));
  return {
    name,
    initial: places.flatMap(({ initial }, place) => (initial > 0 ? [place] : [])),
    locations: [
      ...places.map((place, id) => ({
        id,
        label: place.initial === 0 ? place.name : `${place.name}: ${place.initial}`,
        ...(place.at === null ? {} : { at: place.at }),
      })),
      ...transitions.map((transition, number) => ({
        id: step(number),
        label: `▮ ${transition.name}`,
        ...(transition.at === null ? {} : { at: transition.at }),
      })),
    ],
    edges: transitions.flatMap(({ take, put }, number) => [
      ...take.map(({ place, weight }) => ({ from: place, to: step(number), label: label(weight) })),
      ...put.map(({ place, weight }) => ({ from: step(number), to: place, label: label(weight) })),
    ]),
  };
}

/** The net with an invariant on it: the places that weigh something are filled, and say how much. No transition raises the weighted sum. */
export function drawInvariant(net: PetriNet, property: string, weights: readonly bigint[]): ControlGraph {
  const plain = drawNet(net);
  const heavy = net.places.flatMap(({ name }, place) =>
    weights[place] === 0n ? [] : [{ name, place, weight: weights[place]! }],
  );
  const sum = heavy.map(({ name, weight }) => (weight === 1n ? name : `${weight}·${name}`)).join(' + ');
  const start = initialMarking(net).reduce(
    (total, count, place) => total + weights[place]! * BigInt(count),
    0n,
  );
  return {
    ...plain,
    property,
    name: `${sum} ≤ ${start}`,
    legend: 'no transition raises this sum: places that count are filled, with their weights',
    locations: plain.locations.map((location) => {
      const counts = heavy.find(({ place }) => place === location.id);
      return counts === undefined
        ? location
        : { ...location, label: `${location.label}  ×${counts.weight}`, progress: true };
    }),
  };
}
