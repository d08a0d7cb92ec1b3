// Workers that are killed, a Redis that restarts or goes away, two submitters at once, a question that kills whoever works on it: every question is
// answered once, and right, or unknown with the reason. SPILLWAY_FUZZ=N repeats all of it with N seeds, 200 models each and Redis away for ten seconds.

import fc from 'fast-check';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Random } from '../base/random.ts';
import { bundleForTest } from '../testing/bundle.ts';
import { hasProgram } from '../testing/programs.ts';
import { randomModels } from '../testing/random-models.ts';
import { startRedis, type TestRedis } from '../testing/redis.ts';
import { runProgram } from '../testing/run-program.ts';
import type { ModelReport } from '../verdict/verdict.ts';
import { checkByQueue, checkHere, type Models, Workers } from './workshop.fuzz.ts';

const SEEDS = Number(process.env['SPILLWAY_FUZZ'] ?? 0);
const IS_LONG = SEEDS > 0;
const SIZE = IS_LONG ? 200 : 4;
const OUTAGE = IS_LONG ? 10_000 : 1_000;
/** Enough for nearly all of them; the same for everybody. */
const LIMITS = { timeout: 3600, maxStates: IS_LONG ? 20_000 : 500 };
const seeds = Array.from({ length: Math.max(1, SEEDS) }, (_, index) => index + 1);

const modelsOf = (seed: number): Models =>
  new Map(
    fc.sample(randomModels(), { seed, numRuns: SIZE }).map((text, index) => [`model-${index}.pml`, text]),
  );
/** What one process says of them, worked out once. */
const truths = new Map<number, Promise<ReadonlyMap<string, ModelReport>>>();
const truthOf = (seed: number): Promise<ReadonlyMap<string, ModelReport>> => {
  const truth = truths.get(seed) ?? checkHere(modelsOf(seed), LIMITS);
  truths.set(seed, truth);
  return truth;
};
const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** Property by property; an unknown that says that a worker or the queue was lost is right, too. */
function expectTruth(
  models: Models,
  truth: ReadonlyMap<string, ModelReport>,
  reports: ReadonlyMap<string, ModelReport>,
): number {
  let lost = 0;
  expect([...reports.keys()].sort()).toEqual([...models.keys()].sort());
  for (const [path, { properties }] of truth) {
    const found = reports.get(path)!;
    expect(found.properties.map(({ id }) => id)).toEqual(properties.map(({ id }) => id));
    for (const [index, { id, verdict }] of properties.entries()) {
      const { reasonCode, verdict: said } = found.properties[index]!;
      if (reasonCode === 'worker-lost' || reasonCode === 'queue-lost') lost++;
      else expect(`${path} ${id} ${said}`).toBe(`${path} ${id} ${verdict}`);
    }
  }
  return lost;
}

describe.skipIf(!hasProgram('redis-server'))('faults', () => {
  let redis: TestRedis;
  let bundle: string;
  beforeAll(async () => {
    [redis, bundle] = await Promise.all([startRedis(), bundleForTest()]);
  });
  afterAll(async () => {
    await calm?.end();
    await redis.remove();
  });

  const environment = { SPILLWAY_QUEUE_KEY: 'shared' };
  const withWorkers = async (work: (workers: Workers) => Promise<void>): Promise<void> => {
    const workers = new Workers(bundle, redis.url, environment);
    try {
      await Promise.all([workers.start(), workers.start()]);
      await work(workers);
    } finally {
      await workers.end();
    }
  };
  /** Two that nobody kills: started once. */
  let calm: Workers | null = null;
  const calmWorkers = async (): Promise<void> => {
    if (calm !== null) return;
    calm = new Workers(bundle, redis.url, environment);
    await Promise.all([calm.start(), calm.start()]);
  };
  const asked = { secret: 'shared', limits: LIMITS };

  test.each(seeds)('workers killed at random (seed %i)', async (seed) => {
    const models = modelsOf(seed);
    const truth = await truthOf(seed);
    const random = new Random(seed);
    await withWorkers(async (workers) => {
      let isOver = false;
      const kills = async (): Promise<void> => {
        for (let left = IS_LONG ? 12 : 2; left > 0 && !isOver; left--) {
          await pause(random.below(1500));
          workers.killOne(random.below(2));
          await workers.start();
        }
      };
      const [reports] = await Promise.all([
        checkByQueue(models, redis.url, asked).finally(() => {
          isOver = true;
        }),
        kills(),
      ]);
      expect(expectTruth(models, truth, reports)).toBeLessThan(Math.max(2, SIZE / 4));
    });
  });

  test.each(seeds)('Redis restarted with its data, and gone for a while (seed %i)', async (seed) => {
    // The same ones as before, unless there is time.
    const drawn = IS_LONG ? seed + 1000 : seed;
    const models = modelsOf(drawn);
    const truth = await truthOf(drawn);
    const random = new Random(seed);
    const [first, second] = [random.below(SIZE / 2), SIZE / 2 + random.below(SIZE / 4)];
    await calmWorkers();
    let trouble: Promise<void> = Promise.resolve();
    const reports = await checkByQueue(models, redis.url, {
      ...asked,
      onDone: (_, count) => {
        if (count === first + 1) trouble = trouble.then(() => redis.restart());
        if (count === second + 1)
          trouble = trouble
            .then(() => redis.kill())
            .then(() => pause(OUTAGE))
            .then(() => redis.start());
      },
    });
    await trouble;
    expect(expectTruth(models, truth, reports)).toBe(0);
  });

  test.each(seeds)('two submitters at once (seed %i)', async (seed) => {
    // Here, too; but what was answered before shall be asked.
    const drawn = IS_LONG ? seed + 2000 : seed;
    const models = modelsOf(drawn);
    const truth = await truthOf(drawn);
    const client = new Redis(redis.url);
    await client.flushall();
    client.disconnect();
    await calmWorkers();
    const both = await Promise.all([
      checkByQueue(models, redis.url, { ...asked, isFresh: false }),
      checkByQueue(models, redis.url, { ...asked, isFresh: false }),
    ]);
    for (const reports of both) expect(expectTruth(models, truth, reports)).toBe(0);
  });

  test('a question that kills whoever works on it', async () => {
    // Whether it is stuck somewhere is as hard to say as whether it fails.
    const poison =
      'int a, b; active proctype p() { do :: a * a + b * b != 7 -> a++; assert(a * b != 1000000007) :: a * a + b * b != 7 -> b++ od }';
    const harmless: Models = new Map([...modelsOf(1)].slice(0, 3));
    const truth = new Map([...(await truthOf(1))].filter(([path]) => harmless.has(path)));
    // Whoever takes the question shall be killed.
    await calm?.end();
    calm = null;
    const workers = new Workers(bundle, redis.url, environment);
    let isOver = false;
    // As the kernel does when a process takes more memory than there is.
    const killers = async (): Promise<void> => {
      while (!isOver) {
        await pause(100);
        for (const { pid, megabytes } of childrenOf(workers.pids()))
          if (megabytes > 170) process.kill(pid, 'SIGKILL');
      }
    };
    try {
      await workers.start();
      const limits = { timeout: 3600, maxStates: 1e9 };
      const answers = Promise.all([
        checkByQueue(new Map([['poison.pml', poison]]), redis.url, { ...asked, limits }),
        checkByQueue(harmless, redis.url, asked),
      ]).finally(() => {
        isOver = true;
      });
      const [[bad, good]] = await Promise.all([answers, killers()]);
      const poisoned = bad.get('poison.pml')!.properties;
      expect(poisoned.map(({ reasonCode }) => reasonCode)).toEqual(['worker-lost', 'worker-lost']);
      expect(poisoned[0]!.reason).toContain('SIGKILL');
      expectTruth(harmless, truth, good);
      expect(workers.count).toBe(1);
    } finally {
      await workers.end();
    }
  });
});

/** The processes that workers work in, and what they hold. */
function childrenOf(pids: readonly number[]): { pid: number; megabytes: number }[] {
  // Where there are none `ps` prints nothing.
  return runProgram('ps', ['-o', 'pid=,rss=', '--ppid', pids.join(',')])
    .stdout.trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number))
    .flatMap(([pid, kilobytes]) => (pid && kilobytes ? [{ pid, megabytes: kilobytes / 1024 }] : []));
}
