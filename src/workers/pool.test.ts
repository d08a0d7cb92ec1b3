// Engines on worker threads: the same verdicts as in one thread, threads that die, checks that are interrupted.

import { spawn, spawnSync } from 'node:child_process';
import {
  closeSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { beforeAll, describe, expect, test } from 'vitest';
import { SILENT, startBudget } from '../base/budget.ts';
import { type CheckInput, checkModel, type HostSource } from '../check/check.ts';
import { bundleForTest } from '../testing/bundle.ts';
import { WorkerPool } from './pool.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
let folder = '';
beforeAll(async () => {
  folder = await bundleForTest();
});

const openPool = (size = 2) => new WorkerPool(pathToFileURL(join(folder, 'worker.js')), size);
const files = {
  read: (path: string) => {
    try {
      return readFileSync(join(root, path), 'utf8');
    } catch {
      return null;
    }
  },
};
const clock = { ...SILENT, now: () => performance.now() };

async function verdictsOf(input: Omit<CheckInput, 'files'> & Partial<CheckInput>): Promise<string[]> {
  const report = await checkModel({ files, observer: clock, firstLook: 0, ...input });
  expect(report.diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
  return report.properties.map(({ id, verdict }) => `${id} ${verdict}`);
}

test('the same verdicts as in one thread, for every language', async () => {
  const pool = openPool();
  try {
    for (const path of [
      'corpus/quickstart/ring.pml',
      'corpus/quickstart/flood.pml',
      'corpus/kripke/rw.lks',
      'corpus/ecfsm/credit.ecfsm',
      'corpus/c/small/bits.c',
    ])
      expect(await verdictsOf({ paths: [path], hosts: pool }), path).toEqual(
        await verdictsOf({ paths: [path] }),
      );
  } finally {
    await pool.close();
  }
});

/** One queue is bounded for all to see, the state space has no end that anyone could reach. */
const ENDLESS = `chan q = [2] of { byte }; int a, b, c;
active proctype sender() { q!1; q!2 }
active proctype taker() { byte x; end: do :: q?x od }
active proctype counter() { do :: a++ :: b++ :: c++ :: a < b && b < c && c > 1000000000 -> q!3; assert(a == 0) od }
`;
const endless = { read: (path: string) => (path === 'm.pml' ? ENDLESS : null) };

/** Two of its five properties are plain, the others ask for the states that nobody reaches. */
const FIVE = `${ENDLESS.replace('q!3', 'assert(false)')}
ltl low { [] (a < 2000000000 || b < a) }
ltl far { <> (c > 1000000000) }
`;

test('a thread that dies costs one engine: the other facts are reported', async () => {
  const pool = openPool();
  const killed: string[] = [];
  const hosts: HostSource = {
    hostFor: (model) => {
      const host = pool.hostFor(model);
      return {
        lanes: 2,
        pause: host.pause,
        start: (engine, work, learn, observer) => {
          const running = host.start(engine, work, learn, {
            ...observer,
            progress: () => {
              if (engine !== 'exhaustive search') return;
              killed.push(engine);
              running.kill();
            },
          });
          return running;
        },
      };
    },
  };
  try {
    const budget = startBudget({ timeout: 3600 }, () => performance.now());
    const report = await checkModel({
      paths: ['m.pml'],
      files: endless,
      observer: clock,
      budget,
      firstLook: 0,
      properties: ['bounded', 'assertions'],
      options: { confirm: false },
      hosts,
    });
    expect(killed[0]).toBe('exhaustive search');
    expect(report.properties.map(({ id, reasonCode }) => `${id} ${reasonCode}`)).toEqual([
      'bounded abstraction-too-coarse',
      'assertions engine-failed',
    ]);
    // The pool goes on with another thread.
    expect(await verdictsOf({ paths: ['corpus/quickstart/ring.pml'], hosts: pool })).toContain(
      'bounded proved',
    );
  } finally {
    await pool.close();
  }
});

test('an abort ends the check, and what is known is reported', async () => {
  const pool = openPool();
  const abort = new AbortController();
  try {
    const report = await checkModel({
      paths: ['m.pml'],
      files: endless,
      observer: { ...clock, progress: () => abort.abort() },
      firstLook: 0,
      properties: ['assertions'],
      hosts: pool,
      signal: abort.signal,
      budget: startBudget({ timeout: 3600 }, () => performance.now()),
    });
    expect(report.properties[0]).toMatchObject({ verdict: 'unknown', reasonCode: 'cancelled' });
  } finally {
    await pool.close();
  }
});

describe('the command line', () => {
  const check = (...words: string[]) => [join(folder, 'cli.js'), 'check', ...words];

  /** Ten models in many languages; all but the first few go to threads at once. */
  const MODELS = [
    'quickstart/ring.pml',
    'quickstart/flood.pml',
    'kripke/rw.lks',
    'papers/ciclo-fig1.pml',
    'ecfsm/broker-broken.ecfsm',
    'machines/both-wait.fsa',
    'nets/two-machines.pnml',
    'c/small/bits.c',
    'scxml/turnstile.scxml',
    'machines/race.sgg',
  ].map((path) => join(root, 'corpus', path));

  interface Said {
    readonly id: string;
    readonly verdict: string;
    readonly evidence?: { readonly kind: string };
    readonly queues?: readonly { readonly name: string; readonly verdict: string }[];
    readonly reasonCode?: string;
  }

  /** What an answer rests on, a certificate or a search that saw everything, may be whatever came first; that it rests on something counts. */
  const essence = ({ id, verdict, evidence, queues, reasonCode }: Said) => ({
    id,
    verdict,
    hasEvidence: evidence !== undefined,
    reasonCode,
    queues: queues?.map((queue) => `${queue.name} ${queue.verdict}`),
  });

  function answersWith(jobs: number) {
    const run = spawnSync(
      process.execPath,
      check(...MODELS, '--jobs', String(jobs), '--timeout', '3600', '--format', 'json'),
      { env: { ...process.env, SPILLWAY_CACHE: 'off' }, encoding: 'utf8', maxBuffer: 1 << 28 },
    );
    const reports = JSON.parse(run.stdout) as { properties: Said[]; diagnostics: unknown[] }[];
    return reports.map(({ properties, diagnostics }, index) => ({
      model: MODELS[index],
      diagnostics,
      answers: properties.map(essence),
    }));
  }

  test('as many threads as you like: the same verdicts, each with evidence', () => {
    const one = answersWith(1);
    expect(answersWith(2)).toEqual(one);
    expect(one.length).toBe(MODELS.length);
    expect(one.filter(({ answers }) => answers.length === 0)).toEqual([]);
    const answers = one.flatMap((model) => model.answers);
    expect([...new Set(answers.map(({ verdict }) => verdict))]).toEqual(
      expect.arrayContaining(['proved', 'refuted']),
    );
    const bare = answers.filter(({ verdict, hasEvidence }) => verdict !== 'unknown' && !hasEvidence);
    expect(bare).toEqual([]);
  });

  test.each([1, 2])(
    'Ctrl-C prints the verdicts that are known, and exits with 130 (--jobs %i)',
    async (jobs) => {
      const model = join(folder, `five-${jobs}.pml`);
      writeFileSync(model, FIVE);
      const child = spawn(
        process.execPath,
        check(model, '--timeout', '3600', '--verbose', '--jobs', String(jobs)),
        { env: { ...process.env, SPILLWAY_CACHE: 'off' } },
      );
      let out = '';
      let interrupted = false;
      child.stdout.on('data', (chunk) => {
        out += chunk;
        // As soon as something is known.
        if (!interrupted && /PROVED|REFUTED/.test(out)) {
          interrupted = true;
          child.kill('SIGINT');
        }
      });
      const code = await new Promise((resolve) => child.on('exit', resolve));
      const answers = [...out.matchAll(/^ {2}([\w:-]+) +(PROVED|REFUTED|UNKNOWN)/gm)].map(([, id]) => id);
      expect(answers.sort(), out).toEqual(['assertions', 'bounded', 'deadlock-free', 'ltl:far', 'ltl:low']);
      expect(out).toMatch(/(bounded|deadlock-free) +(PROVED|REFUTED)/);
      expect(out).toMatch(/assertions +UNKNOWN +stopped by the user/);
      expect(code).toBe(130);
    },
  );
});

test('without an SMT solver the answer is unknown, with that reason', async () => {
  const program = join(root, 'corpus/c/small/bits.c');
  // No program on the path, and a package that cannot be started beside the bundle.
  const empty = mkdtempSync(join(tmpdir(), 'spillway-'));
  try {
    cpSync(folder, empty, { recursive: true });
    const fake = join(empty, 'node_modules/z3-solver');
    mkdirSync(fake, { recursive: true });
    writeFileSync(join(fake, 'package.json'), '{ "name": "z3-solver", "main": "index.js" }');
    writeFileSync(join(fake, 'index.js'), "throw new Error('not here');");
    const run = spawnSync(process.execPath, [join(empty, 'cli.js'), 'check', program], {
      env: { PATH: empty },
      encoding: 'utf8',
    });
    expect(run.stdout).toMatch(/no SMT solver/);
    expect(run.status).toBe(2);
  } finally {
    rmSync(empty, { recursive: true, force: true });
  }
});

test('output that cannot be written is no verdict', () => {
  if (!existsSync('/dev/full')) return console.log('skipped: there is no /dev/full on this system');
  const full = openSync('/dev/full', 'w');
  const run = spawnSync(
    process.execPath,
    [join(folder, 'cli.js'), 'check', join(root, 'corpus/quickstart/ring.pml'), '--format', 'json'],
    { stdio: ['ignore', full, 'pipe'], encoding: 'utf8' },
  );
  closeSync(full);
  expect(run.status).toBe(3);
  expect(run.stderr).toContain('cannot be written');
});
