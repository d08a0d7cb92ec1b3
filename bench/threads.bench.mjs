// Threads and start-up: twenty models on one thread and on all, and how long a small model takes beside an empty program.
// Run: node bench/threads.bench.mjs (after npm run build)
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';

const cli = new URL('../dist/cli.js', import.meta.url).pathname;
const quick = new URL('../corpus/quickstart/ring.pml', import.meta.url).pathname;
const folder = mkdtempSync(join(tmpdir(), 'spillway-threads-'));
const median = (values) => values.toSorted((a, b) => a - b)[values.length >> 1];

function time(words) {
  const begin = performance.now();
  const { status } = spawnSync(process.execPath, words, { stdio: 'ignore' });
  return { milliseconds: performance.now() - begin, status };
}

// About two million states each, different in a constant. No number of the form 8 k + 7 is a sum of three squares: only a search can know.
const models = Array.from({ length: 20 }, (_, index) => {
  const path = join(folder, `m${index}.pml`);
  writeFileSync(
    path,
    `byte a, b, c; active proctype p() { do :: a < 79 -> a++ :: a > 0 -> a-- :: b < 79 -> b++ :: c < ${70 + index} -> c++ :: assert(a * a + b * b + c * c != 7) od }\n`,
  );
  return path;
});
try {
  const one = time([cli, 'check', ...models, '--property', 'assertions', '--jobs', '1']);
  const all = time([cli, 'check', ...models, '--property', 'assertions']);
  const ratio = (all.milliseconds / one.milliseconds).toFixed(2);
  console.log(
    `20 models: one thread ${(one.milliseconds / 1000).toFixed(1)} s, ${availableParallelism()} threads ${(all.milliseconds / 1000).toFixed(1)} s, ratio ${ratio}`,
  );
  const rounds = Array.from({ length: 11 }, () => ({
    empty: time(['-e', '0']).milliseconds,
    small: time([cli, 'check', quick]).milliseconds,
  }));
  const empty = median(rounds.map((round) => round.empty));
  const small = median(rounds.map((round) => round.small));
  console.log(
    `start-up: node -e 0 ${empty.toFixed(0)} ms, a small model ${small.toFixed(0)} ms, ratio ${(small / empty).toFixed(1)}`,
  );
} finally {
  rmSync(folder, { recursive: true, force: true });
}
