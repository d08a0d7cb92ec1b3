// Safety by induction and liveness on the degenerated reachability graph, as the number of disjuncts grows.
// The session protocol (10 states, 2 registers, 22 actions per machine, 12 message types): its formula as written by hand, split, and divided
// further by what a register is worth. [QLive] section 5.3 took 40 s for safety of 144 disjuncts and 60 s for safety and liveness of 480, on
// a workstation of its time. Run: node bench/ecfsm.bench.mjs
import { readdirSync, readFileSync } from 'node:fs';
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
  'ecfsm/split/split.ts',
  'ecfsm/infer/infer.ts',
  'ecfsm/liveness/graph.ts',
  'ecfsm/liveness/live.ts',
);

const read = (name) => {
  const text = readFileSync(new URL(`../corpus/ecfsm/${name}.ecfsm`, import.meta.url), 'utf8');
  return readModel(new SourceFile(name, text)).model;
};

/** Every disjunct in parts: A.VS below a limit, value by value, and above it. */
function divided(model, limit) {
  const register = { kind: 'register', side: 0, index: 0 };
  const parts = [];
  const invariant = model.invariant.flatMap((disjunct, index) =>
    Array.from({ length: limit + 1 }, (_, value) => {
      parts.push(index);
      return {
        ...disjunct,
        name: `${disjunct.name}.${value}`,
        relations: [
          ...disjunct.relations,
          value < limit
            ? { sum: { terms: [[register, 1]], constant: -value }, relation: '=' }
            : { sum: { terms: [[register, -1]], constant: limit }, relation: '<=' },
        ],
      };
    }),
  );
  const goals = model.goals.map((goal) => ({
    ...goal,
    disjuncts: parts.flatMap((whole, part) => (goal.disjuncts.includes(whole) ? [part] : [])),
  }));
  return { ...model, invariant, goals };
}

async function measure(label, model, splitTime = 0) {
  const decider = new Decider();
  const begin = clock();
  const induction = new Induction(prepare(model.protocol, model.invariant), decider);
  const { failures, obligations } = await induction.run(UNLIMITED, 1, () => {});
  const proved = clock();
  const graph = await buildGraph(induction, decider, UNLIMITED, () => {});
  const live = model.goals.filter(({ disjuncts }) => !findWays(graph, disjuncts).moves.includes(null));
  const end = clock();
  const row = [
    label.padEnd(36),
    `${model.invariant.length} disjuncts`.padStart(14),
    splitTime === 0 ? ''.padStart(13) : `split ${seconds(splitTime)}`,
    `safety ${failures.length === 0 ? 'proved' : 'NOT PROVED'} ${seconds(proved - begin)}`,
    `liveness ${seconds(end - proved)}, ${live.length} of ${model.goals.length} goals`,
    `${obligations} obligations, ${graph.sends.length}+${graph.receives.length} edges`,
    `${decider.counts.bellmanFord} Bellman-Ford, ${decider.counts.smt} SMT`,
  ];
  console.log(row.join('  '));
  return { safety: proved - begin, all: splitTime + end - begin };
}

/** Processor time, so that other work on the machine does not count. */
const clock = () => process.cpuUsage().user / 1000;
const seconds = (milliseconds) => `${(milliseconds / 1000).toFixed(2)} s`;

async function split(model, by) {
  const begin = clock();
  const result = await splitModel(model, new Decider(), by);
  return [result, clock() - begin];
}

await measure('minor synchronisation (3.3)', read('minor-sync'));
const tokens = read('token-session');
await measure('session with token, inferred', {
  ...tokens,
  invariant: inferInvariant(tokens.protocol, UNLIMITED),
});
const session = read('session');
const hand = await measure('session, by hand', session);
const whole = await measure('session, split', ...(await split(session, 'everything')));
await measure('session, split --by counts', ...(await split(session, 'counts')));
const [parts] = await split(session, 'everything');
for (const limit of [1, 3]) await measure(`session, split, by A.VS < ${limit}`, divided(parts, limit));
console.log(
  `[QLive] 5.3: safety of 144 disjuncts 40 s, here of ${session.invariant.length} ${seconds(hand.safety)} (1/${Math.round(40_000 / hand.safety)}); safety and liveness of 480 disjuncts 60 s, here split, safety and liveness of ${parts.invariant.length} ${seconds(whole.all)} (1/${Math.round(60_000 / whole.all)}), on other machines.`,
);

// Protocols without a formula: found, proved safe, goals live; processor time of each part.
const textbook = await importSource(
  'ecfsm/analyse.ts',
  'ecfsm/infer/find.ts',
  'ecfsm/testing/testing.ts',
  'ecfsm/report/print.ts',
  'base/budget.ts',
);
const folder = new URL('../corpus/ecfsm/', import.meta.url);
const cpu = () => process.cpuUsage().user / 1e6;
console.log(
  '\nprotocols without a formula: disjuncts found, seconds to find them, goals live, seconds for safety and liveness',
);
for (const name of readdirSync(folder).filter(
  (file) => file.endsWith('.ecfsm') && !file.includes('broken'),
)) {
  const text = readFileSync(new URL(name, folder), 'utf8');
  if (text.includes('invariant {')) continue;
  const begin = cpu();
  const bare = textbook.modelOf(text);
  const invariant = await textbook.findInvariant(bare.protocol, textbook.UNLIMITED, textbook.SILENT);
  const found = cpu();
  const model = textbook.modelOf(textbook.showModel({ ...bare, invariant }, 'as written'));
  const analysis = new textbook.Analysis(model, textbook.UNLIMITED, textbook.SILENT);
  const { verdict } = await analysis.safe();
  let live = 0;
  for (const goal of model.goals) if ((await analysis.live(goal)).verdict === 'proved') live++;
  analysis.dispose();
  console.log(
    `${name.padEnd(30)}${String(invariant.length).padStart(4)} disjuncts ${(found - begin).toFixed(2)} s   safe ${verdict}, ${live} of ${model.goals.length} goals ${(cpu() - found).toFixed(2)} s`,
  );
}

// The session of [QLive] 5.2 from nothing, and what one block for each type of message (the way before) gets to.
{
  const begin = cpu();
  const invariant = await textbook.findInvariant(session.protocol, textbook.UNLIMITED, textbook.SILENT);
  const found = cpu() - begin;
  const coarse = cpu();
  const even = inferInvariant(session.protocol, UNLIMITED);
  console.log(
    `\nsession from nothing: ${invariant.length} disjuncts in ${found.toFixed(2)} s; with one block for each type: ${even.length === 0 ? 'nothing' : even.length} after ${(cpu() - coarse).toFixed(2)} s`,
  );
}
