// Questions over a real Redis: the same verdicts, forged answers, cancellation, what looks after a queue.

import { spawn, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Queue, Worker } from 'bullmq';
import { Redis } from 'ioredis';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { SILENT } from '../base/budget.ts';
import { checkModel } from '../check/check.ts';
import { filesOf } from '../check/snapshot.ts';
import { runCli } from '../cli/run.ts';
import { bundleForTest } from '../testing/bundle.ts';
import { scratchIo } from '../testing/memory-io.ts';
import { hasProgram } from '../testing/programs.ts';
import { startRedis, type TestRedis } from '../testing/redis.ts';
import { redisOptions } from './connection.ts';
import { type AnswerData, QUEUE, type QuestionData } from './messages.ts';
import { Submitter } from './submitter.ts';
import { checkByQueue, checkHere, type Models, verdictsOf, Workers } from './workshop.fuzz.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const corpus = (...paths: string[]): Models =>
  new Map(paths.map((path) => [path, readFileSync(join(root, 'corpus', path), 'utf8')]));
const SMALL = corpus('quickstart/ring.pml', 'quickstart/flood.pml');
const VARIOUS = corpus('quickstart/ring.pml', 'quickstart/flood.pml', 'kripke/rw.lks', 'ecfsm/credit.ecfsm');
/** Nobody comes to an end of it. */
const ENDLESS: Models = new Map([
  [
    'endless.pml',
    // Whether it is stuck somewhere is as hard to say as whether it fails.
    'int a, b; active proctype p() { do :: a * a + b * b != 7 -> a++; assert(a * b != 1000000007) :: a * a + b * b != 7 -> b++ od }',
  ],
]);

const THREE_QUEUES: Models = new Map([
  [
    'three.pml',
    `chan a = [2] of { byte }; chan b = [2] of { byte }; chan c = [2] of { byte };
active proctype p() { do :: a!1; b?_ od }
active proctype q() { do :: a?_; c!1 od }
active proctype r() { do :: c?_; b!1 od }`,
  ],
]);

describe.skipIf(!hasProgram('redis-server'))('over Redis', () => {
  let redis: TestRedis;
  let bundle: string;
  let client: Redis;
  const cleanUp: (() => Promise<unknown>)[] = [];
  beforeAll(async () => {
    [redis, bundle] = await Promise.all([startRedis(), bundleForTest()]);
    client = new Redis(redis.url);
  });
  afterEach(async () => {
    for (const clean of cleanUp.splice(0)) await clean();
    await client.flushall();
  });
  afterAll(async () => {
    await noWorkers();
    client.disconnect();
    await redis.remove();
  });
  const oneWorker = async (): Promise<void> => {
    const workers = new Workers(bundle, redis.url);
    cleanUp.push(() => workers.end());
    await workers.start();
  };
  /** Started once: most tests need workers, and not others. */
  let shared: Workers | null = null;
  const someWorkers = async (): Promise<void> => {
    if (shared !== null) return;
    shared = new Workers(bundle, redis.url, { SPILLWAY_QUEUE_KEY: 'shared' });
    await Promise.all([shared.start(), shared.start()]);
  };
  const noWorkers = async (): Promise<void> => {
    await shared?.end();
    shared = null;
  };
  const spillway = (...words: string[]) =>
    spawnSync(process.execPath, [join(bundle, 'cli.js'), ...words], { encoding: 'utf8', cwd: root });

  test('the same verdicts as in one process, with and without a shared secret', async () => {
    const here = verdictsOf(VARIOUS, await checkHere(VARIOUS));
    await someWorkers();
    expect(verdictsOf(VARIOUS, await checkByQueue(VARIOUS, redis.url, { secret: 'shared' }))).toEqual(here);
    // What comes without the seal is checked again.
    const few = verdictsOf(SMALL, await checkByQueue(SMALL, redis.url, { secret: 'another' }));
    expect(few).toEqual(here.slice(0, few.length));
    expect(few.length).toBeGreaterThan(2);
  });

  test('what is asked twice is worked on once', async () => {
    await someWorkers();
    const asked = { isFresh: false };
    const first = await checkByQueue(SMALL, redis.url, asked);
    const both = await Promise.all([
      checkByQueue(SMALL, redis.url, asked),
      checkByQueue(SMALL, redis.url, asked),
    ]);
    for (const again of both) expect(verdictsOf(SMALL, again)).toEqual(verdictsOf(SMALL, first));
    expect(
      JSON.parse(spillway('queue', 'status', '--queue', redis.url, '--format', 'json').stdout),
    ).toMatchObject({
      answered: SMALL.size,
      workers: 2,
      waiting: 0,
    });
    expect(spillway('queue', 'drain', '--queue', redis.url).stdout).toBe(`${SMALL.size} taken out\n`);
  });

  test('a swarm over workers refutes, and a refutation ends its siblings', async () => {
    await someWorkers();
    const text = `byte n, m; int x;
active proctype p() { do :: n < 6 -> n++ :: n > 0 -> n-- :: n == 4 && m == 4 -> assert(false) :: x++ od }
active proctype q() { do :: m < 6 -> m++ :: m > 0 -> m-- od }`;
    const models = new Map([['deep.pml', text]]);
    const report = await checkByQueue(models, redis.url, {
      swarm: 2,
      secret: 'shared',
      limits: { timeout: 3600, maxStates: 5_000 },
    });
    expect(verdictsOf(models, report)).toContain('deep.pml assertions refuted');
  });

  test('an answer that comes while it is being asked for is heard', async () => {
    await someWorkers();
    const getJob = Queue.prototype.getJob;
    // What was read lies about until the worker is done.
    const late = vi.spyOn(Queue.prototype, 'getJob').mockImplementation(async function (this: Queue, id) {
      const job = await getJob.call(this, id);
      while (job !== undefined && !(await job.isCompleted())) await new Promise((go) => setTimeout(go, 20));
      return job;
    });
    try {
      const submitter = await Submitter.open({
        address: { url: redis.url },
        patience: 3_600_000,
        isFresh: true,
      });
      cleanUp.push(() => submitter.close());
      // The word that it is done may come later still.
      submitter['events'].removeAllListeners('completed');
      const texts = { 'late.pml': 'chan q = [1] of { byte }; active proctype p() { q!1; q?_ }' };
      const model = { language: 'promela', paths: ['late.pml'], options: {}, files: { texts, headers: {} } };
      const part = { properties: ['bounded'], isHelp: false };
      const answer = await submitter.ask(model, part, {}, SILENT).answer;
      expect(answer).toMatchObject({ answered: { results: [{ id: 'bounded', verdict: 'proved' }] } });
    } finally {
      late.mockRestore();
    }
  });

  test('the command line', async () => {
    await someWorkers();
    const run = spillway(
      'check',
      'corpus/quickstart/flood.pml',
      '--queue',
      redis.url,
      '--format',
      'json',
      '--no-cache',
    );
    expect(run.status).toBe(1);
    expect(JSON.parse(run.stdout).properties).toHaveLength(3);
    expect(spillway('queue', 'retry', '--queue', redis.url).stdout).toBe('0 to be tried again\n');
    expect(spillway('queue', 'status', '--queue', redis.url).stdout).toMatch(/workers +2\n/);
    const { io, remove } = scratchIo();
    cleanUp.push(async () => remove());
    expect(await runCli(['queue', 'frobnicate', '--queue', redis.url], io)).toBe(64);
    expect(await runCli(['queue', 'status'], io)).toBe(64);
    expect(await runCli(['queue', 'status', '--queue', 'http://x'], io)).toBe(3);
  });

  /** Answers every question with what it is given to say. */
  const liar = (say: (question: QuestionData) => object[]): void => {
    const worker = new Worker<QuestionData, AnswerData>(
      QUEUE,
      async ({ data }) => ({
        body: JSON.stringify({ results: say(data), diagnostics: [] }),
        seal: 'f'.repeat(64),
      }),
      { connection: redisOptions({ url: redis.url }) },
    );
    worker.on('error', () => {});
    cleanUp.push(() => worker.close(true));
  };

  test('a forged proof, a forged run and a search that nobody made are refused', async () => {
    await noWorkers();
    const truth = await checkHere(SMALL);
    const reproduce = { verb: 'check', paths: [], property: '', options: [] };
    const ring = truth.get('quickstart/ring.pml')!.properties.find(({ id }) => id === 'bounded')!;
    const flood = truth.get('quickstart/flood.pml')!.properties.find(({ id }) => id === 'bounded')!;
    const proved = { ...ring, reproduce };
    const refuted = { ...flood, reproduce };
    const searched = {
      verdict: 'proved',
      method: 'exhaustive',
      checkedBy: 'search',
      evidence: { kind: 'exhaustion', states: 17, transitions: 25 },
      stats: {},
      reproduce,
    };
    for (const forged of [proved, refuted, searched]) {
      liar(({ properties }) => properties.map((id) => ({ ...forged, id })));
      const reports = await checkByQueue(SMALL, redis.url, { secret: 'shared' });
      expect(verdictsOf(SMALL, reports)).toEqual(verdictsOf(SMALL, truth));
      const warned = [...reports.values()].filter((report) =>
        report.diagnostics.some(({ code }) => code === 'SPW9006'),
      );
      // Searches leave nothing that could be refused: they are made again.
      expect(warned.length > 0).toBe(forged !== searched);
      for (const clean of cleanUp.splice(0)) await clean();
    }
  });

  test('nonsense is no answer', async () => {
    await noWorkers();
    const truth = verdictsOf(SMALL, await checkHere(SMALL));
    for (const nonsense of [
      [],
      [{}],
      [{ id: 'bounded', verdict: 'proved' }],
      [{ id: 'safe', verdict: 'sure' }],
    ]) {
      liar(() => nonsense);
      expect(verdictsOf(SMALL, await checkByQueue(SMALL, redis.url))).toEqual(truth);
      for (const clean of cleanUp.splice(0)) await clean();
    }
  });

  test('who loses interest frees the worker', async () => {
    await noWorkers();
    await oneWorker();
    const abort = new AbortController();
    const observer = { stage: () => {}, progress: () => abort.abort(), now: () => performance.now() };
    const limits = { timeout: 3600, maxStates: 1e9 };
    const report = await checkByQueue(ENDLESS, redis.url, { signal: abort.signal, observer, limits });
    expect(verdictsOf(ENDLESS, report)).toEqual([
      'endless.pml deadlock-free unknown cancelled',
      'endless.pml assertions unknown cancelled',
    ]);
    // The only worker has time for others.
    expect(verdictsOf(SMALL, await checkByQueue(SMALL, redis.url))).toContain(
      'quickstart/ring.pml bounded proved',
    );
  });

  test('what takes long is divided: cases of one property by several workers', async () => {
    await noWorkers();
    const asked: string[][] = [];
    const patient = async ({ data }: { readonly data: QuestionData }): Promise<AnswerData> => {
      const { model, properties } = data;
      const queues = model.options.queues ?? [];
      // Nobody comes to an end of the whole.
      if (queues.length === 0) await new Promise(() => {});
      asked.push([...queues]);
      const files = filesOf(model.files);
      const report = await checkModel({ paths: model.paths, files, properties, options: model.options });
      return { body: JSON.stringify({ results: report.properties, diagnostics: [] }), seal: null };
    };
    const worker = new Worker(QUEUE, patient, {
      connection: redisOptions({ url: redis.url }),
      concurrency: 100,
    });
    cleanUp.push(() => worker.close(true));
    const report = await checkByQueue(THREE_QUEUES, redis.url, { divideAfter: 1, properties: ['bounded'] });
    expect(verdictsOf(THREE_QUEUES, report)).toEqual(['three.pml bounded proved']);
    expect(asked.flat().sort()).toEqual(['a', 'b', 'c']);
  });

  test('a worker that is told to end does so without Redis, too', async () => {
    const own = await startRedis();
    const worker = spawn(process.execPath, [join(bundle, 'cli.js'), 'worker', '--queue', own.url], {
      stdio: 'pipe',
    });
    const ended = new Promise((resolve) => worker.once('exit', resolve));
    await new Promise((resolve) => worker.stdout.once('data', resolve));
    await own.remove();
    worker.kill('SIGTERM');
    expect(await ended).toBe(0);
  });

  test('without workers, or without Redis, the answer is unknown, with the reason', async () => {
    await noWorkers();
    const asked = { patience: 1 };
    const lonely = await checkByQueue(SMALL, redis.url, asked);
    expect(new Set(verdictsOf(SMALL, lonely).map((line) => line.split(' ').slice(2).join(' ')))).toEqual(
      new Set(['unknown queue-lost']),
    );
    const own = await startRedis();
    const client = new Redis(own.url);
    const waiting = checkByQueue(SMALL, own.url, { patience: 100 });
    while ((await client.dbsize()) === 0) await new Promise((resolve) => setTimeout(resolve, 10));
    client.disconnect();
    await own.remove();
    expect(verdictsOf(SMALL, await waiting).every((line) => line.endsWith('unknown queue-lost'))).toBe(true);
  });

  test('what a queue forgot is asked again', async () => {
    await noWorkers();
    const waiting = checkByQueue(SMALL, redis.url);
    while ((await client.dbsize()) === 0) await new Promise((resolve) => setTimeout(resolve, 10));
    await client.flushall();
    await oneWorker();
    expect(verdictsOf(SMALL, await waiting)).toContain('quickstart/ring.pml bounded proved');
  });
});
