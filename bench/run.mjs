// Runs every bench/*.bench.mjs, one after the other (or those whose names are given), and goes on where one fails: the end says which did, and how
// long each took. What takes minutes gets ten seconds for each question; with --long as much as the pages in docs/ were made with.
// Run: npm run bench [-- [--long] parse ltl]
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const folder = new URL('.', import.meta.url).pathname;
const isLong = process.argv.includes('--long');
const wanted = process.argv.slice(2).filter((word) => word !== '--long');
const all = readdirSync(folder)
  .filter((name) => name.endsWith('.bench.mjs'))
  .sort();
const unknown = wanted.filter((part) => !all.some((name) => name.startsWith(part)));
if (unknown.length > 0) {
  console.error(`there is no benchmark called ${unknown.join(', ')}; there are:`);
  console.error(all.map((name) => `  ${name.replace('.bench.mjs', '')}`).join('\n'));
  process.exit(64);
}
const benches = all.filter((name) => wanted.length === 0 || wanted.some((part) => name.startsWith(part)));

// What is measured is computed.
process.env.SPILLWAY_CACHE = 'off';
if (!isLong) process.env.SPILLWAY_BENCH_SECONDS ??= '10';

/** Processor time of the children that are done, in seconds; null where no such file says it (Linux has it, in hundredths). */
function childrenSeconds() {
  try {
    const stat = readFileSync('/proc/self/stat', 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return (Number(fields[13]) + Number(fields[14])) / 100;
  } catch {
    return null;
  }
}

const results = benches.map((name) => {
  console.log(`\n# ${name}`);
  const begin = performance.now();
  const before = childrenSeconds();
  const { status, signal, error } = spawnSync(process.execPath, [join(folder, name)], { stdio: 'inherit' });
  const seconds = (performance.now() - begin) / 1000;
  const failure = status === 0 ? null : (error?.message ?? (signal === null ? `exit ${status}` : signal));
  if (failure !== null) console.error(`${name} failed: ${failure}`);
  const processor = before === null ? null : childrenSeconds() - before;
  return { name, seconds, processor, failure };
});

const failed = results.filter(({ failure }) => failure !== null);
const total = results.reduce((sum, { seconds }) => sum + seconds, 0);
console.log(
  `\n# ${results.length} benchmarks in ${(total / 60).toFixed(1)} minutes, ${failed.length} failed`,
);
for (const { name, seconds, processor, failure } of results)
  console.log(
    [
      `${seconds.toFixed(0).padStart(6)} s`,
      ...(processor === null ? [] : [`${processor.toFixed(0).padStart(6)} s of processor time`]),
      name,
      ...(failure === null ? [] : [`FAILED: ${failure}`]),
    ].join('  '),
  );
process.exitCode = failed.length === 0 ? 0 : 1;
