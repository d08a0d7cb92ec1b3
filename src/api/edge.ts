// What the API needs of Node: the disk and threads. Bundles for browsers have `edge-browser.ts` instead: package.json's `imports`.

import { availableParallelism } from 'node:os';
import type { HostSource } from '../check/check.ts';
import { threadPool } from '../workers/thread-pool.ts';

export { diskFiles } from '../disk/files.ts';

/** Null for no threads. */
export function openThreads(
  count: number = availableParallelism(),
): (HostSource & { close(): Promise<void> }) | null {
  return count === 0 ? null : threadPool(count);
}
