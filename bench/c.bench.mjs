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

async function check(file, defines = [], properties = [], extra = {}, seconds = 60) {
  const end = performance.now() + seconds * 1000;
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

const cell = (value, width) => String(value).padStart(width);
const row = (name, columns) => console.log(name.padEnd(34) + columns.map((c) => cell(c, 11)).join(''));
const show = (name, { verdict, stats }) =>
  row(name, [
    verdict,
    `${Math.round(stats.milliseconds.check)} ms`,
    stats.refinements ?? stats.iterations,
    stats.predicates,
    stats.trackedVariables,
    stats.states ?? stats.statesPerThread?.reduce((a, b) => a + b, 0),
  ]);
const head = (first) => row(first, ['verdict', 'time', 'rounds', 'predicates', 'variables', 'states']);

head('examples');
for (const [file, defines, only] of [
  ['machine.c', [], []],
  ['machine.c', ['BROKEN'], []],
  ['kernel.spec', [], []],
  ['kernel.spec', ['BUG'], ['conforms:Task']],
  ['ipc.spec', [], []],
  ['ipc.spec', ['BROKEN'], ['deadlock-free']],
  ['rw.spec', [], []],
  ['rw.spec', ['BROKEN'], []],
]) {
  for (const property of await check(file, defines, only))
    show(`${file} ${defines.map((define) => `-D${define} `).join('')}${property.id}`, property);
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
