// A net in the notation of MIST and QCover (see read-spec.ts).

import type { NetModel } from './model.ts';

export function writeSpec({ net, targets, parameters }: NetModel): string {
  const names = uniqueWords(net.places.map(({ name }) => name));
  const rules = net.transitions.flatMap(({ take, put, arrival }) => {
    if (arrival === true && take.length === 0) return [];
    const change = new Map<number, number>();
    for (const { place, weight } of take) change.set(place, (change.get(place) ?? 0) - weight);
    for (const { place, weight } of put) change.set(place, (change.get(place) ?? 0) + weight);
    const needs = take.map(({ place, weight }) => `${names[place]} >= ${weight}`).join(', ') || 'true';
    const changes = [...change]
      .filter(([, by]) => by !== 0)
      .map(([place, by]) => `${names[place]}' = ${names[place]} ${by < 0 ? '-' : '+'} ${Math.abs(by)}`);
    return [`${needs} -> ${changes.join(', ')};`];
  });
  const initial = net.places.map(
    ({ initial: count }, place) => `${names[place]} ${parameters.has(place) ? '>=' : '='} ${count}`,
  );
  const wanted = targets.map(({ marking }) =>
    marking.flatMap((count, place) => (count > 0 ? [`${names[place]} >= ${count}`] : [])).join(', '),
  );
  return [
    'vars',
    `  ${names.join(' ')}`,
    'rules',
    ...rules.map((rule) => `  ${rule}`),
    'init',
    `  ${initial.join(', ')}`,
    ...(wanted.length === 0
      ? []
      : ['target', ...wanted.filter((line) => line !== '').map((line) => `  ${line}`)]),
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
