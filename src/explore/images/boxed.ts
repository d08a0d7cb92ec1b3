// Loops that flood one queue, in a box: the other queues hold few messages, and of the flooded one only the first few are kept; from the
// moment something was dropped nobody may take from it. The box is finite where the variables are. A cycle of it along which something was
// dropped leaves everything as it was but for that queue, which is longer: a candidate that pumping.ts judges on the concrete semantics.
//
// A *focus* makes the box smaller: only some processes move in it. The others stand still, which they may do in a real run as well, and
// queues that nobody takes from any more are cut like the flooded one.
//
// This finds what walks and the comparison with ancestors miss: a sliding window floods the queue behind it only after all sequence numbers
// came round, some fifty steps in one certain order, while everything else is as it was before.

import type { Budget } from '../../base/budget.ts';
import type { Choice } from '../choices.ts';
import type { Model } from '../compile.ts';
import { HEADER } from '../layout.ts';
import type { Loop } from '../pumping.ts';

import { beginsWith, channelCount, contentsOf, cutAfter, isBuffered, lengthOf } from './contents.ts';
import {
  choicesAlongImages,
  type ImageSpace,
  type Mapping,
  pathToImage,
  searchImages,
} from './image-search.ts';
import { roleOf } from './traffic.ts';

export interface Box {
  /** Messages in each of the other queues. */
  readonly others: number;
  /** Messages kept of the queue that is to be flooded. */
  readonly kept: number;
  /** Only these move, where not all do. */
  readonly focus?: Focus;
}

export interface Focus {
  /** As traffic.ts names them. */
  readonly roles: ReadonlySet<string>;
  /** Queues that none of them takes from, by number from 0: they may grow along with the one that is looked at. */
  readonly untaken: ReadonlySet<number>;
}

/** Offers candidates for the queue of this number (from 0) until one is taken; true when one was. */
export function loopsInBox(
  model: Model,
  channel: number,
  box: Box,
  budget: Budget,
  offer: (loop: Loop) => boolean,
): boolean {
  let nextLook = FIRST_LOOK;
  let taken = false;
  const look = (space: ImageSpace): void => {
    taken ||= offerCycle(space, offer);
  };
  const { space } = searchImages(model, new Boxed(model, channel, box), budget, (found) => {
    if (found.store.count < nextLook) return false;
    nextLook *= 2;
    look(found);
    return taken;
  });
  if (!taken) look(space);
  return taken;
}

const FIRST_LOOK = 4_000;
const DROPPED = 1;

class Boxed implements Mapping {
  readonly micro = false;
  /** Beside each state, by queue that is cut: was something dropped on the way here? */
  readonly extras: number;
  /** By process: does it stand still? */
  private still: readonly boolean[] = [];
  private dropped: readonly number[] = [];
  private contents: readonly (readonly string[])[] = [];
  /** The queue that is to be flooded first. */
  private readonly cut: readonly number[];
  private readonly model: Model;
  private readonly box: Box;

  constructor(model: Model, channel: number, box: Box) {
    this.model = model;
    this.box = box;
    const { focus } = box;
    this.cut = [channel, ...[...(focus?.untaken ?? [])].filter((other) => other !== channel)];
    this.extras = this.cut.length;
  }

  before(dropped: readonly number[]): void {
    this.dropped = dropped;
    this.contents = this.cut.map((channel) => contentsOf(this.model, channel));
    const { focus } = this.box;
    if (focus !== undefined)
      this.still = Array.from(
        { length: this.model.machine.cells[HEADER.processes]! },
        (_, pid) => !focus.roles.has(roleOf(this.model, pid)),
      );
  }

  allows(choices: readonly Choice[]): boolean {
    return choices.every(
      ([process, , partner]) => this.still[process] !== true && this.still[partner] !== true,
    );
  }

  image(emit: (extras: readonly number[], mark: number) => void): void {
    const { model, box, cut } = this;
    for (let other = 0; other < channelCount(model); other++)
      if (!cut.includes(other) && isBuffered(model, other) && lengthOf(model, other) > box.others) return;
    if (cut.some((channel, i) => this.dropped[i]! > 0 && !beginsWith(model, channel, this.contents[i]!)))
      return;
    const drops = cut.map((channel) => lengthOf(model, channel) > box.kept);
    cut.forEach((channel, i) => {
      if (drops[i]) cutAfter(model, channel, box.kept);
    });
    const dropped = drops.map((now, i) => (now ? 1 : this.dropped[i]!));
    emit(dropped, drops[0] ? DROPPED : 0);
  }
}

/** Cycles with a step that drops something: one for each strongly connected component that has such a step. */
function offerCycle(space: ImageSpace, offer: (loop: Loop) => boolean): boolean {
  const component = componentsOf(space);
  const { targets, marks, rowStart, store } = space;
  const tried = new Set<number>();
  for (let state = 0; state + 1 < rowStart.length && state < store.count; state++) {
    for (let arc = rowStart.data[state]!; arc < rowStart.data[state + 1]!; arc++) {
      const to = targets.data[arc]!;
      const here = component[state]!;
      if (marks.data[arc] !== DROPPED || component[to] !== here || here < 0 || tried.has(here)) continue;
      tried.add(here);
      if (tried.size > MAX_TRIES) return false;
      const back = pathWithin(space, component, to, state);
      const prefix = back && choicesAlongImages(space, pathToImage(space, state));
      const loop = back && choicesAlongImages(space, [state, ...back]);
      if (prefix && loop && offer({ prefix, loop })) return true;
    }
  }
  return false;
}

const MAX_TRIES = 40;

/** Shortest way between two states of one component. */
function pathWithin(
  { targets, rowStart }: ImageSpace,
  component: Int32Array,
  from: number,
  to: number,
): number[] | null {
  const parent = new Map<number, number>([[from, -1]]);
  const queue = [from];
  for (const at of queue) {
    if (at === to) {
      const path: number[] = [];
      for (let step = at; step >= 0; step = parent.get(step)!) path.push(step);
      return path.reverse();
    }
    for (let arc = rowStart.data[at]!; arc < (rowStart.data[at + 1] ?? 0); arc++) {
      const next = targets.data[arc]!;
      if (component[next] !== component[at] || parent.has(next)) continue;
      parent.set(next, at);
      queue.push(next);
    }
  }
  return null;
}

/** Tarjan's algorithm without recursion over the expanded states; −1 for those that are not expanded yet. */
function componentsOf({ targets, rowStart, store }: ImageSpace): Int32Array {
  // The time may be over before the first state is expanded.
  const expanded = Math.max(0, Math.min(store.count, rowStart.length - 1));
  const component = new Int32Array(store.count).fill(-1);
  const order = new Int32Array(expanded).fill(-1);
  const low = new Int32Array(expanded);
  const next = new Int32Array(expanded);
  const stack: number[] = [];
  let time = 0;
  let count = 0;
  for (let root = 0; root < expanded; root++) {
    if (order[root]! >= 0) continue;
    const path = [root];
    for (let at: number | undefined = root; at !== undefined; at = path.at(-1)) {
      if (order[at]! < 0) {
        order[at] = low[at] = time++;
        next[at] = rowStart.data[at]!;
        stack.push(at);
      }
      const end = rowStart.data[at + 1]!;
      let child = -1;
      while (next[at]! < end && child < 0) {
        const to = targets.data[next[at]!++]!;
        if (to >= expanded) continue;
        if (order[to]! < 0) child = to;
        else if (component[to]! < 0) low[at] = Math.min(low[at]!, order[to]!);
      }
      if (child >= 0) {
        path.push(child);
        continue;
      }
      path.pop();
      const above = path.at(-1);
      if (above !== undefined) low[above] = Math.min(low[above]!, low[at]!);
      if (low[at] !== order[at]) continue;
      for (let member = stack.pop()!; ; member = stack.pop()!) {
        component[member] = count;
        if (member === at) break;
      }
      count++;
    }
  }
  return component;
}
