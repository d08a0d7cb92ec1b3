// Families of extended communicating machines that grow, with factors from size to size: Spillway on numbers without limit, SPIN on the finite version, and the
// way before. Run: node bench/ecfsm-growth.bench.mjs
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as families from './ecfsm-families.mjs';
import { importSource } from './source.mjs';

const textbook = await importSource(
  'ecfsm/analyse.ts',
  'ecfsm/infer/find.ts',
  'ecfsm/testing/testing.ts',
  'ecfsm/concrete/explore.ts',
  'base/budget.ts',
);
const deep = textbook;
const cpu = () => process.cpuUsage().user / 1e6;

// Families that grow: Spillway, SPIN on the finite version (generation and compilation not counted), and the way before (walking to the fault), in one run.
const LIMIT = 12;

/** So many seconds of processor time. */
function limited() {
  const end = cpu() + LIMIT;
  const remaining = () => Math.max(0, 1000 * (end - cpu()));
  return { ...textbook.UNLIMITED, remaining, timeLeft: () => remaining() > 0 };
}

async function proves(text) {
  const begin = cpu();
  const budget = limited();
  const bare = textbook.modelOf(text);
  const invariant = await textbook.findInvariant(bare.protocol, budget, textbook.SILENT);
  const analysis = new textbook.Analysis({ ...bare, invariant }, budget, textbook.SILENT);
  const { verdict } = await analysis.safe();
  analysis.dispose();
  return { verdict, seconds: cpu() - begin };
}

/** A fault needs no formula. */
async function refutes(text) {
  const begin = cpu();
  const analysis = new textbook.Analysis(textbook.modelOf(text), limited(), textbook.SILENT);
  const { verdict } = await analysis.safe();
  analysis.dispose();
  return { verdict, seconds: cpu() - begin };
}

function spin(text) {
  const where = mkdtempSync(join(tmpdir(), 'spillway-bench-'));
  try {
    writeFileSync(join(where, 'm.pml'), text);
    const run = (command, args) =>
      spawnSync(command, args, { cwd: where, encoding: 'utf8', timeout: LIMIT * 1000 });
    if (run('spin', ['-a', 'm.pml']).error) return null;
    if (run('gcc', ['-O2', '-w', '-DSAFETY', '-DNOREDUCE', '-o', 'pan', 'pan.c']).status !== 0) return null;
    const { stdout } = run('sh', ['-c', 'time -p ./pan -m5000000 -w22 2>&1 1>pan.out; cat pan.out']);
    const all = `${stdout}`;
    const user = /user ([\d.]+)/.exec(all)?.[1];
    if (user === undefined || /max search depth too small|out of memory/.test(all)) return null;
    return { seconds: Number(user), states: Number(/(\d+) states, stored/.exec(all)?.[1] ?? 0) };
  } finally {
    rmSync(where, { recursive: true, force: true });
  }
}

function walks(text, length) {
  if (length > 400_000) return null;
  const { protocol } = deep.modelOf(text);
  const begin = cpu();
  const examine = (state) => deep.objection(protocol, null, state);
  const found = deep.walk(protocol, { seed: 5, walks: 3, length, inclination: 0.4 }, examine);
  return found === null ? null : cpu() - begin;
}

const factor = (now, before) =>
  now === undefined || now === null || !before
    ? ''
    : ` x${(Math.max(now, 0.005) / Math.max(before, 0.005)).toFixed(1)}`;

for (const [family, judge] of [
  [families.windows, proves],
  [families.credits, proves],
  [families.rings, proves],
  [families.faults, refutes],
]) {
  console.log(`\n${family.name}: seconds, factor against the size before`);
  let before = {};
  for (const n of family.sizes) {
    const ours = await judge(family.ecfsm(n));
    const theirs = before.theirs === null ? null : spin(family.promela(n));
    const old = family === families.faults && before.old !== null ? walks(family.ecfsm(n), 6 * n) : undefined;
    console.log(
      [
        `n = ${n}`.padEnd(12),
        `spillway ${ours.verdict} ${ours.seconds.toFixed(2)}${factor(ours.seconds, before.ours)}`.padEnd(34),
        (theirs === null
          ? `SPIN no answer`
          : `SPIN ${theirs.seconds.toFixed(2)}${factor(theirs.seconds, before.theirs)}, ${theirs.states} states`
        ).padEnd(40),
        old === undefined
          ? ''
          : `walking ${old === null ? 'finds nothing' : `${old.toFixed(2)}${factor(old, before.old)}`}`,
      ].join(''),
    );
    before = {
      ours: ours.seconds,
      theirs: theirs?.seconds ?? null,
      old: old ?? (old === null ? null : undefined),
    };
  }
}
