// States per second of the exhaustive search, beside SPIN's verifier (pan, gcc -O2, no reductions, no statement merging) on the same models
// in the same run. CPU time of both, without and with making the program that searches: `spin -a` and gcc there; text, WebAssembly and what the
// engine's own compilers do meanwhile here. The ratios are our time by SPIN's: below 1 we are faster. Each is run in a process of its own, in turns,
// and the best of three counts: on a busy machine the others tell more about its caches.
// At the end: the same search by one thread and by two (together.mjs). Run: node bench/explore.bench.mjs
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { importSource } from './source.mjs';
import { compareThreads } from './together.mjs';

const { loadPromela, compileModel, search, NativeEngine, SILENT, UNLIMITED } = await importSource(
  'promela/load.ts',
  'explore/compile.ts',
  'explore/search.ts',
  'explore/native.ts',
  'base/budget.ts',
);
if (process.argv[2] === '--one') {
  console.log(JSON.stringify(explore(process.argv[3])));
  process.exit(0);
}
const EXAMPLES = '/usr/share/doc/spin/examples/Examples';
const MODELS = ['cambridge.pml', 'sort.pml', 'dtp.pml', 'hajek.pml', 'snoopy.pml', 'leader0.pml'];

if (!existsSync(EXAMPLES)) {
  console.log("SPIN's examples are not installed: nothing to measure");
  process.exit(0);
}
const judge = ['spin', 'gcc'].every((name) => spawnSync('sh', ['-c', `command -v ${name}`]).status === 0);
if (!judge) console.log('spin or gcc is missing: no comparison');

const columns = (...cells) =>
  console.log(cells.map((cell, i) => (i === 0 ? cell.padEnd(15) : cell.padStart(13))).join(''));
columns('model', 'states', 'search s', 'all s', 'states/s', 'bytes/state', 'pan s', 'all s', 'search', 'all');
const ratios = [];
for (const name of MODELS) {
  const path = join(EXAMPLES, name);
  let ours = null;
  let pan = null;
  for (let run = 0; run < 3; run++) {
    ours = better(ours, inProcess(path), 'search');
    if (judge) pan = better(pan, runPan(path), 'seconds');
  }
  if (pan !== null && pan.states !== ours.states) {
    console.log(`${name}: ${ours.states} states, but SPIN has ${pan.states}`);
    process.exitCode = 1;
  }
  if (pan !== null) ratios.push({ search: ours.search / pan.seconds, whole: ours.whole / pan.whole });
  columns(
    name,
    String(ours.states),
    ours.search.toFixed(2),
    ours.whole.toFixed(2),
    `${Math.round(ours.states / ours.search / 1000)}k`,
    (ours.bytes / ours.states).toFixed(0),
    pan === null ? '-' : pan.seconds.toFixed(2),
    pan === null ? '-' : pan.whole.toFixed(2),
    pan === null ? '-' : (ours.search / pan.seconds).toFixed(2),
    pan === null ? '-' : (ours.whole / pan.whole).toFixed(2),
  );
}
const mean = (of) => Math.exp(ratios.reduce((sum, ratio) => sum + Math.log(of(ratio)), 0) / ratios.length);
if (ratios.length > 0)
  console.log(
    `geometric mean: search ${mean((r) => r.search).toFixed(2)}, all ${mean((r) => r.whole).toFixed(2)}`,
  );

await compareThreads();

/** The run with the least of `key`. */
function better(best, other, key) {
  return best === null || other[key] < best[key] ? other : best;
}

function inProcess(path) {
  const { stdout } = spawnSync(process.execPath, [process.argv[1], '--one', path], { encoding: 'utf8' });
  return JSON.parse(stdout);
}

function cpuSeconds(work) {
  const before = process.cpuUsage();
  const result = work();
  const { user, system } = process.cpuUsage(before);
  return { result, seconds: Math.max(0.001, (user + system) / 1e6) };
}

function explore(path) {
  const { program } = loadPromela(path, {
    read: (name) => (existsSync(name) ? readFileSync(name, 'utf8') : null),
  });
  const goals = { endStates: true, assertions: true, all: true };
  const nobody = { step() {}, claim() {}, fault() {}, still() {} };
  const making = cpuSeconds(() => NativeEngine.of(compileModel(program).value, nobody, 2 ** 30));
  const { result, seconds } = cpuSeconds(() => search(compileModel(program).value, goals, UNLIMITED, SILENT));
  if (result.limit !== null) throw new Error(`${path}: ${result.limit}`);
  // What was made before is compiled faster the second time: the first time counts.
  const again = cpuSeconds(() => NativeEngine.of(compileModel(program).value, nobody, 2 ** 30)).seconds;
  const searching = Math.max(0.001, seconds - again);
  return { states: result.states, bytes: result.bytes, search: searching, whole: searching + making.seconds };
}

function runPan(path) {
  const folder = mkdtempSync(join(tmpdir(), 'spillway-bench-'));
  try {
    writeFileSync(join(folder, 'model.pml'), readFileSync(path));
    const script =
      '( spin -a -o1 -o2 -o3 model.pml >/dev/null && gcc -O2 -w -DSAFETY -DNOREDUCE -DNOCLAIM -DVECTORSZ=4096 -o pan pan.c; times >built ); ' +
      '( ./pan -c0 -n -m2000000 -w20 >out 2>&1; times >times )';
    spawnSync('bash', ['-c', script], { cwd: folder });
    const states = Number(/([\d.e+]+) states, stored/.exec(readFileSync(join(folder, 'out'), 'utf8'))?.[1]);
    const seconds = childTime(readFileSync(join(folder, 'times'), 'utf8'));
    const whole = seconds + childTime(readFileSync(join(folder, 'built'), 'utf8'));
    return { states, seconds: Math.max(0.01, seconds), whole };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function childTime(times) {
  const children = times.trim().split('\n').at(-1);
  return [...children.matchAll(/(\d+)m([\d.]+)s/g)].reduce(
    (sum, [, minutes, rest]) => sum + Number(minutes) * 60 + Number(rest),
    0,
  );
}
