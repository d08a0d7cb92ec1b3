// States per second of the exhaustive search, beside SPIN's verifier (pan, gcc -O2, no reductions, no statement merging) on the same models
// in the same run. CPU time of both: start-up and JavaScript's just-in-time compilation are in our figures, the C compiler's
// time is not in SPIN's. Run: node bench/explore.bench.mjs
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { importSource } from './source.mjs';

const { loadPromela, compileModel, search, SILENT, UNLIMITED } = await importSource(
  'promela/load.ts',
  'explore/compile.ts',
  'explore/search.ts',
  'base/budget.ts',
);
const EXAMPLES = '/usr/share/doc/spin/examples/Examples';
const MODELS = ['cambridge.pml', 'sort.pml', 'dtp.pml', 'hajek.pml', 'snoopy.pml', 'leader0.pml'];

if (!existsSync(EXAMPLES)) {
  console.log("SPIN's examples are not installed: nothing to measure");
  process.exit(0);
}
const judge = ['spin', 'gcc'].every((name) => spawnSync('sh', ['-c', `command -v ${name}`]).status === 0);
if (!judge) console.log('spin or gcc is missing: no comparison');

const columns = (...cells) =>
  console.log(cells.map((cell, i) => (i === 0 ? cell.padEnd(15) : cell.padStart(13))).join(''));
columns('model', 'states', 'ours s', 'states/s', 'MB', 'pan s', 'states/s', 'ours/pan');
for (const name of MODELS) {
  const path = join(EXAMPLES, name);
  const ours = explore(path);
  const pan = judge ? runPan(path) : null;
  if (pan !== null && pan.states !== ours.states) {
    console.log(`${name}: ${ours.states} states, but SPIN has ${pan.states}`);
    process.exitCode = 1;
  }
  columns(
    name,
    String(ours.states),
    ours.seconds.toFixed(2),
    rate(ours),
    (ours.bytes / 2 ** 20).toFixed(0),
    pan === null ? '-' : pan.seconds.toFixed(2),
    pan === null ? '-' : rate(pan),
    pan === null ? '-' : (ours.seconds / Math.max(0.01, pan.seconds)).toFixed(1),
  );
}

function rate({ states, seconds }) {
  return `${Math.round(states / Math.max(0.01, seconds) / 1000)}k`;
}

function explore(path) {
  const { program } = loadPromela(path, {
    read: (name) => (existsSync(name) ? readFileSync(name, 'utf8') : null),
  });
  const before = process.cpuUsage();
  const model = compileModel(program).value;
  const { states, bytes, limit } = search(
    model,
    { endStates: true, assertions: true, all: true },
    UNLIMITED,
    SILENT,
  );
  if (limit !== null) throw new Error(`${path}: ${limit}`);
  const { user, system } = process.cpuUsage(before);
  return { states, bytes, seconds: (user + system) / 1e6 };
}

function runPan(path) {
  const folder = mkdtempSync(join(tmpdir(), 'spillway-bench-'));
  try {
    writeFileSync(join(folder, 'model.pml'), readFileSync(path));
    const script =
      'spin -a -o1 -o2 -o3 model.pml >/dev/null && gcc -O2 -w -DSAFETY -DNOREDUCE -DNOCLAIM -DVECTORSZ=4096 -o pan pan.c && ' +
      '( ./pan -c0 -n -m2000000 -w20 >out 2>&1; times >times )';
    spawnSync('bash', ['-c', script], { cwd: folder });
    const states = Number(/([\d.e+]+) states, stored/.exec(readFileSync(join(folder, 'out'), 'utf8'))?.[1]);
    const children = readFileSync(join(folder, 'times'), 'utf8').trim().split('\n').at(-1);
    const seconds = [...children.matchAll(/(\d+)m([\d.]+)s/g)].reduce(
      (sum, [, minutes, rest]) => sum + Number(minutes) * 60 + Number(rest),
      0,
    );
    return { states, seconds };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
