// Communicating finite state machines: each pair of machines has a queue in each direction, first in, first out, without limit (Brand and
// Zafiropulo). A machine is in a state; it sends, receives, or does something of its own.

import type { Position } from '../source/source.ts';

export interface MachineSystem {
  readonly name: string;
  readonly machines: readonly FiniteMachine[];
  /** The queues that some machine uses. */
  readonly channels: readonly Channel[];
}

export interface FiniteMachine {
  readonly name: string;
  readonly states: readonly { readonly name: string; readonly at: Position | null }[];
  readonly initial: number;
  readonly moves: readonly Move[];
}

export interface Channel {
  readonly from: number;
  readonly to: number;
  /** `A→B`. */
  readonly name: string;
  /** The messages that are sent to it or expected from it. */
  readonly messages: readonly string[];
}

export interface Move {
  readonly from: number;
  readonly to: number;
  readonly kind: 'send' | 'receive' | 'own';
  /** −1 for a step of its own. */
  readonly channel: number;
  readonly message: number;
  readonly at: Position | null;
}

/** A move before channels have numbers. */
export interface NamedMove {
  readonly from: number;
  readonly to: number;
  readonly action: {
    readonly kind: 'send' | 'receive';
    readonly partner: number;
    readonly message: string;
  } | null;
  readonly at: Position | null;
}

export function buildSystem(
  name: string,
  machines: readonly (Omit<FiniteMachine, 'moves'> & { readonly moves: readonly NamedMove[] })[],
): MachineSystem {
  const channels: { from: number; to: number; name: string; messages: string[] }[] = [];
  const numbers = new Map<string, number>();
  const channelOf = (from: number, to: number): number => {
    const key = `${from} ${to}`;
    const known = numbers.get(key);
    if (known !== undefined) return known;
    numbers.set(key, channels.length);
    channels.push({ from, to, name: `${machines[from]!.name}→${machines[to]!.name}`, messages: [] });
    return channels.length - 1;
  };
  const messageOf = (channel: number, text: string): number => {
    const { messages } = channels[channel]!;
    const known = messages.indexOf(text);
    return known >= 0 ? known : messages.push(text) - 1;
  };
  const built = machines.map(
    (machine, self): FiniteMachine => ({
      ...machine,
      moves: machine.moves.map(({ from, to, action, at }): Move => {
        if (action === null) return { from, to, kind: 'own', channel: -1, message: -1, at };
        const { kind, partner, message } = action;
        const channel = kind === 'send' ? channelOf(self, partner) : channelOf(partner, self);
        return { from, to, kind, channel, message: messageOf(channel, message), at };
      }),
    }),
  );
  return { name, machines: built, channels };
}

/** `A→B!hello`. */
export function moveText({ channels }: MachineSystem, { kind, channel, message }: Move): string {
  if (kind === 'own') return 'a step of its own';
  const { name, messages } = channels[channel]!;
  return `${name}${kind === 'send' ? '!' : '?'}${messages[message]}`;
}

/** Per machine and state: the moves from there, by number. */
export const movesAt = ({ machines }: MachineSystem): number[][][] =>
  machines.map(({ states, moves }) => {
    const leaving: number[][] = states.map(() => []);
    for (const [number, { from }] of moves.entries()) leaving[from]!.push(number);
    return leaving;
  });

/** What the literature asks of the shape: deterministic, no state that both sends and receives, every state with one partner only. */
export function shapeOf(system: MachineSystem): {
  readonly deterministic: boolean;
  readonly mixed: boolean;
  readonly directed: boolean;
} {
  let deterministic = true;
  let mixed = false;
  let directed = true;
  const leaving = movesAt(system);
  for (const [number, { moves }] of system.machines.entries())
    for (const here of leaving[number]!) {
      const all = here.map((move) => moves[move]!);
      if (all.some(({ kind }) => kind === 'own')) deterministic = false;
      if (new Set(all.map(({ kind, channel, message }) => `${kind} ${channel} ${message}`)).size < all.length)
        deterministic = false;
      if (new Set(all.map(({ kind }) => kind)).size > 1) mixed = true;
      if (new Set(all.map(({ kind, channel }) => `${kind} ${channel}`)).size > 1) directed = false;
    }
  return { deterministic, mixed, directed };
}
