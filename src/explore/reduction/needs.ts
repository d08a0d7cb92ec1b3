// What a step that is not possible waits for: uses of resources by others (or by itself, elsewhere) of which one must come first. Any set
// with that property will do for stubborn sets (a *necessary enabling set*), so one reason suffices where several are missing.

import type { Edge, Proctype } from '../../process/program.ts';
import { Constants, type Facts, type Instance } from './constants.ts';
import { Writer } from './footprint.ts';
import { waitsForTimeout } from './forms.ts';
import { CHANNEL } from './resources.ts';
import { Uses } from './uses.ts';

export interface Need {
  /** By index: a resource, and the modes of use that can help. */
  readonly resources: Int32Array;
  readonly helpful: Uint16Array;
  /** The process itself can help by going elsewhere and coming back. */
  readonly ownMoves: boolean;
  /** Anything may help. */
  readonly anything: boolean;
}

export interface Needs {
  /** Of a receive from a channel known for good: its number, for then its length decides between the two; else 0. */
  readonly channel: number;
  readonly whenEmpty: Need;
  readonly otherwise: Need;
}

/** `else`, the end of a process and edges behind `unless` wait for other things: see stubborn.ts. */
export function needsOf(facts: Facts, proctype: Proctype, instance: Instance | null, edge: Edge): Needs {
  const { statement } = edge;
  const collect = (situation: Situation): Need => needIn(facts, proctype, instance, edge, situation);
  if (statement.kind !== 'receive') {
    const need = collect('any');
    return { channel: 0, whenEmpty: need, otherwise: need };
  }
  const exact = new Constants(facts, proctype, instance).exactNumbers(statement.channel);
  if (exact === null || exact.length !== 1) {
    const need = collect('any');
    return { channel: 0, whenEmpty: need, otherwise: need };
  }
  return { channel: exact[0]!, whenEmpty: collect('empty'), otherwise: collect('not empty') };
}

type Situation = 'empty' | 'not empty' | 'any';

const SENDS = CHANNEL.send | CHANNEL.sortedSend;

function needIn(
  facts: Facts,
  proctype: Proctype,
  instance: Instance | null,
  { statement }: Edge,
  situation: Situation,
): Need {
  const guard = new Writer(facts, proctype, instance);
  const channels = new Uses(facts, new Constants(facts, proctype, instance));
  if (proctype.provided !== null) guard.reads(proctype.provided);
  switch (statement.kind) {
    case 'condition':
      // A timeout comes when nothing moves: not before a step of the set, which stays possible.
      if (!waitsForTimeout(statement.expression)) guard.reads(statement.expression);
      break;
    case 'send':
      guard.reading(statement.channel);
      channels.channel(statement.channel, (capacity) =>
        capacity > 0 ? CHANNEL.receive : CHANNEL.rendezvous,
      );
      if (handshakes(channels)) for (const argument of statement.args) guard.reads(argument);
      break;
    case 'receive': {
      guard.reading(statement.channel);
      const buffered = helpfulForReceive(statement.random, situation);
      channels.channel(statement.channel, (capacity) => (capacity > 0 ? buffered : CHANNEL.rendezvous));
      if (situation !== 'empty' || handshakes(channels))
        for (const argument of statement.args) guard.argument(argument, false);
      break;
    }
    default:
      guard.tests(statement);
      if (statement.kind === 'dstep') guard.footprint.readsOwn = true;
  }
  return merged(facts, guard, channels);
}

function helpfulForReceive(random: boolean, situation: Situation): number {
  if (situation === 'empty') return SENDS;
  // A message in front that does not match must go first, or another be sorted in before it; `??` looks behind it.
  if (situation === 'not empty') return random ? SENDS : CHANNEL.receive | CHANNEL.sortedSend;
  return SENDS | CHANNEL.receive;
}

const handshakes = ({ footprint }: Uses): boolean =>
  [...footprint.modes.values()].some((modes) => (modes & CHANNEL.rendezvous) !== 0);

function merged({ resources }: Facts, guard: Writer, channels: Uses): Need {
  const helpful = new Map<number, number>();
  const add = (resource: number, modes: number): void => {
    helpful.set(resource, (helpful.get(resource) ?? 0) | modes);
  };
  for (const [resource, modes] of guard.footprint.modes) add(resource, resources.conflicts(resource, modes));
  for (const [resource, modes] of channels.footprint.modes) add(resource, modes & ~CHANNEL.unsure);
  const { footprint } = guard;
  return {
    resources: Int32Array.from(helpful.keys()),
    helpful: Uint16Array.from(helpful.values()),
    ownMoves: footprint.readsOwn,
    anything: footprint.everything || footprint.unsure || channels.footprint.unsure,
  };
}
