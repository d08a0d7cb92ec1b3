// Families of nets with a growing number n, each question by each engine in one run: the structural test (the marking equation, with case splits and traps), the
// coverability set, the backward search, and SPIN on the converted model. Then deadlock freedom of rings of Promela processes by the linear
// way, beside SPIN. Seconds of processor time (SPIN: generating, compiling and running together); the budget is per answer, and whoever had none is not
// asked for a larger n.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { importSource } from './source.mjs';

const LIMIT = Number(process.argv[2] ?? 5);
const {
  settleLinearly,
  coverabilitySet,
  coverBackward,
  coverQuestion,
  isCoveredBy,
  writePromela,
  loadSolver,
} = await importSource(
  'petri/linear.ts',
  'petri/coverability.ts',
  'petri/backward.ts',
  'petri/question.ts',
  'petri/cover-check.ts',
  'petri/write-promela.ts',
  'lp/solver.ts',
);
const hasSpin = spawnSync('sh', ['-c', 'command -v spin && command -v gcc']).status === 0;
if (!hasSpin) console.log('spin or gcc is not installed: its column is left out');

function budget() {
  const begin = process.cpuUsage().user;
  const remaining = () => Math.max(0, LIMIT * 1000 - (process.cpuUsage().user - begin) / 1000);
  return { timeLeft: () => remaining() > 0, remaining, maxStates: 1e7, maxMemory: 2 ** 31 };
}

async function timed(work) {
  const begin = process.cpuUsage();
  const verdict = await work(budget());
  const { user, system } = process.cpuUsage(begin);
  return `${verdict} ${((user + system) / 1e6).toFixed(2)}`;
}

/** A net from rules "a b -> c", with the tokens at the start. */
function netOf(name, tokens, rules) {
  const numbers = new Map();
  const place = (word) => {
    if (!numbers.has(word)) numbers.set(word, numbers.size);
    return numbers.get(word);
  };
  for (const word of Object.keys(tokens)) place(word);
  const arcs = (text) => {
    const counts = new Map();
    for (const word of text.split(' ').filter(Boolean))
      counts.set(place(word), (counts.get(place(word)) ?? 0) + 1);
    return [...counts].map(([at, weight]) => ({ place: at, weight }));
  };
  const transitions = rules.map((rule, i) => {
    const [take, put] = rule.split('->');
    return { name: `t${i}`, take: arcs(take), put: arcs(put), at: null };
  });
  const places = [...numbers.keys()].map((word) => ({ name: word, initial: tokens[word] ?? 0, at: null }));
  return { net: { name, places, transitions }, place };
}

const range = (n) => Array.from({ length: n }, (_, i) => i);

const FAMILIES = {
  'lock, n processes: two inside': (n) => {
    const { net, place } = netOf(
      'lock',
      { lock: 1, ...Object.fromEntries(range(n).map((i) => [`idle${i}`, 1])), inside: 0 },
      range(n).flatMap((i) => [`idle${i} lock -> in${i} inside`, `in${i} inside -> idle${i} lock`]),
    );
    return { net, target: { [place('inside')]: 2 } };
  },
  'readers and one writer: both inside': (n) => {
    const { net, place } = netOf('readers', { free: n, idle: n, wants: 1 }, [
      'idle free -> reading',
      'reading -> idle free',
      `wants ${'free '.repeat(n)}-> writing`,
      `writing -> wants ${'free '.repeat(n)}`,
    ]);
    return { net, target: { [place('reading')]: 1, [place('writing')]: 1 } };
  },
  'token ring beside a flood: two tokens': (n) => {
    const { net, place } = netOf(
      'ring',
      { at0: 1 },
      range(n).flatMap((i) => [`at${i} -> at${(i + 1) % n} log${i}`, `log${i} -> `]),
    );
    return { net, target: { [place('at0')]: 1, [place('at1')]: 1 } };
  },
  'n counters, each filled by the one before: the last holds 3': (n) => {
    const { net, place } = netOf(
      'chain',
      { c0: 2 },
      range(n).flatMap((i) => [`c${i} -> c${i + 1}`, `c${i + 1} -> c${i}`]),
    );
    return { net, target: { [place(`c${n}`)]: 3 } };
  },
};

function spin(net, target, name) {
  if (!hasSpin) return '-';
  const marking = net.places.map((_, i) => target[i] ?? 0);
  const text = writePromela({
    net,
    targets: [{ name: 'target1', marking, at: null }],
    parameters: new Map(),
  });
  return judge(text, name, ['-a', '-m1000000', '-w22']);
}

/** Its answer and the processor time of generating, compiling and running. */
function judge(text, name, options) {
  const folder = mkdtempSync(join(tmpdir(), 'spillway-bench-'));
  try {
    writeFileSync(join(folder, 'm.pml'), text);
    const script = `TIMEFORMAT="%U"; time { spin -a m.pml && gcc -O2 -w -DVECTORSZ=16384 ${options.includes('-a') ? '' : '-DSAFETY '}-o pan pan.c && ulimit -t ${LIMIT} && ./pan ${options.join(' ')}; } >out 2>&1; cat out`;
    const { stdout, stderr } = spawnSync('bash', ['-c', script], { cwd: folder, encoding: 'utf8' });
    const seconds = Number(stderr.trim().split('\n').at(-1)).toFixed(2);
    const isDone = /errors: 0/.test(stdout) && !/max search depth too small|out of memory/.test(stdout);
    const verdict = /errors: [1-9]/.test(stdout) ? 'refuted' : isDone ? 'proved' : 'none';
    return `${verdict} ${seconds}`;
  } catch {
    return `none (${name})`;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const row = (...cells) =>
  console.log(cells.map((cell, i) => String(cell).padEnd(i === 0 ? 6 : 18)).join(' '));

for (const [title, make] of Object.entries(FAMILIES)) {
  console.log(`\n${title}`);
  row('n', 'structural', 'coverability', 'backward', 'SPIN');
  const givenUp = new Set();
  const asked = async (engine, work) => {
    if (givenUp.has(engine)) return '-';
    const answer = await work();
    if (answer.startsWith('none')) givenUp.add(engine);
    return answer;
  };
  for (const n of [2, 4, 8, 16, 32, 64, 128]) {
    const { net, target } = make(n);
    const marking = net.places.map((_, i) => target[i] ?? 0);
    const linear = await asked('linear', () =>
      timed(async (given) => {
        const { kind } = await settleLinearly(net, coverQuestion(marking), given, loadSolver, {});
        return kind === 'impossible' ? 'proved' : 'none';
      }),
    );
    const set = await asked('set', () =>
      timed((given) => {
        const outcome = coverabilitySet(net, given);
        if (outcome.kind !== 'complete') return 'none';
        return isCoveredBy(outcome.set.markings, marking) ? 'refuted' : 'proved';
      }),
    );
    const backward = await asked('backward', () =>
      timed(async (given) => {
        const { kind } = coverBackward(net, [marking], await loadSolver(), given);
        return kind === 'uncoverable' ? 'proved' : kind === 'covered' ? 'refuted' : 'none';
      }),
    );
    row(n, linear, set, backward, await asked('spin', async () => spin(net, target, title)));
  }
}

console.log(
  '\nA ring of n Promela processes, each sends to the right and waits for the left: deadlock freedom',
);
row('n', 'linear', '', '', 'SPIN');
const { loadPromela, buildNet, plainNet, programDeadQuestion } = await importSource(
  'promela/load.ts',
  'net/build.ts',
  'net/petri.ts',
  'net/dead.ts',
);
/** SPIN has room for 255 processes: from there on only the linear way answers. */
const ring = (n) => {
  const node = 'do :: link[_pid]!1 -> link[(_pid + N - 1) % N]?1 od';
  const parts = range(Math.ceil(n / 250)).map(
    (k) => `active [${Math.min(250, n - 250 * k)}] proctype p${k}() { ${node} }`,
  );
  return `#define N ${n}\nchan link[N] = [1] of { bit };\n${parts.join('\n')}\n`;
};
let isSpinAble = true;
for (const n of [4, 8, 16, 32, 100, 250, 500, 1000]) {
  const linear = await timed(async (given) => {
    const { program } = loadPromela('ring.pml', { read: () => ring(n) });
    const abstraction = buildNet(program, { capacities: 'any' });
    const plain = plainNet(abstraction.net, { capacities: 'declared' });
    const question = programDeadQuestion(abstraction.net, plain, abstraction.offers());
    const { kind } = await settleLinearly(plain.petri, question, given, loadSolver, { groups: plain.groups });
    return kind === 'impossible' ? 'proved' : 'none';
  });
  const other = hasSpin && isSpinAble && n <= 250 ? judge(ring(n), 'ring', ['-m1000000', '-w22']) : '-';
  isSpinAble &&= !other.startsWith('none');
  row(n, linear, '', '', other);
}
