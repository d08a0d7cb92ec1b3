// Quick tests whether two states could be the ends of a pumping loop.

import type { Model } from './compile.ts';
import { HEADER } from './layout.ts';

export function hashOf(words: Int32Array, from: number, to: number): number {
  let hash = 7;
  for (let i = from; i < to; i++) hash = (Math.imul(hash ^ words[i]!, 0x5bd1e995) + (hash >>> 13)) | 0;
  return hash;
}

/** Messages in all queues of the loaded state. */
export function totalLength(model: Model): number {
  const { machine } = model;
  const memory = machine.queues();
  let sum = 0;
  for (let j = 0; j < machine.cells[HEADER.channels]!; j++) sum += memory[memory[j]!]!;
  return sum;
}
