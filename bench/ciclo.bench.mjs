// [Ciclo] Tables III to VI beside ours, as the Markdown of docs/ciclo-tables.md: its sixteen protocols (our models of them are written from the
// published descriptions, not the paper's files, so numbers of cycles and types differ), their queues one by one with the true maxima, and
// the families of Table V. `node bench/ciclo.bench.mjs > docs/ciclo-tables.md` makes the page again, `node bench/ciclo.bench.mjs queues` the part about queues alone.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { FAMILIES, MODELS, OTHERS, REASONS } from './ciclo-data.mjs';
import { secondsEach } from './seconds.mjs';

const root = new URL('..', import.meta.url).pathname;
const cli = join(root, 'dist/cli.js');
const LIMIT = secondsEach();

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

const byCycles = (file) => bounded(file, ['--method', 'cycles', '--no-confirm']);

function compareWithPaper() {
  console.log(`# [Ciclo]'s sixteen models

The protocols of [Ciclo] Table II, side by side with the paper's Tables III to VI. The models in \`corpus/protocols\` are written from published descriptions; the paper's own
files are not public, so that sizes differ and only verdicts can be compared one to one. Left of a slash is the paper, right of it Spillway. The paper's times are of an Athlon 64 X2 of 2006; ours are
processor time, the start of the program included. A dash: not reported. This page is made by \`node bench/ciclo.bench.mjs\`; a test compares its verdicts with
what the engine says.
`);

  const measured = MODELS.map((model) => ({
    ...model,
    ours: bounded(model.file),
    byCycles: byCycles(model.file),
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
}

/** Every queue of every protocol of the corpus. */
function everyQueue() {
  console.log(`## Every queue

The bound that is proved and what proves it, what \`--method cycles\` (the paper's estimate) gives, and the true maximum by \`--exact\`: all states, or a run that reaches the bound. Below the sixteen stand two
protocols of the corpus that [Ciclo] has not.
`);
  const rows = [...MODELS, ...OTHERS].flatMap(({ file }) => {
    const papers = byCycles(file).queues ?? [];
    const plain = spillway('bounds', file).queues ?? [];
    const exact = spillway('bounds', file, ['--exact']).queues ?? [];
    return sameNumbers(
      plain.map(({ name, verdict, bound, certifiedBound }) => {
        const grows = verdict === 'refuted';
        const paper = papers.find((queue) => queue.name === name)?.bound;
        const most = exact.find((queue) => queue.name === name)?.exact;
        const ours = grows ? 'grows without limit' : verdict === 'unknown' ? 'open' : String(bound);
        const by = grows ? 'a run' : certifiedBound === null ? 'search' : 'certificate';
        const numbers = [
          ours,
          by,
          grows ? '-' : String(paper ?? '-'),
          grows ? '-' : String(most ?? 'not known'),
        ];
        return { name, numbers };
      }),
    ).map((row) => [file, ...row]);
  });
  table(['model', 'queues', 'bound', 'by', 'by cycles', 'true maximum'], rows);
  console.log('Where the proved bound is larger than the true maximum:\n');
  for (const file of new Set(rows.filter(differs).map(([model]) => model)))
    console.log(`- \`${file}\`: ${REASONS[file] ?? 'not known'}`);
  console.log();
}
const differs = ([, , bound, , , most]) => most !== '-' && bound !== most;
const sameNumbers = (queues) => {
  const groups = new Map();
  for (const queue of queues) {
    const key = JSON.stringify([queue.name.replace(/\[\d+\]/, '[…]'), ...queue.numbers]);
    groups.set(key, [...(groups.get(key) ?? []), queue]);
  }
  return [...groups.values()].map((group) => [group.map(({ name }) => name).join(', '), ...group[0].numbers]);
};

function families() {
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
}

if (process.argv[2] !== 'queues') compareWithPaper();
everyQueue();
if (process.argv[2] !== 'queues') families();
