// Quick tests whether two states could be the ends of a pumping loop.

import type { Model } from './compile.ts';
import { countersOf } from './drift.ts';
import { FRAME, HEADER, sizeOf } from './layout.ts';

export function hashOf(words: Int32Array, from: number, to: number): number {
  let hash = 7;
  for (let i = from; i < to; i++) hash = mix(hash, words[i]!);
  return hash;
}

const mix = (hash: number, value: number): number =>
  (Math.imul(hash ^ value, 0x5bd1e995) + (hash >>> 13)) | 0;

/** Messages in all queues of the loaded state. */
export function totalLength(model: Model): number {
  const { machine } = model;
  const memory = machine.queues();
  let sum = 0;
  for (let j = 0; j < machine.cells[HEADER.channels]!; j++) sum += memory[memory[j]!]!;
  return sum;
}

/**
 * A hash of the loaded state's control part without its counters; null where the model has none. Loops may differ in a counter they
 * do not look at: drift.ts says when.
 */
export function hashWithoutCounters(model: Model): (() => number) | null {
  const { program, layout, machine } = model;
  const counters = countersOf(program);
  if (counters.size === 0) return null;
  const kept = (from: number, to: number, ids: readonly number[]): number[] => {
    const cells = new Set(Array.from({ length: to - from }, (_, i) => from + i));
    for (const id of ids) {
      const { id: variable, type, length } = program.variables[id]!;
      if (!counters.has(variable)) continue;
      for (let i = 0; i < sizeOf(program, type) * (length ?? 1); i++) cells.delete(layout.base[id]! + i);
    }
    return [...cells];
  };
  const globals = kept(HEADER.size, layout.firstFrame, program.globals);
  const frames = program.proctypes.map(({ id, parameters, locals }) =>
    kept(0, layout.frameSize[id]!, [...parameters, ...locals]),
  );
  return () => {
    const { cells, frames: starts } = machine;
    let hash = mix(mix(7, cells[HEADER.processes]!), cells[HEADER.exclusive]!);
    for (const cell of globals) hash = mix(hash, cells[cell]!);
    for (let pid = 0; pid < cells[HEADER.processes]!; pid++) {
      const start = starts[pid]!;
      for (const cell of frames[cells[start + FRAME.type]!]!) hash = mix(hash, cells[start + cell]!);
    }
    return hash;
  };
}
