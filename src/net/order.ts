// What the order of messages rules out, before anything is counted.
//
// A first-in first-out queue that one process fills and one other process empties hands over a prefix of what was sent. So the
// receiver can only go where, step by step, its next receive matches the sender's next send: the synchronous product of the two, in which a
// send and the receive of that message happen together and everything else is free. Receives that never happen there are removed, and with
// them what can no longer be reached or received; then again, because less is sent now. ([IBOC] Fig. 11: the first message is a b, the receiver waits for an
// a, and the queue of 13 by counting has at most 7.)
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
  let possible: ReadonlySet<number> = new Set(net.transitions.keys());
  const ordered = [...net.queues.keys()].filter(isFifo);
  if (ordered.length === 0) return { net, kept: [...net.transitions.keys()] };
  for (let before = -1; before !== possible.size; ) {
    before = possible.size;
    possible = withoutUnreachable(net, possible);
    for (const queue of ordered) possible = withoutOutOfOrder(net, queue, possible);
  }
  if (possible.size === net.transitions.length) return { net, kept: [...net.transitions.keys()] };
  const kept = [...net.transitions.keys()].filter((number) => possible.has(number));
  return { net: { ...net, transitions: kept.map((number) => net.transitions[number]!) }, kept };
}

/** Drops transitions at locations no instance reaches, of classes nobody starts, and receives of what nobody sends. */
function withoutUnreachable(net: Net, possible: ReadonlySet<number>): ReadonlySet<number> {
  const started = new Set(net.classes.flatMap(({ instances }, index) => (instances > 0 ? [index] : [])));
  const produced = new Set(
    net.places.flatMap(({ initial, kind }, place) => (initial > 0 || kind === 'rendezvous' ? [place] : [])),
  );
  for (const number of possible) {
    for (const { class: other } of net.transitions[number]!.spawns) started.add(other);
    for (const { place, change } of net.transitions[number]!.effect) if (change > 0) produced.add(place);
  }
  const usable = [...possible].filter((number) => {
    const { class: netClass, effect } = net.transitions[number]!;
    return started.has(netClass) && effect.every(({ place, change }) => change > 0 || produced.has(place));
  });
  const seen = net.classes.map(({ locations, initial }, netClass) =>
    reachable(
      digraph(
        locations.length,
        usable
          .map((number) => net.transitions[number]!)
          .filter((transition) => transition.class === netClass),
      ),
      [initial],
    ),
  );
  return new Set(
    usable.filter((number) => seen[net.transitions[number]!.class]!.has(net.transitions[number]!.from)),
  );
}

/** The one class whose only instance does this to the queue, if so. */
function onlyUser(net: Net, limits: readonly number[], users: readonly number[]): number | null {
  const classes = new Set(users.map((number) => net.transitions[number]!.class));
  const [only] = classes;
  return classes.size === 1 && limits[only!] === 1 ? only! : null;
}

function withoutOutOfOrder(net: Net, queue: number, possible: ReadonlySet<number>): ReadonlySet<number> {
  const places = new Set(net.queues[queue]!.places);
  const touching = new Map<number, { readonly place: number; readonly change: number }>();
  for (const number of possible) {
    const own = net.transitions[number]!.effect.filter(({ place }) => places.has(place));
    // The order within a step is not told: such a queue is left as it is.
    if (own.length > 1 || own.some(({ change }) => Math.abs(change) !== 1)) return possible;
    if (own[0] !== undefined) touching.set(number, own[0]);
  }
  if ([...places].some((place) => net.places[place]!.initial > 0)) return possible;
  const numbers = [...touching.keys()];
  const graphs = classGraphs(net);
  const limits = instanceLimits(net, growingClasses(net, graphs), cyclicTransitions(net, graphs));
  const sender = onlyUser(
    net,
    limits,
    numbers.filter((number) => touching.get(number)!.change > 0),
  );
  const receiver = onlyUser(
    net,
    limits,
    numbers.filter((number) => touching.get(number)!.change < 0),
  );
  if (sender === null || receiver === null || sender === receiver) return possible;
  const taken = synchronous(net, possible, touching, sender, receiver);
  if (taken === null) return possible;
  return new Set(
    [...possible].filter((number) => net.transitions[number]!.class !== receiver || taken.has(number)),
  );
}

/** The receiver's transitions that happen in the product; null when there are too many pairs. */
function synchronous(
  net: Net,
  possible: ReadonlySet<number>,
  touching: ReadonlyMap<number, { readonly place: number }>,
  sender: number,
  receiver: number,
): ReadonlySet<number> | null {
  const leaving = (netClass: number): Map<number, number[]> => {
    const map = new Map<number, number[]>();
    for (const number of possible) {
      const { class: other, from } = net.transitions[number]!;
      if (other === netClass) map.set(from, [...(map.get(from) ?? []), number]);
    }
    return map;
  };
  const [fromSender, fromReceiver] = [leaving(sender), leaving(receiver)];
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
    const sends = fromSender.get(at) ?? [];
    for (const send of sends) if (!touching.has(send)) go(net.transitions[send]!.to, to);
    for (const step of fromReceiver.get(to) ?? []) {
      const received = touching.get(step);
      if (received === undefined) {
        taken.add(step);
        go(at, net.transitions[step]!.to);
        continue;
      }
      for (const send of sends) {
        if (touching.get(send)?.place !== received.place) continue;
        taken.add(step);
        go(net.transitions[send]!.to, net.transitions[step]!.to);
      }
    }
  }
  return taken;
}
