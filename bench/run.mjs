// Runs every bench/*.bench.mjs, one after the other (or those whose names are given). Run: npm run bench [-- parse ltl]
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';

const folder = new URL('.', import.meta.url).pathname;
const wanted = process.argv.slice(2);
const benches = readdirSync(folder)
  .filter((name) => name.endsWith('.bench.mjs'))
  .filter((name) => wanted.length === 0 || wanted.some((part) => name.startsWith(part)))
  .sort();

// What is measured is computed.
process.env.SPILLWAY_CACHE = 'off';
let failed = 0;
for (const name of benches) {
  console.log(`\n# ${name}`);
  const { status } = spawnSync(process.execPath, [join(folder, name)], { stdio: 'inherit' });
  if (status !== 0) failed++;
}
process.exitCode = failed === 0 ? 0 : 1;
