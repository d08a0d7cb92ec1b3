// Deadlock of growing families ([MAGIC] Fig. 10 and others), formulas, and the surge protector of [MAGIC] section 5.
// One run shows, for each size: SPIN on the converted model, the whole product, refinement (the paper's Fig. 8: the older way to compose), minimising while composing,
// the reduced search, the linear condition, decision diagrams, the older portfolio (linear, then refinement), and today's. Below each family: by how much the time grows with n, and how large the
// products of composition alone are against the concrete one. Seconds of processor time. Where the times are too short to tell, the growth is that of the states, (s).
// Run: node bench/kripke.bench.mjs [seconds for each cell, 2 unless told]
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { importSource } from './source.mjs';

const LIMIT = Number(process.argv[2] ?? 2);
const kripke = await importSource(
  'kripke/load.ts',
  'kripke/system.ts',
  'kripke/formulas.ts',
  'kripke/model-check.ts',
  'kripke/promela.ts',
  'kripke/structure.ts',
  'kripke/settle.ts',
  'deadlock/deadlock.ts',
);

/** What the paper reports for its own programs of these names: seconds, * for more than 1500. */
const FAMILIES = [
  {
    name: 'rw',
    sizes: [4, 6, 8, 9, 10, 50],
    paper: {
      4: 'plain 6.5, iter 4.4',
      6: 'plain 257, iter 12.6',
      8: 'plain *, iter 60.5',
      9: 'plain *, iter 132',
    },
  },
  {
    name: 'dpn',
    sizes: [4, 5, 6, 8, 9, 10, 100, 1000],
    paper: { 4: 'plain 11.8, iter 7.9', 5: 'plain 197, iter 84.6', 6: 'plain *, iter 831' },
  },
  {
    name: 'dpd',
    sizes: [4, 8, 9, 10, 12, 100, 1000],
    paper: { 9: 'plain 22.5, iter 191', 10: 'plain 87.6, iter 755' },
  },
  {
    name: 'ucosn',
    sizes: [4, 5, 6, 8, 9, 10, 20, 100],
    paper: { 4: 'plain 18.1, iter 8.1', 5: 'plain 253, iter 80', 6: 'plain *, iter 813' },
  },
  {
    name: 'ucosd',
    sizes: [2, 3, 4, 8, 9, 10, 20, 100],
    paper: { 2: 'plain 24, iter 14.5', 3: 'plain *, iter 222' },
  },
  { name: 'dpn-butler', sizes: [4, 6, 8, 20], paper: {} },
  { name: 'milner', sizes: [4, 8, 12, 100], paper: {} },
  { name: 'chain', sizes: [4, 8, 16, 100], paper: {} },
  { name: 'parity', sizes: [8, 12, 16, 100], paper: {} },
  { name: 'leader', defines: ['K=7'], sizes: [6, 8, 9, 10, 20], paper: {} },
];

function load(name, ...defines) {
  const files = {
    read: () => readFileSync(new URL(`../corpus/kripke/${name}.lks`, import.meta.url), 'utf8'),
  };
  const { model } = kripke.loadModel([`${name}.lks`], files, defines);
  return { model, system: kripke.compose(model.components) };
}

const cpu = () => process.cpuUsage().user / 1e6;

/** Seconds of processor time: the machine may be busy. */
function budget(seconds) {
  const end = cpu() + seconds;
  return {
    timeLeft: () => cpu() < end,
    remaining: () => Math.max(0, 1000 * (end - cpu())),
    maxStates: 10_000_000,
    maxMemory: 2 ** 31,
  };
}

const SILENT = { stage: () => {}, progress: () => {}, now: () => performance.now() };

async function ours(system, strategy) {
  const begin = cpu();
  const answer = await kripke.checkDeadlock(system, strategy, budget(LIMIT), SILENT);
  const seconds = cpu() - begin;
  const { stats } = answer;
  const size = {
    linear: stats.lps,
    refinement: stats.largestProduct,
    minimised: stats.largestProduct,
    monolithic: stats.states,
    reduced: stats.states,
    symbolic: stats.diagramNodes,
    portfolio: answer.method,
  }[strategy];
  const reached = strategy === 'symbolic' && answer.kind !== 'unknown' ? stats.reached : undefined;
  return { answer: answer.kind === 'unknown' ? null : answer.kind, seconds, size, reached };
}

/** As it was before diagrams and minimising: the linear condition, then refinement; a look at the product in the end. */
async function older(system) {
  let seconds = 0;
  for (const strategy of ['linear', 'refinement', 'monolithic']) {
    const result = await ours(system, strategy);
    seconds += result.seconds;
    if (result.answer !== null || seconds > LIMIT) return { ...result, seconds, size: strategy };
  }
  return { answer: null, seconds };
}

/** Verification time alone: generating and compiling pan is not counted. */
function spin(system) {
  const model = kripke.deadlockModel(system);
  if (model === null) return { answer: null, seconds: Number.NaN, size: 'too long' };
  const folder = mkdtempSync(join(tmpdir(), 'spillway-bench-'));
  const run = (command, args, seconds) =>
    spawnSync(command, args, { cwd: folder, encoding: 'utf8', timeout: seconds * 1000, maxBuffer: 1 << 28 });
  try {
    writeFileSync(join(folder, 'model.pml'), model);
    if (run('spin', ['-a', 'model.pml'], 120).status !== 0)
      return { answer: null, seconds: Number.NaN, size: 'refused' };
    if (
      run('gcc', ['-w', '-O2', '-DSAFETY', '-DMEMLIM=2048', '-DVECTORSZ=65536', '-o', 'pan', 'pan.c'], 120)
        .status !== 0
    )
      return { answer: null, seconds: Number.NaN, size: 'refused' };
    // Processor time as the shell counts it: the machine may be busy.
    const { stdout, stderr } = run(
      'bash',
      ['-c', `ulimit -t ${LIMIT}; TIMEFORMAT=%U; time ./pan -m1000000`],
      20 * LIMIT,
    );
    const seconds = Number(/([\d.]+)\s*$/.exec(stderr ?? '')?.[1] ?? LIMIT);
    const errors = /errors: (\d+)/.exec(stdout ?? '')?.[1];
    const whole =
      errors === '1' ||
      !/Search not completed|too small|memory/.test((stdout ?? '').split('State-vector')[0] ?? '');
    const size = Number(/([\d.e+]+) states, stored/.exec(stdout ?? '')?.[1]);
    if (errors === undefined || !whole) return { answer: null, seconds, size };
    return { answer: errors === '0' ? 'free' : 'deadlock', seconds, size };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const column = ({ answer, seconds, size }) =>
  (answer === null
    ? `${Number.isNaN(seconds) ? size : `> ${seconds.toFixed(0)} s`}`
    : `${seconds.toFixed(seconds < 10 ? 2 : 1)} s (${size})`
  ).padStart(20);
const SKIPPED = '–'.padStart(20);

const hasSpin = spawnSync('spin', ['-V']).status === 0 && spawnSync('gcc', ['--version']).status === 0;
const ENGINES = [
  ...['spin', 'monolithic', 'reduced', 'refinement', 'minimised'],
  ...['linear', 'symbolic', 'older', 'portfolio'],
];
console.log(
  'deadlock; SPIN, the whole product and the reduced search: seconds (states); refinement, minimised: seconds (largest product met); linear: seconds (linear programs);',
);
console.log(
  "symbolic: seconds (nodes); older and today's portfolio: seconds (by what); SPIN without generating and compiling its verifier",
);
console.log(
  `${'family'.padEnd(11)}${'n'.padStart(5)}${'answer'.padStart(9)}${ENGINES.map((name) => name.padStart(20)).join('')}  paper (2005)`,
);

const COUNTS_STATES = new Set(['spin', 'monolithic', 'reduced']);

/** By what factor the time grows for n + 1, from the last two sizes that took long enough to be measured; else the states. */
function growth(engine, points) {
  const rate = ([a, b], value) => ((value(b) / value(a)) ** (1 / (b.n - a.n))).toFixed(2);
  const timed = points.filter(({ seconds }) => seconds > 0.03).slice(-2);
  if (timed.length === 2) return `×${rate(timed, ({ seconds }) => seconds)}`;
  const counted = points.filter(({ size }) => size > 0).slice(-2);
  if (counted.length === 2 && COUNTS_STATES.has(engine)) return `×${rate(counted, ({ size }) => size)} (s)`;
  return 'flat';
}

const begun = performance.now();
const verdicts = [];
for (const { name, sizes, paper, defines = [] } of FAMILIES) {
  const tired = new Set(hasSpin ? [] : ['spin']);
  const points = Object.fromEntries(ENGINES.map((engine) => [engine, []]));
  const products = [];
  for (const n of sizes) {
    const { system } = load(name, `N=${n}`, ...defines);
    const cells = [];
    const answers = new Set();
    const results = {};
    for (const engine of ENGINES) {
      if (tired.has(engine)) {
        cells.push(SKIPPED);
        continue;
      }
      const result =
        engine === 'spin'
          ? spin(system)
          : engine === 'older'
            ? await older(system)
            : await ours(system, engine);
      results[engine] = result;
      if (result.answer === null) tired.add(engine);
      else {
        answers.add(result.answer);
        points[engine].push({ n, seconds: result.seconds, size: result.size });
      }
      cells.push(column(result));
    }
    if (answers.size > 1) throw new Error(`${name} ${n}: the engines disagree: ${[...answers]}`);
    console.log(
      `${name.padEnd(11)}${String(n).padStart(5)}${([...answers][0] ?? '?').padStart(9)}${cells.join('')}  ${paper[n] ?? ''}`,
    );
    const concrete = results.symbolic?.reached ?? results.monolithic?.size;
    const met = results.minimised?.answer ? results.minimised.size : undefined;
    if (concrete !== undefined && met !== undefined) products.push({ n, met, concrete });
  }
  const grown = ENGINES.map((engine) => growth(engine, points[engine]).padStart(20)).join('');
  console.log(`${'  growth for n + 1'.padEnd(25)}${grown}`);
  const at = (engine, n) => points[engine].find((point) => point.n === n)?.seconds;
  const slower = sizes.filter(
    (n) => n > 8 && at('monolithic', n) !== undefined && !(at('minimised', n) <= at('monolithic', n) + 0.05),
  );
  const larger = products.filter(({ met, concrete }) => met >= concrete).map(({ n }) => n);
  const last = products.at(-1);
  verdicts.push(
    `${name}: composition alone ${larger.length === 0 ? 'below the concrete product at every n' : `not below it at n = ${larger.join(', ')}`}` +
      `${last === undefined ? '' : ` (n = ${last.n}: ${last.met} against ${last.concrete.toPrecision(3)})`}; ` +
      `${slower.length === 0 ? 'never slower than the whole product beyond n = 8' : `slower than the whole product at n = ${slower.join(', ')}`}`,
  );
}
console.log(`\n${verdicts.join('\n')}`);
console.log(`deadlock: ${((performance.now() - begun) / 1000).toFixed(0)} s in all`);

console.log('\nformulas: seconds (configurations of the largest product; nodes of diagrams) by each engine');
const FORMULA_ENGINES = ['monolithic', 'reduced', 'refinement', 'minimised', 'symbolic', 'portfolio'];
const FORMULAS = [
  ['milner', 'order', [4, 8, 12, 20, 100]],
  ['milner', 'fair', [4, 8, 12, 20, 100]],
  ['token-ring', 'exclusion', [4, 8, 100]],
  ['chain', 'arrives', [4, 8, 16, 100]],
  ['dpn', 'neighbours', [4, 6, 8, 20, 100]],
  ['rw', 'exclusion', [4, 6, 8, 20, 50]],
  ['parity', 'never_one_alone', [8, 12, 16, 100]],
  ['leader', 'at_most_one', [6, 9, 20], 'K=7'],
  ['leader', 'elected', [6, 9, 20], 'K=7'],
];
console.log(
  `${'family'.padEnd(24)}${'n'.padStart(5)}${FORMULA_ENGINES.map((name) => name.padStart(20)).join('')}`,
);
for (const [name, formula, sizes, ...defines] of FORMULAS) {
  const tired = new Set();
  for (const n of sizes) {
    const { model, system } = load(name, `N=${n}`, ...defines);
    const syntax = kripke.resolveFormula(model, system, formula, []);
    const answers = new Set();
    const cells = [];
    for (const strategy of FORMULA_ENGINES) {
      if (tired.has(strategy)) {
        cells.push(SKIPPED);
        continue;
      }
      const begin = cpu();
      const { kind, stats } = await kripke.settleFormula(system, syntax, strategy, budget(LIMIT), SILENT);
      const seconds = cpu() - begin;
      if (kind === 'limit') tired.add(strategy);
      else answers.add(kind);
      const size = strategy === 'symbolic' ? stats.diagramNodes : stats.largestProduct;
      cells.push(column({ answer: kind === 'limit' ? null : kind, seconds, size }));
    }
    if (answers.size > 1) throw new Error(`${name} ${n}: the engines disagree: ${[...answers]}`);
    console.log(`${`${name} ${formula}`.padEnd(24)}${String(n).padStart(5)}${cells.join('')}`);
  }
}

console.log('\nsurge protector: Büchi states, edges and milliseconds in all (automaton and check)');
const VERSIONS = ['surge-se', 'surge-state', 'surge-event'];
console.log(`${'range'.padStart(5)}${VERSIONS.map((name) => name.slice(6).padStart(26)).join('')}`);
const gaveUp = new Set();
for (const range of [2, 4, 6, 8, 10, 15, 20, 30, 40]) {
  const cells = VERSIONS.map((name) => {
    if (gaveUp.has(name)) return '–'.padStart(26);
    const { model, system } = load(name, `R=${range}`);
    const syntax = kripke.resolveFormula(model, system, 'safe', []);
    const begin = performance.now();
    const result = kripke.modelCheck(system, syntax, {}, budget(LIMIT), SILENT);
    const milliseconds = performance.now() - begin;
    if (result.kind !== 'holds' || milliseconds > LIMIT * 1000) gaveUp.add(name);
    if (result.kind !== 'holds') return `> ${(milliseconds / 1000).toFixed(0)} s`.padStart(26);
    const { automatonStates, automatonEdges } = result.stats;
    return `${automatonStates} ${automatonEdges} ${milliseconds.toFixed(0)}`.padStart(26);
  });
  console.log(`${String(range).padStart(5)}${cells.join('')}`);
}
