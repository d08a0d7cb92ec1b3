// What the order of messages rules out, before anything is counted.
//
// A first-in first-out queue that one process fills and one other process empties hands over a prefix of what was sent. So the
// receiver can only go where, step by step, its next receive matches the sender's next send: the synchronous product of the two, in
// which a send and the receive of that message happen together and everything else is free. Receives that never happen there are removed,
// and with them what can no longer be reached or received; then again, because less is sent now. ([IBOC] Fig. 11: the first message is a b,
// the receiver waits for an a, and the queue of 13 by counting has at most 7.)
//
// Soundness duty: only transitions that no run takes are removed. It needs queues without `??` and `!!`, and one channel per queue; the
// caller says which.

import { digraph, reachable } from '../graph/digraph.ts';
import { instanceLimits } from './acyclic.ts';
import { classGraphs, cyclicTransitions, growingClasses } from './cycles.ts';
import type { Net } from './net.ts';

export interface Pruned {
  readonly net: Net;
  /** Per transition that is left: its number before. */
  readonly kept: readonly number[];
}

const MAX_PAIRS = 200_000;

/** `isFifo`: the queue is one channel, and all its receives take the oldest message. */
export function pruneByOrder(net: Net, isFifo: (queue: number) => boolean): Pruned {
  const everything = { net, kept: [...net.transitions.keys()] };
  const candidates = candidatesIn(net, isFifo);
  if (candidates.length === 0) return everything;
  let possible: ReadonlySet<number> = new Set(everything.kept);
  for (let before = -1; before !== possible.size; ) {
    before = possible.size;
    possible = withoutUnreachable(net, possible);
    const leaving = byLocation(net, possible);
    const impossible = new Set<number>();
    for (const candidate of candidates) {
      const taken = synchronous(net, candidate, leaving);
      if (taken === null) continue;
      for (const steps of leaving[candidate.receiver]!.values())
        for (const step of steps) if (!taken.has(step)) impossible.add(step);
    }
    if (impossible.size > 0) possible = new Set([...possible].filter((number) => !impossible.has(number)));
  }
  if (possible.size === net.transitions.length) return everything;
  const kept = everything.kept.filter((number) => possible.has(number));
  return { net: { ...net, transitions: kept.map((number) => net.transitions[number]!) }, kept };
}

/** A queue with one instance that fills it and one other that empties it, one message at a time. */
interface Candidate {
  readonly sender: number;
  readonly receiver: number;
  /** Transition → the place it puts a message into or takes one from. */
  readonly touching: ReadonlyMap<number, number>;
}

function candidatesIn(net: Net, isFifo: (queue: number) => boolean): Candidate[] {
  const queueOf = new Map<number, number>();
  net.queues.forEach(({ places }, queue) => {
    for (const place of places) queueOf.set(place, queue);
  });
  const users: Map<number, { readonly place: number; readonly change: number }>[] = net.queues.map(
    () => new Map(),
  );
  const disorderly = new Set<number>();
  net.transitions.forEach(({ effect }, number) => {
    for (const { place, change } of effect) {
      const queue = queueOf.get(place);
      if (queue === undefined) continue;
      // The order within a step is not told: such a queue is left as it is.
      if (users[queue]!.has(number) || Math.abs(change) !== 1) disorderly.add(queue);
      users[queue]!.set(number, { place, change });
    }
  });
  const graphs = classGraphs(net);
  const limits = instanceLimits(net, growingClasses(net, graphs), cyclicTransitions(net, graphs));
  const onlyUser = (queue: number, sign: 1 | -1): number | null => {
    const classes = new Set<number>();
    for (const [number, { change }] of users[queue]!)
      if (change === sign) classes.add(net.transitions[number]!.class);
    const [only] = classes;
    return classes.size === 1 && limits[only!] === 1 ? only! : null;
  };
  return net.queues.flatMap(({ places }, queue): Candidate[] => {
    if (disorderly.has(queue) || !isFifo(queue) || places.some((place) => net.places[place]!.initial > 0))
      return [];
    const sender = onlyUser(queue, 1);
    const receiver = onlyUser(queue, -1);
    if (sender === null || receiver === null || sender === receiver) return [];
    return [
      {
        sender,
        receiver,
        touching: new Map([...users[queue]!].map(([number, { place }]) => [number, place])),
      },
    ];
  });
}

/** Per class: location → the possible transitions that leave it. */
function byLocation(net: Net, possible: ReadonlySet<number>): Map<number, number[]>[] {
  const leaving: Map<number, number[]>[] = net.classes.map(() => new Map());
  for (const number of possible) {
    const { class: netClass, from } = net.transitions[number]!;
    const known = leaving[netClass]!.get(from);
    if (known === undefined) leaving[netClass]!.set(from, [number]);
    else known.push(number);
  }
  return leaving;
}

/** Drops transitions at locations no instance reaches, of classes nobody starts, and receives of what nobody sends. */
function withoutUnreachable(net: Net, possible: ReadonlySet<number>): ReadonlySet<number> {
  const started = new Set<number>();
  const produced = new Set<number>();
  net.classes.forEach(({ instances }, index) => {
    if (instances > 0) started.add(index);
  });
  net.places.forEach(({ initial, kind }, place) => {
    if (initial > 0 || kind === 'rendezvous') produced.add(place);
  });
  for (const number of possible) {
    for (const { class: other } of net.transitions[number]!.spawns) started.add(other);
    for (const { place, change } of net.transitions[number]!.effect) if (change > 0) produced.add(place);
  }
  const usable: number[][] = net.classes.map(() => []);
  for (const number of possible) {
    const { class: netClass, effect } = net.transitions[number]!;
    if (started.has(netClass) && effect.every(({ place, change }) => change > 0 || produced.has(place)))
      usable[netClass]!.push(number);
  }
  const left = new Set<number>();
  net.classes.forEach(({ locations, initial }, netClass) => {
    const arcs = usable[netClass]!.map((number) => net.transitions[number]!);
    const seen = reachable(digraph(locations.length, arcs), [initial]);
    for (const number of usable[netClass]!) if (seen.has(net.transitions[number]!.from)) left.add(number);
  });
  return left;
}

/** The receiver's transitions that happen in the product; null when there are too many pairs. */
function synchronous(
  net: Net,
  { sender, receiver, touching }: Candidate,
  leaving: readonly ReadonlyMap<number, readonly number[]>[],
): ReadonlySet<number> | null {
  const width = net.classes[receiver]!.locations.length;
  const start = net.classes[sender]!.initial * width + net.classes[receiver]!.initial;
  const seen = new Set([start]);
  const work = [start];
  const taken = new Set<number>();
  const go = (at: number, to: number): void => {
    const pair = at * width + to;
    if (seen.has(pair)) return;
    seen.add(pair);
    work.push(pair);
  };
  for (let pair = work.pop(); pair !== undefined; pair = work.pop()) {
    if (seen.size > MAX_PAIRS) return null;
    const [at, to] = [Math.floor(pair / width), pair % width];
    const sends = leaving[sender]!.get(at) ?? [];
    for (const send of sends) if (!touching.has(send)) go(net.transitions[send]!.to, to);
    for (const step of leaving[receiver]!.get(to) ?? []) {
      const received = touching.get(step);
      if (received === undefined) {
        taken.add(step);
        go(at, net.transitions[step]!.to);
        continue;
      }
      for (const send of sends) {
        if (touching.get(send) !== received) continue;
        taken.add(step);
        go(net.transitions[send]!.to, net.transitions[step]!.to);
      }
    }
  }
  return taken;
}
