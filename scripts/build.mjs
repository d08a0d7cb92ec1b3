// Bundles the CLI and the API into dist/, with code splitting so that each verb loads only what it needs.

import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmod, mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'esbuild';
import { buildWhole } from './whole.mjs';
import { copyModules, withoutNode } from './without-node.mjs';

const root = new URL('..', import.meta.url);
const path = (relative) => new URL(relative, root).pathname;

/** Remembered answers are told apart by it: what was answered by other code is asked again. */
async function fingerprint() {
  const hash = createHash('sha256');
  const entries = await readdir(path('src'), { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));
  for (const file of [path('package-lock.json'), ...files.sort()]) hash.update(await readFile(file));
  return hash.digest('hex').slice(0, 12);
}

await rm(path('dist'), { recursive: true, force: true });
await mkdir(path('dist'), { recursive: true });

// Solvers and parsers that ship WebAssembly stay real dependencies, loaded only by the rooms that need them.
const external = [
  'highs',
  'z3-solver',
  '@viz-js/viz',
  'esbuild',
  'bullmq',
  'ioredis',
  'vitest',
  'xstate',
  '@jitl/quickjs-wasmfile-release-sync',
];
const SPILLWAY_SOURCES = JSON.stringify(await fingerprint());
const forNode = { bundle: true, platform: 'node', target: 'node20', external, logLevel: 'warning' };

await build({
  entryPoints: {
    cli: path('src/cli/main.ts'),
    index: path('src/index.ts'),
    worker: path('src/workers/worker.ts'),
    helper: path('src/workers/helper.ts'),
    'queue-child': path('src/queue/child.ts'),
    vitest: path('src/vitest.ts'),
  },
  ...forNode,
  outdir: path('dist'),
  splitting: true,
  minifySyntax: true,
  minifyWhitespace: true,
  format: 'esm',
  define: { SPILLWAY_SOURCES },
});
await chmod(path('dist/cli.js'), 0o755);
// The same command line as one script, which starts faster.
await buildWhole({
  entryPoints: [path('src/cli/start.ts')],
  outfile: path('dist/whole.cjs'),
  external,
  define: { SPILLWAY_SOURCES },
  logLevel: 'warning',
});
// The process that holds users' XState modules runs this one file, and may read hardly anything else.
await build({
  entryPoints: [path('src/xstate/host/main.ts')],
  outfile: path('dist/xstate-host.mjs'),
  bundle: true,
  minifySyntax: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  logLevel: 'warning',
});
// The API for browsers: whole, for any bundler or none; its packages are inside, its .wasm files beside it.
await build({
  entryPoints: { index: path('src/browser.ts') },
  outdir: path('dist/browser'),
  bundle: true,
  splitting: true,
  minify: true,
  format: 'esm',
  platform: 'browser',
  target: ['chrome120', 'firefox121', 'safari17'],
  plugins: [withoutNode()],
  logLevel: 'warning',
});
await copyModules(path('dist/browser'));

const tsc = spawnSync(path('node_modules/.bin/tsc'), ['-p', path('tsconfig.types.json')], {
  stdio: 'inherit',
});
if (tsc.status !== 0) process.exit(tsc.status ?? 1);
