// States and processor time of the reduced search beside SPIN's verifier with its own reduction (pan -DSAFETY, statement merging on), in one run.
// (Not cambridge.pml: SPIN refuses its wrong xs declaration.) Where an error is found SPIN stops at the first; we look for a deadlock and an error.
// Our time is from text to answer (as SPIN's: the first error, which is told at once); SPIN's with and without `spin -a` and gcc. Then the same for every example of Debian's package and the corpus: the
// median of the ratios, and the models for which it is above one. Run: node bench/reduction.bench.mjs
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
/** Larger ones are for the bench of the explorer. */
const LARGEST = secondsEach() < 60 ? 100_000 : 600_000;
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
for (const [name, text, forSpin] of MODELS) {
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

/** Where SPIN stops at a limit (half a minute, its memory) or refuses the model there is nothing to compare. */
function compareAll() {
  const models = [
    [EXAMPLES, 'examples'],
    [CORPUS, 'corpus'],
  ].flatMap(([folder, title]) =>
    (existsSync(folder) ? readdirSync(folder, { recursive: true, encoding: 'utf8' }) : [])
      .filter((name) => name.endsWith('.pml'))
      .sort()
      .map((name) => [`${title}/${name}`, join(folder, name)]),
  );
  console.log('');
  columns(...TITLES);
  const rows = [];
  for (const [name, path] of models) {
    const text = readFileSync(path, 'utf8');
    const ours = explore(text, path, LARGEST);
    const isLarge = ours?.answer.endsWith('-limit');
    const spin = ours === null || isLarge ? null : runPan(text, path);
    if (isLarge) console.log(`${name}: more than ${LARGEST.toLocaleString('en')} states`);
    if (spin === null || !(spin.states > 0)) continue;
    rows.push({ ours, spin });
    console.log(name);
    columns('', ...cellsOf(ours, spin));
  }
  const median = (values) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];
  // Where an error was found, how much was seen before it says little.
  const whole = rows.filter(({ ours }) => ours.answer === 'none');
  const states = whole.map(({ ours, spin }) => ours.states / spin.states);
  const times = rows.map(({ ours, spin }) => ours.seconds / spin.whole);
  const share = (values) => `${values.filter((value) => value > 1).length} of ${values.length} above 1`;
  console.log(
    `\nstored states, ours : SPIN's, without a violation: median ${median(states).toFixed(2)}, ${share(states)}`,
  );
  console.log(
    `processor time from text to answer, ours : SPIN's: median ${median(times).toFixed(2)}, ${share(times)}`,
  );
}

/** Null where the model is none for us (embedded C). */
function explore(text, path = 'model.pml', maxStates = 3_000_000) {
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
  const outcome = searchSafety(model, goals, { ...UNLIMITED, maxStates }, SILENT, told);
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
      '( timeout 30 ./pan -n -m2000000 -w20 >out 2>&1; times >times )';
    spawnSync('bash', ['-c', script], { cwd: folder });
    const read = (name) => (existsSync(join(folder, name)) ? readFileSync(join(folder, name), 'utf8') : '');
    if (
      /Search not completed|too small|out of memory/.test(read('out')) &&
      !/errors: [1-9]/.test(read('out'))
    )
      return null;
    const states = Number(/([\d.e+]+) states, stored/.exec(read('out'))?.[1]);
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
