// A pool of worker threads that engines run on. A thread that dies costs the job it was working on, not the check: what it had learned
// is on the board, and another thread takes its place.

import { Worker } from 'node:worker_threads';
import type { HostSource, RemoteModel } from '../check/check.ts';
import { type Ended, failureOf, type Host, type Running } from '../engine/scheduler.ts';
import type { WorkerMessage, WorkMessage } from './messages.ts';

/** V8's own heap of a thread; stored states live outside it. */
const HEAP_MEGABYTES = 4096;

interface Job {
  readonly owner: object;
  readonly message: () => WorkMessage;
  readonly hear: (message: WorkerMessage) => void;
  readonly finish: (ended: Ended) => void;
  thread: Thread | null;
  isOver: boolean;
}

interface Thread {
  readonly worker: Worker;
  job: Job | null;
  isEnding: boolean;
}

export class WorkerPool implements HostSource {
  readonly size: number;
  private readonly script: URL;
  private readonly threads = new Set<Thread>();
  /** How many more threads may work: what jobs do not take, long searches may (help.ts). */
  private readonly free = new Int32Array(new SharedArrayBuffer(4));
  private waiting: Job[] = [];

  constructor(script: URL, size: number) {
    this.script = script;
    this.size = Math.max(1, size);
    this.free[0] = this.size;
  }

  hostFor(model: RemoteModel): Host {
    const owner = {};
    const pool = this;
    return {
      // Threads that other models do not need.
      get lanes() {
        return Math.max(1, pool.size - pool.busyForOthers(owner));
      },
      pause: (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds).unref()),
      start: (engine, { open, board, budget }, learn, observer) => {
        const cancel = new SharedArrayBuffer(4);
        const message = (): WorkMessage => ({
          model,
          engine,
          open,
          facts: board.facts,
          remaining: budget.remaining(),
          maxStates: budget.maxStates,
          maxMemory: budget.maxMemory,
          cancel,
          free: this.free.buffer as SharedArrayBuffer,
        });
        const hear = (heard: WorkerMessage): void => {
          if (heard.kind === 'fact') learn(heard.fact);
          else if (heard.kind === 'stage') observer.stage(heard.text);
          else if (heard.kind === 'progress') observer.progress(heard.text);
        };
        return this.run({ owner, message, hear }, () => Atomics.store(new Int32Array(cancel), 0, 1));
      },
    };
  }

  async close(): Promise<void> {
    this.waiting = [];
    await Promise.all([...this.threads].map(({ worker }) => worker.terminate()));
  }

  private busyForOthers(owner: object): number {
    const busy = [...this.threads].filter(({ job }) => job !== null && job.owner !== owner).length;
    return busy + this.waiting.filter((job) => job.owner !== owner).length;
  }

  private run(work: Pick<Job, 'owner' | 'message' | 'hear'>, cancel: () => void): Running {
    let finish: (ended: Ended) => void = () => {};
    const done = new Promise<Ended>((resolve) => {
      finish = resolve;
    });
    const job: Job = { ...work, finish, thread: null, isOver: false };
    this.waiting.push(job);
    this.next();
    const drop = (): void => {
      this.waiting = this.waiting.filter((one) => one !== job);
      this.end(job, { kind: 'done' });
    };
    return {
      done,
      cancel: () => (job.thread === null ? drop() : cancel()),
      kill: () => (job.thread === null ? drop() : terminate(job.thread)),
    };
  }

  private next(): void {
    while (this.waiting.length > 0) {
      const thread = [...this.threads].find(({ job }) => job === null) ?? this.start();
      if (thread === null) return;
      const job = this.waiting.shift()!;
      job.thread = thread;
      thread.job = job;
      Atomics.sub(this.free, 0, 1);
      thread.worker.ref();
      thread.worker.postMessage(job.message());
    }
  }

  private start(): Thread | null {
    if (this.threads.size >= this.size) return null;
    const worker = new Worker(this.script, {
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MEGABYTES },
      stdout: false,
    });
    const thread: Thread = { worker, job: null, isEnding: false };
    this.threads.add(thread);
    worker.on('message', (message: WorkerMessage) => this.heard(thread, message));
    worker.on('error', (error) => this.died(thread, error));
    worker.on('exit', () => this.died(thread, new Error('its thread ended')));
    return thread;
  }

  private heard(thread: Thread, message: WorkerMessage): void {
    const { job } = thread;
    if (job === null) return;
    if (message.kind !== 'done' && message.kind !== 'failed') {
      try {
        job.hear(message);
      } catch (error) {
        // A fact that the board refuses.
        this.end(job, failureOf(error));
        terminate(thread);
      }
      return;
    }
    thread.job = null;
    // An idle thread keeps no process alive.
    thread.worker.unref();
    this.end(job, message);
    this.next();
  }

  private died(thread: Thread, error: unknown): void {
    if (!this.threads.delete(thread)) return;
    if (thread.job !== null) this.end(thread.job, failureOf(error));
    this.next();
  }

  private end(job: Job, ended: Ended): void {
    if (job.isOver) return;
    job.isOver = true;
    if (job.thread !== null) Atomics.add(this.free, 0, 1);
    job.finish(ended);
  }
}

/** Once is enough, however often it is asked for: every call listens for the end anew. */
function terminate(thread: Thread): void {
  if (thread.isEnding) return;
  thread.isEnding = true;
  void thread.worker.terminate();
}
