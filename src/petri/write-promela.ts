// A net as a Promela model, for SPIN: a counter for each place, one process that fires transitions.

import type { NetModel } from './model.ts';
import { uniqueWords } from './write-spec.ts';

const KEYWORDS: readonly string[] =
  'active assert atomic bit bool break byte chan d_step do else empty enabled end eval false fi full goto hidden if init inline int len mtype nempty never nfull od of pc_value printf proctype provided run short show skip timeout true typedef unless unsigned xr xs net'.split(
    ' ',
  );

export function writePromela({ net, targets }: NetModel): string {
  const names = uniqueWords(
    net.places.map(({ name }) => name),
    KEYWORDS,
  );
  const steps = net.transitions.map(({ name, take, put }) => {
    const guard = take.map(({ place, weight }) => `${names[place]} >= ${weight}`).join(' && ') || 'true';
    const change = new Map<number, number>();
    for (const { place, weight } of take) change.set(place, (change.get(place) ?? 0) - weight);
    for (const { place, weight } of put) change.set(place, (change.get(place) ?? 0) + weight);
    const moves = [...change]
      .filter(([, by]) => by !== 0)
      .map(([place, by]) => `${names[place]} = ${names[place]} ${by < 0 ? '-' : '+'} ${Math.abs(by)}`);
    return `  :: d_step { ${[guard, ...moves].join('; ').replace('; ', ' -> ')} }  /* ${name.replaceAll('*/', '* /')} */`;
  });
  const claims = targets.map(({ name, marking }) => {
    const covered = marking
      .flatMap((count, place) => (count > 0 ? [`${names[place]} >= ${count}`] : []))
      .join(' && ');
    return `ltl ${name} { [] !(${covered || 'true'}) }`;
  });
  return [
    ...net.places.map(({ initial }, place) => `int ${names[place]} = ${initial};`),
    'active proctype net() {',
    '  do',
    ...(steps.length === 0 ? ['  :: false'] : steps),
    '  od',
    '}',
    ...claims,
    '',
  ].join('\n');
}
