// [Ciclo] Tables III to VI beside ours, as the Markdown of docs/ciclo-tables.md: its sixteen protocols (our models of them are written from the
// published descriptions, not the paper's files, so numbers of cycles and types differ), their queues one by one with the true maxima, and
// the families of Table V. `node bench/ciclo.bench.mjs > docs/ciclo-tables.md` makes the page again.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { FAMILIES, MODELS } from './ciclo-data.mjs';

const root = new URL('..', import.meta.url).pathname;
const cli = join(root, 'dist/cli.js');
const LIMIT = 60;

/** The report, and the processor time: other programs on the machine do not count. */
function spillway(verb, file, more = []) {
  const given = [
    cli,
    verb,
    `corpus/protocols/${file}.pml`,
    '--timeout',
    String(LIMIT),
    '--format',
    'json',
    // An answer that is remembered takes no time.
    ...(verb === 'check' ? ['--no-cache'] : []),
    ...more,
  ];
  const script = 'TIMEFORMAT="%U %S"; { time "$@" 2>/dev/null; } 2>&1';
  const { stdout } = spawnSync('bash', ['-c', script, 'bash', process.execPath, ...given], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  });
  const end = stdout.trimEnd().lastIndexOf('\n');
  const [user, system] = stdout.slice(end).trim().split(' ').map(Number);
  const report = JSON.parse(stdout.slice(0, end));
  return { ...(Array.isArray(report) ? { queues: report } : report.properties[0]), seconds: user + system };
}
const bounded = (file, more = []) => spillway('check', file, ['--property', 'bounded', ...more]);

const line = (cells) => console.log(`| ${cells.map((cell) => cell ?? '-').join(' | ')} |`);
function table(head, rows) {
  line(head);
  line(head.map(() => '---'));
  for (const row of rows) line(row);
  console.log();
}
const seconds = (value) => value.toFixed(2);
const both = (theirs, ours) => `${theirs ?? '-'} / ${ours ?? '-'}`;
/** How it was settled, in a word. */
const how = ({ verdict, method, evidence }) =>
  verdict === 'refuted'
    ? `refuted, a run of ${evidence.run.steps.length} steps`
    : verdict === 'unknown'
      ? 'unknown'
      : `proved (${method})`;

console.log(`# [Ciclo]'s sixteen models

The protocols of [Ciclo] Table II, side by side with the paper's Tables III to VI. The models in \`corpus/protocols\` are written from published descriptions; the paper's own
files are not public, so that sizes differ and only verdicts can be compared one to one. Left of a slash is the paper, right of it Spillway. The paper's times are of an Athlon 64 X2 of 2006; ours are
processor time, the start of the program included. A dash: not reported. This page is made by \`node bench/ciclo.bench.mjs\`; a test compares its verdicts with
what the engine says.
`);

const measured = MODELS.map((model) => ({
  ...model,
  ours: bounded(model.file),
  byCycles: bounded(model.file, ['--method', 'cycles', '--no-confirm']),
  exact: spillway('bounds', model.file, ['--exact']),
  live: spillway('check', model.file, ['--property', 'livelock-free']),
}));

console.log(`## Boundedness (Tables III and IV)

Cycles and effect vectors are those of \`--method cycles\`, the paper's own system; the verdict, LPs, counterexamples, spurious ones and dependencies are those of the default.
`);
table(
  [
    'model',
    'paper',
    'Spillway',
    'cycles',
    'effect vectors',
    'message types',
    'LPs',
    'counterexamples',
    'spurious',
    'dependencies',
    'seconds',
  ],
  measured.map(({ file, bounded, refined, ours, byCycles }) => [
    file,
    bounded?.result,
    how(ours),
    both(bounded?.cycles, byCycles.stats.cycles),
    both(bounded?.vectors, byCycles.stats.effectVectors),
    both(bounded?.types, ours.stats.messageTypes),
    both(bounded?.lps, ours.stats.lps),
    both(refined?.found, ours.stats.counterexamples),
    both(refined?.spurious, ours.stats.spurious),
    both(refined?.dependencies, ours.stats.dependencies),
    both(bounded?.seconds, seconds(ours.seconds)),
  ]),
);

console.log(`## Livelock freedom (Table VI)
`);
table(
  ['model', 'paper', 'Spillway', 'LPs', 'counterexamples', 'spurious', 'dependencies', 'seconds'],
  measured.map(({ file, livelock, live }) => [
    file,
    livelock?.result,
    how(live),
    both(livelock?.lps, live.stats.lps),
    both(livelock?.found, live.stats.counterexamples),
    both(livelock?.spurious, live.stats.spurious),
    both(livelock?.dependencies, live.stats.dependencies),
    both(livelock?.seconds, seconds(live.seconds)),
  ]),
);

console.log(`## Every queue

The bound that is proved, what \`--method cycles\` (the paper's estimate) gives, and the true maximum by \`--exact\`.
`);
const sameNumbers = (queues) => {
  const groups = new Map();
  for (const queue of queues) {
    const key = JSON.stringify([queue.name.replace(/\[\d+\]/, '[…]'), ...queue.numbers]);
    groups.set(key, [...(groups.get(key) ?? []), queue]);
  }
  return [...groups.values()].map((group) => [group.map(({ name }) => name).join(', '), ...group[0].numbers]);
};
table(
  ['model', 'queues', 'bound', 'by cycles', 'true maximum'],
  measured.flatMap(({ file, byCycles, exact }) => {
    const named = (result, name) => (result.queues ?? []).find((queue) => queue.name === name);
    const rows = (exact.queues ?? []).map((queue) => ({
      name: queue.name,
      numbers: [
        queue.verdict === 'refuted'
          ? 'grows without limit'
          : queue.verdict === 'unknown'
            ? 'open'
            : String(queue.certifiedBound ?? queue.bound),
        queue.verdict === 'refuted' ? '-' : String(named(byCycles, queue.name)?.bound ?? '-'),
        queue.verdict === 'refuted' ? '-' : String(queue.exact ?? 'not known'),
      ],
    }));
    return sameNumbers(rows).map((row) => [file, ...row]);
  }),
);

console.log(`Where the proved bound is larger than the true maximum, or the maximum is not known:

- \`leader\`: which messages a node swallows depends on identities, and the net counts messages of each kind, not who is left; 4 is what every node may have sent.
- \`neilsen-mizuno\`: the way a request takes along the tree depends on all parents at once; the net sees each variable by itself.
- \`conway\`: the bounds are what the producer can send in all (12 letters, digits, newlines, the end); to see that they are reached takes more states than the limit of this page.
- \`itu-t-mcs\`, \`mvcc\`: beside a queue that grows there is no end of states in which a maximum could be found; the bounds are those of the net.
`);

console.log(`## Growing numbers of processes (Table V)

Seconds for boundedness.
`);
for (const { paper, file, define, seconds: theirs } of FAMILIES) {
  console.log(`${paper} (\`-D${define}=n\`):\n`);
  table(
    ['n', 'paper', 'Spillway', 'verdict'],
    Object.entries(theirs).map(([n, value]) => {
      const ours = bounded(file, [`-D${define}=${n}`]);
      return [n, value, seconds(ours.seconds), ours.verdict];
    }),
  );
}
