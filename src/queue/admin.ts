// Looking after a queue: what is in it, emptying it, trying again what failed.

import type { Queue } from 'bullmq';
import { type Address, connected, libraries, redisOptions } from './connection.ts';
import { type AnswerData, QUEUE, type QuestionData } from './messages.ts';

export interface QueueStatus {
  readonly workers: number;
  readonly waiting: number;
  readonly active: readonly {
    readonly model: string;
    readonly properties: readonly string[];
    readonly progress: string;
  }[];
  readonly answered: number;
  readonly failed: readonly { readonly model: string; readonly reason: string }[];
}

const SHOWN = 20;
const CONNECT_WITHIN = 10_000;

export async function withQueue<T>(address: Address, use: (admin: QueueAdmin) => Promise<T>): Promise<T> {
  const packages = await libraries();
  const connection = redisOptions(address);
  const redis = new packages.Redis(connection);
  try {
    await connected(redis, address, CONNECT_WITHIN);
    const queue: OpenQueue = new packages.Queue(QUEUE, { connection });
    queue.on('error', () => {});
    try {
      return await use(new QueueAdmin(queue));
    } finally {
      await queue.close();
    }
  } finally {
    redis.disconnect();
  }
}

type OpenQueue = Queue<QuestionData, AnswerData>;

class QueueAdmin {
  private readonly queue: OpenQueue;

  constructor(queue: OpenQueue) {
    this.queue = queue;
  }

  async status(): Promise<QueueStatus> {
    const { queue } = this;
    const [workers, waiting, answered, active, failed] = await Promise.all([
      queue.getWorkersCount(),
      queue.getJobCountByTypes('waiting', 'prioritized', 'delayed'),
      queue.getCompletedCount(),
      queue.getActive(0, SHOWN - 1),
      queue.getFailed(0, SHOWN - 1),
    ]);
    const nameOf = (data: QuestionData): string => data.model.paths.join(' ');
    return {
      workers,
      waiting,
      answered,
      active: active.map(({ data, progress }) => ({
        model: nameOf(data),
        properties: data.properties,
        progress: String((progress as { text?: string } | null)?.text ?? ''),
      })),
      failed: failed.map(({ data, failedReason }) => ({ model: nameOf(data), reason: failedReason })),
    };
  }

  /** Takes out what nobody works on yet, and answers that nobody fetched; how many. */
  async drain(): Promise<number> {
    const { queue } = this;
    const types = ['waiting', 'prioritized', 'delayed', 'completed', 'failed'] as const;
    const before = await queue.getJobCountByTypes(...types);
    await queue.drain(true);
    for (const type of ['completed', 'failed'] as const) await queue.clean(0, 0, type);
    return before - (await queue.getJobCountByTypes(...types));
  }

  /** Lets workers try again what failed; how many. */
  async retry(): Promise<number> {
    const count = await this.queue.getFailedCount();
    await this.queue.retryJobs({ state: 'failed' });
    return count;
  }
}
