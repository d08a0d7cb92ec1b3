// States and processor time of the reduced search beside SPIN's verifier with its own reduction (pan -DSAFETY, statement merging on), in one run.
// (Not cambridge.pml: SPIN refuses its wrong xs declaration.) Where an error is found SPIN stops at the first; we look for a deadlock and an error.
// Our time is from text to answer (as SPIN's: the first error, which is told at once); SPIN's with and without `spin -a` and gcc. Then the same for every example of Debian's package and the corpus: the
// median of the ratios, and the models for which it is above one. All times, and the limits per model, are of the processor: a busy machine makes it longer, not different.
// Run: node bench/reduction.bench.mjs [part of a model's name]
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { secondsEach } from './seconds.mjs';
import { importSource } from './source.mjs';

const { loadPromela, compileModel, searchSafety, SILENT, UNLIMITED } = await importSource(
  'promela/load.ts',
  'explore/compile.ts',
  'explore/safety.ts',
  'base/budget.ts',
);
/** Of the processor, per model and side; and what memory both have room for. */
const MOST_SECONDS = Math.ceil(Math.min(8, secondsEach() / 3)); // whole ones: ulimit knows no other
const MOST_STATES = 5_000_000;
const MOST_KILOBYTES = 6_000_000;
const [PART = ''] = process.argv.slice(2);
const EXAMPLES = '/usr/share/doc/spin/examples/Examples';
const example = (name) =>
  existsSync(join(EXAMPLES, name)) ? readFileSync(join(EXAMPLES, name), 'utf8') : null;

const pairs = (count) => `#define N ${count}
chan a[N] = [2] of { byte }; chan b[N] = [2] of { byte };
proctype Producer(byte i) { byte k; do :: k < 3 -> a[i]!k; k++ :: else -> break od; do :: k > 0 -> b[i]?_; k-- :: else -> break od }
proctype Consumer(byte i) { byte v, k; do :: k < 3 -> a[i]?v; assert(v == k); b[i]!v; k++ :: else -> break od }
init { byte i; atomic { do :: i < N -> run Producer(i); run Consumer(i); i++ :: else -> break od } }`;
const philosophers = (count, leftHanded) => `#define N ${count}
chan fork[N] = [1] of { bit };
proctype Philosopher(byte i) {
  do :: if :: ${leftHanded ? 'i == 0' : 'false'} -> fork[(i+1)%N]?1; fork[i]?1 :: else -> fork[i]?1; fork[(i+1)%N]?1 fi;
        fork[i]!1; fork[(i+1)%N]!1 od }
init { byte i; atomic { do :: i < N -> fork[i]!1; run Philosopher(i); i++ :: else -> break od } }`;

/** The models that SPIN cannot do are not given to it. */
const MODELS = [
  ['pairs 2', pairs(2), true],
  ['pairs 3', pairs(3), true],
  ['pairs 5', pairs(5), false],
  ['pairs 50', pairs(50), false],
  ['philosophers 6, one left', philosophers(6, true), true],
  ['philosophers 12, one left', philosophers(12, true), false],
  ['philosophers 20', philosophers(20, false), false],
  ...['sort.pml', 'dtp.pml', 'hajek.pml', 'snoopy.pml', 'leader0.pml', 'mobile1.pml', 'pathfinder.pml']
    .map((name) => [name, example(name), true])
    .filter(([, text]) => text !== null),
];

const judge = ['spin', 'gcc'].every((name) => spawnSync('sh', ['-c', `command -v ${name}`]).status === 0);
if (!judge) console.log('spin or gcc is missing: no comparison');
const columns = (...cells) =>
  console.log(cells.map((cell, i) => (i === 0 ? cell.padEnd(27) : cell.padStart(12))).join(''));
const TITLES = ['model', 'answer', 'states', 'ours s', 'SPIN states', 'pan s', 'all of it s', 'states ratio'];
columns(...TITLES);
for (const [name, text, forSpin] of MODELS.filter(([one]) => one.includes(PART))) {
  const ours = explore(text);
  const spin = judge && forSpin ? runPan(text) : null;
  columns(name, ...cellsOf(ours, spin));
}

function cellsOf(ours, spin) {
  return [
    ours.answer,
    String(ours.states),
    ours.seconds.toFixed(2),
    spin === null ? '-' : String(spin.states),
    spin === null ? '-' : spin.seconds.toFixed(2),
    spin === null ? '-' : spin.whole.toFixed(2),
    spin === null ? '-' : (ours.states / spin.states).toFixed(2),
  ];
}

const CORPUS = new URL('../corpus/', import.meta.url).pathname;
if (judge) compareAll();

/** Where SPIN stops at a limit or refuses the model, or we do, there are no states to compare. */
function compareAll() {
  const models = [
    [EXAMPLES, 'examples'],
    [CORPUS, 'corpus'],
  ].flatMap(([folder, title]) =>
    (existsSync(folder) ? readdirSync(folder, { recursive: true, encoding: 'utf8' }) : [])
      .filter((name) => name.endsWith('.pml'))
      .sort()
      .map((name) => [`${title}/${name}`, join(folder, name)])
      .filter(([name]) => name.includes(PART)),
  );
  console.log('');
  columns(...TITLES);
  const rows = models.flatMap(([name, path]) => {
    const text = readFileSync(path, 'utf8');
    const ours = explore(text, path);
    const spin = ours === null ? null : runPan(text, path);
    if (ours === null || (spin === null && ours.answer.endsWith('-limit'))) {
      console.log(`${name}: ${ours === null ? 'embedded C' : `too large for both (${ours.states} states)`}`);
      return [];
    }
    console.log(name);
    columns('', ...cellsOf(ours, spin));
    return spin === null ? [] : [{ name, ours, spin }];
  });
  // Where an error was found, how much was seen before it says little.
  const whole = rows.filter(({ ours }) => ours.answer === 'none');
  summary(
    "stored states, ours : SPIN's, without a violation",
    whole,
    ({ ours, spin }) => ours.states / spin.states,
  );
  summary("processor time from text to answer, ours : SPIN's", rows, ({ ours, spin }) =>
    ours.answer.endsWith('-limit') ? Number.POSITIVE_INFINITY : ours.seconds / spin.whole,
  );
}

function summary(title, rows, ratioOf) {
  const ratios = rows.map((row) => [row.name, ratioOf(row)]).sort(([, a], [, b]) => b - a);
  const above = ratios.filter(([, ratio]) => ratio > 1);
  const median = ratios[Math.floor(ratios.length / 2)]?.[1] ?? Number.NaN;
  console.log(`\n${title}: median ${median.toFixed(2)}, ${above.length} of ${ratios.length} above 1`);
  for (const [name, ratio] of above) console.log(`  ${ratio.toFixed(2).padStart(8)}  ${name}`);
}

/** Null where the model is none for us (embedded C). */
function explore(text, path = 'model.pml') {
  const before = process.cpuUsage();
  const read = (name) => (name === path ? text : existsSync(name) ? readFileSync(name, 'utf8') : null);
  const { program } = loadPromela(path, { read });
  const compiled = program && compileModel(program);
  if (!compiled?.ok) return null;
  const model = compiled.value;
  const goals = { endStates: true, assertions: true, reduce: true };
  const seconds = () => {
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1e6;
  };
  let first = null;
  const told = () => {
    first ??= seconds();
  };
  const timeLeft = () => seconds() < MOST_SECONDS;
  const outcome = searchSafety(
    model,
    goals,
    { ...UNLIMITED, timeLeft, maxStates: MOST_STATES },
    SILENT,
    told,
  );
  const whole = seconds();
  const answer =
    outcome.stuck !== null
      ? 'deadlock'
      : outcome.failure !== null
        ? 'error'
        : (outcome.search.limit ?? 'none');
  return { states: outcome.search.states, seconds: first ?? whole, answer };
}

function runPan(text, path = 'model.pml') {
  const folder = mkdtempSync(join(tmpdir(), 'spillway-bench-'));
  try {
    if (path === 'model.pml') writeFileSync(join(folder, path), text);
    const script =
      `( spin -a ${path} >/dev/null && gcc -O2 -w -DSAFETY -DNOCLAIM -DVECTORSZ=4096 -o pan pan.c; times >built ); ` +
      `( ulimit -t ${MOST_SECONDS} -v ${MOST_KILOBYTES}; ./pan -n -m2000000 -w20 >out 2>&1; times >times )`;
    spawnSync('bash', ['-c', script], { cwd: folder });
    const read = (name) => (existsSync(join(folder, name)) ? readFileSync(join(folder, name), 'utf8') : '');
    const output = read('out');
    // A limit of SPIN's own is no error of the model.
    const isStopped =
      /Search not completed|too small|out of memory/.test(output) && !/errors: [1-9]/.test(output);
    if (isStopped || /too many processes/.test(output)) return null;
    const states = Number(/([\d.e+]+) states, stored/.exec(read('out'))?.[1]);
    if (!(states > 0)) return null;
    const seconds = childTime(read('times'));
    return { states, seconds, whole: seconds + childTime(read('built')) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function childTime(times) {
  const children = times.trim().split('\n').at(-1) ?? '';
  return [...children.matchAll(/(\d+)m([\d.]+)s/g)].reduce(
    (sum, [, minutes, rest]) => sum + Number(minutes) * 60 + Number(rest),
    0,
  );
}
