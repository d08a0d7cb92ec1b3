// Threads of Node for engines: they are started, and their code is read, only when a first look at a model was not enough.

import type { HostSource } from '../check/check.ts';

export interface ThreadPool extends HostSource {
  close(): Promise<void>;
}

/** The script lies beside the bundle that this code is part of. */
export function threadPool(size: number): ThreadPool {
  let opening: Promise<ThreadPool> | null = null;
  let opened: ThreadPool | null = null;
  return {
    hostFor: (model) => opened!.hostFor(model),
    prepare: async () => {
      opening ??= import('./pool.ts').then(
        ({ WorkerPool }) => new WorkerPool(new URL('./worker.js', import.meta.url), size),
      );
      opened = await opening;
    },
    close: async () => opened?.close(),
  };
}
