// Safety by induction and liveness on the degenerated reachability graph, as the number of disjuncts grows.
// The session protocol (10 states, 2 registers, 22 actions per machine, 12 message types) with formulas of several sizes: inferred, split,
// and divided further by what a register is worth. [QLive] section 5.3 took 40 s for safety of 144 disjuncts and 60 s for safety and liveness
// of 480, on a workstation of its time. Run: node bench/ecfsm.bench.mjs
import { readFileSync } from 'node:fs';
import { importSource } from './source.mjs';

const {
  readModel,
  SourceFile,
  prepare,
  Induction,
  Decider,
  splitModel,
  inferInvariant,
  buildGraph,
  findWays,
  UNLIMITED,
} = await importSource(
  'base/budget.ts',
  'source/source.ts',
  'ecfsm/resolve/read.ts',
  'ecfsm/safety/formula.ts',
  'ecfsm/safety/induction.ts',
  'ecfsm/solver/decider.ts',
  'ecfsm/split.ts',
  'ecfsm/infer/infer.ts',
  'ecfsm/liveness/graph.ts',
  'ecfsm/liveness/live.ts',
);

const read = (name) => {
  const text = readFileSync(new URL(`../corpus/ecfsm/${name}.ecfsm`, import.meta.url), 'utf8');
  return readModel(new SourceFile(name, text)).model;
};

/** Every disjunct in parts: A.VM below a limit, value by value, and above it. */
function divided(model, limit) {
  const register = { kind: 'register', side: 0, index: 0 };
  const invariant = model.invariant.flatMap((disjunct) =>
    Array.from({ length: limit + 1 }, (_, value) => ({
      ...disjunct,
      name: `${disjunct.name}.${value}`,
      relations: [
        ...disjunct.relations,
        value < limit
          ? { sum: { terms: [[register, 1]], constant: -value }, relation: '=' }
          : { sum: { terms: [[register, -1]], constant: limit }, relation: '<=' },
      ],
    })),
  );
  return { ...model, invariant, goals: [] };
}

async function measure(label, model, liveToo) {
  const decider = new Decider();
  const clock = () => performance.now();
  const begin = clock();
  const induction = new Induction(prepare(model.protocol, model.invariant), decider);
  const { failures, obligations } = await induction.run(UNLIMITED, 1, () => {});
  const proved = clock();
  const afterSafety = decider.counts.bellmanFord;
  let live = '';
  if (liveToo) {
    const graph = await buildGraph(induction, decider, UNLIMITED, () => {});
    const edges = `${graph.sends.length}+${graph.receives.length} edges`;
    const built = clock();
    const dead = model.invariant.filter((_, i) => findWays(graph, [i]).moves.includes(null)).length;
    live = `  liveness ${seconds(built - proved)} (${edges}), all P_i ${seconds(clock() - built)}, not live: ${dead}`;
  }
  console.log(
    `${label.padEnd(34)} ${String(model.invariant.length).padStart(5)} disjuncts  safety ${failures.length === 0 ? 'proved' : 'NOT PROVED'} ${seconds(proved - begin)} (${obligations} obligations, ${afterSafety} Bellman-Ford, ${decider.counts.smt} SMT)${live}`,
  );
}

const seconds = (milliseconds) => `${(milliseconds / 1000).toFixed(2)} s`;

await measure('minor synchronisation (3.3)', read('minor-sync'), true);
const session = read('session');
const coarse = { ...session, goals: [], invariant: inferInvariant(session.protocol, UNLIMITED) };
await measure('session, inferred', coarse, true);
await measure('session, inferred, split', await splitModel(coarse, new Decider(), 'everything'), true);
await measure('session, inferred --fine', session, true);
for (const limit of [1, 3, 7])
  await measure(`session --fine, by A.VM < ${limit}`, divided(session, limit), false);
