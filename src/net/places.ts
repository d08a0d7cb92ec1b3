// The places of the net: one per message type of a queue, one per value of a token variable.

import { startOf } from '../source/source.ts';
import type { System } from '../system/instantiate.ts';
import { nameOfValue } from '../system/names.ts';
import type { Message, Queue } from '../system/queues.ts';
import { messageKey } from '../system/queues.ts';
import type { NetQueue, Place } from './net.ts';
import { messageText } from './text.ts';

export interface Places {
  readonly all: readonly Place[];
  readonly queues: readonly NetQueue[];
  /** Index in `queues` per system queue. */
  readonly queueIndex: ReadonlyMap<Queue, number>;
  message(queue: Queue, message: Message): number;
  token(cell: number, value: number): number;
  /** The same where there may be none: messages and values that no step of the net has to do with. */
  known(queue: Queue, message: Message): number | undefined;
  knownToken(cell: number, value: number): number | undefined;
  /** The place for the free room of a queue that is only sent to behind guards on its length. */
  room(queue: Queue): number | undefined;
}

export function placesOf(system: System): Places {
  const { world, graphs, program } = system;
  const all: Place[] = [];
  const numbers = new Map<string, number>();
  const perQueue = new Map<Queue, number[]>();
  for (const { steps } of graphs) {
    for (const { effects } of steps) {
      for (const { queue, message } of effects) {
        const key = messageNumber(queue, message);
        if (numbers.has(key)) continue;
        numbers.set(key, all.length);
        perQueue.set(queue, [...(perQueue.get(queue) ?? []), all.length]);
        const name = `${queue.name}(${messageText(program, queue, message, world.queues.all)})`;
        const kind = queue.capacity === 0 ? 'rendezvous' : 'message';
        all.push({ name, kind, initial: 0, storage: queue.storage });
      }
    }
  }
  addTokens(system, all, numbers);
  const rooms = addRooms(system, all);
  const shown = queuesInOrder(system);
  return {
    all,
    queues: shown.map((queue) => netQueue(queue, perQueue.get(queue) ?? [])),
    queueIndex: new Map(shown.map((queue, index) => [queue, index])),
    message: (queue, message) => find(numbers, messageNumber(queue, message)),
    token: (cell, value) => find(numbers, tokenNumber(cell, value)),
    known: (queue, message) => numbers.get(messageNumber(queue, message)),
    knownToken: (cell, value) => numbers.get(tokenNumber(cell, value)),
    room: (queue) => rooms.get(queue),
  };
}

const messageNumber = (queue: Queue, message: Message): string => `${queue.id}:${messageKey(message)}`;
const tokenNumber = (cell: number, value: number): string => `token ${cell}=${value}`;

function find(numbers: ReadonlyMap<string, number>, key: string): number {
  const found = numbers.get(key);
  if (found === undefined) throw new Error(`impossible: no place for ${key}`);
  return found;
}

function netQueue(queue: Queue, places: readonly number[]): NetQueue {
  return { name: queue.name, places, declared: queue.capacity, at: startOf(queue.site.span) };
}

function addTokens({ world, graphs, program }: System, all: Place[], numbers: Map<string, number>): void {
  const moved = new Set(
    graphs.flatMap(({ steps }) => steps.flatMap(({ moves }) => moves.map(({ cell }) => cell))),
  );
  for (const cell of moved) {
    const { name, type } = world.layout.cell(cell);
    const initial = world.initialValue(cell, null);
    for (const value of world.store.peek(cell, graphs[0]!.process) ?? []) {
      numbers.set(tokenNumber(cell, value), all.length);
      const shown = `${name}=${nameOfValue(program, type, value, world.queues.all)}`;
      all.push({ name: shown, kind: 'token', initial: value === initial ? 1 : 0 });
    }
  }
}

/** Such a queue never holds more than the greatest length reached behind a guard: messages and free room add up to it. */
function addRooms({ graphs }: System, all: Place[]): Map<Queue, number> {
  const most = new Map<Queue, number>();
  for (const { steps } of graphs) {
    for (const { reached } of steps)
      for (const [queue, length] of reached) most.set(queue, Math.max(length, most.get(queue) ?? 0));
  }
  const rooms = new Map<Queue, number>();
  for (const [queue, length] of most) {
    if (!Number.isFinite(length) || queue.capacity === 0) continue;
    rooms.set(queue, all.length);
    all.push({ name: `room in ${queue.name}`, kind: 'token', initial: length });
  }
  return rooms;
}

/** Every channel of the model: the global ones as declared, then those of the classes that exist; used or not. */
function queuesInOrder({ world, graphs, program }: System): Queue[] {
  const { layout } = world;
  const found = new Set<Queue>();
  const add = (variable: number, process: (typeof graphs)[number]['process'] | null): void => {
    const first = layout.base[variable]!;
    for (let cell = first; cell < first + layout.size[variable]!; cell++) {
      if (layout.cell(cell).initial?.kind !== 'channel') continue;
      found.add(world.queueAt(cell, process));
    }
  };
  for (const variable of program.globals) if (mayHoldChannels(program, variable)) add(variable, null);
  for (const { process } of graphs)
    for (const variable of process.proctype.locals)
      if (mayHoldChannels(program, variable)) add(variable, process);
  return [...found];
}

const mayHoldChannels = ({ variables }: System['program'], variable: number): boolean =>
  variables[variable]!.type.kind === 'chan' || variables[variable]!.type.kind === 'struct';
