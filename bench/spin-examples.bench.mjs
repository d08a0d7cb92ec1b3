// The examples of Debian's package spin: the verdict on `bounded` for every model with buffered channels and on `livelock-free` for
// every model with progress labels, as a Markdown table (docs/spin-examples.md is made from it).
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { secondsEach } from './seconds.mjs';

const EXAMPLES = '/usr/share/doc/spin/examples';
const cli = new URL('../dist/cli.js', import.meta.url).pathname;
const LIMIT = secondsEach(process.argv[2]);

function* models(folder) {
  for (const name of readdirSync(folder).sort()) {
    const path = join(folder, name);
    if (statSync(path).isDirectory()) yield* models(path);
    else if (name.endsWith('.pml')) yield path;
  }
}

function verdict(path, property) {
  const args = [
    cli,
    'check',
    basename(path),
    '--property',
    property,
    '--timeout',
    String(LIMIT),
    '--format',
    'json',
  ];
  const { stdout } = spawnSync('node', args, { cwd: dirname(path), encoding: 'utf8', maxBuffer: 1 << 28 });
  const [result] = JSON.parse(stdout).properties;
  return result ?? null;
}

const how = (result) => {
  if (result === null) return 'rejected, as by SPIN';
  if (result.verdict === 'unknown') return `unknown: ${result.reason}`;
  if (result.verdict === 'refuted') return 'refuted by a run';
  return result.method === 'exhaustive' ? 'proved by exhaustion' : `proved (${result.method})`;
};

if (!existsSync(EXAMPLES)) {
  console.log(`${EXAMPLES} is missing (Debian's package spin): nothing to do`);
} else {
  console.log('| model | bounded | queues | livelock-free |');
  console.log('| --- | --- | --- | --- |');
  for (const path of models(EXAMPLES)) {
    const buffered = verdict(path, 'bounded');
    const queues = buffered?.queues ?? [];
    const progress = /\bprogress\w*\s*:/.test(readFileSync(path, 'utf8'));
    if (buffered !== null && queues.length === 0 && !progress) continue;
    const open = queues.filter((queue) => queue.verdict !== 'proved').map((queue) => queue.name);
    const largest = Math.max(0, ...queues.map((queue) => queue.bound ?? 0));
    const summary =
      queues.length === 0
        ? '-'
        : open.length === 0
          ? `${queues.length}, at most ${largest}`
          : `${queues.length}, ${buffered.verdict === 'refuted' ? 'not bounded' : 'open'}: ${open.join(', ')}`;
    console.log(
      `| ${relative(EXAMPLES, path).replace('Examples/', '')} | ${how(buffered)} | ${summary} | ${progress ? how(verdict(path, 'livelock-free')) : '-'} |`,
    );
  }
}
