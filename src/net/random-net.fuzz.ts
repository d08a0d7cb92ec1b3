// Random small nets for property tests: queues, rendezvous, a shared variable, processes that start processes. Shrinks well.

import type { Arbitrary, default as FastCheck } from 'fast-check';
import type { Net } from './net.ts';

export interface RandomNetOptions {
  readonly spawns?: boolean;
  readonly rendezvous?: boolean;
}

export function randomNets(fc: typeof FastCheck, options: RandomNetOptions = {}): Arbitrary<Net> {
  const messages = 3;
  const rendezvous = options.rendezvous === false ? 0 : 1;
  const places = messages + rendezvous + 2;
  const effect = fc.array(fc.tuple(fc.nat(messages + rendezvous - 1), fc.integer({ min: -2, max: 2 })), {
    maxLength: 2,
  });
  const transition = fc.record({
    from: fc.nat(3),
    to: fc.nat(3),
    effect,
    token: fc.constantFrom(0, 0, 0, 1, -1),
    spawn: options.spawns === false ? fc.constant(null) : fc.option(fc.nat(2), { nil: null, freq: 8 }),
    progress: fc.boolean(),
  });
  const processes = fc.array(
    fc.record({ instances: fc.nat(2), transitions: fc.array(transition, { maxLength: 6 }) }),
    { minLength: 1, maxLength: 3 },
  );
  return processes.map((list): Net => {
    const kinds = [
      ...Array.from({ length: messages }, () => 'message' as const),
      ...Array.from({ length: rendezvous }, () => 'rendezvous' as const),
    ];
    return {
      classes: list.map(({ instances }, index) => ({
        name: `p${index}`,
        locations: Array.from({ length: 4 }, (_, origin) => ({
          name: `${origin}`,
          origin,
          values: [],
          at: null,
        })),
        initial: 0,
        instances,
        proctype: index,
      })),
      places: [
        ...kinds.map((kind, index) => ({ name: `m${index}`, kind, initial: 0 })),
        { name: 'off', kind: 'token', initial: 1 },
        { name: 'on', kind: 'token', initial: 0 },
      ],
      queues: [
        { name: 'q0', places: [0, 1], declared: 2, at: null },
        { name: 'q1', places: [2], declared: 2, at: null },
      ],
      transitions: list.flatMap(({ transitions }, index) =>
        transitions.map((item, number) => ({
          class: index,
          from: item.from,
          to: item.to,
          effect: effectOf(item.effect, item.token, places),
          spawns: item.spawn === null || item.spawn >= list.length ? [] : [{ class: item.spawn, count: 1 }],
          progress: item.progress,
          text: `${item.from} -> ${item.to}`,
          at: null,
          origin: [number],
        })),
      ),
    };
  });
}

function effectOf(pairs: readonly (readonly [number, number])[], token: number, places: number) {
  const sums = new Map<number, number>();
  for (const [place, change] of pairs) sums.set(place, (sums.get(place) ?? 0) + change);
  if (token !== 0) sums.set(places - 2, -token).set(places - 1, token);
  return [...sums].filter(([, change]) => change !== 0).map(([place, change]) => ({ place, change }));
}
