// When a machine can move for certain, for the linear question about deadlock (net/dead.ts).

import type { LocationOffers, NetOffer } from '../net/dead.ts';
import { type MachineSystem, movesAt } from './system.ts';

export function machineOffers(system: MachineSystem): LocationOffers[][] {
  const leaving = movesAt(system);
  const offsets: number[] = [];
  let places = 0;
  for (const { messages } of system.channels) {
    offsets.push(places);
    places += messages.length;
  }
  return system.machines.map(({ states, moves }, machine) =>
    states.map((_, state) => {
      const here = leaving[machine]![state]!.map((number) => moves[number]!);
      const receives = new Map<number, number[]>();
      for (const { kind, channel, message } of here)
        if (kind === 'receive')
          receives.set(channel, [...(receives.get(channel) ?? []), offsets[channel]! + message]);
      const offers: NetOffer[] = here.some(({ kind }) => kind !== 'receive')
        ? [{ kind: 'free' }]
        : [...receives].map(([queue, accepted]) => ({ kind: 'receive', queue, accepted, random: false }));
      return { offers, mayEnd: here.length === 0 };
    }),
  );
}
