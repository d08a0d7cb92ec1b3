// Deadlock of growing families, and the surge protector of [MAGIC] section 5.
// One run shows, for each size: SPIN on the converted model, the whole product, refinement (the paper's Fig. 8: the older way to compose), minimising while composing,
// the linear condition, and all of them in turn. Run: node bench/kripke.bench.mjs [seconds for each cell, 20 unless told]
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { importSource } from './source.mjs';

const LIMIT = Number(process.argv[2] ?? 20);
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
    sizes: [4, 6, 8, 9, 20, 50, 100],
    paper: {
      4: 'plain 6.5, iter 4.4',
      6: 'plain 257, iter 12.6',
      8: 'plain *, iter 60.5',
      9: 'plain *, iter 132',
    },
  },
  {
    name: 'dpn',
    sizes: [4, 5, 6, 8, 10, 100, 1000],
    paper: { 4: 'plain 11.8, iter 7.9', 5: 'plain 197, iter 84.6', 6: 'plain *, iter 831' },
  },
  { name: 'dpn-butler', sizes: [4, 6, 8, 20, 50], paper: {} },
  {
    name: 'dpd',
    sizes: [4, 9, 10, 12, 100, 1000],
    paper: { 9: 'plain 22.5, iter 191', 10: 'plain 87.6, iter 755' },
  },
  {
    name: 'ucosn',
    sizes: [4, 5, 6, 20, 100],
    paper: { 4: 'plain 18.1, iter 8.1', 5: 'plain 253, iter 80', 6: 'plain *, iter 813' },
  },
  { name: 'milner', sizes: [4, 8, 12, 20, 100], paper: {} },
  { name: 'chain', sizes: [4, 8, 16, 100], paper: {} },
  { name: 'ucosd', sizes: [2, 3, 4, 20, 100], paper: { 2: 'plain 24, iter 14.5', 3: 'plain *, iter 222' } },
];

function load(name, define) {
  const files = {
    read: () => readFileSync(new URL(`../corpus/kripke/${name}.lks`, import.meta.url), 'utf8'),
  };
  const { model } = kripke.loadModel([`${name}.lks`], files, [define]);
  return { model, system: kripke.compose(model.components) };
}

function budget(seconds) {
  const end = performance.now() + seconds * 1000;
  return {
    timeLeft: () => performance.now() < end,
    remaining: () => Math.max(0, end - performance.now()),
    maxStates: 10_000_000,
    maxMemory: 2 ** 31,
  };
}

const SILENT = { stage: () => {}, progress: () => {}, now: () => performance.now() };

async function ours(system, strategy) {
  const begin = performance.now();
  const answer = await kripke.checkDeadlock(
    system,
    strategy,
    budget(strategy === 'linear' ? 60 : LIMIT),
    SILENT,
  );
  const seconds = (performance.now() - begin) / 1000;
  const { stats } = answer;
  const size = {
    linear: stats.lps,
    refinement: stats.largestProduct,
    minimised: stats.largestProduct,
    monolithic: stats.states,
    portfolio: answer.method,
  }[strategy];
  return { answer: answer.kind === 'unknown' ? null : answer.kind, seconds, size };
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
    const begin = performance.now();
    const { stdout } = run('./pan', ['-m1000000'], LIMIT);
    const seconds = (performance.now() - begin) / 1000;
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
console.log(
  'deadlock; SPIN and the whole product: seconds (states); refinement, minimised: seconds (largest product met); portfolio: seconds (by what);',
);
console.log(
  'linear condition: seconds (linear programs); SPIN without generating and compiling its verifier',
);
console.log(
  `${'family'.padEnd(12)}${'n'.padStart(5)}${'answer'.padStart(10)}${'SPIN'.padStart(20)}${'whole product'.padStart(20)}${'refinement'.padStart(20)}${'minimised'.padStart(20)}${'linear'.padStart(20)}${'portfolio'.padStart(20)}  paper (2005)`,
);
for (const { name, sizes, paper } of FAMILIES) {
  const tired = new Set(hasSpin ? [] : ['spin']);
  for (const n of sizes) {
    const { system } = load(name, `N=${n}`);
    const cells = [];
    const answers = new Set();
    for (const engine of ['spin', 'monolithic', 'refinement', 'minimised', 'linear', 'portfolio']) {
      if (tired.has(engine)) {
        cells.push(SKIPPED);
        continue;
      }
      const result = engine === 'spin' ? spin(system) : await ours(system, engine);
      if (result.answer === null) tired.add(engine);
      else answers.add(result.answer);
      cells.push(column(result));
    }
    if (answers.size > 1) throw new Error(`${name} ${n}: the engines disagree: ${[...answers]}`);
    console.log(
      `${name.padEnd(12)}${String(n).padStart(5)}${([...answers][0] ?? '?').padStart(10)}${cells.join('')}  ${paper[n] ?? ''}`,
    );
  }
}

console.log('\nformulas: seconds (configurations of the largest product) by each engine');
const FORMULAS = [
  ['milner', 'order', [4, 8, 12, 20, 100]],
  ['milner', 'fair', [4, 8, 12, 20, 100]],
  ['token-ring', 'exclusion', [4, 8, 100]],
  ['chain', 'arrives', [4, 8, 16, 100]],
  ['dpn', 'neighbours', [4, 6, 8, 20, 100]],
  ['rw', 'exclusion', [4, 6, 8, 20, 50]],
];
console.log(
  `${'family'.padEnd(24)}${'n'.padStart(5)}${['monolithic', 'refinement', 'minimised', 'portfolio'].map((name) => name.padStart(20)).join('')}`,
);
for (const [name, formula, sizes] of FORMULAS) {
  const tired = new Set();
  for (const n of sizes) {
    const { model, system } = load(name, `N=${n}`);
    const syntax = kripke.resolveFormula(model, system, formula, []);
    const answers = new Set();
    const cells = ['monolithic', 'refinement', 'minimised', 'portfolio'].map((strategy) => {
      if (tired.has(strategy)) return SKIPPED;
      const begin = performance.now();
      const { kind, stats } = kripke.settleFormula(system, syntax, strategy, budget(LIMIT), SILENT);
      const seconds = (performance.now() - begin) / 1000;
      if (kind === 'limit') tired.add(strategy);
      else answers.add(kind);
      return column({ answer: kind === 'limit' ? null : kind, seconds, size: stats.largestProduct });
    });
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
