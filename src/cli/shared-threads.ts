// The threads of a pool, each model of a batch with its part of them: several engines work on one model only where no other model could take the thread.

import type { HostSource, RemoteModel } from '../check/check.ts';
import type { Host } from '../engine/scheduler.ts';

export class SharedThreads implements HostSource {
  /** Some model took more than a first look. */
  areNeeded = false;
  private readonly pool: HostSource;
  private readonly threads: number;
  private models = 0;

  constructor(pool: HostSource, threads: number) {
    this.pool = pool;
    this.threads = threads;
  }

  begin(): void {
    this.models++;
  }

  end(): void {
    this.models--;
  }

  async prepare(): Promise<void> {
    this.areNeeded = true;
    await this.pool.prepare?.();
  }

  hostFor(model: RemoteModel): Host {
    const host = this.pool.hostFor(model);
    const forOne = (): number => Math.max(1, this.threads - (this.models - 1));
    return {
      start: host.start,
      pause: host.pause,
      get lanes() {
        return Math.min(host.lanes, forOne());
      },
    };
  }
}
