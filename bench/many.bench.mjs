// Many models: corpus, Debian's examples of SPIN (where they are installed), generated ones; by one process, by two threads, by two workers over Redis, and
// again with remembered answers. All must agree; the second run and one changed model are compared with the first.
// A limit on time is met sooner on a busy machine: what one process settled and others did not is asked again, with a hundred times the time.
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
const timeout = Number(process.argv[3] ?? 10);

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

/** By a shell that says how much processor time the command took. */
async function run(name, paths, words, environment = {}, seconds = timeout) {
  const begin = performance.now();
  const out = join(folder, 'report.json');
  const limits = ['--timeout', String(seconds), '--max-states', '30000'];
  const command = [
    process.execPath,
    cli,
    'check',
    ...paths,
    ...limits,
    ...words,
    '--format',
    'json',
    '--out',
    out,
  ];
  const child = spawn('bash', ['-c', '"$@"; times', 'bash', ...command], {
    detached: true,
    stdio: ['ignore', 'pipe', 'ignore'],
    env: { ...process.env, ...environment },
  });
  let said = '';
  child.stdout.on('data', (data) => {
    said += data;
  });
  // The shell and what it started.
  started.push({ kill: () => child.exitCode === null && process.kill(-child.pid, 'SIGKILL') });
  await new Promise((resolve) => child.once('close', resolve));
  const wall = (performance.now() - begin) / 1000;
  const [minutes, rest] = said.trim().split('\n').at(-1).split('m').map(Number.parseFloat);
  const reports = [JSON.parse(readFileSync(out, 'utf8'))].flat();
  const results = reports.flatMap(({ model, properties, diagnostics }) => {
    const file = model.files[0];
    const answers = properties.map(({ id, verdict, stats }) => ({
      question: `${file} ${id}`,
      said: verdict,
      file,
      cached: stats.cached === true,
    }));
    return answers.length > 0
      ? answers
      : [{ question: file, said: diagnostics[0]?.code, file, cached: true }];
  });
  const count = (test) => results.filter(test).length;
  const processor = minutes * 60 + rest;
  console.log(
    `${name}: ${wall.toFixed(1)} s, ${processor.toFixed(1)} s of processor time, ${results.length} answers, ${count((one) => one.said === 'unknown')} open, ${count((one) => one.cached)} remembered`,
  );
  return { processor, results };
}

const isOpen = (said) => said === 'unknown';

/** Whoever does not settle what the first settled gets more time; then nothing may differ. */
async function compare(name, first, second, again) {
  const known = new Map(first.results.map(({ question, said }) => [question, said]));
  const missing = known.size - new Set(second.results.map((one) => one.question)).size;
  const late = second.results.filter(({ question, said }) => isOpen(said) && !isOpen(known.get(question)));
  const files = [...new Set(late.map(({ file }) => file))];
  const more = files.length === 0 ? { results: [] } : await again(files);
  const final = new Map([...second.results, ...more.results].map(({ question, said }) => [question, said]));
  const other = [...final].filter(
    ([question, said]) => !isOpen(known.get(question)) && known.get(question) !== said,
  );
  const same = other.length === 0 && missing === 0;
  const shown = other
    .slice(0, 9)
    .map(([question, said]) => `\n    ${question}: ${said}, was ${known.get(question)}`);
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
const end = () => {
  for (const child of started) child.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
};
// Whoever is stopped leaves nothing behind.
for (const signal of ['SIGINT', 'SIGTERM'])
  process.once(signal, () => {
    end();
    process.exit(130);
  });
try {
  const { corpus, examples, generated, all } = await models();
  console.log(
    `${all.length} models: ${corpus.length} corpus, ${examples.length} examples, ${generated.length} generated`,
  );
  const cache = join(folder, 'answers');
  const one = await run('one process, one thread', all, ['--jobs', '1', '--cache', cache]);
  const withMore = (files) =>
    run('  with more time       ', files, ['--jobs', '1', '--cache', cache], {}, timeout * 100);
  const again = await run('again, remembered      ', all, ['--jobs', '1', '--cache', cache]);
  await compare('the first', one, again, (files) => withMore(files));
  console.log(`  ratio of processor time ${(again.processor / one.processor).toFixed(3)}`);
  const changed = generated[0];
  writeFileSync(changed, `${readFileSync(changed, 'utf8')}\n/* changed */\n`);
  const after = await run('one model changed      ', all, ['--jobs', '1', '--cache', cache]);
  const computed = new Set(after.results.filter((result) => !result.cached).map(({ file }) => file));
  console.log(
    `  computed: ${[...computed].map((file) => (file === changed ? 'the changed one' : file)).join(', ')}`,
  );
  await compare('the first', one, after, (files) => withMore(files));
  const threads = (name, paths, seconds) => run(name, paths, ['--jobs', '2', '--no-cache'], {}, seconds);
  await compare('one thread', one, await threads('two threads            ', all), (files) =>
    threads('  with more time       ', files, timeout * 100),
  );
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
    const workers = (name, paths, seconds) =>
      run(name, paths, ['--no-cache', '--queue', queue], shared, seconds);
    await compare('one thread', one, await workers('two workers over Redis ', all), (files) =>
      workers('  with more time       ', files, timeout * 100),
    );
  }
} finally {
  end();
}
