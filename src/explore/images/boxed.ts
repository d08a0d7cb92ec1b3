// Loops that flood one queue, in a box: the other queues hold few messages, and of the flooded one only the first few are kept; from the
// moment something was dropped nobody may take from it. The box is finite where the variables are. A cycle of it along which something was
// dropped leaves everything as it was but for that queue, which is longer: a candidate that pumping.ts judges on the concrete semantics.
//
// This finds what walks and the comparison with ancestors miss: a sliding window floods the queue behind it only after all sequence numbers
// came round, some fifty steps in one certain order, while everything else is as it was before.

import type { Budget } from '../../base/budget.ts';
import type { Model } from '../compile.ts';
import type { Loop } from '../pumping.ts';
import { beginsWith, channelCount, contentsOf, cutAfter, isBuffered, lengthOf } from './contents.ts';
import {
  choicesAlongImages,
  type ImageSpace,
  type Mapping,
  pathToImage,
  searchImages,
} from './image-search.ts';

export interface Box {
  /** Messages in each of the other queues. */
  readonly others: number;
  /** Messages kept of the queue that is to be flooded. */
  readonly kept: number;
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
  /** Beside each state: was something dropped on the way here? */
  readonly extras = 1;
  private dropped = 0;
  private contents: readonly string[] = [];
  private readonly model: Model;
  private readonly channel: number;
  private readonly box: Box;

  constructor(model: Model, channel: number, box: Box) {
    this.model = model;
    this.channel = channel;
    this.box = box;
  }

  before([dropped]: readonly number[]): void {
    this.dropped = dropped!;
    this.contents = contentsOf(this.model, this.channel);
  }

  image(emit: (extras: readonly number[], mark: number) => void): void {
    const { model, channel, box } = this;
    for (let other = 0; other < channelCount(model); other++)
      if (other !== channel && isBuffered(model, other) && lengthOf(model, other) > box.others) return;
    if (this.dropped > 0 && !beginsWith(model, channel, this.contents)) return;
    const drops = lengthOf(model, channel) > box.kept;
    if (drops) cutAfter(model, channel, box.kept);
    emit([drops ? 1 : this.dropped], drops ? DROPPED : 0);
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
  const expanded = Math.min(store.count, rowStart.length - 1);
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
