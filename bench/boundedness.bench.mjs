// Boundedness: how the time grows, and the same linear programs by lp_solve (the engine of both papers) where it is installed.
//   (a) leader election on a ring, from the Promela text, 5 to 1000 processes ([Ciclo] Table V: 0.58 s to 33.53 s for 5 to 50)
//   (b) loops with k independent choices, 2^k elementary cycles: flow beside cycles
//   (c) the linear programs of (a) and (b) in HiGHS, with the exact check, and in lp_solve
// Run: node bench/boundedness.bench.mjs
import { spawnSync } from 'node:child_process';
import { importSource } from './source.mjs';

const {
  analyseBoundedness,
  boundProblem,
  buildNet,
  independentChoices,
  indexNet,
  loadPromela,
  loadSolver,
  toLpFormat,
} = await importSource(
  'boundedness/analyse.ts',
  'net/encode-flow.ts',
  'net/build.ts',
  'net/testing/examples.ts',
  'promela/load.ts',
  'lp/solver.ts',
  'lp/testing/lp-format.ts',
);

const OBSERVER = { stage: () => {}, progress: () => {}, now: () => performance.now() };
const timed = async (work) => {
  const begin = performance.now();
  const result = await work();
  return { result, ms: performance.now() - begin };
};
const ms = (value) => `${value.toFixed(value < 10 ? 1 : 0)} ms`;

/** After Dolev, Klawe and Rodeh: candidates compare numbers with their neighbours' and relay once they gave up. */
const ring = (n) => `mtype = { one, two, winner };
chan q[${n}] = [${2 * n}] of { mtype, short };
proctype node(chan in, out; short mine) {
  bool running = 1; short number, maximum, left;
  maximum = mine;
  out!one(mine);
  do
  :: in?one(number) ->
     if
     :: running ->
        if
        :: number != maximum -> out!two(number); left = number
        :: else -> out!winner(number)
        fi
     :: else -> out!one(number)
     fi
  :: in?two(number) ->
     if
     :: running ->
        if
        :: left > number && left > maximum -> maximum = left; out!one(left)
        :: else -> running = 0
        fi
     :: else -> out!two(number)
     fi
  :: in?winner(number) -> if :: number != mine -> out!winner(number) :: else fi; break
  od
}
init { atomic {
${Array.from({ length: n }, (_, i) => `  run node(q[${i}], q[${(i + 1) % n}], ${((i * 7 + 3) % n) + 1});`).join('\n')}
} }
`;

async function leader(n, solver) {
  const text = ring(n);
  const loaded = loadPromela('ring.pml', { read: () => text });
  if (loaded.program === null) throw new Error(loaded.diagnostics.map((one) => one.message).join('\n'));
  const { net } = buildNet(loaded.program);
  const analysis = await analyseBoundedness(net, { solver, observer: OBSERVER });
  return { net, analysis };
}

function lpSolve(text) {
  const begin = performance.now();
  const { stdout, error } = spawnSync('lp_solve', ['-S3'], {
    input: text,
    encoding: 'utf8',
    timeout: 60_000,
  });
  if (error) return error.code === 'ENOENT' ? 'not installed' : '> 60 s';
  const value = /Value of objective function: ([-\d.]+)/.exec(stdout)?.[1];
  return `${value === undefined ? stdout.trim().split('\n')[0] : Number(value)} in ${ms(performance.now() - begin)}`;
}

const start = await timed(loadSolver);
const solver = start.result;
console.log(`start-up of the solver: ${ms(start.ms)}`);
// The first solve compiles the solver's hot functions; that belongs to start-up, too.
await leader(3, solver);

console.log('\n(a) leader election, Promela text to certified bounds');
let five = null;
for (const n of [5, 10, 20, 30, 40, 50, 200, 1000]) {
  const { result, ms: total } = await timed(() => leader(n, solver));
  five ??= total;
  const { analysis, net } = result;
  const bounds = [...new Set(analysis.queues.map((queue) => queue.bound))].join(', ');
  console.log(
    `${String(n).padStart(5)} processes  ${ms(total).padStart(9)}  ×${(total / five).toFixed(1).padStart(6)}  ${analysis.verdict}, bounds ${bounds}, ` +
      `${net.transitions.length} transitions, ${analysis.stats.lps} LPs`,
  );
}

console.log('\n(b) k independent choices in a loop of two processes: 2 · 2^k cycles');
for (const k of [2, 4, 8, 12, 14, 16, 50, 100, 200]) {
  const net = independentChoices(k);
  const flow = await timed(() => analyseBoundedness(net, { solver, observer: OBSERVER }));
  const cycles =
    k > 14
      ? null
      : await timed(() =>
          analyseBoundedness(net, { solver, observer: OBSERVER, method: 'cycles', maxCycles: 100_000 }),
        );
  const other = cycles === null ? 'cycles: too many' : `cycles: ${cycles.result.verdict} in ${ms(cycles.ms)}`;
  console.log(
    `${String(k).padStart(5)}  flow: ${flow.result.verdict} in ${ms(flow.ms).padStart(8)}   ${other}`,
  );
}

console.log('\n(c) one bound as a linear program: HiGHS with exact check, and lp_solve');
for (const [name, net] of [
  ['leader, 50 processes', (await leader(50, solver)).net],
  ['leader, 200 processes', (await leader(200, solver)).net],
  ['leader, 1000 processes', (await leader(1000, solver)).net],
  ['200 choices', independentChoices(200)],
]) {
  const problem = boundProblem(indexNet(net), 0);
  const ours = await timed(() => solver.solve(problem));
  const value =
    ours.result.kind === 'optimal'
      ? Number(ours.result.objective.num) / Number(ours.result.objective.den)
      : ours.result.kind;
  console.log(
    `${name}: ${problem.rows.length} rows, ${problem.columns.length} columns: ${value} in ${ms(ours.ms)}, exact; lp_solve: ${lpSolve(toLpFormat(problem))}`,
  );
}
