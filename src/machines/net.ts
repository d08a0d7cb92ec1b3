// Communicating machines as a counting abstraction: what is left when queues are counts of messages. The order of messages is seen only
// where order.ts sees it.

import type { Net } from '../net/net.ts';
import { pruneByOrder } from '../net/order.ts';
import { type MachineSystem, moveText } from './system.ts';

export function netOf(system: MachineSystem): Net {
  const offsets: number[] = [];
  const places = system.channels.flatMap(({ name, messages }, channel) => {
    offsets[channel] = system.channels.slice(0, channel).reduce((sum, one) => sum + one.messages.length, 0);
    return messages.map((message) => ({ name: `${name}(${message})`, kind: 'message' as const, initial: 0 }));
  });
  const net: Net = {
    classes: system.machines.map(({ name, states, initial }, proctype) => ({
      name,
      locations: states.map(({ name: state, at }, origin) => ({ name: state, origin, values: [], at })),
      initial,
      instances: 1,
      proctype,
    })),
    places,
    queues: system.channels.map(({ name, messages }, channel) => ({
      name,
      places: messages.map((_, message) => offsets[channel]! + message),
      declared: 1,
      at: null,
    })),
    transitions: system.machines.flatMap(({ moves }, number) =>
      moves.map((move, index) => ({
        class: number,
        from: move.from,
        to: move.to,
        effect:
          move.kind === 'own'
            ? []
            : [{ place: offsets[move.channel]! + move.message, change: move.kind === 'send' ? 1 : -1 }],
        spawns: [],
        progress: false,
        text: moveText(system, move),
        at: move.at,
        origin: [index],
      })),
    ),
  };
  return pruneByOrder(net, () => true).net;
}
