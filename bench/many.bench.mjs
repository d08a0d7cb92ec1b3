// Many models: corpus, Debian's examples of SPIN (where they are installed), generated ones; by one process, by two threads, by two workers over Redis, and
// again with remembered answers. All must agree; the second run and one changed model are compared with the first.
// A limit on time is met sooner on a busy machine: answers that ran into it are counted and compared with nothing.
// Run: node bench/many.bench.mjs [COUNT] [SECONDS PER MODEL] (after npm run build; default 500, 10). Needs redis-server for the part with workers.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { importSource } from './source.mjs';

const root = new URL('..', import.meta.url).pathname;
const cli = join(root, 'dist/cli.js');
const count = Number(process.argv[2] ?? 500);
const folder = mkdtempSync(join(tmpdir(), 'spillway-many-'));
const limits = ['--timeout', process.argv[3] ?? '10', '--max-states', '30000'];

const filesBelow = (path) =>
  existsSync(path)
    ? readdirSync(path, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name))
        .sort()
    : [];

async function models() {
  const corpus = filesBelow(join(root, 'corpus')).filter((path) =>
    /\.(pml|lks|fsa|cms|pnml|ecfsm)$/.test(path),
  );
  // Models of programs with embedded C, and those that take hours, are no measure here.
  const examples = filesBelow('/usr/share/doc/spin')
    .concat(filesBelow('/usr/share/spin'))
    .filter((path) => /\.pml$/.test(path) && !/c_(code|decl|expr)/.test(readFileSync(path, 'utf8')));
  const { randomModels } = await importSource('testing/random-models.ts');
  // A few at least, of which one is changed later.
  const missing = Math.max(5, count - corpus.length - examples.length);
  const generated = fc.sample(randomModels(), { seed: 21, numRuns: missing }).map((text, index) => {
    const path = join(folder, `generated-${index}.pml`);
    writeFileSync(path, text);
    return path;
  });
  return { corpus, examples, generated, all: [...generated, ...corpus, ...examples].slice(0, count) };
}

async function run(name, paths, words, environment = {}) {
  const begin = performance.now();
  const out = join(folder, 'report.json');
  const child = spawn(
    process.execPath,
    [cli, 'check', ...paths, ...limits, ...words, '--format', 'json', '--out', out],
    {
      stdio: ['ignore', 'ignore', 'ignore'],
      env: { ...process.env, ...environment },
    },
  );
  await new Promise((resolve) => child.once('exit', resolve));
  const seconds = (performance.now() - begin) / 1000;
  const reports = [JSON.parse(readFileSync(out, 'utf8'))].flat();
  const results = reports.flatMap(({ model, properties, diagnostics }) => [
    ...properties.map(({ id, verdict, stats, reasonCode }) => ({
      question: `${model.files[0]} ${id}`,
      said: verdict,
      file: model.files[0],
      cached: stats.cached === true,
      late: reasonCode === 'time-limit',
    })),
    ...(properties.length === 0
      ? [{ question: model.files[0], said: diagnostics[0]?.code, cached: true, late: false }]
      : []),
  ]);
  const count = (test) => results.filter(test).length;
  console.log(
    `${name}: ${seconds.toFixed(1)} s, ${results.length} answers, ${count((one) => one.cached)} remembered, ${count((one) => one.late)} out of time`,
  );
  return { seconds, results };
}

function compare(name, first, second) {
  const known = new Map(first.results.map((one) => [one.question, one]));
  const other = second.results.filter(({ question, said, late }) => {
    const before = known.get(question);
    return before === undefined || (!late && !before.late && before.said !== said);
  });
  const same = other.length === 0 && known.size === new Set(second.results.map((one) => one.question)).size;
  const shown = other
    .slice(0, 5)
    .map(({ question, said }) => `\n    ${question}: ${said}, was ${known.get(question)?.said}`);
  console.log(`  ${same ? 'the same verdicts as' : 'OTHER VERDICTS than'} ${name}${shown.join('')}`);
  if (!same) process.exitCode = 1;
}

const freePort = () =>
  new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });

const started = [];
try {
  const { corpus, examples, generated, all } = await models();
  console.log(
    `${all.length} models: ${corpus.length} corpus, ${examples.length} examples, ${generated.length} generated`,
  );
  const cache = join(folder, 'answers');
  const one = await run('one process, one thread', all, ['--jobs', '1', '--cache', cache]);
  const again = await run('again, remembered      ', all, ['--jobs', '1', '--cache', cache]);
  compare('the first', one, again);
  console.log(`  ratio ${(again.seconds / one.seconds).toFixed(3)}`);
  const changed = generated[0];
  writeFileSync(changed, `${readFileSync(changed, 'utf8')}\n/* changed */\n`);
  const after = await run('one model changed      ', all, ['--jobs', '1', '--cache', cache]);
  const computed = new Set(after.results.filter((result) => !result.cached).map(({ file }) => file));
  console.log(
    `  computed: ${[...computed].map((file) => (file === changed ? 'the changed one' : file)).join(', ')}`,
  );
  compare('the first', one, after);
  compare('one thread', one, await run('two threads            ', all, ['--jobs', '2', '--no-cache']));
  if (spawnSync('redis-server', ['--version']).error !== undefined)
    console.log('no redis-server: no workers');
  else {
    const port = await freePort();
    const queue = `redis://127.0.0.1:${port}`;
    const shared = { SPILLWAY_QUEUE_KEY: 'bench', SPILLWAY_QUEUE_PATIENCE: '3600' };
    started.push(
      spawn('redis-server', ['--port', String(port), '--save', '', '--dir', folder], { stdio: 'ignore' }),
    );
    for (let i = 0; i < 2; i++) {
      const worker = spawn(process.execPath, [cli, 'worker', '--queue', queue, '--jobs', '1'], {
        stdio: ['ignore', 'pipe', 'ignore'],
        env: { ...process.env, ...shared },
      });
      started.push(worker);
      await new Promise((resolve) => worker.stdout.once('data', resolve));
    }
    const remote = await run('two workers over Redis ', all, ['--no-cache', '--queue', queue], shared);
    compare('one thread', one, remote);
  }
} finally {
  for (const child of started) child.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
}
