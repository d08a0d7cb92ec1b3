// What can be asked of a net: `bounded`, `deadlock-free`, and `cover:NAME` for the targets of the file and for every place.

import type { Sum } from '../../petri/document.ts';
import type { NetModel, Target } from '../../petri/model.ts';
import { unknownProperty } from '../requests.ts';

export function netQuestions(model: NetModel, asked: readonly string[]) {
  const stated = ['bounded', 'deadlock-free', ...model.targets.map(({ name }) => `cover:${name}`)];
  const isKnown = (property: string): boolean =>
    stated.includes(property) || targetOf(model, property) !== null;
  const known = [...stated, ...model.net.places.map(({ name }) => `cover:${name}`)];
  return {
    properties: asked.length > 0 ? [...new Set(asked)] : stated,
    diagnostics: asked
      .filter((property) => !isKnown(property))
      .map((property) => unknownProperty(property, known)),
  };
}

/** What `cover:NAME` asks for; null for other properties, and for names that are none. */
export function targetOf({ net, targets }: NetModel, property: string): Target | null {
  if (!property.startsWith('cover:')) return null;
  const name = property.slice('cover:'.length);
  const stated = targets.find((target) => target.name === name);
  if (stated !== undefined) return stated;
  const place = net.places.findIndex((one) => one.name === name);
  return place < 0
    ? null
    : { name, marking: net.places.map((_, index) => (index === place ? 1 : 0)), span: null };
}

/** Each place that does not begin with any number of tokens. */
export const placeSums = ({ net, parameters }: NetModel): Sum[] =>
  net.places.flatMap(({ name }, place) => (parameters.has(place) ? [] : [{ name, places: [place] }]));
