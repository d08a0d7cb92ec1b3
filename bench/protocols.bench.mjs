// The protocol corpus: Spillway and SPIN side by side in one run, verdict and time, as [Ciclo] Table VI does; and a family with a growing
// number of processes, where SPIN's time explodes. SPIN's time includes generating, compiling and running the verifier.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { secondsEach } from './seconds.mjs';

const root = new URL('..', import.meta.url).pathname;
const cli = join(root, 'dist/cli.js');
const LIMIT = secondsEach(process.argv[2]);

function timed(command, args, options = {}) {
  const begin = performance.now();
  const { stdout, status } = spawnSync(command, args, {
    encoding: 'utf8',
    timeout: LIMIT * 1000,
    maxBuffer: 1 << 28,
    ...options,
  });
  return { seconds: (performance.now() - begin) / 1000, stdout: stdout ?? '', status };
}

function spillway(path, property, defines = []) {
  const run = timed('node', [
    cli,
    'check',
    path,
    '--property',
    property,
    '--timeout',
    String(LIMIT),
    '--format',
    'json',
    ...defines,
  ]);
  let verdict = 'no answer';
  try {
    verdict = JSON.parse(run.stdout).properties[0].verdict;
  } catch {
    // killed at the limit
  }
  return { seconds: run.seconds, verdict };
}

/** Non-progress cycles at the declared capacities. */
function spin(path, defines = []) {
  const folder = mkdtempSync(join(tmpdir(), 'spillway-bench-'));
  try {
    writeFileSync(join(folder, 'm.pml'), readFileSync(path));
    const begin = performance.now();
    const steps = [
      ['spin', [...defines, '-a', 'm.pml']],
      ['gcc', ['-O2', '-w', '-DNP', '-DNOFAIR', '-DVECTORSZ=16384', '-o', 'pan', 'pan.c']],
      ['./pan', ['-l', '-m1000000', '-w24']],
    ];
    let output = '';
    for (const [command, args] of steps) {
      const left = Math.round(LIMIT * 1000 - (performance.now() - begin));
      if (left <= 0) break;
      output =
        spawnSync(command, args, { cwd: folder, encoding: 'utf8', timeout: left, maxBuffer: 1 << 28 })
          .stdout ?? '';
    }
    const seconds = (performance.now() - begin) / 1000;
    const states = /(\d+) states, stored/.exec(output)?.[1] ?? '-';
    if (/pan:\d+: non-progress cycle/.test(output)) return { seconds, verdict: 'refuted', states };
    const complete = /errors: 0/.test(output) && !/max search depth too small|out of memory/.test(output);
    return { seconds, verdict: complete ? 'proved' : 'no answer', states };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const row = (...cells) =>
  console.log(
    cells.map((cell, i) => (i === 0 ? String(cell).padEnd(24) : String(cell).padStart(11))).join(' '),
  );
const s = (seconds) => seconds.toFixed(2);
const hasSpin = spawnSync('sh', ['-c', 'command -v spin && command -v gcc']).status === 0;
if (!hasSpin) console.log('spin or gcc is not installed: only Spillway is measured');

console.log(`The protocol corpus, limit ${LIMIT} s each; seconds, start-up included`);
row('model', 'bounded', 's', 'livelock', 's', 'SPIN -l', 's', 'states');
const folder = join(root, 'corpus/protocols');
for (const name of readdirSync(folder).filter((file) => file.endsWith('.pml'))) {
  const path = join(folder, name);
  const bounded = spillway(path, 'bounded');
  const livelock = spillway(path, 'livelock-free');
  const judge = hasSpin ? spin(path) : { verdict: '-', seconds: 0, states: '-' };
  row(
    name,
    bounded.verdict,
    s(bounded.seconds),
    livelock.verdict,
    s(livelock.seconds),
    judge.verdict,
    s(judge.seconds),
    judge.states,
  );
}

console.log('\nTrains at a crossing, livelock freedom, growing number of trains');
row('trains', 'Spillway', 's', 'SPIN -l', 's', 'states');
const trains = join(folder, 'train-controller.pml');
for (const count of [2, 3, 4, 5, 6, 8, 12, 20]) {
  const define = [`-DTRAINS=${count}`];
  const ours = spillway(trains, 'livelock-free', define);
  const theirs =
    hasSpin && count <= 8 ? spin(trains, define) : { verdict: 'not run', seconds: 0, states: '-' };
  row(count, ours.verdict, s(ours.seconds), theirs.verdict, s(theirs.seconds), theirs.states);
}
