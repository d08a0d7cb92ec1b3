// A swarm beside the single search: a model of more than ten million states with an error deep inside, on two threads each.
// Run: node bench/swarm.bench.mjs (after npm run build)
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const cli = new URL('../dist/cli.js', import.meta.url).pathname;
const folder = mkdtempSync(join(tmpdir(), 'spillway-swarm-'));
const path = join(folder, 'session.pml');
// Ten stages, a hundred steps each; at each the session may fail, and then the peers gossip in 57^4, more than ten million, states. The error lies behind all of them.
writeFileSync(
  path,
  `#define TOP 56
byte a, b, c, d, stage;
active proctype session() {
  byte n;
  do
  :: stage < 10 ->
     n = 0;
     do :: n < 100 -> n++ :: n == 100 -> break od;
     if
     :: stage % 2 == 0 -> stage++
     :: goto gossip
     :: stage % 2 == 1 -> stage++
     fi
  :: stage == 10 -> assert(false)
  od;
gossip:
  do
  :: a < TOP -> a++ :: b < TOP -> b++ :: c < TOP -> c++ :: d < TOP -> d++
  :: a > 0 -> a-- :: b > 0 -> b-- :: c > 0 -> c-- :: d > 0 -> d--
  od
}
`,
);
const question = [
  'check',
  path,
  '--property',
  'assertions',
  '--max-states',
  '200000000',
  '--max-memory',
  '6000',
];
const limit = ['--timeout', '300', '--no-cache', '--format', 'json'];

function run(...words) {
  const begin = performance.now();
  const { stdout } = spawnSync(process.execPath, [cli, ...question, ...limit, ...words], {
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  });
  const [{ verdict, stats, evidence }] = JSON.parse(stdout).properties;
  return { seconds: (performance.now() - begin) / 1000, verdict, stats, steps: evidence?.run?.steps.length };
}

try {
  const show = (name, { seconds, verdict, stats, steps }) =>
    console.log(
      `${name}: ${verdict} after ${seconds.toFixed(1)} s${steps === undefined ? '' : `, a run of ${steps} steps`}; ${stats.states?.toLocaleString('en')} states in the last search`,
    );
  const swarm = run('--swarm', '2', '--jobs', '2');
  show('2 swarm workers', swarm);
  const single = run('--jobs', '2');
  show('single search  ', single);
  console.log(`ratio ${(swarm.seconds / single.seconds).toFixed(2)}`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
