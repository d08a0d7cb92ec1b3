// What a guard tells about the length of a queue. In one fused segment nobody else touches the queue, so after `empty(q)` the
// sends that follow are all it holds. Where every send to a queue stands behind such a guard, the queue has a greatest length,
// which becomes a place for its free room.

import type { Expression } from '../process/expression.ts';
import type { Queue } from './queues.ts';
import type { Run } from './run.ts';
import { ANY, type Value } from './value.ts';

export class Lengths {
  private readonly atMost = new Map<Queue, number>();
  private readonly peaks = new Map<Queue, number>();

  /** The guard holds: remember what it says about lengths. */
  learn(run: Run, guard: Expression): void {
    if (guard.kind === 'binary' && guard.operator === '&&') {
      this.learn(run, guard.left);
      this.learn(run, guard.right);
    } else if (guard.kind === 'channel-query' && guard.query === 'empty') this.limit(run, guard, 0);
    else if (guard.kind === 'binary') {
      const slack = SLACK[guard.operator];
      if (slack === undefined || guard.left.kind !== 'channel-query' || guard.left.query !== 'len') return;
      const most = run.evaluate(guard.right);
      if (most !== ANY) this.limit(run, guard.left, most - slack);
    }
  }

  private limit(run: Run, query: Expression & { readonly kind: 'channel-query' }, most: Value): void {
    const queue = run.probe(() => run.queue(query.channel));
    if (queue?.single && most !== ANY) this.atMost.set(queue, most);
  }

  sent(queue: Queue): void {
    const length = (this.atMost.get(queue) ?? Number.POSITIVE_INFINITY) + 1;
    if (Number.isFinite(length)) this.atMost.set(queue, length);
    this.peaks.set(queue, Math.max(length, this.peaks.get(queue) ?? 0));
  }

  /** Per queue that was sent to: the greatest length it can have reached; Infinity when no guard tells. */
  reached(): ReadonlyMap<Queue, number> {
    return this.peaks;
  }
}

/** `len(q) < k`: at most k − 1. */
const SLACK: Readonly<Partial<Record<string, number>>> = { '<': 1, '<=': 0, '==': 0 };
