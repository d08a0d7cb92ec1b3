// A net as a graph for pictures: places and transitions are nodes, arcs are edges.

import type { ControlGraph } from '../verdict/verdict.ts';
import type { PetriNet } from './net.ts';

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
