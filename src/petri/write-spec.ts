// A net in the notation of MIST and QCover (see read-spec.ts).

import type { NetModel } from './model.ts';

export function writeSpec({ net, targets, parameters }: NetModel): string {
  const names = uniqueWords(net.places.map(({ name }) => name));
  // Where a place begins with one of several numbers: the place that holds the rest, which the notation does not need.
  const rest = new Map<number, number>();
  for (const { take, put, arrival } of net.transitions)
    if (arrival === true && take.length > 0) rest.set(put[0]!.place, take[0]!.place);
  const hidden = new Set(rest.values());
  const rules = net.transitions.flatMap(({ take, put, arrival }) => {
    if (arrival === true) return [];
    const change = new Map<number, number>();
    for (const { place, weight } of take) change.set(place, (change.get(place) ?? 0) - weight);
    for (const { place, weight } of put) change.set(place, (change.get(place) ?? 0) + weight);
    const needs = take.map(({ place, weight }) => `${names[place]} >= ${weight}`).join(', ') || 'true';
    const changes = [...change]
      .filter(([, by]) => by !== 0)
      .map(([place, by]) => `${names[place]}' = ${names[place]} ${by < 0 ? '-' : '+'} ${Math.abs(by)}`);
    return [`${needs} -> ${changes.join(', ')};`];
  });
  const initial = net.places.flatMap(({ initial: count }, place) => {
    if (hidden.has(place)) return [];
    const more = rest.get(place);
    if (more !== undefined) return [`${names[place]} in [${count}, ${count + net.places[more]!.initial}]`];
    return [`${names[place]} ${parameters.has(place) ? '>=' : '='} ${count}`];
  });
  // A target that asks for nothing stays, or the ones behind it would get other numbers.
  const wanted = targets.map(
    ({ marking }) =>
      marking.flatMap((count, place) => (count > 0 ? [`${names[place]} >= ${count}`] : [])).join(', ') ||
      `${names[0]} >= 0`,
  );
  return [
    'vars',
    `  ${names.filter((_, place) => !hidden.has(place)).join(' ')}`,
    'rules',
    ...rules.map((rule) => `  ${rule}`),
    'init',
    `  ${initial.join(', ')}`,
    ...(wanted.length === 0 ? [] : ['target', ...wanted.map((line) => `  ${line}`)]),
    '',
  ].join('\n');
}

const RESERVED: readonly string[] = ['vars', 'rules', 'init', 'target', 'invariants', 'true', 'in'];

/** Each name as a word of its own. */
export function uniqueWords(names: readonly string[], reserved: readonly string[] = RESERVED): string[] {
  const used = new Set<string>(reserved);
  return names.map((name) => {
    const word =
      name
        .replace(/\W+/g, '_')
        .replace(/^(?=\d)/, '_')
        .replace(/_$/, '') || 'p';
    let unique = word;
    for (let number = 2; used.has(unique); number++) unique = `${word}_${number}`;
    used.add(unique);
    return unique;
  });
}
