// C programs: time, rounds, predicates, followed variables and states for every example; state/event against state-only formulas
// ([MAGIC] Fig. 9); compositional against monolithic deadlock checks ([MAGIC] Fig. 10).
// Run: node bench/c.bench.mjs
import { readFileSync } from 'node:fs';
import { importSource } from './source.mjs';

const { checkModel } = await importSource('check/check.ts');
const FOLDER = new URL('../corpus/c/', import.meta.url).pathname;
const read = (path) => {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
};

async function check(file, defines = [], properties = [], extra = {}, limit = 60) {
  const end = performance.now() + limit * 1000;
  const report = await checkModel({
    paths: [FOLDER + file],
    files: { read },
    properties,
    options: { defines, extra },
    budget: {
      timeLeft: () => performance.now() < end,
      remaining: () => Math.max(0, end - performance.now()),
      maxStates: 10_000_000,
      maxMemory: 2 ** 31,
    },
    observer: { stage: () => {}, progress: () => {}, now: () => performance.now() },
  });
  return report.properties;
}

/** Processor time of this process besides the clock's: the machine may be busy. (The solver is a process of its own and not counted.) */
async function measured(work) {
  const before = process.cpuUsage();
  const result = await work();
  const { user, system } = process.cpuUsage(before);
  return { result, cpu: (user + system) / 1000 };
}

const seconds = (ms) => `${(ms / 1000).toFixed(1)} s`;
const cell = (value, width) => String(value).padStart(width);
const row = (name, columns) => console.log(name.padEnd(40) + columns.map((c) => cell(c, 11)).join(''));
const head = (first) => row(first, ['verdict', 'time', 'cpu', 'rounds', 'predicates', 'variables', 'states']);

head('examples');
for (const [file, bugs, properties] of [
  ['machine.c', ['', 'BUG_RESUME', 'BUG_EMERGENCY', 'BUG_STOP', 'BUG_RENEW', 'BUG_LOGOUT'], ['assertions']],
  ['kernel.spec', ['', 'BUG_MUTEX', 'BUG_RESUME', 'BUG_TIMEOUT'], ['conforms:Task']],
  ['kernel.spec', ['', 'BUG_MUTEX', 'BUG_SPIN'], ['ltl:released']],
  ['ipc.spec', ['', 'BUG_ORDER', 'BUG_RELEASE', 'BUG_CANCEL'], ['deadlock-free']],
  ['ipc.spec', ['', 'BUG_CANCEL'], ['conforms:Client(1)']],
  ['rw.spec', ['', 'BROKEN'], ['deadlock-free', 'ltl:exclusion', 'ltl:alone']],
])
  for (const bug of bugs)
    for (const property of properties) {
      const defines = bug === '' ? [] : [bug];
      const { result, cpu } = await measured(() => check(file, defines, [property], {}, 300));
      const { verdict, stats } = result[0];
      row(`${file} ${bug === '' ? '' : `-D${bug} `}${property}`, [
        verdict,
        seconds(stats.milliseconds.check),
        seconds(cpu),
        stats.refinements ?? stats.iterations,
        stats.predicates,
        stats.trackedVariables,
        stats.states ?? stats.statesPerThread?.reduce((a, b) => a + b, 0),
      ]);
    }

console.log(
  '\nstates alone (ss) against states and events (se), the handshake; product: configurations, Büchi: states',
);
row('property', ['verdict', 'time', 'rounds', 'predicates', 'product', 'Büchi']);
for (const { id, verdict, stats } of await check('ssl.spec', [], [], {}, 300)) {
  if (!id.startsWith('ltl:')) continue;
  row(id.slice(4), [
    verdict,
    `${Math.round(stats.milliseconds.check)} ms`,
    stats.refinements,
    stats.predicates,
    stats.largestProduct,
    stats.automatonStates,
  ]);
}

console.log('\ndeadlock: portfolio, compositional refinement, whole product (limit 60 s)');
row('system', ['verdict', 'portfolio', 'composit.', 'monolithic']);
for (const [family, sizes] of [
  ['rw.spec', [2, 3, 4, 5]],
  ['dpn.spec', [3, 4, 5, 6]],
  ['dpd.spec', [3, 5, 7]],
]) {
  for (const n of sizes) {
    const times = [];
    let verdict = '';
    for (const extra of [{}, { strategy: 'compositional' }, { monolithic: true }]) {
      const [result] = await check(family, [`N=${n}`], ['deadlock-free'], extra);
      if (result.verdict !== 'unknown') verdict = result.verdict;
      times.push(result.verdict === 'unknown' ? '*' : `${Math.round(result.stats.milliseconds.check)} ms`);
    }
    row(`${family} n = ${n}`, [verdict, ...times]);
  }
}
