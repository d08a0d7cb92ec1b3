// Can a stretch of a run be repeated for ever? With equal states before and after it, that depends on the queues alone: what it removes from
// a queue must be, round after round, what stands there. For a queue with contents w to which a round appends a and from which it
// removes r: r is empty, or w·a·a·a… = r·r·r…; the first |w| + |a| + |r| letters decide (Fine and Wilf).

import type { Configuration, Semantics, Step } from './configuration.ts';

/** Per channel what one round leaves behind; null when the steps cannot be repeated for ever. */
export function growthPerRound(
  semantics: Semantics,
  before: Configuration,
  after: Configuration,
  round: readonly Step[],
): number[] | null {
  if (!before.states.every((state, machine) => state === after.states[machine])) return null;
  const added: number[][] = before.queues.map(() => []);
  const removed: number[][] = before.queues.map(() => []);
  for (const step of round) {
    const { kind, channel, message } = semantics.move(step)!;
    if (kind === 'send') added[channel]!.push(message);
    if (kind === 'receive') removed[channel]!.push(message);
  }
  const growth: number[] = [];
  for (const [channel, w] of before.queues.entries()) {
    const [a, r] = [added[channel]!, removed[channel]!];
    if (r.length > a.length) return null;
    if (r.length > 0) {
      const length = w.length + a.length + r.length;
      for (let index = 0; index < length; index++) {
        const letter = index < w.length ? w[index] : a[(index - w.length) % a.length];
        if (letter !== r[index % r.length]) return null;
      }
    }
    growth.push(a.length - r.length);
  }
  return growth;
}
