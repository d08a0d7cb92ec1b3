// A worker takes questions from the queue and answers them. Its own process only keeps the locks and talks to Redis; the work is done by child
// processes (slot.ts). When this process dies its locks run out, and another worker takes its questions over.

import type { Job } from 'bullmq';
import { sealOf } from '../cache/seal.ts';
import type { Answered } from '../check/elsewhere.ts';
import { type Address, connected, libraries, redisOptions } from './connection.ts';
import {
  type AnswerData,
  CANCELLED_CHANNEL,
  NOT_WANTED,
  QUEUE,
  type QuestionData,
  sealedText,
  wantedKey,
} from './messages.ts';
import { Slot } from './slot.ts';

/** Milliseconds after which the questions of a worker that died are free again. */
const LOCK = 10_000;
/** How often the questions of dead workers are looked for. */
const LOOK_EVERY = 5_000;
/** How many workers may die of a question. */
const MOST_DEATHS = 3;
const CONNECT_WITHIN = 10_000;
/** How long a Redis that went away is waited for at the end. */
const FAREWELL = 2_000;

export interface WorkerSettings {
  readonly address: Address;
  /** Shared with submitters who believe what cannot be audited. */
  readonly secret?: string | undefined;
  /** Questions at a time. */
  readonly slots: number;
  /** Where `queue-child.js` is. */
  readonly script: URL;
  readonly say: (line: string) => void;
}

export interface RunningWorker {
  /** Finishes what it has begun, and ends. */
  close(): Promise<void>;
  /** Ends at once; others take over what it has begun. */
  kill(): Promise<void>;
}

export async function startWorker(settings: WorkerSettings): Promise<RunningWorker> {
  const { Worker, Redis, UnrecoverableError } = await libraries();
  const options = redisOptions(settings.address);
  const redis = new Redis(options);
  const listener = new Redis(options);
  try {
    await Promise.all([redis, listener].map((one) => connected(one, settings.address, CONNECT_WITHIN)));
  } catch (error) {
    redis.disconnect();
    listener.disconnect();
    throw error;
  }
  const slots = Array.from({ length: settings.slots }, () => new Slot(settings.script));
  const free = [...slots];
  const busy = new Map<string, AbortController>();

  const answer = async (job: Job<QuestionData, AnswerData>): Promise<AnswerData> => {
    const id = job.id!;
    if ((await redis.scard(wantedKey(id))) === 0) throw new UnrecoverableError(NOT_WANTED);
    const slot = free.pop() ?? new Slot(settings.script);
    const abort = new AbortController();
    busy.set(id, abort);
    try {
      const report = (text: string): void => void job.updateProgress({ text }).catch(() => {});
      const answered = await slot.work(job.data, report, abort.signal);
      if (abort.signal.aborted) throw new UnrecoverableError(NOT_WANTED);
      settings.say(lineOf(job.data, answered));
      return sealedAnswer(id, answered, settings.secret);
    } finally {
      busy.delete(id);
      free.push(slot);
    }
  };

  const worker = new Worker<QuestionData, AnswerData>(QUEUE, answer, {
    connection: options,
    concurrency: settings.slots,
    lockDuration: LOCK,
    stalledInterval: LOOK_EVERY,
    maxStalledCount: MOST_DEATHS,
    // A look at an empty queue: Redis may have been away meanwhile.
    drainDelay: 2,
  });
  worker.on('error', () => {});
  worker.on('failed', (job, error) => {
    if (error.message !== NOT_WANTED) settings.say(`${job?.data.model.paths.join(' ')}: ${error.message}`);
  });
  await listener.subscribe(CANCELLED_CHANNEL);
  listener.on('message', (_channel, id) => busy.get(id)?.abort());

  /** Without Redis there is nobody to say goodbye to, and BullMQ waits for it. */
  const isAway = async (): Promise<void> => {
    while (redis.status === 'ready') await new Promise((resolve) => setTimeout(resolve, 500).unref());
    await new Promise((resolve) => setTimeout(resolve, FAREWELL));
  };
  const end = async (isForced: boolean): Promise<void> => {
    if (isForced) for (const slot of slots) slot.close();
    await Promise.race([worker.close(isForced), isAway()]);
    for (const slot of slots) slot.close();
    redis.disconnect();
    listener.disconnect();
  };
  return { close: () => end(false), kill: () => end(true) };
}

function sealedAnswer(id: string, answered: Answered, secret: string | undefined): AnswerData {
  const body = JSON.stringify(answered);
  return { body, seal: secret === undefined ? null : sealOf(sealedText(id, body), secret) };
}

const lineOf = ({ model, engines }: QuestionData, { results }: Answered): string => {
  const verdicts = results.map(({ id, verdict }) => `${id} ${verdict}`).join(', ');
  return `${model.paths.join(' ')}${engines === undefined ? '' : ` (${engines.join(', ')})`}: ${verdicts}`;
};
