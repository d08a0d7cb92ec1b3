// Who asks. A question is a job whose name is its content: asked twice, by whomever, it is worked on once, and an answer that is already there is
// taken. Events say when to look; a look now and then finds what was missed while Redis was away, and asks again for what it lost. Each question
// leaves `waiting` once, with the first answer.

import { createHash, randomUUID } from 'node:crypto';
import type { Job, Queue, QueueEvents } from 'bullmq';
import type { Redis } from 'ioredis';
import type { Limits, Observer } from '../base/budget.ts';
import { BUILD } from '../base/version.ts';
import { isSealed } from '../cache/seal.ts';
import type { RemoteModel } from '../check/check.ts';
import type { Part } from '../check/divide.ts';
import type { Asking, ElsewhereAnswer } from '../check/elsewhere.ts';
import { isAnswered } from '../check/elsewhere.ts';
import { type Address, connected, libraries, redisOptions } from './connection.ts';
import {
  type AnswerData,
  ATTEMPTS,
  CANCELLED_CHANNEL,
  KEPT_FOR,
  NOT_WANTED,
  QUEUE,
  type QuestionData,
  sealedText,
  wantedKey,
} from './messages.ts';

const CONNECT_WITHIN = 10_000;
const LOOK_EVERY = 1_000;
const DIVIDE_AFTER = 5_000;

export interface SubmitterSettings {
  readonly address: Address;
  readonly secret?: string | undefined;
  /** Milliseconds without Redis, or without any worker, after which no answer is hoped for. */
  readonly patience: number;
  /** True: answers that are already there do not count. */
  readonly isFresh: boolean;
  /** Milliseconds after which a question that is not answered is divided, if workers have time for it. */
  readonly divideAfter?: number;
}

interface Waiting {
  readonly id: string;
  readonly data: QuestionData;
  readonly askers: { readonly resolve: (answer: ElsewhereAnswer) => void; readonly observer: Observer }[];
  readonly isHelp: boolean;
  isPlaced: boolean;
}

export class Submitter {
  private readonly name = randomUUID();
  private readonly waiting = new Map<string, Waiting>();
  private readonly queue: Queue<QuestionData, AnswerData>;
  private readonly events: QueueEvents;
  private readonly redis: Redis;
  private readonly settings: SubmitterSettings;
  private readonly withdrawals = new Set<Promise<void>>();
  private readonly timer: NodeJS.Timeout;
  private heardAt = performance.now();
  private workedAt = performance.now();
  private isLooking = false;

  static async open(settings: SubmitterSettings): Promise<Submitter> {
    const { Queue, QueueEvents, Redis } = await libraries();
    const connection = redisOptions(settings.address);
    const redis = new Redis(connection);
    try {
      await connected(redis, settings.address, CONNECT_WITHIN);
    } catch (error) {
      redis.disconnect();
      throw error;
    }
    const streams = { events: { maxLen: 1000 } };
    const queue = new Queue<QuestionData, AnswerData>(QUEUE, { connection, streams });
    const events = new QueueEvents(QUEUE, { connection });
    queue.on('error', () => {});
    events.on('error', () => {});
    await events.waitUntilReady();
    return new Submitter(settings, queue, events, redis);
  }

  private constructor(
    settings: SubmitterSettings,
    queue: Queue<QuestionData, AnswerData>,
    events: QueueEvents,
    redis: Redis,
  ) {
    this.settings = settings;
    this.queue = queue;
    this.events = events;
    this.redis = redis;
    const look = ({ jobId }: { jobId: string }): void => void this.deliver(jobId).catch(() => {});
    events.on('completed', look);
    events.on('failed', look);
    events.on('progress', ({ jobId, data }) => {
      const { text } = data as { text?: unknown };
      this.workedAt = performance.now();
      if (typeof text !== 'string') return;
      for (const { observer } of this.waiting.get(jobId)?.askers ?? []) observer.progress(text);
    });
    this.timer = setInterval(() => void this.lookAround(), LOOK_EVERY);
  }

  ask(model: RemoteModel, { properties, engines, isHelp }: Part, limits: Limits, observer: Observer): Asking {
    const data = { model, properties, limits, ...(engines === undefined ? {} : { engines }) };
    const id = this.idOf(data);
    let resolve: (answer: ElsewhereAnswer) => void = () => {};
    const answer = new Promise<ElsewhereAnswer>((given) => {
      resolve = given;
    });
    const asker = { resolve, observer };
    const known = this.waiting.get(id);
    if (known !== undefined) known.askers.push(asker);
    else {
      const fresh: Waiting = { id, data, askers: [asker], isHelp, isPlaced: false };
      this.waiting.set(id, fresh);
      void this.place(fresh).catch(() => {});
    }
    return { answer, cancel: () => this.forget(id) };
  }

  /** True when a question has waited for long and no other waits for a worker; false when it is `over` before. */
  async spare(over: AbortSignal): Promise<boolean> {
    while (!over.aborted) {
      await pause(this.settings.divideAfter ?? DIVIDE_AFTER, over);
      const waits = over.aborted
        ? 1
        : await this.queue.getJobCountByTypes('waiting', 'prioritized').catch(() => 1);
      if (waits === 0 && !over.aborted) return true;
    }
    return false;
  }

  async close(): Promise<void> {
    clearInterval(this.timer);
    for (const id of [...this.waiting.keys()]) this.forget(id);
    // Who works for nobody should know, unless Redis is not there.
    if (this.redis.status === 'ready')
      await Promise.race([Promise.all(this.withdrawals), pause(CONNECT_WITHIN)]);
    this.redis.disconnect();
    await Promise.race([Promise.allSettled([this.events.close(), this.queue.close()]), pause(LOOK_EVERY)]);
    this.queue.disconnect().catch(() => {});
  }

  private idOf(data: QuestionData): string {
    const salt = this.settings.isFresh ? this.name : '';
    const text = JSON.stringify([
      BUILD,
      salt,
      data.model,
      data.properties,
      data.limits,
      data.engines ?? null,
    ]);
    return createHash('sha256').update(text).digest('hex');
  }

  private async place(one: Waiting): Promise<void> {
    const { id, data, isHelp } = one;
    await this.redis.multi().sadd(wantedKey(id), this.name).expire(wantedKey(id), KEPT_FOR).exec();
    const before = await this.queue.getJob(id);
    // What failed long ago is tried again.
    if (before !== undefined && (await before.isFailed())) await before.remove();
    const kept = { age: KEPT_FOR };
    await this.queue.add('question', data, {
      jobId: id,
      attempts: ATTEMPTS,
      removeOnComplete: kept,
      removeOnFail: kept,
      // Parts of a question that somebody else works on as a whole come last.
      ...(isHelp ? { priority: 10 } : {}),
    });
    one.isPlaced = true;
    await this.deliver(id);
  }

  /** Nobody here waits for it any more; if nobody does elsewhere, it is not worked on any more. */
  private forget(id: string): void {
    const one = this.waiting.get(id);
    if (one === undefined) return;
    this.finish(one, { kind: 'lost', reasonCode: 'queue-lost', reason: 'the answer was no longer wanted' });
    const withdraw = async (): Promise<void> => {
      await this.redis.srem(wantedKey(id), this.name);
      if ((await this.redis.scard(wantedKey(id))) > 0) return;
      await this.redis.publish(CANCELLED_CHANNEL, id);
      const job = await this.queue.getJob(id);
      if (job !== undefined && !(await job.isActive())) await job.remove();
    };
    const gone = withdraw()
      .catch(() => {})
      .finally(() => this.withdrawals.delete(gone));
    this.withdrawals.add(gone);
  }

  private async lookAround(): Promise<void> {
    const now = performance.now();
    if (this.waiting.size === 0) {
      this.heardAt = now;
      this.workedAt = now;
      return;
    }
    const { patience } = this.settings;
    if (this.redis.status !== 'ready') {
      if (now - this.heardAt > patience)
        this.giveUp(`the queue could not be reached for ${seconds(patience)}`);
      return;
    }
    this.heardAt = now;
    if (this.isLooking) return;
    this.isLooking = true;
    try {
      if ((await this.queue.getWorkersCount()) > 0) this.workedAt = performance.now();
      for (const { id, isPlaced } of [...this.waiting.values()]) if (isPlaced) await this.deliver(id);
      if (performance.now() - this.workedAt > patience)
        this.giveUp(`no worker was there for ${seconds(patience)}`);
    } catch {
      // Redis went away in between: the next look tells.
    } finally {
      this.isLooking = false;
    }
  }

  private async deliver(id: string): Promise<void> {
    const one = this.waiting.get(id);
    if (one === undefined || !one.isPlaced) return;
    const job = await this.queue.getJob(id);
    // Redis came back without it.
    if (job === undefined) {
      one.isPlaced = false;
      return this.place(one);
    }
    if (await job.isCompleted()) {
      // It may have been completed between the two questions: what was read before has no answer in it yet.
      const completed = await this.queue.getJob(id);
      return completed === undefined ? undefined : this.finish(one, this.answerOf(id, completed));
    }
    if (!(await job.isFailed())) return;
    if (job.failedReason === NOT_WANTED) {
      // Another submitter gave it up at the moment this one came for it.
      one.isPlaced = false;
      return this.place(one);
    }
    const reason = `${job.attemptsMade || MOST} attempts to answer it failed: ${job.failedReason}`;
    this.finish(one, { kind: 'lost', reasonCode: 'worker-lost', reason });
  }

  private answerOf(id: string, { returnvalue }: Job<QuestionData, AnswerData>): ElsewhereAnswer {
    const { secret } = this.settings;
    const nonsense: ElsewhereAnswer = {
      kind: 'answered',
      answered: { results: [], diagnostics: [] },
      isTrusted: false,
    };
    try {
      const { body, seal } = returnvalue;
      const answered: unknown = JSON.parse(body);
      if (!isAnswered(answered)) return nonsense;
      const isTrusted = secret !== undefined && seal !== null && isSealed(sealedText(id, body), seal, secret);
      return { kind: 'answered', answered, isTrusted };
    } catch {
      return nonsense;
    }
  }

  private finish(one: Waiting, answer: ElsewhereAnswer): void {
    if (!this.waiting.delete(one.id)) return;
    for (const { resolve } of one.askers) resolve(answer);
    if (answer.kind === 'answered') this.redis.srem(wantedKey(one.id), this.name).catch(() => {});
  }

  private giveUp(reason: string): void {
    for (const one of [...this.waiting.values()])
      this.finish(one, { kind: 'lost', reasonCode: 'queue-lost', reason });
  }
}

const MOST = 'all';
const seconds = (milliseconds: number): string => `${Math.round(milliseconds / 1000)} s`;
/** So long, or until it is over. */
const pause = (milliseconds: number, over?: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds).unref();
    over?.addEventListener('abort', () => resolve(clearTimeout(timer)), { once: true });
  });
