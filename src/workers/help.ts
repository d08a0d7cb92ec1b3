// Threads for searches that are long. They are no threads of the pool: those wait for messages, while a search and its helpers
// talk through shared memory. But they count: nobody gets one while all of the pool's threads are at work.

import { Worker } from 'node:worker_threads';
import type { Help } from '../base/budget.ts';
import type { HelpJob } from '../explore/helper-report.ts';

/** What a helper's thread is started with. */
export interface HelperData {
  readonly job: HelpJob;
  readonly free: Int32Array;
}

/** V8's own heap of a helper; states live outside it. */
const HEAP_MEGABYTES = 1024;

/** `free`: one number, how many threads have nothing to do; shared by all who count on them. */
export function helpFrom(script: URL, free: Int32Array): Help {
  return {
    free: () => Math.max(0, Atomics.load(free, 0)),
    start: (job) => {
      Atomics.sub(free, 0, 1);
      const workerData: HelperData = { job: job as HelpJob, free };
      const worker = new Worker(script, {
        workerData,
        resourceLimits: { maxOldGenerationSizeMb: HEAP_MEGABYTES },
        stdout: false,
      });
      // That it could not go on is seen by the search.
      worker.on('error', () => {});
      worker.unref();
    },
  };
}
