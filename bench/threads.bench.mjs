// Twenty models by one core and by two: the whole batch, and when each verdict is on the screen. In turns, medians count, and rounds in
// which others used the machine do not. Four ways:
//   one core     --jobs 1, held on one core: V8 compiles and collects garbage on it, too
//   one thread   --jobs 1, where V8 does so on the other core
//   two threads  --jobs 2
//   two halves   two processes held on a core each, each with ten of the models: what the machine gives at best (caches and memory are shared)
// Run: node bench/threads.bench.mjs [ROUNDS] (after npm run build; default 3, about two minutes each)
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const cli = new URL('../dist/cli.js', import.meta.url).pathname;
const rounds = Number(process.argv[2] ?? 3);
const folder = mkdtempSync(join(tmpdir(), 'spillway-threads-'));
const median = (values) => values.toSorted((a, b) => a - b)[values.length >> 1];
const canPin = spawnSync('taskset', ['-c', '0,1', 'true']).status === 0;
/** Of the time on both cores: so much may others take before a round does not count. */
const DISTURBED = 0.05;
/** Two threads share caches and memory: what comes later by less than this is no matter of order. */
const LATE = 1.05;

// About two million states each, different in a constant. No number of the form 8 k + 7 is a sum of three squares: only a search can know.
const models = Array.from({ length: 20 }, (_, index) => {
  const path = join(folder, `m${index}.pml`);
  const process = `do :: a < 79 -> a++ :: a > 0 -> a-- :: b < 79 -> b++ :: c < ${70 + index} -> c++ :: assert(a * a + b * b + c * c != 7) od`;
  writeFileSync(path, `byte a, b, c; active proctype p() { ${process} }\n`);
  return path;
});

/** When each verdict was printed, milliseconds from the start. */
function check(paths, jobs, cores) {
  const words = [
    process.execPath,
    cli,
    'check',
    ...paths,
    '--property',
    'assertions',
    '--jobs',
    String(jobs),
  ];
  const [program, ...rest] = canPin ? ['taskset', '-c', cores, ...words] : words;
  const begin = performance.now();
  const child = spawn(program, rest, {
    stdio: ['ignore', 'pipe', 'ignore'],
    env: { ...process.env, SPILLWAY_CACHE: 'off' },
  });
  const verdicts = [];
  child.stdout.on('data', (chunk) => {
    const seen = String(chunk).match(/assertions +PROVED/g) ?? [];
    verdicts.push(...seen.map(() => performance.now() - begin));
  });
  return new Promise((resolve, reject) =>
    child.once('close', (status) => {
      if (status !== 0 || verdicts.length !== paths.length)
        reject(new Error(`exit ${status}, ${verdicts.length} of ${paths.length} models proved`));
      else resolve({ wall: performance.now() - begin, verdicts });
    }),
  );
}

const half = models.length / 2;
const WAYS = {
  'one core': () => check(models, 1, '0'),
  'one thread': () => check(models, 1, '0,1'),
  'two threads': () => check(models, 2, '0,1'),
  'two halves': async () => {
    const both = await Promise.all([check(models.slice(0, half), 1, '0'), check(models.slice(half), 1, '1')]);
    return { wall: Math.max(...both.map(({ wall }) => wall)), verdicts: [] };
  },
};

/** In hundredths of a second: what the processors did for anybody (a host that takes them away counts, too), and for processes of this one that have ended. */
function usage() {
  try {
    const [user, nice, system, , , irq, soft, steal] = readFileSync('/proc/stat', 'utf8')
      .split(/\s+/)
      .slice(1)
      .map(Number);
    const own = readFileSync('/proc/self/stat', 'utf8').split(') ')[1].split(' ').map(Number);
    return {
      all: user + nice + system + irq + soft + steal,
      children: own[13] + own[14],
      self: own[11] + own[12],
    };
  } catch {
    return null;
  }
}

async function measured(way) {
  const before = usage();
  const { wall, verdicts } = await WAYS[way]();
  const after = usage();
  if (before === null || after === null) return { wall, verdicts, processor: Number.NaN, others: 0 };
  const spent = (key) => (after[key] - before[key]) * 10;
  const processor = spent('children');
  return {
    wall,
    verdicts,
    processor,
    others: Math.max(0, spent('all') - processor - spent('self')) / (2 * wall),
  };
}

const seconds = (milliseconds) => `${(milliseconds / 1000).toFixed(1)} s`;

function report(results) {
  const quiet = results.filter((round) => Object.values(round).every(({ others }) => others < DISTURBED));
  const counted = quiet.length > 0 ? quiet : results;
  console.log(
    quiet.length > 0
      ? `${quiet.length} of ${results.length} rounds count: in the others somebody else used the machine`
      : `NO QUIET ROUND: others took up to ${Math.round(100 * Math.max(...results.flatMap((round) => Object.values(round).map(({ others }) => others))))} % of the machine; times on the wall mean little, processor time a bit more`,
  );
  const of = (way, key) => median(counted.map((round) => round[way][key]));
  for (const way of Object.keys(WAYS))
    console.log(
      `  ${way.padEnd(12)} ${seconds(of(way, 'wall')).padStart(7)}, processor ${seconds(of(way, 'processor'))}`,
    );
  const ratio = (a, b) => median(counted.map((round) => round[a].wall / round[b].wall)).toFixed(2);
  console.log(`  two threads : one core   = ${ratio('two threads', 'one core')} (at most 0.60 is wanted)`);
  console.log(`  two threads : one thread = ${ratio('two threads', 'one thread')}`);
  console.log(`  two halves  : one core   = ${ratio('two halves', 'one core')} (the machine at its best)`);
  if (quiet.length === 0) {
    const work = median(counted.map((round) => round['two threads'].processor / round['one core'].processor));
    console.log(
      `  processor time of two threads : one core = ${work.toFixed(2)}; on a quiet machine half of it, and what is not side by side`,
    );
  }
  console.log('verdicts, seconds after the start (medians):');
  const at = (way, index) => median(counted.map((round) => round[way].verdicts[index])) / 1000;
  let late = 0;
  for (const [index] of models.entries()) {
    const [core, thread, two] = ['one core', 'one thread', 'two threads'].map((way) => at(way, index));
    const isLate = two > LATE * Math.min(core, thread);
    if (isLate) late++;
    console.log(
      `  model ${String(index + 1).padStart(2)}: one core ${core.toFixed(2)}, one thread ${thread.toFixed(2)}, two threads ${two.toFixed(2)}${isLate ? `  LATER by ${(two / Math.min(core, thread)).toFixed(2)}` : ''}`,
    );
  }
  console.log(
    `  ${late === 0 ? 'none comes' : `${late} come`} later with two threads by more than a twentieth`,
  );
}

try {
  if (!canPin) console.log('no taskset: "one core" is one thread here');
  const results = [];
  for (let round = 0; round < rounds; round++) {
    const one = {};
    // In another order every time: a machine that becomes slower is nobody's advantage.
    const ways = Object.keys(WAYS);
    for (let i = 0; i < ways.length; i++) {
      const way = ways[(i + round) % ways.length];
      one[way] = await measured(way);
    }
    results.push(one);
    console.log(
      `round ${round + 1}: ${ways.map((way) => `${way} ${seconds(one[way].wall)} (others ${Math.round(100 * one[way].others)} %)`).join(', ')}`,
    );
  }
  report(results);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
