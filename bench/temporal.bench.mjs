// Temporal properties of SPIN's own examples (Debian's package spin): verdict, states and time, beside SPIN: the whole way
// (spin -a, gcc -O2, pan) and pan alone. Both with their reductions. Run: node bench/temporal.bench.mjs [seconds per property]
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { secondsEach } from './seconds.mjs';
import { importSource } from './source.mjs';

const LIMIT = secondsEach(process.argv[2]);
const FOLDER = '/usr/share/doc/spin/examples/Examples';
const MODELS = [
  'LTL/bakery.pml',
  'LTL/diskhead.pml',
  'LTL/leader.pml',
  'LTL/ltl_always_eventually.pml',
  'LTL/mobile1.pml',
  'LTL/mobile2.pml',
  'LTL/petersonN.pml',
  'LTL/pftp.pml',
  'LTL/salesman1.pml',
  'LTL/salesman2.pml',
  'LTL/train.pml',
  'LTL/zune.pml',
  'Book_1991/p123.pml',
  'werkplaats.pml',
  'Exercises/ex_3a.pml',
  'Exercises/ex_6.pml',
];

if (!existsSync(FOLDER)) {
  console.log(`the examples of the package spin are not installed (${FOLDER})`);
  process.exit(0);
}
const spillway = await importSource('promela/load.ts', 'explore/temporal.ts', 'base/budget.ts');

function ours(program, property) {
  const begin = performance.now();
  const end = begin + LIMIT * 1000;
  const budget = {
    ...spillway.UNLIMITED,
    timeLeft: () => performance.now() < end,
    maxStates: 20_000_000,
    maxMemory: 3e9,
  };
  const result = spillway.checkTemporal(program, property, { reproduce: '' }, budget, spillway.SILENT);
  return {
    verdict: result.verdict,
    states: result.stats.states,
    seconds: (performance.now() - begin) / 1000,
  };
}

/** Compiles once per model; answers per claim. */
function spin(text) {
  const folder = mkdtempSync(join(tmpdir(), 'spillway-bench-'));
  writeFileSync(join(folder, 'model.pml'), text);
  const run = (program, ...args) =>
    spawnSync(program, args, { cwd: folder, encoding: 'utf8', timeout: LIMIT * 1000 });
  const begin = performance.now();
  const ready =
    run('spin', '-a', 'model.pml').status === 0 && run('gcc', '-O2', '-w', '-o', 'pan', 'pan.c').status === 0;
  const compile = (performance.now() - begin) / 1000;
  return {
    compile,
    check(claim) {
      if (!ready) return null;
      const start = performance.now();
      const found = run('./pan', '-a', '-m1000000', ...(claim === null ? [] : ['-N', claim]));
      const errors = /errors: (\d+)/.exec(found.stdout ?? '')?.[1];
      const states = /(\S+) states, stored/.exec(found.stdout ?? '')?.[1];
      const verdict = errors === undefined ? 'no answer' : errors === '0' ? 'proved' : 'refuted';
      return { verdict, states: states ?? '', seconds: (performance.now() - start) / 1000 };
    },
    close: () => rmSync(folder, { recursive: true, force: true }),
  };
}

const seconds = (value) => value.toFixed(2).padStart(8);
console.log('seconds; spin: spin -a and gcc -O2 once per model, then pan for the property');
console.log(
  `${'property'.padEnd(36)} ${'ours'.padEnd(8)} ${'states'.padStart(9)} ${'s'.padStart(8)}   ${'spin'.padEnd(9)} ${'states'.padStart(9)} ${'compile'.padStart(8)} ${'pan'.padStart(8)}`,
);
let differ = 0;
for (const model of MODELS) {
  const text = readFileSync(join(FOLDER, model), 'utf8');
  const { program } = spillway.loadPromela('model.pml', {
    read: (path) => (path === 'model.pml' ? text : null),
  });
  const peer = spin(text);
  const properties = [
    ...program.formulas.map((formula) => ({ kind: 'formula', formula })),
    ...program.claims.map((claim) => ({ kind: 'claim', claim })),
  ];
  for (const property of properties) {
    const mine = ours(program, property);
    const theirs = peer.check(property.kind === 'formula' ? property.formula.name : null);
    const name = `${model} ${property.kind === 'formula' ? `ltl:${property.formula.name}` : property.claim.name}`;
    if (theirs !== null && mine.verdict !== 'unknown' && theirs.verdict !== mine.verdict) differ++;
    console.log(
      `${name.padEnd(36)} ${mine.verdict.padEnd(8)} ${String(mine.states).padStart(9)} ${seconds(mine.seconds)}   ${
        theirs === null
          ? 'no verifier (not installed, or not built in time)'
          : `${theirs.verdict.padEnd(9)} ${theirs.states.padStart(9)} ${seconds(peer.compile)} ${seconds(theirs.seconds)}`
      }`,
    );
  }
  peer.close();
}
console.log(differ === 0 ? 'no verdict differs' : `${differ} verdicts differ`);
process.exitCode = differ === 0 ? 0 : 1;
