// How long a small model takes from the command line, beside `node -e 0`: both alternate, medians are compared, and the least times, which a
// busy machine disturbs least. The compiled code that the first runs leave behind is used from the second run on (src/cli/compiled.ts);
// `modules` is the same without it. Needs a build. Run: node bench/startup.bench.mjs [runs]
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const runs = Number(process.argv[2] ?? 15);
const cli = `${root}dist/cli.js`;
// A file that is not there is exit 1, as a refutation is: without this its absence would be measured.
if (!existsSync(cli)) throw new Error('dist/cli.js is not there: npm run build');
const model = (name) => `${root}corpus/quickstart/${name}.pml`;
const commands = [
  { name: 'node -e 0', words: ['-e', '0'] },
  { name: '--version', words: [cli, '--version'] },
  { name: 'check flood.pml', words: [cli, 'check', model('flood')] },
  { name: 'check ring.pml', words: [cli, 'check', model('ring')] },
  { name: 'check ring.pml, modules', words: [cli, 'check', model('ring')], plain: true },
];

/** Milliseconds on the clock and of processor time; the shell knows what its child took. */
function time({ words, plain }) {
  const env = {
    ...process.env,
    SPILLWAY_CACHE: 'off',
    ...(plain ? { NODE_DISABLE_COMPILE_CACHE: '1' } : {}),
  };
  const line = '"$@" >/dev/null || [ $? -le 2 ] || exit 3; times';
  const begin = process.hrtime.bigint();
  const run = spawnSync('bash', ['-c', line, 'bash', process.execPath, ...words], { env, encoding: 'utf8' });
  const elapsed = Number(process.hrtime.bigint() - begin) / 1e6;
  if (run.status !== 0) throw new Error(`${words.join(' ')}: ${run.stderr}`);
  const ofChild = run.stdout.trim().split('\n')[1];
  const parts = [...ofChild.matchAll(/(\d+)m([\d.]+)s/g)].map(
    ([, minutes, seconds]) => minutes * 60 + +seconds,
  );
  return { elapsed, processor: 1000 * (parts[0] + parts[1]) };
}

const median = (values) => values.sort((a, b) => a - b)[values.length >> 1];
for (const command of commands) for (let i = 0; i < 3; i++) time(command);
const times = commands.map(() => []);
for (let run = 0; run < runs; run++)
  commands.forEach((command, index) => {
    times[index].push(time(command));
  });
const figures = times.map((all) => {
  const [elapsed, processor] = ['elapsed', 'processor'].map((key) => all.map((one) => one[key]));
  return [median(elapsed), Math.min(...elapsed), median(processor), Math.min(...processor)];
});
console.log(`${runs} runs each, in milliseconds; in brackets: times node -e 0`);
console.log(
  `${''.padEnd(26)}${['elapsed', '  least', 'processor', '  least'].map((word) => word.padEnd(18)).join('')}`,
);
commands.forEach(({ name }, index) => {
  const cells = figures[index].map(
    (value, at) => `${value.toFixed(0).padStart(5)} (${(value / figures[0][at]).toFixed(2)})`,
  );
  console.log(`${name.padEnd(26)}${cells.map((cell) => cell.padEnd(18)).join('')}`);
});
