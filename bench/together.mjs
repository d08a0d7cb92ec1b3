// One search by one thread and by two, on a space of five million states: three producers and consumers (102 states each) and a counter. In turns, in one
// process, the best of each counts. Beside the time on the wall: the processor time of the busier thread, which is what counts on a machine that
// others use, too.
import { readdirSync, readFileSync } from 'node:fs';
import { importSource, threadScript } from './source.mjs';

const pair = (i) => `chan a${i} = [2] of { byte }; chan b${i} = [2] of { byte };
active proctype P${i}() { byte m, x; do :: m < 3 -> a${i}!m; m++ :: b${i}?x :: m == 3 && x == 2 -> break od }
active proctype C${i}() { byte y; do :: a${i}?y -> b${i}!y; assert(y < 3) od }`;
const MODEL = `${[0, 1, 2].map(pair).join('\n')}
active proctype Counter() { byte n; do :: n = (n + 1) % 5 od }`;
const ROUNDS = 2;

export async function compareThreads() {
  const { loadPromela, compileModel, search, SILENT, UNLIMITED, helpFrom } = await importSource(
    'promela/load.ts',
    'explore/compile.ts',
    'explore/search.ts',
    'base/budget.ts',
    'workers/help.ts',
  );
  const { program } = loadPromela('five.pml', { read: (path) => (path === 'five.pml' ? MODEL : null) });
  const script = await threadScript('workers/helper.ts');
  const free = new Int32Array(new SharedArrayBuffer(4)).fill(1);
  const run = (help) => {
    const model = compileModel(program).value;
    const before = busyTimes();
    const begin = performance.now();
    const { states, limit } = search(model, { all: true }, { ...UNLIMITED, ...help }, SILENT);
    const wall = (performance.now() - begin) / 1000;
    const after = busyTimes();
    const busiest = Math.max(...Object.keys(after).map((thread) => after[thread] - (before[thread] ?? 0)));
    if (limit !== null) throw new Error(`the search ended early: ${limit}`);
    return { states, wall, busiest };
  };
  const best = { one: null, two: null };
  const keep = (name, { states, wall, busiest }) => {
    const known = best[name] ?? { wall, busiest };
    best[name] = { states, wall: Math.min(known.wall, wall), busiest: Math.min(known.busiest, busiest) };
  };
  for (let round = 0; round < ROUNDS; round++) {
    keep('one', run({}));
    keep('two', run({ help: helpFrom(script.url, free) }));
  }
  await script.remove();
  const { one, two } = best;
  if (one.states !== two.states) throw new Error(`${one.states} states by one thread, ${two.states} by two`);
  const by = (key) =>
    `${one[key].toFixed(2)} s : ${two[key].toFixed(2)} s = ${(one[key] / two[key]).toFixed(2)}`;
  console.log(
    `${one.states} states by one thread and by two: wall ${by('wall')}, busier thread ${by('busiest')}`,
  );
}

/** Processor seconds by thread of this process; only the first where the system does not tell. */
function busyTimes() {
  try {
    const threads = readdirSync('/proc/self/task');
    return Object.fromEntries(threads.map((thread) => [thread, secondsOf(`/proc/self/task/${thread}/stat`)]));
  } catch {
    const { user, system } = process.cpuUsage();
    return { 0: (user + system) / 1e6 };
  }
}

function secondsOf(path) {
  const fields = readFileSync(path, 'utf8').split(') ')[1].split(' ');
  return (Number(fields[11]) + Number(fields[12])) / 100;
}
