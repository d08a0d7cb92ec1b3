// The way to Redis. BullMQ and its client are optional packages, read only when a queue is asked for. The address may hold a password: whatever
// is printed uses `shownAddress`.

import type { Queue, QueueEvents, UnrecoverableError, Worker } from 'bullmq';
import type { Redis } from 'ioredis';

export class QueueError extends Error {}

export interface Libraries {
  readonly Queue: typeof Queue;
  readonly QueueEvents: typeof QueueEvents;
  readonly Worker: typeof Worker;
  readonly UnrecoverableError: typeof UnrecoverableError;
  readonly Redis: typeof Redis;
}

export async function libraries(): Promise<Libraries> {
  try {
    const [bullmq, ioredis] = await Promise.all([import('bullmq'), import('ioredis')]);
    return {
      Queue: bullmq.Queue,
      QueueEvents: bullmq.QueueEvents,
      Worker: bullmq.Worker,
      UnrecoverableError: bullmq.UnrecoverableError,
      Redis: ioredis.Redis,
    };
  } catch {
    throw new QueueError('a queue needs the packages bullmq and ioredis: npm install bullmq ioredis');
  }
}

export interface Address {
  readonly url: string;
  /** Instead of one in the URL. */
  readonly password?: string | undefined;
}

/** As both packages take it. */
export interface ConnectionSettings {
  readonly host: string;
  readonly port: number;
  readonly username?: string;
  readonly password?: string;
  readonly db?: number;
  readonly tls?: { readonly servername: string };
  readonly maxRetriesPerRequest: null;
  readonly retryStrategy: () => number;
}

/** Milliseconds between attempts to reach Redis again. */
const AGAIN_AFTER = 500;

export function redisOptions({ url, password }: Address): ConnectionSettings {
  const parsed = parse(url);
  const given = password ?? decodeURIComponent(parsed.password);
  const db = parsed.pathname.replace(/^\//, '');
  return {
    host: parsed.hostname.replace(/^\[(.*)\]$/, '$1') || '127.0.0.1',
    port: parsed.port === '' ? 6379 : Number(parsed.port),
    ...(parsed.username === '' ? {} : { username: decodeURIComponent(parsed.username) }),
    ...(given === '' ? {} : { password: given }),
    ...(db === '' ? {} : { db: Number(db) }),
    ...(parsed.protocol === 'rediss:' ? { tls: { servername: parsed.hostname } } : {}),
    // Commands wait until Redis is there again; whoever waits for them decides how long.
    maxRetriesPerRequest: null,
    retryStrategy: () => AGAIN_AFTER,
  };
}

function parse(url: string): URL {
  const example = 'for example redis://localhost:6379, or rediss:// for TLS';
  let parsed: URL;
  try {
    parsed = new URL(url);
  } catch {
    throw new QueueError(`the address of the queue cannot be read: ${example}`);
  }
  if (!['redis:', 'rediss:'].includes(parsed.protocol))
    throw new QueueError(`a queue is at redis://… or rediss://…: ${example}`);
  if (!/^\/?\d*$/.test(parsed.pathname))
    throw new QueueError(`what follows the port is the number of a database: ${example}`);
  return parsed;
}

/** Without names and passwords. */
export function shownAddress({ url }: Address): string {
  const { protocol, host, pathname } = parse(url);
  return `${protocol}//${host}${pathname === '/' ? '' : pathname}`;
}

/** Waits until Redis answers; otherwise says why it does not. */
export async function connected(redis: Redis, address: Address, milliseconds: number): Promise<void> {
  let why = 'no answer';
  const hear = (error: Error): void => {
    why = error.message;
  };
  redis.on('error', hear);
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<'late'>((resolve) => {
    timer = setTimeout(() => resolve('late'), milliseconds);
  });
  const answer = redis.ping().catch((error: Error) => error);
  const first = await Promise.race([answer, late]);
  clearTimeout(timer);
  redis.off('error', hear);
  // Whoever needs the connection asks for its state; an event without a listener would end the process.
  redis.on('error', () => {});
  if (first !== 'PONG') {
    const reason = first instanceof Error ? first.message : why;
    throw new QueueError(`the queue at ${shownAddress(address)} cannot be used: ${reason}`);
  }
}
