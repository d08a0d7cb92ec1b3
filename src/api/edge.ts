// What the API needs of Node: the disk and threads. Bundles for browsers have `edge-browser.ts` instead: package.json's `imports`.

import { availableParallelism } from 'node:os';
import type { Limits } from '../base/budget.ts';
import type { HostSource } from '../check/check.ts';
import type { AnswerMemory } from '../check/remembered.ts';
import { threadPool } from '../workers/thread-pool.ts';

export { diskFiles } from '../disk/files.ts';

/** Null for no threads. */
export function openThreads(
  count: number = availableParallelism(),
): (HostSource & { close(): Promise<void> }) | null {
  return count === 0 ? null : threadPool(count);
}

export const openMemory = async (folder: string, limits: Limits): Promise<AnswerMemory> =>
  (await import('../cache/memory.ts')).openCache(folder).memoryFor(limits);
